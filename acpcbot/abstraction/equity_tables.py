"""The totals of all hands on all canonical flops and turns, uint32 [canonical board, combo].

They have 9 and 87 MB. Those of the turns (``equity.py``) take six seconds of one core, and
those of the flops follow from them at once; both are kept on disk. Strengths on rivers
take one second and 356 MB, so users of them go board by board: ``for_row_chunks`` with a
kernel.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction import canonical_boards as boards_module
from acpcbot.abstraction import equity
from acpcbot.abstraction.canonical_boards import (
    PERMUTATION_BITS,
    PERMUTATION_MASK,
    Places,
    board_place,
    canonical_boards,
    combo_under,
)
from acpcbot.abstraction.equity import BLOCKED_TOTAL, Totals, fill_totals, mark_blocked
from acpcbot.abstraction.row_chunks import Progress, for_row_chunks
from acpcbot.abstraction.table_cache import cached_table
from acpcbot.cards.combos import NUM_COMBOS
from acpcbot.cards.strength import Cards
from acpcbot.jit import kernel

_SOURCES = (__file__, equity.__file__, boards_module.__file__)


def equity_table(board_size: int, on_progress: Progress | None = None) -> Totals:
    """The totals on all canonical boards of three or four cards, read-only; made if they are not in the cache."""
    recipe = b"".join([Path(source).read_bytes() for source in _SOURCES])
    make = {3: make_flop_table, 4: make_turn_table}[board_size]
    return cached_table(f"equity_{board_size}", recipe, lambda: make(on_progress))


def make_turn_table(on_progress: Progress | None = None) -> Totals:
    """The totals on all canonical turns, river by river."""
    boards = canonical_boards(4).boards
    totals = np.empty((len(boards), NUM_COMBOS), np.uint32)
    for_row_chunks(lambda start, end: _fill_turn_rows(boards[start:end], totals[start:end]), len(boards), on_progress)
    return totals


def make_flop_table(on_progress: Progress | None = None) -> Totals:
    """The totals on all canonical flops, from those on turns."""
    boards = canonical_boards(3).boards
    totals = np.empty((len(boards), NUM_COMBOS), np.uint32)
    _fill_flop_rows(boards, equity_table(4, on_progress), canonical_boards(4).places, combo_under(), totals)
    return totals


@kernel
def _fill_turn_rows(turns: Cards, totals: Totals) -> None:
    for row in range(len(turns)):
        fill_totals(turns[row], totals[row])


@kernel
def _fill_flop_rows(
    flops: Cards, turn_totals: Totals, places: Places, changes: NDArray[np.uint16], totals: Totals
) -> None:
    """Add up the totals on all turns; so every pair of turn and river counts twice, once in either order."""
    turn, sums = np.empty(4, np.uint8), np.empty(NUM_COMBOS, np.uint64)
    for row in range(len(flops)):
        turn[:3] = flops[row]
        sums[:] = 0
        for card in range(52):
            if card not in flops[row]:
                turn[3] = card
                place = board_place(turn, places)
                change = changes[np.uint64(place & PERMUTATION_MASK)]
                _add_changed(turn_totals[np.uint64(place >> PERMUTATION_BITS)], change, sums)
        for combo in range(NUM_COMBOS):
            totals[row, combo] = sums[combo] >> np.uint64(1)
        mark_blocked(flops[row], totals[row])


@kernel
def _add_changed(totals: Totals, change: NDArray[np.uint16], sums: NDArray[np.uint64]) -> None:
    """Add to every combo's sum the total of what a suit change makes of it."""
    for combo in range(np.uint64(NUM_COMBOS)):
        total = totals[np.uint64(change[combo])]
        if total != BLOCKED_TOTAL:
            sums[combo] += np.uint64(total)
