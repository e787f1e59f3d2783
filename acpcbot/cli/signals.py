"""Long work that may be ended at any moment, in good order."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def stopping(tell: Callable[[], None] = lambda: None) -> Iterator[Callable[[], bool]]:
    """Let SIGINT and SIGTERM end the work after the current step.

    *tell* is called at once; the yielded function returns True once a signal has come.
    """
    came: list[int] = []

    def stop(number: int, _frame: FrameType | None) -> None:
        came.append(number)
        tell()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: bool(came)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
