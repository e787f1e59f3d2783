"""A match log that is still being written: the entries that have come since the last reading.

Only whole lines are read, so half a line waits for its rest, and may be cut off again. Reading goes
on where it stopped while the lines that were read stand in the file; ``is_replaced`` tells that
they do not, because the file was cut off before them or another match was written over it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from acpcbot.errors import AcpcbotError
from acpcbot.logs.entries import LogEntry
from acpcbot.logs.log_reader import LogReader
from acpcbot.logs.match_log import PLAIN_BYTES
from acpcbot.logs.source import MAX_LINE_LENGTH
from acpcbot.poker.definition import GameDefinition

PART_BYTES = 4 * MAX_LINE_LENGTH
TAIL_BYTES = 256
"""Number of bytes before the place of reading that tell whether the file is still the same."""


class GrowingLog:
    """Reader of the log at *path*, whose game is *definition*, or the one that its header names.

    As much as *plain_bytes* is read without the compiled reader, which takes a second to load.
    *is_at_end* is True if the last reading came to the end of the file. *is_replaced* is True if
    the lines that were read are in the file no more; nothing is read from then on. Raises OSError.
    """

    def __init__(
        self,
        path: Path,
        definition: GameDefinition | None = None,
        *,
        plain_bytes: int = PLAIN_BYTES,
    ) -> None:
        self.path = path
        self.is_at_end = self.is_replaced = False
        sizes = {"num_bytes": path.stat().st_size, "plain_bytes": plain_bytes}
        self._reader = LogReader(str(path), definition, check_values=True, **sizes)
        self._offset, self._tail = 0, b""
        self._state: tuple[int, ...] = ()
        self._is_wrong = False

    def read(self) -> Iterator[tuple[int, LogEntry]]:
        """Yield the entries of the next ``PART_BYTES``, each with the byte where its line begins.

        Raises BadLogLine for the first wrong line, after which nothing is read; UnknownGame,
        UsageError, OSError.
        """
        if self.is_replaced or (self._is_current() and self.is_at_end):
            return
        data = self._next_part()
        if self.is_replaced or self._is_wrong:
            return
        lines = data[: data.rfind(b"\n") + 1]
        if not lines and len(data) > MAX_LINE_LENGTH:
            lines = data + b"\n"  # The reader says what is wrong with so long a line.
        try:
            yield from self._entries(lines)
        except AcpcbotError:
            self._is_wrong = True
            raise

    def _is_current(self) -> bool:
        """Return whether the file is as it was at the last call."""
        found = self.path.stat()
        before, self._state = self._state, (found.st_ino, found.st_size, found.st_mtime_ns)
        return before == self._state

    def _next_part(self) -> bytes:
        with self.path.open("rb") as file:
            file.seek(self._offset - len(self._tail))
            data = file.read(len(self._tail) + PART_BYTES)
        self.is_replaced = not data.startswith(self._tail)
        data = data[len(self._tail) :]
        self.is_at_end = len(data) < PART_BYTES
        return data

    def _entries(self, lines: bytes) -> Iterator[tuple[int, LogEntry]]:
        start, line, place = self._offset, self._reader.line_number + 1, 0
        self._offset += len(lines)
        self._tail = (self._tail + lines[-TAIL_BYTES:])[-TAIL_BYTES:]
        for entry in self._reader.read(lines, is_cut=False):
            while line < entry.line_number:
                place = lines.index(b"\n", place) + 1
                line += 1
            yield start + place, entry
