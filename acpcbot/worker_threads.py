"""Threads that share out the work of kernels, which release the interpreter's lock.

An interrupt does not wait for what threads have begun: a kernel that is being compiled, or a large
chunk. What was not begun is dropped, and the process may end with ``leave_at_once``.

Long work on the rows of a table, shared out among threads: kernels release the interpreter lock.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import NoReturn, TypeAlias


@contextmanager
def worker_threads(num_threads: int) -> Iterator[ThreadPoolExecutor]:
    """Lend *num_threads* threads.

    When the caller fails or is interrupted, nobody waits for what they do.
    """
    threads = ThreadPoolExecutor(num_threads)
    try:
        yield threads
    except BaseException:
        threads.shutdown(wait=False, cancel_futures=True)
        raise
    threads.shutdown()


def leave_at_once(status: int) -> NoReturn:
    """End the process with *status*, in the middle of whatever its threads do.

    Python would wait for them.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


CHUNKS_PER_THREAD = 50

Progress: TypeAlias = Callable[[int, int], None]
"""Told how many rows are done, and of how many."""


def for_row_chunks(
    work: Callable[[int, int], None], num_rows: int, on_progress: Progress | None = None
) -> None:
    """Call *work* with the first row and the end of every chunk of *num_rows* rows, on one
    thread a core.
    """
    num_threads = os.cpu_count() or 1
    size = max(1, num_rows // (CHUNKS_PER_THREAD * num_threads))
    starts = range(0, num_rows, size)
    ends = [min(start + size, num_rows) for start in starts]
    with worker_threads(num_threads) as pool:
        for end, _ in zip(ends, pool.map(work, starts, ends), strict=True):
            if on_progress is not None:
                on_progress(end, num_rows)
