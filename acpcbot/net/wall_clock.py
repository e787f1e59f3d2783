"""The clock that matches are timed by."""

from __future__ import annotations

import time
from collections.abc import Callable


def wall_clock_us() -> Callable[[], int]:
    """A clock of microseconds since the epoch that never runs backwards."""
    offset_us = (time.time_ns() - time.monotonic_ns()) // 1000
    monotonic_ns = time.monotonic_ns
    return lambda: monotonic_ns() // 1000 + offset_us
