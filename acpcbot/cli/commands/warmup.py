"""``acpcbot warmup``: compile what playing, searching and reports need, into the cache.

For servers and images, where no decision may wait. Other commands compile what they need when they
need it.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

from acpcbot.cache_folders import cache_root, drop_old_kernels
from acpcbot.errors import UsageError
from acpcbot.worker_processes import end_with_parent


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the number of compiling processes."""
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="processes that compile [one a core]"
    )


def run(arguments: argparse.Namespace) -> int:
    """Call each of these kernels once, and drop the caches of older versions."""
    from acpcbot.cli.kernels import WARM_UPS
    from acpcbot.cli.progress_bars import make_bars, new_bar

    if arguments.jobs < 1:
        raise UsageError("--jobs must be at least 1", "leave it out for one a core")
    names = list(WARM_UPS)
    print(
        f"{len(names)} parts to compile: two minutes of a core, 1 GB "
        "a process, or seconds if all is there",
        file=sys.stderr,
    )
    with make_bars(in_files=False) as bars:
        advance = new_bar(bars, "compiling")
        advance(0, len(names))
        for num_done, (name, took_s) in enumerate(warmed_up(names, arguments.jobs), 1):
            bars.console.print(f"{name}: {took_s:.2f} s", highlight=False)
            advance(num_done, len(names))
    drop_old_kernels()
    print(cache_root())
    return 0


def warmed_up(names: Sequence[str], num_processes: int) -> Iterator[tuple[str, float]]:
    """Make what *names* name ready, and say of each when it is done and how many seconds it took.

    What is not begun when the caller leaves is left. Raises UsageError where the system ended a
    process.
    """
    if num_processes <= 1:
        yield from map(warm_up, names)
        return
    # An interrupt ends them without a word, and so the wait for them.
    silently = (signal.SIG_DFL,)
    with ProcessPoolExecutor(
        num_processes, get_context("spawn"), initializer=end_with_parent, initargs=silently
    ) as pool:
        try:
            for done in as_completed([pool.submit(warm_up, name) for name in names]):
                yield done.result()
        except BrokenProcessPool as error:
            raise UsageError(
                "a process that compiled was ended", "with --jobs 1 they take less memory"
            ) from error
        finally:
            pool.shutdown(cancel_futures=True)


def warm_up(name: str) -> tuple[str, float]:
    """Make one of them ready in this process: its name, and seconds."""
    from acpcbot.cli.kernels import WARM_UPS

    started_s = time.monotonic()
    WARM_UPS[name]()
    return name, time.monotonic() - started_s
