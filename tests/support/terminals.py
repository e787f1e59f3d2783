"""Terminals for displays: one in memory, and a clock that tests set."""

from __future__ import annotations

import io


class Terminal(io.StringIO):
    """A stream that takes itself for a terminal, and keeps what was written."""

    def isatty(self) -> bool:
        return True


class SetClock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s
