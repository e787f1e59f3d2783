"""E[HS2] before the flop, for people to look at: buckets there are the 169 classes themselves."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.buckets import Lossless169
from acpcbot.abstraction.canonical_boards import canonical_boards
from acpcbot.abstraction.equity import BLOCKED_TOTAL, DENOMINATORS
from acpcbot.abstraction.equity_tables import equity_table
from acpcbot.abstraction.row_chunks import Progress


def preflop_expected_squares(on_progress: Progress | None = None) -> NDArray[np.float64]:
    """E[HS2] of every class of hole cards, [bucket of ``Lossless169``]: the mean over all flops."""
    totals, weights = equity_table(3, on_progress), canonical_boards(3).weights
    possible = totals != BLOCKED_TOTAL
    # Suit changes keep a hand in its class, so a canonical flop stands for its like if all of a class are added up.
    sums = np.where(possible, totals, 0).T.astype(np.float64) @ weights
    counts = possible.T.astype(np.float64) @ weights
    classes = Lossless169().board_buckets()
    num_classes = Lossless169.num_buckets
    return np.bincount(classes, sums, num_classes) / np.bincount(classes, counts, num_classes) / DENOMINATORS[3]
