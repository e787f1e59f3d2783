"""Running a coroutine on the fastest event loop there is: uvloop's, or asyncio's own where
uvloop has no wheel.

SIGTERM as supervisors mean it: stop soon, in good order. A second one ends the process at once.
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


def run(main: Coroutine[Any, Any, Result]) -> Result:
    """Run *main* to its end and return its result."""
    if sys.platform == "win32":
        return asyncio.run(main)
    import uvloop

    return uvloop.run(main)


TERMINATED = 143
"""The exit status of a process that ended by SIGTERM, as shells tell it."""


@contextmanager
def on_termination(drain: Callable[[], None]) -> Iterator[None]:
    """Within, the first SIGTERM calls *drain* in the running event loop.

    On Windows there is no such signal.

    The first process of a container would not even die of a second one by itself, so it is made to.
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
