"""A duplicate match of local best response against a strategy, and what it won.

Each deal is played in both seats and is one sample. Of a hand counts the mean over all
hands that the strategy could have had, and the luck of the cards and of its own lots is taken
out, since all is known of it (AIVAT, with the guesses of ``response_values.py``). The mean stays.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise
from multiprocessing import get_context

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.row_chunks import Progress
from acpcbot.evaluation.aivat import AIVAT, estimate
from acpcbot.evaluation.arena_deals import ArenaDealer
from acpcbot.evaluation.known_strategies import find_strategy
from acpcbot.evaluation.local_best_response import LocalBestResponse
from acpcbot.evaluation.response_values import ResponseValues
from acpcbot.matches.intervals import root_mean_square
from acpcbot.matches.score import EntrantScore, summarise
from acpcbot.poker.dealing import Deal, Dealing
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.payoffs import payoffs
from acpcbot.rng import Stream

Chips = NDArray[np.float64]

BLOCK_DEALS = 50
"""Those that a process plays before it is heard of."""


@dataclass(frozen=True, slots=True)
class Contest:
    """Local best response with *menu* against the strategy called *target*."""

    definition: GameDefinition
    target: str
    menu: str

    def seats(self, on_progress: Progress | None = None) -> Seats:
        """Both players; *on_progress* hears of card tables. Raises UsageError, UnknownStrategy, BadSnapshot."""
        strategy = find_strategy(self.target, ArenaDealer(self.definition, on_progress))
        player = LocalBestResponse(self.definition, strategy, self.menu)
        return Seats(player, ResponseValues(player, on_progress))


@dataclass(frozen=True, slots=True)
class Seats:
    """The *player* with his target, and guesses of what the target's hands are worth."""

    player: LocalBestResponse
    values: ResponseValues

    def won_chips(self, deal: Deal, seat: int, stream: Stream) -> tuple[float, float]:
        """What the player wins with *deal* in *seat*, by AIVAT and in chips; the target's acts are of *stream*."""
        hand, target = self.player.play(deal, seat, stream), 1 - seat
        without_luck = -estimate(hand, target, {target: self.player.target}, self.values, AIVAT)
        return without_luck, payoffs(hand.betting, hand.hole_cards, deal.board)[seat]


def play_match(seats: Seats, num_deals: int, seed: int, on_progress: Progress | None = None) -> EntrantScore:
    """What the player wins in *num_deals* deals from *seed*, which also decides what the target draws."""
    blocks = map(partial(_play, seats, seed), _blocks(num_deals, 1))
    return _played(blocks, seats.player.definition, num_deals, on_progress)


def play_contest(
    contest: Contest, num_deals: int, seed: int, num_processes: int, on_progress: Progress | None = None
) -> EntrantScore:
    """The same, shared out among processes."""
    # An interrupt is the caller's business, who then stops them.
    with ProcessPoolExecutor(
        num_processes, get_context("spawn"), initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)
    ) as pool:
        try:
            blocks = pool.map(partial(_play_contest, contest, seed), _blocks(num_deals, BLOCK_DEALS))
            return _played(blocks, contest.definition, num_deals, on_progress)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _blocks(num_deals: int, size: int) -> list[tuple[int, int]]:
    return list(pairwise([*range(0, num_deals, size), num_deals]))


def _played(
    blocks: Iterator[Chips], definition: GameDefinition, num_deals: int, on_progress: Progress | None
) -> EntrantScore:
    chips: list[Chips] = []
    for block in blocks:
        chips.extend(block)
        if on_progress is not None:
            on_progress(len(chips), num_deals)
    without_luck, plain = np.moveaxis(np.array(chips), 2, 0)
    return summarise("local best response", without_luck, definition.big_blind, root_mean_square(plain))


@cache
def _own_seats(contest: Contest) -> Seats:
    return contest.seats()


def _play_contest(contest: Contest, seed: int, block: tuple[int, int]) -> Chips:
    return _play(_own_seats(contest), seed, block)


def _play(seats: Seats, seed: int, block: tuple[int, int]) -> Chips:
    """What is won in the deals from the first of *block* to before its second, [deal, seat, by AIVAT or in chips]."""
    dealing, (first, last) = Dealing(seats.player.definition, seed), block
    dealing.skip(first)
    chips = np.empty((last - first, 2, 2))
    for number in range(first, last):
        deal = dealing.next_deal()
        chips[number - first] = [seats.won_chips(deal, seat, Stream(seed, number, seat)) for seat in range(2)]
    return chips
