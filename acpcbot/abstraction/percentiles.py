"""Buckets that hold equally many hands, ordered by E[HS2].

Every hand on every board counts once. Where very many hands share one total (a hand that
beats everything, say) they stay together, and a bucket beside them may be empty.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.buckets import EquityBuckets
from acpcbot.abstraction.canonical_boards import canonical_boards
from acpcbot.abstraction.equity import BLOCKED_TOTAL, DENOMINATORS, MAX_STRENGTH, Totals, fill_river_strengths
from acpcbot.abstraction.equity_tables import equity_table
from acpcbot.abstraction.row_chunks import Progress, for_row_chunks
from acpcbot.cards.combos import NUM_COMBOS
from acpcbot.cards.strength import Cards
from acpcbot.jit import kernel

Counts = NDArray[np.int64]

# Totals are counted in steps of a size that leaves some four million; on rivers, all of them.
NUM_STEPS = 1 << 22


def percentiles(board_size: int, num_buckets: int, on_progress: Progress | None = None) -> EquityBuckets:
    """Buckets of equal mass over all hands on boards of three to five cards."""
    step = DENOMINATORS[board_size] // NUM_STEPS + 1
    counts = np.zeros(DENOMINATORS[board_size] // step + 1, np.int64)
    if board_size == 5:
        assert step == 1
        counts[np.arange(MAX_STRENGTH + 1) ** 2] = count_river_strengths(on_progress)
    else:
        _count_totals(equity_table(board_size, on_progress), canonical_boards(board_size).weights, step, counts)
    mass = np.cumsum(counts)
    wanted = mass[-1] * np.arange(1, num_buckets) / num_buckets
    # A bucket begins behind the step that completes the mass of the buckets below it.
    thresholds = (np.searchsorted(mass, wanted) + 1) * step
    return EquityBuckets("percentile", board_size, thresholds.astype(np.uint32))


def count_river_strengths(on_progress: Progress | None = None) -> Counts:
    """How many hands have each strength, over all boards of five cards."""
    rivers, parts = canonical_boards(5), []

    def count_rows(start: int, end: int) -> None:
        part = np.zeros(MAX_STRENGTH + 1, np.int64)
        _count_strengths(rivers.boards[start:end], rivers.weights[start:end], part)
        parts.append(part)

    for_row_chunks(count_rows, len(rivers), on_progress)
    counts: Counts = np.sum(parts, axis=0)
    return counts


@kernel
def _count_strengths(boards: Cards, weights: Counts, counts: Counts) -> None:
    strengths = np.empty(NUM_COMBOS, np.uint16)
    for row in range(len(boards)):
        fill_river_strengths(boards[row], strengths)
        for strength in strengths:
            if strength <= MAX_STRENGTH:
                counts[strength] += weights[row]


@kernel
def _count_totals(totals: Totals, weights: Counts, step: int, counts: Counts) -> None:
    """How many hands have totals in each step."""
    for row in range(len(totals)):
        for total in totals[row]:
            if total != BLOCKED_TOTAL:
                counts[total // step] += weights[row]
