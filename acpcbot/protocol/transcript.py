"""Transcripts: what a dealer says about a match while it runs, message by message, as a stream of events.

That is the talk of a dealer that was not told to be quiet: the header, every state that it sends
(``TO``), every line that it takes (``FROM``), warnings, times and the score. Each header begins a
match. The states are played again (``transcript_replay``): each must follow from the one before it.
What a seat sent may be anything, and may lack a line end; it is taken to end where the dealer's own
words begin again.

Seats count from zero, times are microseconds. ``text`` is an event's line again, without LF. Lines may
end with CR and LF, and blank lines are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, TypeAlias

from acpcbot.errors import ProtocolError
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition
from acpcbot.protocol.log_entries import HEADER_TAG, CommentRecord, HeaderRecord, ScoreRecord
from acpcbot.protocol.log_line import SCORE_TAG, parse_header, parse_score
from acpcbot.protocol.log_source import LogSource, SourceLine, read_lines, shipped_game, unknown_game
from acpcbot.protocol.messages import MatchState
from acpcbot.protocol.records import MICROS, format_time
from acpcbot.protocol.transcript_replay import TranscriptReplay

_TIME = r"(0|[1-9][0-9]{0,19})\.([0-9]{6})"
_MESSAGE = re.compile(rf"(TO|FROM) ([1-9][0-9]{{0,3}}) at {_TIME} (.*)", re.DOTALL)
_MOMENT = re.compile(rf"(STARTED|FINISHED) at {_TIME}")
_TIME_REPORT = re.compile(r"Seconds cumulatively spent in match for seat (0|[1-9][0-9]{0,3}): (0|[1-9][0-9]{0,19})")
_REMARK = re.compile(r"(?:WARNING|ERROR): .*|[0-9.]+ seconds spent waiting; timeout [0-9.]+", re.DOTALL)
_OWN_WORDS = re.compile(r"(?:TO|FROM) [0-9]+ at [0-9]+\.[0-9]{6} |(?:WARNING|ERROR): |FINISHED at ")


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """The match began."""

    line_number: int
    time_us: int

    @property
    def text(self) -> str:
        """The line."""
        return f"STARTED at {format_time(self.time_us)}"


@dataclass(frozen=True, slots=True)
class MatchFinished:
    """The match is over; the time is that of the last state that wanted an answer."""

    line_number: int
    time_us: int

    @property
    def text(self) -> str:
        """The line."""
        return f"FINISHED at {format_time(self.time_us)}"


@dataclass(frozen=True, slots=True)
class StateSent:
    """The dealer sent *state* to *seat*."""

    line_number: int
    seat: int
    time_us: int
    state: MatchState

    @property
    def text(self) -> str:
        """The line, with the carriage return of the message."""
        return f"TO {self.seat + 1} at {format_time(self.time_us)} {self.state.line}\r"


@dataclass(frozen=True, slots=True)
class LineReceived:
    """The dealer took *received* from *seat*; without *is_ended* it had no line end."""

    line_number: int
    seat: int
    time_us: int
    received: str
    is_ended: bool

    @property
    def text(self) -> str:
        """The line, with the carriage return of the message if it had one."""
        return f"FROM {self.seat + 1} at {format_time(self.time_us)} {self.received}"


@dataclass(frozen=True, slots=True)
class TimeReport:
    """How many whole seconds *seat* has used so far."""

    line_number: int
    seat: int
    seconds: int

    @property
    def text(self) -> str:
        """The line."""
        return f"Seconds cumulatively spent in match for seat {self.seat}: {self.seconds}"


@dataclass(frozen=True, slots=True)
class DealerRemark:
    """A warning, an error or its explanation."""

    line_number: int
    text: str


TranscriptEvent: TypeAlias = (
    HeaderRecord
    | CommentRecord
    | ScoreRecord
    | MatchStarted
    | MatchFinished
    | StateSent
    | LineReceived
    | TimeReport
    | DealerRemark
)


def read_transcript(source: LogSource, definition: GameDefinition | None = None) -> Iterator[TranscriptEvent]:
    """The events of the transcript at *source*, a path or something to read bytes from.

    Without *definition* the game is the shipped one that the header names. Raises ``BadLogLine`` for
    the first line that cannot be right, ``UsageError`` if the game is unknown, and ``OSError``.
    """
    reader = _TranscriptReader(definition)
    for line in read_lines(source):
        try:
            yield from reader.read(line)
        except ProtocolError as error:
            raise line.refusal(f"expected {error.expected} at column {error.column} of {error.line!r}") from None


def write_transcript(events: Iterable[TranscriptEvent], file: BinaryIO) -> None:
    """Write the lines of *events* to *file*: what a dealer wrote comes out byte for byte."""
    for event in events:
        end = "" if isinstance(event, LineReceived) and not event.is_ended else "\n"
        file.write(f"{event.text}{end}".encode("latin-1"))


def _microseconds(seconds: str, millionths: str) -> int:
    return int(seconds) * MICROS + int(millionths)


class _TranscriptReader:
    """Turns lines into events; *definition* is the game, None to go by the header."""

    def __init__(self, definition: GameDefinition | None) -> None:
        self._definition = definition
        self._replay = None if definition is None else TranscriptReplay(BettingRules(definition))

    def read(self, line: SourceLine) -> Iterator[TranscriptEvent]:
        """The events in *line*: several where a seat's words had no line end."""
        text = line.text
        while text.startswith("FROM "):
            own_words = _OWN_WORDS.search(text, len("FROM "))
            if own_words is None:
                break
            yield self._message(line, text[: own_words.start()], is_ended=False)
            text = text[own_words.start() :]
        yield self._event(line, text)

    def _event(self, line: SourceLine, text: str) -> TranscriptEvent:
        if text.startswith(("TO ", "FROM ")):
            return self._message(line, text, is_ended=not line.is_cut)
        if _REMARK.fullmatch(text):
            return DealerRemark(line.number, text)
        return self._own_line(line, text.removesuffix("\r"))

    def _own_line(self, line: SourceLine, text: str) -> TranscriptEvent:
        if text.startswith(HEADER_TAG):
            return self._header(parse_header(text, line.number))
        if text.startswith("#"):
            return CommentRecord(line.number, text)
        if text.startswith(SCORE_TAG):
            return self._score(line, text)
        if moment := _MOMENT.fullmatch(text):
            return self._moment(line, moment)
        if report := _TIME_REPORT.fullmatch(text):
            return TimeReport(line.number, int(report[1]), int(report[2]))
        raise line.refusal("this is nothing that a dealer says")

    def _moment(self, line: SourceLine, moment: re.Match[str]) -> MatchStarted | MatchFinished:
        time_us = _microseconds(moment[2], moment[3])
        if moment[1] == "STARTED":
            return MatchStarted(line.number, time_us)
        if self._replay and self._replay.is_open:
            raise line.refusal("the last hand is not over")
        return MatchFinished(line.number, time_us)

    def _message(self, line: SourceLine, text: str, *, is_ended: bool) -> StateSent | LineReceived:
        message = _MESSAGE.fullmatch(text)
        if message is None:
            raise line.refusal("expected a seat and a time with six decimals")
        if self._replay is None:
            raise unknown_game(line.source)
        direction, seat_text, seconds, millionths, words = message.groups()
        seat, time_us = int(seat_text) - 1, _microseconds(seconds, millionths)
        if not 0 <= seat < self._replay.num_players:
            raise line.refusal(f"there are {self._replay.num_players} seats")
        if direction == "FROM":
            return LineReceived(line.number, seat, time_us, words, is_ended)
        return StateSent(line.number, seat, time_us, self._replay.take(seat, words.rstrip("\r")))

    def _header(self, header: HeaderRecord) -> HeaderRecord:
        definition = self._definition or shipped_game(header.game_name)
        self._replay = None if definition is None else TranscriptReplay(BettingRules(definition))
        return header

    def _score(self, line: SourceLine, text: str) -> ScoreRecord:
        score = parse_score(text, line.number, self._replay.num_players if self._replay else None)
        if self._replay and not self._replay.is_possible_score(score.values):
            raise line.refusal("the totals are not the sums of the hands")
        return score
