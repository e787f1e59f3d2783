"""Parser of match logs chunk by chunk, by the compiled reader or in plain Python.

``match_log.py`` says what it takes and refuses; ``growing.py`` gives it what is still being
written.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from acpcbot.errors import BadLogLine, ProtocolError
from acpcbot.logs.entries import (
    HEADER_TAG,
    PRINTED_TOLERANCE,
    CommentRecord,
    HandRecord,
    HeaderRecord,
    LogEntry,
    ScoreRecord,
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
    MAX_LINE_LENGTH,
    SourceLine,
    is_blank,
    line_text,
    shipped_game,
    unknown_game,
)
from acpcbot.logs.tally import MatchTally
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition

if TYPE_CHECKING:
    from acpcbot.logs.replay import CompiledReader


class LogReader:
    """Parser of chunks of a log; *definition* is the game, None to take it from the headers.

    *num_bytes* is the size of the log so far, 0 if unknown. Logs of at most *plain_bytes*, and as
    much of others that grow, are read in plain Python.
    """

    def __init__(
        self,
        source: str,
        definition: GameDefinition | None,
        *,
        check_values: bool,
        num_bytes: int,
        plain_bytes: int,
    ) -> None:
        self._source = source
        self._checks_values = check_values
        self._tolerance = PRINTED_TOLERANCE if check_values else math.inf
        self._follows_headers = definition is None
        self._game: BettingRules | None = None
        self._seen = 0
        self._tally = MatchTally()
        self.line_number = 0
        self._is_cut = False
        self._plain_bytes = 0 if num_bytes > plain_bytes else plain_bytes
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
                    self.line_number += 1
                    stop += len(hand_line) + 1
                    yield self._hand(line_text(hand_line).removesuffix("\r"), values)
                start = stop
            if start < len(chunk):
                end = chunk.index(b"\n", start)
                self.line_number += 1
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
            return CommentRecord(self.line_number, line)
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
            line, self.line_number, self._known_game(), values if self._checks_values else None
        )
        self._refuse_if(line, self._tally.add(hand))
        return hand

    def _score(self, line: str) -> ScoreRecord:
        num_players = self._game.definition.num_players if self._game else None
        score = parse_score(line, self.line_number, num_players)
        if self._checks_values:
            self._refuse_if(line, self._tally.close(score))
        return score

    def _header(self, line: str) -> HeaderRecord:
        header = parse_header(line, self.line_number)
        self._tally.begin_part()
        if self._follows_headers:
            self._set_game(shipped_game(header.game_name))
        return header

    def _refuse_if(self, line: str, problem: str) -> None:
        if problem:
            raise self._refusal(line, problem)

    def _refusal(self, line: str, reason: str) -> BadLogLine:
        return SourceLine(self._source, self.line_number, line, self._is_cut).refusal(reason)
