"""Event loop helpers: the fastest loop, an orderly end at SIGTERM, futures settled at most once.

The loop is uvloop's, or asyncio's own on Windows, for which uvloop has no wheel. The first SIGTERM
asks for an orderly end; a second one ends the process at once.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

Result = TypeVar("Result")
TERMINATED = 143
"""The exit status of a process that SIGTERM ended, as shells report it."""


def run(main: Coroutine[Any, Any, Result]) -> Result:
    """Run *main* to its end and return its result."""
    if sys.platform == "win32":
        return asyncio.run(main)
    import uvloop

    return uvloop.run(main)


@contextmanager
def on_termination(drain: Callable[[], None]) -> Iterator[None]:
    """Call *drain* in the running event loop at the first SIGTERM within the context.

    A second SIGTERM exits by a handler of ours, because the first process of a container would
    survive it otherwise. On Windows there is no such signal, and nothing is done.
    """
    if sys.platform == "win32":
        yield
        return
    loop = asyncio.get_running_loop()

    def hear_first() -> None:
        loop.add_signal_handler(signal.SIGTERM, os._exit, TERMINATED)
        drain()

    loop.add_signal_handler(signal.SIGTERM, hear_first)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGTERM)


def settle(future: asyncio.Future[Any], result: object, error: Exception | None = None) -> None:
    """Give *future* its *error*, or without one its *result*, unless it is settled already."""
    if future.done():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)
