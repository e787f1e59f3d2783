"""Threads that share out the work of kernels, which release the interpreter's lock.

An interrupt does not wait for what threads have begun: a kernel that is being compiled, or a large chunk.
What was not begun is dropped, and the process may end with ``leave_at_once``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import NoReturn


@contextmanager
def worker_threads(num_threads: int) -> Iterator[ThreadPoolExecutor]:
    """Lend *num_threads* threads; when the caller fails or is interrupted, nobody waits for what they do."""
    threads = ThreadPoolExecutor(num_threads)
    try:
        yield threads
    except BaseException:
        threads.shutdown(wait=False, cancel_futures=True)
        raise
    threads.shutdown()


def leave_at_once(status: int) -> NoReturn:
    """End the process with *status*, in the middle of whatever its threads do; python would wait for them."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
