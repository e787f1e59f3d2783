"""The files of one match: log and transaction log, each line written at once, and progress.

A match that is resumed from its files replays the transactions recorded so far. A last line
without a line end is the rest of an interrupted write, and is cut off. ``LogProgress`` counts
the hands of a growing log and reads only its new part.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from acpcbot.errors import UsageError
from acpcbot.protocol.lines import bytes_of, text_of

_HAND = b"\nSTATE:"
_SCORE = b"\nSCORE:"


class MatchFiles:
    """``<name>.log`` and ``<name>.tlog``; either may be left out.

    *transactions* are the lines of the transaction log from which the match is resumed,
    *num_logged* the number of finished hands that the log held before.
    """

    def __init__(
        self, name: str, *, keeps_log: bool, keeps_transactions: bool, appends: bool
    ) -> None:
        self.transactions: list[str] = []
        self.num_logged = 0
        self._log: BinaryIO | None = None
        self._transaction_log: BinaryIO | None = None
        if keeps_log:
            path = Path(f"{name}.log")
            self.num_logged = _count_states(path) if appends else 0
            self._log = open_for_lines(path, "log", appends=appends)
        if keeps_transactions:
            path = Path(f"{name}.tlog")
            self.transactions = _whole_lines(path) if appends else []
            self._transaction_log = open_for_lines(path, "transaction", appends=appends)

    def log(self, line: str) -> None:
        """Write *line* to the log."""
        if self._log is not None:
            write_all(self._log, bytes_of(f"{line}\n"))

    def transact(self, line: str) -> None:
        """Write *line* to the transaction log."""
        if self._transaction_log is not None:
            write_all(self._transaction_log, bytes_of(f"{line}\n"))

    def close(self) -> None:
        """Close the open files."""
        for file in (self._log, self._transaction_log):
            if file is not None:
                file.close()


def write_all(file: BinaryIO, data: bytes) -> None:
    """Write all of *data*; a partial write is continued, so that a full disk raises its error.

    Raises OSError with the file's name, which the system's own error lacks.
    """
    try:
        written = file.write(data)
        while written < len(data):
            written += file.write(data[written:])
    except OSError as error:
        raise OSError(error.errno, error.strerror, file.name) from None


def open_for_lines(path: Path, kind: str, *, appends: bool) -> BinaryIO:
    """Open *path* for unbuffered writing, so that each write reaches the system at once.

    With *appends* an unfinished last line is cut off first. Raises UsageError.
    """
    try:
        if appends and path.exists():
            _cut_unfinished_line(path)
        return path.open("ab" if appends else "wb", buffering=0)
    except OSError as error:
        hint = f"{error.strerror}; the folder must exist and be writable"
        raise UsageError(f"ERROR: could not open {kind} file {path}", hint) from None


def _cut_unfinished_line(path: Path) -> None:
    text = path.read_bytes()
    if text and not text.endswith(b"\n"):
        os.truncate(path, text.rfind(b"\n") + 1)


def _whole_lines(path: Path) -> list[str]:
    if not path.exists():
        return []
    text = text_of(path.read_bytes())
    return text[: text.rfind("\n") + 1].splitlines()


def _count_states(path: Path) -> int:
    return sum(line.startswith("STATE:") for line in _whole_lines(path))


class LogProgress:
    """Counter of the STATE lines of the log at *path*, which may not exist yet.

    *is_scored* is True if the match's score stood in the log at the last count. A line counts
    once it has its line end.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.is_scored = False
        self._offset = 0
        self._count = 0

    def num_hands(self) -> int:
        """Return the number of finished hands in the log now."""
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


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Lock *folder* for this process; raises UsageError when another one has locked it."""
    with (folder / ".lock").open("w") as file:
        try:
            _lock(file.fileno())
        except OSError:
            raise UsageError(
                f"another process works in {folder}", "wait for it, or end it"
            ) from None
        yield


def _lock(descriptor: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
