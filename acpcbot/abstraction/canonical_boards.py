"""Canonical boards: boards that differ only in the names of suits share one number and table row.

A board is a set of three to five cards, whatever the order in which they fell. Of the boards that a
change of suits turns into one another, the one that comes first in colexicographic order is
canonical: 1,755 flops, 16,432 turns, 134,459 rivers.

A *place* tells where the values of a hand on any board are: ``canonical << 5 | permutation``, the
number of the canonical board and of the change of suits that leads to it. The hand's value is at
``table[canonical, combo_under()[permutation, combo]]``. The empty board has the place 0.

Suit changes are numbered as in ``SUIT_CHANGES`` uint8 [permutation, suit], 0 being none;
``CHANGES_BACK`` are their inverses.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import permutations
from math import comb

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Number
from acpcbot.cards.combos import NUM_COMBOS, all_combos, combo_index
from acpcbot.jit import kernel

Cards = NDArray[np.uint8]
Places = NDArray[np.uint32]

BOARD_SIZES = (0, 3, 4, 5)
PERMUTATION_BITS = 5
PERMUTATION_MASK = (1 << PERMUTATION_BITS) - 1
UNKNOWN = 0xFFFFFFFF

SUIT_CHANGES = np.array(list(permutations(range(4))), np.uint8)
CHANGES_BACK = np.argsort(SUIT_CHANGES, axis=1).astype(np.uint8)
CHOOSE = np.array([[comb(card, size) for size in range(6)] for card in range(52)])


@dataclass(frozen=True, slots=True, eq=False)
class CanonicalBoards:
    """All boards of one size."""

    boards: Cards
    """The canonical ones, uint8 [canonical board, card], cards ascending."""
    weights: NDArray[np.int64]
    """How many boards each stands for, [canonical board]."""
    places: Places
    """The place of every board, uint32 by its number in colexicographic order."""

    def __len__(self) -> int:
        return len(self.boards)


@cache
def canonical_boards(size: int) -> CanonicalBoards:
    """Return the boards of *size* cards, 0 or 3 to 5; made once, read-only."""
    assert size in BOARD_SIZES
    places = np.full(comb(52, size), UNKNOWN, np.uint32)
    boards = np.zeros((len(places), size), np.uint8)
    if size:
        count = _number_boards(boards, places)
    else:
        places[0], count = 0, 1
    canonical = boards[:count].copy()
    weights = np.bincount(places >> PERMUTATION_BITS, minlength=count)
    for array in (canonical, weights, places):
        array.flags.writeable = False
    return CanonicalBoards(canonical, weights, places)


@cache
def combo_under() -> NDArray[np.uint16]:
    """Return the combo that each suit change makes of each combo, uint16 [permutation, combo]."""
    cards = all_combos()
    changed = cards & 0xFC | SUIT_CHANGES[:, cards & 3]
    combos = np.array(
        [[combo_index(*pair) for pair in pairs] for pairs in changed.tolist()], np.uint16
    )
    combos.flags.writeable = False
    assert combos.shape == (len(SUIT_CHANGES), NUM_COMBOS)
    return combos


def place_of(board: Cards) -> int:
    """Return the place of a board of different cards, uint8 [0 or 3 to 5], in any order."""
    return int(board_place(board, canonical_boards(len(board)).places)) if len(board) else 0


@kernel
def board_place(board: Cards, places: Places) -> Number:
    """Return the place of *board*, in any order, by the ``places`` of its size."""
    return places[_board_number(board)]


@kernel
def _number_boards(boards: Cards, places: Places) -> int:
    """Number the canonical boards, fill *places*, and return the number of canonical boards.

    These are the first rows of *boards* then.
    """
    # In colexicographic order, a board that has no place yet is the first of its class, so it is
    # canonical: no board is compared with its images.
    board = np.arange(boards.shape[1]).astype(np.uint8)
    count = 0
    for index in range(len(places)):
        if places[index] == UNKNOWN:
            boards[count] = board
            _place_all_like(board, count, places)
            count += 1
        _advance(board)
    return count


@kernel
def _place_all_like(canonical: Cards, number: int, places: Places) -> None:
    """Fill in the place of every board that some suit change turns into *canonical*."""
    board = np.empty_like(canonical)
    for permutation in range(len(SUIT_CHANGES)):
        for slot in range(len(board)):
            # A card is rank << 2 | suit. The inverse change leads from the board to its image.
            suit = canonical[slot] & 3
            board[slot] = canonical[slot] - suit + CHANGES_BACK[permutation, suit]
        places[_board_number(board)] = number << PERMUTATION_BITS | permutation


@kernel
def _advance(board: Cards) -> None:
    """Turn the ascending *board* into the next one in colexicographic order."""
    slot = 0
    while slot + 1 < len(board) and board[slot] + 1 == board[slot + 1]:
        board[slot] = slot
        slot += 1
    board[slot] += 1


@kernel
def _board_number(board: Cards) -> Number:
    """Return the place of *board*, its cards in any order, in colexicographic order."""
    number = np.uint64(0)
    for card in board:
        rank = np.uint64(1)
        for other in board:
            rank += np.uint64(other < card)
        number += np.uint64(CHOOSE[card, rank])
    return number
