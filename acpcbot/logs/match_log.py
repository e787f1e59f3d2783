"""Streaming reader of match logs: every hand is replayed, and an impossible one is refused.

A log of any length needs the memory of one chunk. Large logs go through the compiled reader
(``replay.py``); a line that it does not take goes to the parser in plain Python (``line.py``),
which says why it is wrong. Small logs are read by that parser alone, in less time than loading
compiled code takes. Entries come in the order of the lines: all entries before a bad line are
yielded before ``BadLogLine`` is raised.

Values of hands are exact, as the dealer adds them up: a log prints six decimals of them.

Lines may end with CR and LF or with LF; the last one may lack its end if it is whole. Blank lines
are ignored. A deck smaller than 52 cards may be that of the highest or of the lowest suits and
ranks, the same in the whole file. Names are UTF-8; other bytes are kept (``surrogateescape``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from acpcbot.logs.entries import (
    CommentRecord,
    HandRecord,
    HeaderRecord,
    LogEntry,
    ScoreRecord,
    split_names,
)
from acpcbot.logs.log_reader import LogReader
from acpcbot.logs.source import (
    CHUNK_SIZE,
    LogSource,
    encoded_line,
    open_log,
    size_of,
    whole_lines,
)
from acpcbot.logs.tally import SeatingTotals
from acpcbot.poker.definition import GameDefinition

__all__ = [
    "CommentRecord",
    "HandRecord",
    "HeaderRecord",
    "LogEntry",
    "ScoreRecord",
    "SeatingTotals",
    "encoded_line",
    "read_match_log",
    "split_names",
    "write_match_log",
]

# Some 17,000 hands of limit, or 7,000 of six players. Plain Python reads these in a second or two,
# about the time to load the compiled reader from the cache; to compile it takes seconds more.
PLAIN_BYTES = 1 << 20


def read_match_log(
    source: LogSource,
    definition: GameDefinition | None = None,
    *,
    check_values: bool = True,
    is_growing: bool = False,
    chunk_size: int = CHUNK_SIZE,
) -> Iterator[LogEntry]:
    """Yield the entries of the log at *source*, a path or a readable object with bytes.

    Without *definition* the game is the shipped one that the log's header names. With
    ``check_values=False`` the values of hands and the totals are taken as printed, for logs with
    variance-reduced values. With ``is_growing=True`` a last line without its end is left out: it
    may still be written, or be the rest of an interrupted write.

    Raises ``BadLogLine`` for the first wrong line, ``UsageError`` if the game is unknown, and
    ``OSError``.
    """
    with open_log(source) as (name, file):
        sizes = {"num_bytes": size_of(file), "plain_bytes": PLAIN_BYTES}
        reader = LogReader(name, definition, check_values=check_values, **sizes)
        for chunk, is_cut in whole_lines(file, chunk_size):
            if not (is_cut and is_growing):
                yield from reader.read(chunk, is_cut=is_cut)


def write_match_log(entries: Iterable[LogEntry], file: BinaryIO) -> None:
    """Write the lines of *entries* to *file*, byte for byte the lines that a dealer wrote."""
    for entry in entries:
        file.write(encoded_line(entry.text))
