"""Match logs, read as a stream: every hand is played again, and what cannot have happened is refused.

A log of any length needs the memory of one chunk. Chunks go through the compiled reader
(``log_replay``); a line that it does not take is looked at again, slowly, by ``log_line``, which
says why it is wrong. Entries come in the order of the lines, so all that stood before a bad line
has been handed out when it raises ``BadLogLine``.

Lines may end with CR and LF or with LF; the last one may lack its end if it is whole. Blank lines are
passed over. A deck smaller than 52 cards may be that of the highest or of the lowest suits and ranks, one of
them in a file. Text is latin-1.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import BinaryIO

import numpy as np

from acpcbot.errors import BadLogLine, ProtocolError
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition
from acpcbot.protocol.log_entries import (
    HEADER_TAG,
    CommentRecord,
    HandRecord,
    HeaderRecord,
    LogEntry,
    ScoreRecord,
    split_names,
)
from acpcbot.protocol.log_line import HAND_TAG, SCORE_TAG, parse_hand, parse_header, parse_score, verify_hand
from acpcbot.protocol.log_replay import MAX_LINE_LENGTH, PRINTED_TOLERANCE, Bytes, replay_lines, replay_tables
from acpcbot.protocol.log_source import (
    CHUNK_SIZE,
    LogSource,
    SourceLine,
    is_blank,
    open_log,
    shipped_game,
    unknown_game,
    whole_lines,
)
from acpcbot.protocol.log_tally import MatchTally, SeatingTotals

__all__ = [
    "CommentRecord",
    "HandRecord",
    "HeaderRecord",
    "LogEntry",
    "ScoreRecord",
    "SeatingTotals",
    "read_match_log",
    "split_names",
    "write_match_log",
]


def read_match_log(
    source: LogSource,
    definition: GameDefinition | None = None,
    *,
    check_values: bool = True,
    is_growing: bool = False,
    chunk_size: int = CHUNK_SIZE,
) -> Iterator[LogEntry]:
    """The entries of the log at *source*, a path or something to read bytes from.

    Without *definition* the game is the shipped one that the log's header names. With
    ``check_values=False`` the values of hands and the totals are taken as they stand, as they must be where
    luck was averaged out of them. With ``is_growing=True`` a last line without its end is left out: somebody
    may be writing it, or a kill have cut it off.

    Raises ``BadLogLine`` for the first line that cannot be right, ``UsageError`` if the game is
    unknown, and ``OSError``.
    """
    with open_log(source) as (name, file):
        reader = _LogReader(name, definition, check_values=check_values)
        for chunk, is_cut in whole_lines(file, chunk_size):
            if not (is_cut and is_growing):
                yield from reader.read(chunk, is_cut=is_cut)


def write_match_log(entries: Iterable[LogEntry], file: BinaryIO) -> None:
    """Write the lines of *entries* to *file*: what a dealer wrote comes out byte for byte."""
    for entry in entries:
        file.write(f"{entry.text}\n".encode("latin-1"))


class _LogReader:
    """Turns pieces of a log into entries; *definition* is the game, None to go by the headers."""

    def __init__(self, source: str, definition: GameDefinition | None, *, check_values: bool) -> None:
        self._source = source
        self._checks_values = check_values
        self._tolerance = PRINTED_TOLERANCE if check_values else math.inf
        self._follows_headers = definition is None
        self._game: BettingRules | None = None
        self._seen = np.zeros(1, np.int64)
        self._tally = MatchTally()
        self._line_number = 0
        self._is_cut = False
        self._set_game(definition)

    def _set_game(self, definition: GameDefinition | None) -> None:
        if definition is None:
            self._game = None
        elif self._game is None or self._game.definition != definition:
            self._game = BettingRules(definition)
            self._tables = replay_tables(definition)
            self._seen[0] = 0

    def read(self, chunk: bytes, *, is_cut: bool) -> Iterator[LogEntry]:
        """The entries in *chunk*, whole lines; *is_cut*: the log ended before the line end did."""
        self._is_cut = is_cut
        log = np.frombuffer(chunk, np.uint8)
        start = 0
        while start < len(chunk):
            stop = self._replayed(log, start)
            for line in chunk[start:stop].decode("latin-1").split("\n")[:-1]:
                self._line_number += 1
                yield self._hand(line.removesuffix("\r"))
            if stop < len(chunk):
                end = chunk.index(b"\n", stop)
                self._line_number += 1
                line = chunk[stop:end].decode("latin-1")
                if not is_blank(line):
                    yield self._entry(line)
                stop = end + 1
            start = stop

    def _replayed(self, log: Bytes, start: int) -> int:
        """Where the first line begins that is no right STATE line."""
        if self._game is None:
            return start
        return replay_lines(log, start, self._tables, self._seen, self._tolerance)

    def _entry(self, line: str) -> LogEntry:
        """The entry of a *line* that the compiled reader did not take."""
        try:
            return self._parse(line.removesuffix("\r"))
        except ProtocolError as error:
            raise self._refusal(error.line, f"expected {error.expected} at column {error.column}") from None

    def _parse(self, line: str) -> LogEntry:
        if len(line) >= MAX_LINE_LENGTH:
            raise self._refusal(line, f"the line has more than {MAX_LINE_LENGTH} bytes")
        if line.startswith(HAND_TAG):
            self._seen[0] |= verify_hand(line, self._known_game(), int(self._seen[0]), self._tolerance)
            return self._hand(line)
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

    def _hand(self, line: str) -> HandRecord:
        """The record of a right STATE *line*."""
        hand = parse_hand(line, self._line_number, self._known_game())
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
