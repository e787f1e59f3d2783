"""How many hands a growing log holds, at the price of reading only what is new."""

from __future__ import annotations

from pathlib import Path

_MARK = b"\nSTATE:"


class LogProgress:
    """Counts the STATE lines of the log at *path*, which may not exist yet."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._offset = 0
        self._count = 0
        self._tail = b"\n"

    def num_hands(self) -> int:
        """The finished hands in the log now."""
        if self.path.exists():
            with self.path.open("rb") as file:
                file.seek(self._offset)
                fresh = file.read()
            self._offset += len(fresh)
            text = self._tail + fresh
            self._count += text.count(_MARK)
            self._tail = text[-len(_MARK) + 1 :]
        return self._count
