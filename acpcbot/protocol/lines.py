"""A bounded buffer that cuts a byte stream into lines, and lossless conversion to text.

Both ends of a connection read through a ``LineBuffer``. A line is returned with its line
end, as it came. If a peer sends *limit* bytes without a line end, the dealer takes them as
a line, as the official one does; a client refuses.
"""

from __future__ import annotations

import sys

DEALER_LINE_LIMIT = 4095
CLIENT_LINE_LIMIT = 65_536

_ENCODING, _ERRORS = sys.getfilesystemencoding(), "surrogateescape"


def text_of(data: bytes) -> str:
    """Return *data* as text in the encoding of command lines; ``bytes_of`` is the inverse."""
    return data.decode(_ENCODING, _ERRORS)


def bytes_of(text: str) -> bytes:
    """Return the bytes of *text*; for text of a command line those that were typed."""
    return text.encode(_ENCODING, _ERRORS)


class LineBuffer:
    """Buffer of received bytes that returns them line by line."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._waiting = bytearray()

    def __len__(self) -> int:
        return len(self._waiting)

    def feed(self, data: bytes) -> None:
        """Append *data*, which may begin and end anywhere in a line."""
        self._waiting += data

    def is_line(self, data: bytes) -> bool:
        """Return whether *data* is one whole line and nothing waits before it."""
        return not self._waiting and 0 < data.find(b"\n") + 1 == len(data) <= self.limit

    def next_line(self) -> bytes | None:
        """Return the next line, or the first *limit* bytes of a longer one; None if incomplete."""
        end = self._waiting.find(b"\n", 0, self.limit) + 1
        if not end:
            if len(self._waiting) < self.limit:
                return None
            end = self.limit
        return self._take(end)

    def rest(self) -> bytes:
        """Return the rest without a line end, for use after the end of the stream."""
        return self._take(len(self._waiting))

    def _take(self, count: int) -> bytes:
        taken = bytes(self._waiting[:count])
        del self._waiting[:count]
        return taken
