"""Sums over the boards of roll-outs, and the estimates that come of them.

On each board a pair of hands shows who wins, and how strong either is. What they win is estimated as its
mean over the boards drawn, corrected by how lucky these were: by the differences between the means of two
*controls* over these boards and over all, each times what it is worth by regression. The controls are

* who shows the better hand, 1, 0 or -1;
* the peak of the other's hand less that of the chooser's: a high power of the share of hands that
  it beats, as large pots are won by the very best.

They leave about a seventh of the variance. With all boards and all hands nothing is left to
correct.

Source: Hammersley & Handscomb (1964), Monte Carlo methods, section 5.5 (control variates).

The boards of roll-outs: some of those that can follow, or all of them.
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
PEAK_POWER = 12
# Less than this share of a control's variance is rounding.
SINGULAR = 1e-9


class BoardSums(NamedTuple):
    """What one board brings; pairs are [group of the other, group of the chooser].

    ``won``       float32 [leaf, continuation, pair]: beyond equity, times the weights
    ``products``  float64 [leaf, continuation, control]: the same times the controls, over all pairs
    ``weights``   float32 [pair]: how many pairs of hands each stands for, 0 for hands that share a card
    ``counts``    float32 [pair]: how many pairs there are, whether they share a card or not
    ``controls``  float32 [control, pair]
    """

    won: Floats32
    products: Floats
    weights: Floats32
    counts: Floats32
    controls: Floats32


class RollOutSums:
    """The sums over boards for so many leaves and continuations."""

    def __init__(self, num_leaves: int, num_ways: int, num_groups: int) -> None:
        pairs = (num_groups, num_groups)
        self._won = np.zeros((num_leaves, num_ways, *pairs))
        self._products = np.zeros((num_leaves, num_ways, NUM_CONTROLS))
        self._weights, self._counts, self._peaks = np.zeros(pairs), np.zeros(pairs), np.zeros(pairs)
        self._controls = np.zeros((NUM_CONTROLS, *pairs))
        self._squares = np.zeros((NUM_CONTROLS, NUM_CONTROLS))

    def add(self, board: BoardSums) -> None:
        """One more board."""
        weighted = board.weights * board.controls
        self._won += board.won
        self._products += board.products
        self._weights += board.weights
        self._counts += board.counts
        self._peaks += board.counts * board.controls[1]
        self._controls += weighted
        self._squares += np.einsum("cpq,dpq->cd", weighted, board.controls, dtype=np.float64)

    @property
    def arrays(self) -> dict[str, Floats]:
        """All that was added up, as live arrays."""
        return {
            "won": self._won,
            "products": self._products,
            "weights": self._weights,
            "counts": self._counts,
            "peaks": self._peaks,
            "controls": self._controls,
            "squares": self._squares,
        }

    def include(self, other: RollOutSums) -> None:
        """The boards of *other* as well."""
        theirs = other.arrays
        for name, array in self.arrays.items():
            array += theirs[name]

    def estimates(self, expected: Floats) -> tuple[Floats, Floats]:
        """What is won beyond equity if controls are *expected* [control, pair] so, [leaf,
        continuation, pair].

        And what the controls are worth, [leaf, continuation, control].
        """
        means, controls = _ratio(self._won, self._weights), _ratio(self._controls, self._weights)
        within = self._squares - np.einsum("cpq,dpq->cd", controls, self._controls)
        joint = self._products - np.einsum("lkpq,cpq->lkc", means, self._controls)
        slopes = joint @ np.linalg.pinv(within, rcond=SINGULAR, hermitian=True)
        # What the peaks are worth does not depend on who shares a card, and so all pairs of hands
        # tell of them.
        luck = np.stack([controls[0], _ratio(self._peaks, self._counts)]) - expected
        return means - np.einsum("lkc,cpq->lkpq", slopes, luck), slopes


def peaks_of(ranks: Ranks) -> Floats32:
    """The peaks of hands by their *ranks* [board, hand]; 0 for those that cannot be held."""
    percentiles = np.empty(ranks.shape, np.float32)
    if len(ranks):
        fill_percentiles(ranks, percentiles)
    peaks: Floats32 = percentiles**PEAK_POWER
    return peaks


def expected_controls(
    equities: Floats32, beside: NDArray[np.bool_], ranks: Ranks, peaks: Floats32, groups: HandGroups
) -> Floats:
    """The means of both controls over all run-outs, of which *ranks* and *peaks* [run-out,
    hand] tell, [control, pair].

    *beside* [hand, hand] says which hands share no card.
    """
    signs = _ratio(_by_group(equities, groups), _by_group(beside, groups))
    held, tops = _by_columns(ranks != LOWEST, groups), _by_columns(peaks, groups)
    return np.stack([signs, _ratio(tops.T @ held - held.T @ tops, held.T @ held)])


def peaks_in_groups(ranks: Ranks, peaks: Floats32, groups: HandGroups) -> Floats32:
    """By how much the mean of each hand's *peaks* [run-out, hand] is above that of its group,
    [hand].
    """
    means = _ratio(peaks.sum(axis=0, dtype=np.float64), (ranks != LOWEST).sum(axis=0))
    of_groups = np.bincount(groups.groups, means) / np.bincount(groups.groups)
    return (means - of_groups[groups.groups]).astype(np.float32)


def _by_group(pairs: NDArray[Any], groups: HandGroups) -> Floats:
    return _by_columns(_by_columns(pairs, groups).T, groups).T


def _by_columns(rows: NDArray[Any], groups: HandGroups) -> Floats:
    """The sums of *rows* [row, hand] by the groups of hands, [row, group]."""
    sums: Floats = np.add.reduceat(
        rows[:, groups.members].astype(np.float64), groups.starts[:-1], axis=1
    )
    return sums


def _ratio(sums: Floats, weights: NDArray[Any]) -> Floats:
    ratio: Floats = np.divide(sums, weights, out=np.zeros_like(sums), where=weights > 0)
    return ratio


Board = tuple[int, ...]
Thing = TypeVar("Thing")


def draw_boards(
    definition: GameDefinition, board: Sequence[int], num_boards: int, stream: Stream
) -> list[Board]:
    """*num_boards* full boards that can follow *board*, none twice; all of them if they are fewer.

    Cards are in the order of their streets. Each board is as likely as any. Where a single card
    falls on each of two streets to come, every card falls equally often on either, but for one;
    where more are to come, what falls on the next street comes in turns.
    """
    sizes = _street_sizes(definition, len(board))
    free = [card for card in definition.deck if card not in board]
    if _count(len(free), sizes) <= num_boards:
        return [(*board, *rest) for rest in _all_boards(free, sizes)]
    if sizes == [1, 1]:
        return [(*board, *pair) for pair in _pairs(shuffled(free, stream), num_boards, stream)]
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


def _pairs(cards: Sequence[int], count: int, stream: Stream) -> list[tuple[int, int]]:
    """So many ordered pairs of *cards*: each card with the one that is some places behind it,
    in a circle.
    """
    distances = shuffled(range(1, len(cards)), stream)
    return [
        (card, cards[(place + distance) % len(cards)])
        for distance in distances[: -(-count // len(cards))]
        for place, card in enumerate(cards)
    ][:count]


def shuffled(things: Sequence[Thing], stream: Stream) -> list[Thing]:
    """*things* in a random order."""
    order = list(things)
    for place in range(len(order) - 1, 0, -1):
        other = stream.below(place + 1)
        order[place], order[other] = order[other], order[place]
    return order


def _street_sizes(definition: GameDefinition, num_known: int) -> list[int]:
    """How many cards fall on each of the streets to come."""
    street = next(
        number
        for number in range(definition.num_streets)
        if definition.board_size(number) == num_known
    )
    return list(definition.num_board_cards[street + 1 :])


def _count(num_free: int, sizes: Sequence[int]) -> int:
    """How many boards there are, told apart by what falls on which street."""
    gone = [sum(sizes[:street]) for street in range(len(sizes))]
    return prod(comb(num_free - before, size) for before, size in zip(gone, sizes, strict=True))


def _all_boards(free: Sequence[int], sizes: Sequence[int]) -> list[Board]:
    """All ways for cards to fall, in the order of the streets."""
    boards: list[Board] = [()]
    for size in sizes:
        boards = [
            (*board, *cards)
            for board in boards
            for cards in combinations([c for c in free if c not in board], size)
        ]
    return boards


def _completed(board: Board, definition: GameDefinition, stream: Stream) -> Board:
    """*board* and random cards to the end."""
    while len(board) < sum(definition.num_board_cards):
        card = definition.deck[stream.below(len(definition.deck))]
        if card not in board:
            board = (*board, card)
    return board
