"""Bytes in, lines out, with a bound on what may wait; and bytes as text that loses nothing.

Both ends of a connection read through a ``LineBuffer``. A line is returned with
its line end, as it came. Where a peer sends *limit* bytes without a line end,
the dealer takes them as a line (the official one does); a client refuses.
"""

from __future__ import annotations

import sys

DEALER_LINE_LIMIT = 4095
CLIENT_LINE_LIMIT = 65_536

_ENCODING, _ERRORS = sys.getfilesystemencoding(), "surrogateescape"


def text_of(data: bytes) -> str:
    """*data* as text of the kind that command lines are read as: ``bytes_of`` makes the same
    bytes of it again.
    """
    return data.decode(_ENCODING, _ERRORS)


def bytes_of(text: str) -> bytes:
    """The bytes of *text*, where it comes from a command line those that were typed."""
    return text.encode(_ENCODING, _ERRORS)


class LineBuffer:
    """Collects bytes and gives them back line by line."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._waiting = bytearray()

    def __len__(self) -> int:
        return len(self._waiting)

    def feed(self, data: bytes) -> None:
        """Take *data* as it arrived, wherever its borders are."""
        self._waiting += data

    def is_line(self, data: bytes) -> bool:
        """Whether *data* would come back as the next line just as it is, and alone."""
        return not self._waiting and 0 < data.find(b"\n") + 1 == len(data) <= self.limit

    def next_line(self) -> bytes | None:
        """The next line, or the first *limit* bytes of one that is longer.

        None while it is incomplete.
        """
        end = self._waiting.find(b"\n", 0, self.limit) + 1
        if not end:
            if len(self._waiting) < self.limit:
                return None
            end = self.limit
        return self._take(end)

    def rest(self) -> bytes:
        """What is left without a line end, for use after the end of the stream."""
        return self._take(len(self._waiting))

    def _take(self, count: int) -> bytes:
        taken = bytes(self._waiting[:count])
        del self._waiting[:count]
        return taken
