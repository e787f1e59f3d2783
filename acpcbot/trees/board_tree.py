"""The boards that can follow a public state, and the hands on each board.

Boards that a change of suits turns into one another are worth the same where ranges and strategies
do not tell suits apart; one of them stands for all. Boards are numbered level by level, the root's
is board 0, and the boards that follow one another lie together.

The hands of a board are those that it leaves. On a full board they rise in strength, so that a
showdown is one walk along them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby, pairwise, permutations
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Uints64
from acpcbot.cards.deck import NUM_CARDS, mask_of
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import all_hands, hand_numbers, hand_strengths, hands_without
from acpcbot.rng import Stream

Changes = NDArray[np.uint8]


class BoardArrays(NamedTuple):
    """The boards as kernels read them. A *row* is a hand on a board.

    ``first_child``  int64 [board + 1]: board b is followed by the boards
                     first_child[b] .. first_child[b + 1] - 1
    ``weights``      float64 [board]: the probability of its cards after its parent's, given any two
                     hands; those of all boards that it stands for together
    ``chances``      float64 [board]: the product of the weights from the root's board on
    ``first_row``    int64 [board + 1]
    ``hands``        uint16 [row], as in ``poker/hands.py``
    ``parents``      uint16 [row]: the hand's place among those of the parent
    ``cards``        uint16 [row, 2]: its cards; a single card has a number of its own as second one
    ``ranks``        uint16 [row]: how many strengths of a full board are below its own
    ``orbits``       uint16 [row]: equal for hands that a change of suits exchanges which leaves the
                     board alone
    """

    first_child: NDArray[np.int64]
    weights: NDArray[np.float64]
    chances: NDArray[np.float64]
    first_row: NDArray[np.int64]
    hands: NDArray[np.uint16]
    parents: NDArray[np.uint16]
    cards: NDArray[np.uint16]
    ranks: NDArray[np.uint16]
    orbits: NDArray[np.uint16]


@dataclass(frozen=True, slots=True, eq=False)
class BoardTree:
    """The boards from that of a root *street* on, *boards* by number, and their *arrays*."""

    definition: GameDefinition
    street: int
    boards: tuple[tuple[int, ...], ...]
    first_boards: tuple[int, ...]
    """The first board of each street from the root's on, and the number of boards."""
    arrays: BoardArrays

    def street_boards(self, street: int) -> range:
        """Return the numbers of the boards of *street*."""
        level = street - self.street
        return range(self.first_boards[level], self.first_boards[level + 1])

    def street_of(self, board: int) -> int:
        """Return the street of a board."""
        return self.street + bisect_right(self.first_boards, board) - 1

    def rows(self, board: int) -> slice:
        """Return the rows of the hands of a board."""
        return slice(int(self.arrays.first_row[board]), int(self.arrays.first_row[board + 1]))


@dataclass(frozen=True, slots=True)
class DrawnBoards:
    """Boards of the last street that stand for all: *count* for each board of the street before.

    They are drawn from *seed*. A hand that holds one of them misses it, so that its values on the
    street before are too small by that share; over all boards of that street it evens out.
    """

    count: int
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class _Board:
    """A board while the tree is built: the suit changes that leave it alone, and its parent."""

    cards: tuple[int, ...]
    changes: Changes
    weight: float
    parent: int


def suit_changes(definition: GameDefinition) -> Changes:
    """Return all permutations of the suits of the game's deck, uint8 [change, card].

    An entry is the card that the change makes of a card.
    """
    suits = sorted({card & 3 for card in definition.deck})
    cards = np.arange(NUM_CARDS, dtype=np.uint8)
    changes = []
    for order in permutations(suits):
        target = np.arange(4, dtype=np.uint8)
        target[suits] = order
        changes.append(cards & 0xFC | target[cards & 3])
    return np.array(changes, np.uint8)


def no_changes() -> Changes:
    """Return the identity alone, for ranges and strategies that tell suits apart."""
    return np.arange(NUM_CARDS, dtype=np.uint8)[None]


def kept_changes(
    definition: GameDefinition,
    changes: Changes,
    ranges: NDArray[np.float64] | None,
    *,
    tolerance: float = 0.0,
) -> Changes:
    """Return those of *changes* that leave *ranges* as they are, but for rounding.

    *ranges* are [seat, hand of ``poker/hands.py``]; without any all changes are kept. Differences
    up to *tolerance* do not count.
    """
    if ranges is None:
        return changes
    kept = []
    for change in changes:
        images = hand_numbers(definition, change[all_hands(definition)])
        kept.append(bool(np.allclose(ranges[:, images], ranges, rtol=1e-12, atol=tolerance)))
    return changes[kept]


def first_boards(definition: GameDefinition) -> list[tuple[tuple[int, ...], float]]:
    """Return the first boards that fall, one for each class of boards alike up to suits.

    Each has the probability of its whole class, given any two hands that it leaves.
    """
    street = next(street for street, added in enumerate(definition.num_board_cards) if added)
    root = _Board((), suit_changes(definition), 1.0, 0)
    return [(found.cards, found.weight) for found in _below(definition, street, 0, root)]


def hands_on(definition: GameDefinition, board: Sequence[int]) -> NDArray[np.int64]:
    """Return the numbers of the hands that *board* leaves, rising."""
    return np.flatnonzero(hands_without(definition, board))


def build_board_tree(
    definition: GameDefinition,
    street: int,
    board: Sequence[int],
    changes: Changes,
    last_street: int | None = None,
    drawn: DrawnBoards | None = None,
) -> BoardTree:
    """Return all boards from *board* on *street* on, up to *changes* of suits.

    The ranges must be invariant under *changes* (``kept_changes``). With a *last_street* boards of
    later streets are left out. With *drawn* ones the last street has these alone.
    """
    num_streets = definition.num_streets if last_street is None else last_street + 1
    levels = [[_Board(tuple(board), _kept(changes, mask_of(board)), 1.0, 0)]]
    for next_street in range(street + 1, num_streets):
        levels.append(
            [
                child
                for place, parent in enumerate(levels[-1])
                for child in _below(definition, next_street, place, parent)
            ]
        )
        if drawn is not None and next_street == definition.num_streets - 1:
            levels[-1] = [
                child
                for place, below in groupby(levels[-1], lambda child: child.parent)
                for child in _drawn(list(below), levels[-2][place].cards, drawn)
            ]
    boards = [found for level in levels for found in level]
    first_boards = (0, *np.cumsum([len(level) for level in levels]).tolist())
    return BoardTree(
        definition,
        street,
        tuple([found.cards for found in boards]),
        first_boards,
        _arrays(definition, levels),
    )


def _below(definition: GameDefinition, street: int, place: int, parent: _Board) -> Iterator[_Board]:
    """Yield one board for each class of boards that *street* makes of *parent*.

    Its weight is the probability of the whole class.
    """
    added = definition.num_board_cards[street]
    rest = sorted(set(definition.deck) - set(parent.cards))
    ways = np.array(list(combinations(rest, added)), np.uint8).reshape(
        comb(len(rest), added), added
    )
    least = _least_masks(ways, parent.changes)
    unseen = len(rest) - definition.num_players * definition.num_hole_cards
    for mask, first, count in zip(
        *np.unique(least, return_index=True, return_counts=True), strict=True
    ):
        cards = (*parent.cards, *ways[first].tolist())
        yield _Board(cards, _kept(parent.changes, int(mask)), count / comb(unseen, added), place)


def _drawn(boards: list[_Board], parent: tuple[int, ...], drawn: DrawnBoards) -> list[_Board]:
    """Return as many of *boards*, all below *parent*, as are *drawn*, with the weight of all.

    A board's weight is on average what it was: as many points as are drawn lie equally far from
    each other on the weights in a row, from a random one on. Boards are in order of their cards, so
    that ranks are spread.
    """
    if drawn.count >= len(boards):
        return boards
    sums = np.cumsum([board.weight for board in boards])
    start = Stream(drawn.seed, mask_of(parent)).unit()
    points = (np.arange(drawn.count) + start) / drawn.count * sums[-1]
    places, counts = np.unique(np.searchsorted(sums, points, "right"), return_counts=True)
    return [
        replace(boards[place], weight=float(sums[-1]) * int(count) / drawn.count)
        for place, count in zip(places.tolist(), counts.tolist(), strict=True)
    ]


def _least_masks(sets: NDArray[np.uint8], changes: Changes) -> Uints64:
    """Return the least mask that *changes* make of each set of cards, [set]."""
    least: Uints64 = np.stack([_images(sets, change) for change in changes]).min(axis=0)
    return least


def _images(sets: NDArray[np.uint8], change: NDArray[np.uint8]) -> Uints64:
    """Return the masks that *change* makes of sets of cards [set, card], [set]."""
    images: Uints64 = np.bitwise_or.reduce(np.uint64(1) << change[sets].astype(np.uint64), axis=1)
    return images


def _kept(changes: Changes, mask: int) -> Changes:
    """Return those *changes* that leave the set of cards *mask* alone."""
    cards = [card for card in range(NUM_CARDS) if mask >> card & 1]
    return changes[[mask_of(change[cards].tolist()) == mask for change in changes]]


def _arrays(definition: GameDefinition, levels: list[list[_Board]]) -> BoardArrays:
    boards = [found for level in levels for found in level]
    full_size = definition.board_size(definition.num_streets - 1)
    hands = [_hands(definition, found.cards, full_size) for found in boards]
    lengths = np.array([len(own) for own in hands])
    parents = _parent_numbers(levels)
    rows = np.concatenate(hands)
    weights = np.array([found.weight for found in boards])
    chances = weights.copy()
    for board, parent in enumerate(parents[1:], 1):
        chances[board] *= chances[parent]
    return BoardArrays(
        first_child=_first_children(levels),
        weights=weights,
        chances=chances,
        first_row=np.append(0, np.cumsum(lengths)),
        hands=rows.astype(np.uint16),
        parents=np.concatenate(
            [
                _places(hands[parent], own, definition)
                for parent, own in zip(parents, hands, strict=True)
            ]
        ),
        cards=np.concatenate([hand_cards(definition, own) for own in hands]),
        ranks=np.concatenate(
            [
                _steps(_ranks(definition, found.cards, full_size)[own])
                for found, own in zip(boards, hands, strict=True)
            ]
        ),
        orbits=np.concatenate(
            [
                _orbits(definition, found.changes, own)
                for found, own in zip(boards, hands, strict=True)
            ]
        ),
    )


def _hands(definition: GameDefinition, board: tuple[int, ...], full_size: int) -> NDArray[np.int64]:
    """Return the hands that *board* leaves; on a full board by strength, ties by ``_spread``."""
    hands = hands_on(definition, board)
    if len(board) < full_size:
        return hands
    ranks = _ranks(definition, board, full_size)[hands]
    return hands[np.lexsort((*_spread(all_hands(definition)[hands]), ranks))]


def _spread(cards: NDArray[np.integer[Any]]) -> tuple[NDArray[Any], ...]:
    """Return keys to sort the hands *cards* [hand, card] by, so that neighbours share few cards.

    The last key counts most.
    """
    # A showdown adds a hand's weight to the sums of its cards. Where the next hand holds one of
    # them it waits for that sum: in the order of their numbers showdowns and folds took a seventh
    # longer, in a random one a twentieth.
    low, high = cards.min(axis=1), cards.max(axis=1)
    return high, low >> 2, low & 3, (high - low) & 3


def _ranks(definition: GameDefinition, board: tuple[int, ...], full_size: int) -> NDArray[np.int32]:
    """Return the strength of every hand on a full board, [hand]; zeros on any other."""
    if len(board) < full_size:
        return np.zeros(len(all_hands(definition)), np.int32)
    return hand_strengths(definition, board).astype(np.int32)


def _steps(ranks: NDArray[np.int32]) -> NDArray[np.uint16]:
    """Return how many other ranks precede each of *ranks* [hand], which are in rising order."""
    return np.append(0, np.cumsum(np.diff(ranks) != 0)).astype(np.uint16)


def _parent_numbers(levels: list[list[_Board]]) -> list[int]:
    numbers, first = [0], 0
    for above, level in pairwise(levels):
        numbers += [first + found.parent for found in level]
        first += len(above)
    return numbers


def _first_children(levels: list[list[_Board]]) -> NDArray[np.int64]:
    """Return the first child of every board, [board + 1]; those of the last level have none."""
    counts = [
        np.bincount([found.parent for found in below], minlength=len(level))
        for level, below in pairwise(levels)
    ]
    counts.append(np.zeros(len(levels[-1]), np.int64))
    return np.append(1, 1 + np.cumsum(np.concatenate(counts)))


def _places(
    parent: NDArray[np.int64], own: NDArray[np.int64], definition: GameDefinition
) -> NDArray[np.uint16]:
    """Return the places of the hands *own* in the list *parent*."""
    place = np.zeros(len(all_hands(definition)), np.uint16)
    place[parent] = np.arange(len(parent))
    return place[own]


def hand_cards(definition: GameDefinition, hands: NDArray[np.int64]) -> NDArray[np.uint16]:
    """Return the cards of *hands*, [hand, 2]; a single card has a number of its own beside it."""
    cards = all_hands(definition)[hands].astype(np.uint16)
    if cards.shape[1] == 1:
        cards = np.column_stack([cards, NUM_CARDS + np.arange(len(hands))]).astype(np.uint16)
    assert cards.shape[1] == 2, "ranges are over one or two hole cards"
    return cards


def _orbits(
    definition: GameDefinition, changes: Changes, hands: NDArray[np.int64]
) -> NDArray[np.uint16]:
    if len(changes) == 1:
        return np.arange(len(hands), dtype=np.uint16)
    least = _least_masks(all_hands(definition)[hands], changes)
    return np.unique(least, return_inverse=True)[1].astype(np.uint16)
