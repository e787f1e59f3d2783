"""Sums over the boards of rollouts, and value estimates with control variates.

On each board a pair of hands shows which one wins, and how strong either is. The value of a pair is
estimated as its mean over the boards drawn, corrected by control variates: by the differences
between the means of two *controls* over these boards and over all boards, each times its regression
slope. The controls are

* the sign of the showdown: 1, 0 or -1;
* the nut strength of the other's hand less that of the chooser's: a high power of the share of
  hands that it beats, as large pots are won by the very best.

They leave about a seventh of the variance. With all boards and all hands nothing is left to
correct. ``draw_boards`` chooses the boards: some of those that can follow, or all of them.

Source: Hammersley & Handscomb (1964), Monte Carlo methods, section 5.5 (control variates).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb, prod
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.hand_groups import HandGroups
from acpcbot.abstraction.pair_equities import LOWEST, Ranks, fill_percentiles
from acpcbot.arrays import Floats, Floats32
from acpcbot.poker.definition import GameDefinition
from acpcbot.rng import Stream

NUM_CONTROLS = 2
NUT_STRENGTH_POWER = 12
# A control whose variance is less than this share of the largest is taken for rounding.
SINGULAR = 1e-9


class BoardSums(NamedTuple):
    """The sums of one board; pairs are [bucket of the other, bucket of the chooser].

    ``won``       float32 [leaf, continuation, pair]: beyond equity, times the weights
    ``products``  float64 [leaf, continuation, control]: the same times the controls, over all pairs
    ``weights``   float32 [pair]: the number of pairs of hands that each stands for, 0 for those
                  that share a card
    ``counts``    float32 [pair]: the number of pairs, whether they share a card or not
    ``controls``  float32 [control, pair]
    """

    won: Floats32
    products: Floats
    weights: Floats32
    counts: Floats32
    controls: Floats32


class RolloutSums:
    """Sums over boards, for each leaf, continuation and pair of hand buckets."""

    def __init__(self, num_leaves: int, num_continuations: int, num_buckets: int) -> None:
        pairs = (num_buckets, num_buckets)
        self._won = np.zeros((num_leaves, num_continuations, *pairs))
        self._products = np.zeros((num_leaves, num_continuations, NUM_CONTROLS))
        self._weights, self._counts, self._nut_strengths = (
            np.zeros(pairs),
            np.zeros(pairs),
            np.zeros(pairs),
        )
        self._controls = np.zeros((NUM_CONTROLS, *pairs))
        self._squares = np.zeros((NUM_CONTROLS, NUM_CONTROLS))

    def add(self, board: BoardSums) -> None:
        """Add one board."""
        weighted = board.weights * board.controls
        self._won += board.won
        self._products += board.products
        self._weights += board.weights
        self._counts += board.counts
        self._nut_strengths += board.counts * board.controls[1]
        self._controls += weighted
        self._squares += np.einsum("cpq,dpq->cd", weighted, board.controls, dtype=np.float64)

    @property
    def arrays(self) -> dict[str, Floats]:
        """All sums, as live arrays."""
        return {
            "won": self._won,
            "products": self._products,
            "weights": self._weights,
            "counts": self._counts,
            "peaks": self._nut_strengths,
            "controls": self._controls,
            "squares": self._squares,
        }

    def include(self, other: RolloutSums) -> None:
        """Add the boards of *other*."""
        others = other.arrays
        for name, array in self.arrays.items():
            array += others[name]

    def estimates(self, expected: Floats) -> tuple[Floats, Floats]:
        """Return the values beyond equity, and the slopes of the controls.

        Values are [leaf, continuation, pair], slopes [leaf, continuation, control]; *expected*
        [control, pair] are the controls' means over all boards.
        """
        means, controls = _ratio(self._won, self._weights), _ratio(self._controls, self._weights)
        within = self._squares - np.einsum("cpq,dpq->cd", controls, self._controls)
        joint = self._products - np.einsum("lkpq,cpq->lkc", means, self._controls)
        slopes = joint @ np.linalg.pinv(within, rcond=SINGULAR, hermitian=True)
        # The slope of nut strength does not depend on shared cards, and so all pairs of hands
        # estimate its mean.
        deviation = np.stack([controls[0], _ratio(self._nut_strengths, self._counts)]) - expected
        return means - np.einsum("lkc,cpq->lkpq", slopes, deviation), slopes


def nut_strengths_of(ranks: Ranks) -> Floats32:
    """Return the nut strengths of hands by their *ranks* [board, hand]; 0 for hands not dealt."""
    percentiles = np.empty(ranks.shape, np.float32)
    if len(ranks):
        fill_percentiles(ranks, percentiles)
    nut_strengths: Floats32 = percentiles**NUT_STRENGTH_POWER
    return nut_strengths


def expected_controls(
    equities: Floats32,
    compatible: NDArray[np.bool_],
    ranks: Ranks,
    nut_strengths: Floats32,
    hand_buckets: HandGroups,
) -> Floats:
    """Return the means of both controls over all run-outs, [control, pair].

    *ranks* and *nut_strengths* are [run-out, hand]; *compatible* [hand, hand] is true for hands
    that share no card.
    """
    signs = _ratio(_by_bucket(equities, hand_buckets), _by_bucket(compatible, hand_buckets))
    num_held, strength_sums = (
        _by_columns(ranks != LOWEST, hand_buckets),
        _by_columns(nut_strengths, hand_buckets),
    )
    return np.stack(
        [
            signs,
            _ratio(strength_sums.T @ num_held - num_held.T @ strength_sums, num_held.T @ num_held),
        ]
    )


def nut_strengths_in_buckets(
    ranks: Ranks, nut_strengths: Floats32, hand_buckets: HandGroups
) -> Floats32:
    """Return the mean nut strength of each hand less that of its bucket, [hand].

    *nut_strengths* are [run-out, hand].
    """
    means = _ratio(nut_strengths.sum(axis=0, dtype=np.float64), (ranks != LOWEST).sum(axis=0))
    bucket_means = np.bincount(hand_buckets.groups, means) / np.bincount(hand_buckets.groups)
    return (means - bucket_means[hand_buckets.groups]).astype(np.float32)


def _by_bucket(pairs: NDArray[Any], hand_buckets: HandGroups) -> Floats:
    return _by_columns(_by_columns(pairs, hand_buckets).T, hand_buckets).T


def _by_columns(rows: NDArray[Any], hand_buckets: HandGroups) -> Floats:
    """Return the sums of *rows* [row, hand] by the buckets of hands, [row, bucket]."""
    sums: Floats = np.add.reduceat(
        rows[:, hand_buckets.members].astype(np.float64), hand_buckets.starts[:-1], axis=1
    )
    return sums


def _ratio(sums: Floats, weights: NDArray[Any]) -> Floats:
    ratio: Floats = np.divide(sums, weights, out=np.zeros_like(sums), where=weights > 0)
    return ratio


Board = tuple[int, ...]
Item = TypeVar("Item")


def draw_boards(
    definition: GameDefinition, board: Sequence[int], num_boards: int, stream: Stream
) -> list[Board]:
    """Return *num_boards* full boards that can follow *board*, none twice; at most all of them.

    Cards are in the order of their streets. Each board is as likely as any. Where a single card
    falls on each of two streets to come, every card falls equally often on either, but for one;
    where more are to come, the cards of the next street are taken in turn.
    """
    sizes = _street_sizes(definition, len(board))
    free = [card for card in definition.deck if card not in board]
    if _count(len(free), sizes) <= num_boards:
        return [(*board, *rest) for rest in _all_boards(free, sizes)]
    if sizes == [1, 1]:
        return [
            (*board, *pair) for pair in _ordered_pairs(shuffled(free, stream), num_boards, stream)
        ]
    nexts = list(combinations(free, sizes[0]))
    drawn: dict[Board, None] = {}
    while len(drawn) < num_boards:
        nexts = shuffled(nexts, stream)
        for following in nexts[: num_boards - len(drawn)]:
            full = _completed((*board, *following), definition, stream)
            while full in drawn:
                full = _completed((*board, *following), definition, stream)
            drawn[full] = None
    return list(drawn)


def _ordered_pairs(cards: Sequence[int], count: int, stream: Stream) -> list[tuple[int, int]]:
    """Return *count* ordered pairs of *cards*.

    Each card comes with the one a fixed distance behind it, in a circle, for one distance after
    another.
    """
    distances = shuffled(range(1, len(cards)), stream)
    return [
        (card, cards[(place + distance) % len(cards)])
        for distance in distances[: -(-count // len(cards))]
        for place, card in enumerate(cards)
    ][:count]


def shuffled(items: Sequence[Item], stream: Stream) -> list[Item]:
    """Return *items* in a random order."""
    order = list(items)
    for place in range(len(order) - 1, 0, -1):
        other = stream.below(place + 1)
        order[place], order[other] = order[other], order[place]
    return order


def _street_sizes(definition: GameDefinition, num_known: int) -> list[int]:
    """Return the number of cards on each of the streets to come."""
    street = next(
        number
        for number in range(definition.num_streets)
        if definition.board_size(number) == num_known
    )
    return list(definition.num_board_cards[street + 1 :])


def _count(num_free: int, sizes: Sequence[int]) -> int:
    """Return the number of boards, told apart by the street on which each card falls."""
    gone = [sum(sizes[:street]) for street in range(len(sizes))]
    return prod(comb(num_free - before, size) for before, size in zip(gone, sizes, strict=True))


def _all_boards(free: Sequence[int], sizes: Sequence[int]) -> list[Board]:
    """Return all boards, cards in the order of the streets."""
    boards: list[Board] = [()]
    for size in sizes:
        boards = [
            (*board, *cards)
            for board in boards
            for cards in combinations([c for c in free if c not in board], size)
        ]
    return boards


def _completed(board: Board, definition: GameDefinition, stream: Stream) -> Board:
    """Return *board* with random cards up to the last street."""
    while len(board) < sum(definition.num_board_cards):
        card = definition.deck[stream.below(len(definition.deck))]
        if card not in board:
            board = (*board, card)
    return board
