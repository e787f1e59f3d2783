"""Lines from a text stream that blocks, taken with a deadline.

A thread of its own does the blocking. It is a daemon: a program ends although nobody
has typed the line for which the thread waits.
"""

from __future__ import annotations

import threading
import time
from queue import Empty, SimpleQueue
from typing import TextIO


class LineReader:
    """Reads *stream* from the first question on."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lines: SimpleQueue[str] = SimpleQueue()
        self._thread = threading.Thread(target=self._read, name="line reader", daemon=True)

    def next_line(self, deadline_s: float) -> str | None:
        """The next line without its end, None if there is none by *deadline_s* on ``time.monotonic()``'s clock.

        Raises EOFError, now and ever after, where the stream ends.
        """
        if self._thread.ident is None:
            self._thread.start()
        wait_s = min(max(0.0, deadline_s - time.monotonic()), threading.TIMEOUT_MAX)
        try:
            line = self._lines.get(timeout=wait_s)
        except Empty:
            return None
        if not line:
            self._lines.put(line)
            raise EOFError
        return line.rstrip("\r\n")

    def drop_waiting(self) -> None:
        """Forget the lines that have come and were not asked for."""
        while not self._lines.empty():
            if not self._lines.get():
                self._lines.put("")
                return

    def _read(self) -> None:
        try:
            while line := self._stream.readline():
                self._lines.put(line)
        except (OSError, ValueError):
            pass  # A terminal that is gone, or bytes that are no text, end the talk like an end of file.
        finally:
            self._lines.put("")
