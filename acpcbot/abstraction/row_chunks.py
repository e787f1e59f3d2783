"""Long work on the rows of a table, shared out among threads: kernels release the interpreter lock."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeAlias

from acpcbot.worker_threads import worker_threads

CHUNKS_PER_THREAD = 50

Progress: TypeAlias = Callable[[int, int], None]
"""Told how many rows are done, and of how many."""


def for_row_chunks(work: Callable[[int, int], None], num_rows: int, on_progress: Progress | None = None) -> None:
    """Call *work* with the first row and the end of every chunk of *num_rows* rows, on one thread a core."""
    num_threads = os.cpu_count() or 1
    size = max(1, num_rows // (CHUNKS_PER_THREAD * num_threads))
    starts = range(0, num_rows, size)
    ends = [min(start + size, num_rows) for start in starts]
    with worker_threads(num_threads) as pool:
        for end, _ in zip(ends, pool.map(work, starts, ends), strict=True):
            if on_progress is not None:
                on_progress(end, num_rows)
