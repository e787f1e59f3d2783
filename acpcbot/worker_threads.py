"""Threads that share the work of kernels, which release the interpreter lock.

``worker_threads`` lends a pool, ``for_row_chunks`` shares the rows of a table among one. An
interrupt does not wait for a call that a thread has begun, which may be a large chunk or a kernel
that is being compiled. Calls that no thread has begun are dropped, and the process may end with
``leave_at_once``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import NoReturn, TypeAlias

CHUNKS_PER_THREAD = 50

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the number of rows that are done, and the number of all rows."""


@contextmanager
def worker_threads(num_threads: int) -> Iterator[ThreadPoolExecutor]:
    """Lend *num_threads* threads; wait for them at the end, unless the caller fails."""
    threads = ThreadPoolExecutor(num_threads)
    try:
        yield threads
    except BaseException:
        threads.shutdown(wait=False, cancel_futures=True)
        raise
    threads.shutdown()


def for_row_chunks(
    work: Callable[[int, int], None], num_rows: int, on_progress: Progress | None = None
) -> None:
    """Call *work* for chunks of *num_rows* rows, on one thread a core.

    A call gets the first row of its chunk and the end of it.
    """
    num_threads = os.cpu_count() or 1
    size = max(1, num_rows // (CHUNKS_PER_THREAD * num_threads))
    starts = range(0, num_rows, size)
    ends = [min(start + size, num_rows) for start in starts]
    with worker_threads(num_threads) as pool:
        for end, _ in zip(ends, pool.map(work, starts, ends), strict=True):
            if on_progress is not None:
                on_progress(end, num_rows)


def leave_at_once(status: int) -> NoReturn:
    """End the process with *status* without waiting for its threads, as Python would."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
