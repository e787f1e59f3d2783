"""A duplicate match of local best response against a strategy, and what it won.

Each deal is played in both seats and is one sample. Of a hand counts the mean over all
hands that the strategy could have had (imaginary observations), since all is known of it.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise
from multiprocessing import get_context

import numpy as np
from numpy.typing import NDArray

from acpcbot.evaluation.aivat import IMAGINARY, PlayedHand, estimate
from acpcbot.evaluation.arena_deals import ArenaDealer
from acpcbot.evaluation.known_strategies import find_strategy
from acpcbot.evaluation.local_best_response import LocalBestResponse
from acpcbot.matches.score import EntrantScore, summarise
from acpcbot.poker.dealing import Dealing
from acpcbot.poker.definition import GameDefinition
from acpcbot.rng import Stream

Progress = Callable[[int, int], None]
Chips = NDArray[np.float64]

BLOCK_DEALS = 50
"""Those that a process plays before it is heard of."""


@dataclass(frozen=True, slots=True)
class Contest:
    """Local best response with *menu* against the strategy called *target*."""

    definition: GameDefinition
    target: str
    menu: str

    def player(self, on_progress: Progress | None = None) -> LocalBestResponse:
        """The player; *on_progress* hears of card tables. Raises UsageError, UnknownStrategy, BadSnapshot."""
        strategy = find_strategy(self.target, ArenaDealer(self.definition, on_progress))
        return LocalBestResponse(self.definition, strategy, self.menu)


def play_match(
    player: LocalBestResponse, num_deals: int, seed: int, on_progress: Progress | None = None
) -> EntrantScore:
    """What *player* wins in *num_deals* deals from *seed*, which also decides what the strategy draws."""
    return _played(map(partial(_play, player, seed), _blocks(num_deals, 1)), player.definition, num_deals, on_progress)


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
    return summarise("local best response", np.array(chips), definition.big_blind)


@cache
def _own_player(contest: Contest) -> LocalBestResponse:
    return contest.player()


def _play_contest(contest: Contest, seed: int, block: tuple[int, int]) -> Chips:
    return _play(_own_player(contest), seed, block)


def _play(player: LocalBestResponse, seed: int, block: tuple[int, int]) -> Chips:
    """What he wins in the deals from the first of *block* to before its second, [deal, seat]."""
    dealing, (first, last) = Dealing(player.definition, seed), block
    dealing.skip(first)
    chips = np.empty((last - first, 2))
    for number in range(first, last):
        deal = dealing.next_deal()
        for seat in range(2):
            hand = player.play(deal, seat, Stream(seed, number, seat))
            chips[number - first, seat] = _won_chips(player, hand, 1 - seat)
    return chips


def _won_chips(player: LocalBestResponse, hand: PlayedHand, target: int) -> float:
    return -estimate(hand, target, {target: player.target}, None, IMAGINARY)
