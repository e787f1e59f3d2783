"""Probabilities in bytes without the last action of each decision, which the others imply.

That saves a third to a half of the bytes, and also of the compressed ones, since compression cannot
see that the bytes of a decision sum to 255.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from acpcbot.strategies.policy import WHOLE

Bytes = NDArray[np.uint8]
Counts = NDArray[np.integer]


def without_last(rows: Bytes, counts: Counts) -> Bytes:
    """Return *rows* [bucket, slot] without the last slot of each decision.

    The decisions of a row, one after another, have *counts* [node] actions, whose bytes sum to 255.
    """
    return np.delete(rows, np.cumsum(counts, dtype=np.int64) - 1, axis=1)


def with_last(stored: Bytes, counts: Counts) -> Bytes:
    """Return the rows [bucket, slot] of which ``without_last`` made *stored*.

    Raises ValueError where the bytes of a decision sum to more than 255.
    """
    ends = np.cumsum(counts, dtype=np.int64)
    rows = np.empty((len(stored), stored.shape[1] + len(counts)), np.uint8)
    for count in np.unique(counts).tolist():
        nodes = np.flatnonzero(counts == count)
        left = np.full((len(stored), len(nodes)), WHOLE, np.uint8)
        for slots in (ends[nodes] - count + action for action in range(count - 1)):
            own = stored[:, slots - nodes]  # each node before has one slot less
            if np.any(own > left):
                raise ValueError("it holds probabilities that sum to more than 1")
            left -= own
            rows[:, slots] = own
        rows[:, ends[nodes] - 1] = left
    return rows
