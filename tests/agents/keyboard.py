"""Somebody at a keyboard who types only when the test does."""

from __future__ import annotations

from io import StringIO
from queue import SimpleQueue
from threading import Semaphore


class Keyboard(StringIO):
    """A text stream that blocks until the test types a line.

    Each attempt to read one releases *asked*.
    """

    def __init__(self) -> None:
        super().__init__()
        self.asked = Semaphore(0)
        self._typed: SimpleQueue[str] = SimpleQueue()

    def type(self, line: str) -> None:
        """Type *line* and press return."""
        self._typed.put(f"{line}\n")

    def hang_up(self) -> None:
        """End the stream."""
        self._typed.put("")

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        """The next line, once it is typed."""
        self.asked.release()
        return self._typed.get()
