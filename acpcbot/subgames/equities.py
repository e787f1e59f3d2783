"""Equity of every hand against the opponent's range, if nobody bets any more.

The equity of a hand is the share of the pot that it wins on average, a tie half of it: over all
hands of the opponent's range that share no card with it, weighted by their reach, and over all
boards that can follow. Where more than MAX_BOARDS boards can follow, NUM_DRAWN drawn ones stand for
all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.errors import UsageError
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import all_hands, hand_strengths, hands_without
from acpcbot.subgames.block_rows import NUM_SEATS
from acpcbot.subgames.solution import Decision
from acpcbot.subgames.terminal_values import Cards, fold_values, showdown_values

MAX_BOARDS = 2_000
"""Most boards that are all dealt: those after a flop of hold'em are 1,176."""
NUM_DRAWN = 1_000
NUM_GROUPS = 20
"""Groups of drawn boards whose results tell the error of their mean."""
DECK_SIZE = 52


@dataclass(frozen=True, slots=True, eq=False)
class Equities:
    """Equities of both seats' hands.

    ``shares``          float64 [..., seat, hand], from 0 to 1; NaN where no hand of the opponent's
                        range fits
    ``num_boards``      the number of boards that were dealt
    ``standard_error``  that of a share, the root mean square over hands; 0 where all boards were
                        dealt
    """

    shares: Floats
    num_boards: int
    standard_error: float


def has_exact_equities(definition: GameDefinition, board: Sequence[int]) -> bool:
    """Return True if the boards that can follow *board* are few enough to deal them all."""
    num_rest = len(definition.deck) - len(board)
    return comb(num_rest, _num_missing(definition, board)) <= MAX_BOARDS


def decision_equities(decisions: Sequence[Decision], generator: np.random.Generator) -> Equities:
    """Return the equities at *decisions* of a solved game, which are on one board.

    Shares are [decision, seat, hand], hands as at the decisions. Boards are dealt once for all of
    them; *generator* draws some where they are too many.
    """
    first = decisions[0]
    definition = first.place.betting.game.definition
    reaches = np.zeros((len(decisions), NUM_SEATS, len(all_hands(definition))))
    for number, decision in enumerate(decisions):
        reaches[number][:, decision.hands] = decision.reaches
    found = range_equities(definition, first.place.board, reaches, generator)
    return Equities(found.shares[..., first.hands], found.num_boards, found.standard_error)


def range_equities(
    definition: GameDefinition,
    board: Sequence[int],
    reaches: Floats,
    generator: np.random.Generator,
) -> Equities:
    """Return the equities of the ranges *reaches* [..., seat, hand] on *board*, against each other.

    Hands are as in ``poker/hands.py``. *generator* draws boards where they are too many.
    """
    rest = [card for card in definition.deck if card not in board]
    num_missing = _num_missing(definition, board)
    is_whole = has_exact_equities(definition, board)
    boards = (
        list(combinations(rest, num_missing))
        if is_whole
        else list(_drawn(rest, num_missing, generator))
    )
    num_groups = 1 if is_whole else NUM_GROUPS
    pairs = reaches.reshape(-1, NUM_SEATS, reaches.shape[-1])
    # [group of boards, won or met, pair of ranges, seat, hand]
    sums = np.zeros((num_groups, 2, *pairs.shape))
    for number, later in enumerate(boards):
        _add_board(definition, (*board, *later), pairs, sums[number % num_groups])
    with np.errstate(divide="ignore", invalid="ignore"):
        won, met = sums.sum(axis=0)
        shares = np.where(met > 1e-12 * pairs.sum(axis=(1, 2))[:, None, None], won / met, np.nan)
        by_group = sums[:, 0] / sums[:, 1]
    error = 0.0 if is_whole else _standard_error(by_group)
    return Equities(shares.reshape(reaches.shape), len(boards), error)


def _num_missing(definition: GameDefinition, board: Sequence[int]) -> int:
    return sum(definition.num_board_cards) - len(board)


def _drawn(
    rest: Sequence[int], num_cards: int, generator: np.random.Generator
) -> Iterator[tuple[int, ...]]:
    for _ in range(NUM_DRAWN):
        yield tuple(generator.choice(rest, num_cards, replace=False).tolist())


def _add_board(
    definition: GameDefinition, board: Sequence[int], pairs: Floats, sums: Floats
) -> None:
    """Add what the hands win on the whole *board*, and whom they meet there, to *sums*.

    *pairs* of ranges are [pair, seat, hand], the sums [won or met, pair, seat, hand].
    """
    showdown = Showdown(definition, board)
    for number, reaches in enumerate(pairs):
        for seat in range(NUM_SEATS):
            ahead, met = showdown.values(reaches[1 - seat])
            # Won less lost, and met is won, lost and tied: half their sum counts a tie as half.
            sums[0, number, seat, showdown.hands] += (ahead + met) / 2
            sums[1, number, seat, showdown.hands] += met


class Showdown:
    """The hands on a whole board in the rising order of their strengths, sorted once for all ranges.

    ``hands`` are their numbers; ``values`` takes time linear in their number.
    """

    def __init__(self, definition: GameDefinition, board: Sequence[int]) -> None:
        free = np.flatnonzero(hands_without(definition, board))
        strengths = hand_strengths(definition, board)[free]
        in_order = np.argsort(strengths, kind="stable")
        self.hands, self._ranks = free[in_order], strengths[in_order].astype(np.uint16)
        self._pairs = _card_pairs(definition)[self.hands]
        self._card_sums = np.empty(DECK_SIZE + len(all_hands(definition)))

    def values(self, reach: Floats) -> tuple[Floats, Floats]:
        """Return for each of ``hands`` the *reach* [any hand] that it beats less that it loses to.

        With it, all the reach that it meets.
        """
        own = np.ascontiguousarray(reach[self.hands])
        ahead, met = np.empty((2, len(own)))
        fold_values(own, self._pairs, 1.0, self._card_sums, met)
        showdown_values(own, self._pairs, self._ranks, 1.0, self._card_sums, ahead)
        return ahead, met


def met_reach(definition: GameDefinition, reach: Floats) -> Floats:
    """Return for each hand the sum of *reach* over the hands that share no card with it, [hand]."""
    cards = _card_pairs(definition)
    met = np.empty(len(cards))
    fold_values(np.ascontiguousarray(reach), cards, 1.0, np.empty(DECK_SIZE + len(cards)), met)
    return met


@cache
def _card_pairs(definition: GameDefinition) -> Cards:
    """Return both cards of each hand, [hand, 2]; a single card has a number of its own as second."""
    hands = all_hands(definition).astype(np.uint16)
    if hands.shape[1] == 1:
        own = np.arange(len(hands), dtype=np.uint16)[:, None] + np.uint16(DECK_SIZE)
        hands = np.concatenate([hands, own], axis=1)
    if hands.shape[1] != 2:
        raise UsageError(f"hands of {hands.shape[1]} cards", "expected games with one card or two")
    return hands


def _standard_error(by_group: Floats) -> float:
    """Return the standard error of the mean of *by_group* [group, seat, hand] over groups."""
    known = by_group[:, np.isfinite(by_group).all(axis=0)]
    if not known.size:
        return 0.0
    errors = known.std(axis=0, ddof=1) / np.sqrt(len(known))
    return float(np.sqrt((errors**2).mean()))
