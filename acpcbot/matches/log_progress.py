"""How far a growing log has come, at the price of reading only what is new."""

from __future__ import annotations

from pathlib import Path

_HAND = b"\nSTATE:"
_SCORE = b"\nSCORE:"


class LogProgress:
    """Counts the STATE lines of the log at *path*, which may not exist yet.

    *is_scored* says, as of the last count, whether the match's score stands in
    it. Lines count when their line end is there.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.is_scored = False
        self._offset = 0
        self._count = 0

    def num_hands(self) -> int:
        """The finished hands in the log now."""
        if self.path.exists():
            with self.path.open("rb") as file:
                file.seek(self._offset)
                fresh = file.read()
            self._count_lines(fresh[: fresh.rfind(b"\n") + 1])
        return self._count

    def _count_lines(self, lines: bytes) -> None:
        self._offset += len(lines)
        text = b"\n" + lines
        self._count += text.count(_HAND)
        self.is_scored = self.is_scored or _SCORE in text
