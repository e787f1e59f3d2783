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

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, BinaryIO

from acpcbot.errors import BadLogLine, ProtocolError
from acpcbot.logs.entries import (
    HEADER_TAG,
    PRINTED_TOLERANCE,
    CommentRecord,
    HandRecord,
    HeaderRecord,
    LogEntry,
    ScoreRecord,
    split_names,
)
from acpcbot.logs.line import (
    HAND_TAG,
    SCORE_TAG,
    parse_hand,
    parse_header,
    parse_score,
    verify_hand,
)
from acpcbot.logs.source import (
    CHUNK_SIZE,
    MAX_LINE_LENGTH,
    LogSource,
    SourceLine,
    encoded_line,
    is_blank,
    line_text,
    open_log,
    shipped_game,
    size_of,
    unknown_game,
    whole_lines,
)
from acpcbot.logs.tally import MatchTally, SeatingTotals
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition

if TYPE_CHECKING:
    from acpcbot.logs.replay import CompiledReader

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
        is_large = size_of(file) > PLAIN_BYTES
        reader = _LogReader(name, definition, check_values=check_values, is_large=is_large)
        for chunk, is_cut in whole_lines(file, chunk_size):
            if not (is_cut and is_growing):
                yield from reader.read(chunk, is_cut=is_cut)


def write_match_log(entries: Iterable[LogEntry], file: BinaryIO) -> None:
    """Write the lines of *entries* to *file*, byte for byte the lines that a dealer wrote."""
    for entry in entries:
        file.write(encoded_line(entry.text))


class _LogReader:
    """Parser of chunks of a log; *definition* is the game, None to take it from the headers."""

    def __init__(
        self, source: str, definition: GameDefinition | None, *, check_values: bool, is_large: bool
    ) -> None:
        self._source = source
        self._checks_values = check_values
        self._tolerance = PRINTED_TOLERANCE if check_values else math.inf
        self._follows_headers = definition is None
        self._game: BettingRules | None = None
        self._seen = 0
        self._tally = MatchTally()
        self._line_number = 0
        self._is_cut = False
        self._plain_bytes = 0 if is_large else PLAIN_BYTES
        self._compiled: CompiledReader | None = None
        self._set_game(definition)

    def _set_game(self, definition: GameDefinition | None) -> None:
        if definition is None:
            self._game = None
        elif self._game is None or self._game.definition != definition:
            self._game = BettingRules(definition)
            self._compiled = None
            self._seen = 0

    def read(self, chunk: bytes, *, is_cut: bool) -> Iterator[LogEntry]:
        """Yield the entries in *chunk*, whole lines; *is_cut*: the last one lacked its line end."""
        self._is_cut = is_cut
        self._plain_bytes -= len(chunk)
        start = 0
        while start < len(chunk):
            if self._plain_bytes < 0:
                stop = start
                for hand_line, values in self._replayed(chunk, start):
                    self._line_number += 1
                    stop += len(hand_line) + 1
                    yield self._hand(line_text(hand_line).removesuffix("\r"), values)
                start = stop
            if start < len(chunk):
                end = chunk.index(b"\n", start)
                self._line_number += 1
                line = line_text(chunk[start:end])
                if end - start >= MAX_LINE_LENGTH:
                    raise self._refusal(line, f"the line has more than {MAX_LINE_LENGTH} bytes")
                if not is_blank(line):
                    yield self._entry(line)
                start = end + 1

    def _replayed(self, chunk: bytes, start: int) -> Iterable[tuple[bytes, tuple[float, ...]]]:
        """Return the STATE lines of *chunk* from *start* to the first other or wrong line.

        Each comes with its exact values.
        """
        if self._game is None:
            return ()
        if self._compiled is None:
            from acpcbot.logs.replay import CompiledReader

            self._compiled = CompiledReader(self._game.definition, self._tolerance)
        hands, self._seen = self._compiled.read(chunk, start, self._seen)
        return hands

    def _entry(self, line: str) -> LogEntry:
        """Return the entry of a *line* that the compiled reader did not take."""
        try:
            return self._parse(line.removesuffix("\r"))
        except ProtocolError as error:
            raise self._refusal(
                error.line, f"expected {error.expected} at column {error.column}"
            ) from None

    def _parse(self, line: str) -> LogEntry:
        if line.startswith(HAND_TAG):
            mask, values = verify_hand(line, self._known_game(), self._seen, self._tolerance)
            self._seen |= mask
            return self._hand(line, values)
        if line.startswith(SCORE_TAG):
            return self._score(line)
        if line.startswith(HEADER_TAG):
            return self._header(line)
        if line.startswith("#"):
            return CommentRecord(self._line_number, line)
        raise ProtocolError(line, 0, "STATE:, SCORE: or #")

    def _known_game(self) -> BettingRules:
        if self._game is None:
            raise unknown_game(self._source)
        return self._game

    def _hand(self, line: str, values: tuple[float, ...]) -> HandRecord:
        """Return the record of a verified STATE *line*.

        Its values are the exact *values* if values are checked, else the printed ones.
        """
        hand = parse_hand(
            line, self._line_number, self._known_game(), values if self._checks_values else None
        )
        self._refuse_if(line, self._tally.add(hand))
        return hand

    def _score(self, line: str) -> ScoreRecord:
        num_players = self._game.definition.num_players if self._game else None
        score = parse_score(line, self._line_number, num_players)
        if self._checks_values:
            self._refuse_if(line, self._tally.close(score))
        return score

    def _header(self, line: str) -> HeaderRecord:
        header = parse_header(line, self._line_number)
        self._tally.begin_part()
        if self._follows_headers:
            self._set_game(shipped_game(header.game_name))
        return header

    def _refuse_if(self, line: str, problem: str) -> None:
        if problem:
            raise self._refusal(line, problem)

    def _refusal(self, line: str, reason: str) -> BadLogLine:
        return SourceLine(self._source, self._line_number, line, self._is_cut).refusal(reason)
