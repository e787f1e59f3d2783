"""The buckets of many hands at once, from tables too big for the processor's caches.

Every step goes through all deals before the next one begins. So the loads of one loop do
not wait for each other, and a table's cells are fetched many at a time: twice as fast as
hand by hand.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.buckets import Buckets
from acpcbot.abstraction.canonical_boards import (
    PERMUTATION_BITS,
    PERMUTATION_MASK,
    Places,
    board_place,
    canonical_boards,
    combo_under,
    place_of,
)
from acpcbot.arrays import Number
from acpcbot.cards.combos import NUM_COMBOS, combo_index
from acpcbot.cards.strength import Cards
from acpcbot.jit import kernel

Combos = NDArray[np.uint16]


def combos_of(hole_cards: Cards) -> Combos:
    """Return the combos of hole cards: uint8 [deal, two cards a seat] to uint16 [deal, seat]."""
    combos = np.empty((len(hole_cards), hole_cards.shape[1] // 2), np.uint16)
    _fill_combos(hole_cards, combos)
    return combos


def table_row(table: Buckets, board: Sequence[int]) -> Buckets:
    """Return the buckets of all combos on one board, by *table*, [combo]."""
    place = place_of(np.array(board, np.uint8))
    row: Buckets = table[place >> PERMUTATION_BITS][combo_under()[place & PERMUTATION_MASK]]
    return row


def look_up(combos: Combos, boards: Cards, table: Buckets, buckets: Buckets) -> None:
    """Write the buckets of *combos* on *boards*, by *table*, into *buckets* [deal, seat].

    *combos* are [deal, seat], *boards* uint8 [deal, card]. Cheapest if equal boards follow each
    other.
    """
    places = np.zeros(len(boards), np.uint32)
    if boards.shape[1]:
        _fill_places(boards, canonical_boards(boards.shape[1]).places, places)
    cells = np.empty(combos.shape, np.uint32)
    _fill_cells(combos, places, combo_under(), cells)
    _fetch(table.reshape(-1), cells, buckets)


@kernel
def _fill_combos(hole_cards: Cards, combos: Combos) -> None:
    for deal in range(np.uint64(len(combos))):
        for seat in range(np.uint64(combos.shape[1])):
            place = seat << np.uint64(1)
            first, second = hole_cards[deal, place], hole_cards[deal, place + np.uint64(1)]
            combos[deal, seat] = combo_index(int(first), int(second))


@kernel
def _fill_places(boards: Cards, places: Places, found: Places) -> None:
    """Write the place of every board into *found* [deal]."""
    # Deals that share a board follow each other: one look-up serves all of them.
    before: Number = np.uint64(0)
    for deal in range(np.uint64(len(boards))):
        is_same = deal > before
        for slot in range(np.uint64(boards.shape[1])):
            is_same &= boards[deal, slot] == boards[before, slot]
        found[deal] = found[before] if is_same else board_place(boards[deal], places)
        before = deal


@kernel
def _fill_cells(combos: Combos, places: Places, changes: Combos, cells: Places) -> None:
    """Write the place of every hand's bucket in the table, counted through, into *cells*."""
    for deal in range(np.uint64(len(cells))):
        row, change = (
            np.uint64(places[deal] >> PERMUTATION_BITS),
            np.uint64(places[deal] & PERMUTATION_MASK),
        )
        for seat in range(np.uint64(cells.shape[1])):
            combo = np.uint64(changes[change, np.uint64(combos[deal, seat])])
            cells[deal, seat] = row * np.uint64(NUM_COMBOS) + combo


@kernel
def _fetch(table: Buckets, cells: Places, buckets: Buckets) -> None:
    # Nothing but loads that do not depend on each other, so many cache misses are under way at
    # once.
    for deal in range(np.uint64(len(cells))):
        for seat in range(np.uint64(cells.shape[1])):
            buckets[deal, seat] = table[np.uint64(cells[deal, seat])]
