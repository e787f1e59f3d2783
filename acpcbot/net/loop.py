"""Running a coroutine on the fastest event loop there is: uvloop's, or asyncio's own where uvloop has no wheel."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


def run(main: Coroutine[Any, Any, Result]) -> Result:
    """Run *main* to its end and return its result."""
    if sys.platform == "win32":
        return asyncio.run(main)
    import uvloop

    return uvloop.run(main)


def wall_clock_us() -> Callable[[], int]:
    """A clock of microseconds since the epoch that never runs backwards."""
    offset_ns = time.time_ns() - time.monotonic_ns()
    return lambda: (time.monotonic_ns() + offset_ns) // 1000


class Linger:
    """Keeps the event loop from going to sleep for a moment after something was sent.

    A program on the same machine answers within some tens of microseconds, and to
    be woken takes about as long. The loop looks for the answer without sleeping
    for *span_s*, then sleeps as ever.
    """

    def __init__(self, span_s: float) -> None:
        self.span_s = span_s
        self._loop = asyncio.get_running_loop()
        self._until_s = 0.0
        self._is_awake = False

    def extend(self) -> None:
        """Stay awake for *span_s* from now."""
        if not self.span_s:
            return
        self._until_s = time.perf_counter() + self.span_s
        if not self._is_awake:
            self._is_awake = True
            self._loop.call_soon(self._look)

    def _look(self) -> None:
        self._is_awake = time.perf_counter() < self._until_s
        if self._is_awake:
            self._loop.call_soon(self._look)
