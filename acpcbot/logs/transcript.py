"""Transcripts: the messages that a dealer prints while a match runs, as a stream of events.

A dealer without ``-q`` prints the header, every state that it sends (``TO``), every line that it
receives (``FROM``), warnings, times and the score. Each header begins a match. Lines of seats may
hold anything and may lack a line end; such a line ends where the dealer's next message begins.

The states are replayed (``TranscriptReplay``). A dealer sends every state to each seat in turn,
with the cards that this seat may see. So each state must follow from the one before it: one more
action, or a new hand behind the end of the last one; cards stay the same; and at a showdown all
cards are known that decide the hand's values.

Seats count from zero, times are microseconds. ``text`` is an event's line again, without LF. Lines
may end with CR and LF, and blank lines are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO, TypeAlias

from acpcbot.errors import BadCards, ProtocolError
from acpcbot.logs.entries import HEADER_TAG, CommentRecord, HeaderRecord, ScoreRecord
from acpcbot.logs.line import SCORE_TAG, parse_header, parse_score
from acpcbot.logs.source import LogSource, SourceLine, read_lines, shipped_game, unknown_game
from acpcbot.logs.tally import ROUNDING
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.deck_convention import DeckConvention
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.payoffs import payoffs
from acpcbot.protocol.grammar import Grammar, scan_action
from acpcbot.protocol.messages import MatchState
from acpcbot.protocol.records import MICROS, format_time

_TIME = r"(0|[1-9][0-9]{0,19})\.([0-9]{6})"
_MESSAGE = re.compile(rf"(TO|FROM) ([1-9][0-9]{{0,3}}) at {_TIME} (.*)", re.DOTALL)
_MOMENT = re.compile(rf"(STARTED|FINISHED) at {_TIME}")
_TIME_REPORT = re.compile(
    r"Seconds cumulatively spent in match for seat (0|[1-9][0-9]{0,3}): (0|[1-9][0-9]{0,19})"
)
_REMARK = re.compile(
    r"(?:WARNING|ERROR): .*|[0-9.]+ seconds spent waiting; timeout [0-9.]+", re.DOTALL
)
_OWN_MESSAGE = re.compile(
    r"(?:TO|FROM) [0-9]+ at [0-9]+\.[0-9]{6} |(?:WARNING|ERROR): |FINISHED at "
)


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """The start of the match."""

    line_number: int
    time_us: int

    @property
    def text(self) -> str:
        """The line."""
        return f"STARTED at {format_time(self.time_us)}"


@dataclass(frozen=True, slots=True)
class MatchFinished:
    """The end of the match; its time is that of the last state that required a reply."""

    line_number: int
    time_us: int

    @property
    def text(self) -> str:
        """The line."""
        return f"FINISHED at {format_time(self.time_us)}"


@dataclass(frozen=True, slots=True)
class StateSent:
    """A state that the dealer sent to *seat*."""

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
    """A line received from *seat*; without *is_ended* it had no line end."""

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
    """The whole seconds that *seat* has used so far."""

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


def read_transcript(
    source: LogSource, definition: GameDefinition | None = None
) -> Iterator[TranscriptEvent]:
    """Yield the events of the transcript at *source*, a path or a readable object with bytes.

    Without *definition* the game is the shipped one that the header names. Raises ``BadLogLine``
    for the first wrong line, ``UsageError`` if the game is unknown, and ``OSError``.
    """
    reader = _TranscriptReader(definition)
    for line in read_lines(source):
        try:
            yield from reader.read(line)
        except ProtocolError as error:
            raise line.refusal(
                f"expected {error.expected} at column {error.column} of {error.line!r}"
            ) from None


def write_transcript(events: Iterable[TranscriptEvent], file: BinaryIO) -> None:
    """Write the lines of *events* to *file*, byte for byte the lines that a dealer wrote."""
    for event in events:
        end = "" if isinstance(event, LineReceived) and not event.is_ended else "\n"
        file.write(f"{event.text}{end}".encode("latin-1"))


class _TranscriptReader:
    """Parser of transcript lines; *definition* is the game, None to take it from the header."""

    def __init__(self, definition: GameDefinition | None) -> None:
        self._definition = definition
        self._replay = None if definition is None else TranscriptReplay(BettingRules(definition))

    def read(self, line: SourceLine) -> Iterator[TranscriptEvent]:
        """Yield the events in *line*: several if a seat's line had no line end."""
        text = line.text
        while text.startswith("FROM "):
            own_message = _OWN_MESSAGE.search(text, len("FROM "))
            if own_message is None:
                break
            yield self._message(line, text[: own_message.start()], is_ended=False)
            text = text[own_message.start() :]
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
        raise line.refusal("expected a message of a dealer")

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


def _microseconds(seconds: str, millionths: str) -> int:
    return int(seconds) * MICROS + int(millionths)


class TranscriptReplay:
    """A match replayed from a transcript, which may begin in the middle of the match.

    Columns in errors count from the beginning of the message.
    """

    def __init__(self, game: BettingRules) -> None:
        self.num_players = game.definition.num_players
        self._game = game
        self._grammar = Grammar(game)
        self._convention = DeckConvention(game.definition.num_suits, game.definition.num_ranks)
        self._rotations = {True, False}
        self._state: MatchState | None = None
        self._next_seat = 0
        self._is_whole = False
        self._num_hands = 0
        self._totals = [0.0] * self.num_players
        self._begin_hand()

    def _begin_hand(self) -> None:
        self._hole_cards: list[tuple[int, ...]] = [()] * self.num_players
        self._board: tuple[int, ...] = ()

    @property
    def is_open(self) -> bool:
        """True if a hand has begun that is not over, or whose end was not sent to every seat."""
        return self._state is not None and not (
            self._state.betting.is_over and self._next_seat == 0
        )

    def take(self, seat: int, line: str) -> MatchState:
        """Return the state in *line*, sent to *seat*; raises ``ProtocolError`` if impossible."""
        state = self._grammar.read(line)
        if seat != self._next_seat:
            raise ProtocolError(line, 0, f"a state for seat {self._next_seat + 1}")
        self._verify_position(state, seat)
        self._verify_betting(state)
        self._verify_cards(state)
        self._state = state
        self._next_seat = (seat + 1) % self.num_players
        if state.betting.is_over and self._next_seat == 0:
            self._add_values(state)
        return self._translated(state)

    def is_possible_score(self, values: Sequence[float]) -> bool:
        """Return whether *values* by seat can be the match's totals."""
        if self._state is None or not self._is_whole:
            return True
        tolerance = ROUNDING * (1 + self._num_hands)
        return not self.is_open and all(
            abs(value - total) <= tolerance
            for value, total in zip(values, self._totals, strict=True)
        )

    def _verify_position(self, state: MatchState, seat: int) -> None:
        """Verify that seats rotate from hand to hand, or keep their positions throughout."""
        possible = {
            rotates
            for rotates in self._rotations
            if self._position(state, seat, rotates=rotates) == state.seat
        }
        if not possible:
            raise ProtocolError(
                state.line, _column(state, 1), f"seat {seat + 1}'s position in this hand"
            )
        self._rotations = possible

    def _position(self, state: MatchState, seat: int, *, rotates: bool) -> int:
        return (seat - state.hand_id) % self.num_players if rotates else seat

    def _verify_betting(self, state: MatchState) -> None:
        before = self._state
        if before is None:
            self._is_whole = state.hand_id == 0 and state.betting is self._game.start
        elif self._next_seat > 0:
            self._expect(
                state, before.hand_id, before.betting.text, f"{before.betting.text!r} as before"
            )
        elif before.betting.is_over:
            self._expect(state, before.hand_id + 1, "", "no betting")
            self._begin_hand()
        else:
            following = self._following(before.betting, state.betting.text)
            self._expect(
                state, before.hand_id, following, f"{before.betting.text!r} with one action more"
            )

    def _expect(self, state: MatchState, hand_id: int, betting: str | None, described: str) -> None:
        if state.hand_id != hand_id:
            raise ProtocolError(state.line, _column(state, 2), f"hand {hand_id}")
        if state.betting.text != betting:
            raise ProtocolError(state.line, _column(state, 3), described)

    def _following(self, betting: BettingState, text: str) -> str | None:
        """Return the betting text after the first action of *text* behind *betting*, if any."""
        scanned = scan_action(text, len(betting.text), is_limit=self._game.definition.is_limit)
        if not text.startswith(betting.text) or scanned is None or scanned[0] is None:
            return None
        return betting.apply(scanned[0]).text

    def _verify_cards(self, state: MatchState) -> None:
        column = _column(state, 4)
        for position, cards in enumerate(state.hole_cards):
            is_visible = position == state.seat or state.betting.shows(position)
            known = self._hole_cards[position]
            if not cards and is_visible:
                raise ProtocolError(state.line, column, f"the cards of position {position}")
            if cards and not is_visible:
                raise ProtocolError(
                    state.line, column, f"the cards of position {position} to be hidden"
                )
            if cards and known not in ((), cards):
                raise ProtocolError(
                    state.line, column, f"the same cards of position {position} as before"
                )
            self._hole_cards[position] = cards or known
        if state.board[: len(self._board)] != self._board:
            raise ProtocolError(state.line, column, "the same board as before")
        self._board = state.board
        self._verify_deck(state, column)

    def _verify_deck(self, state: MatchState, column: int) -> None:
        dealt = [card for cards in self._hole_cards for card in cards] + list(self._board)
        if len(set(dealt)) < len(dealt):
            raise ProtocolError(state.line, column, "cards that are not dealt already")
        try:
            self._convention.see(dealt)
        except BadCards as error:
            raise ProtocolError(
                state.line, column, f"cards of one deck of this game ({error})"
            ) from None

    def _add_values(self, state: MatchState) -> None:
        values = payoffs(state.betting, self._hole_cards, state.board)
        rotates = True in self._rotations
        for seat in range(self.num_players):
            self._totals[seat] += values[self._position(state, seat, rotates=rotates)]
        self._num_hands += 1

    def _translated(self, state: MatchState) -> MatchState:
        """Return *state* with cards of the definition's own deck."""
        if not self._convention.lowest:
            return state
        translate = self._convention.to_canonical
        hole_cards = tuple([tuple(map(translate, cards)) for cards in state.hole_cards])
        return replace(state, hole_cards=hole_cards, board=tuple(map(translate, state.board)))


def _column(state: MatchState, index: int) -> int:
    """Return the column at which field *index* of the message begins."""
    return sum(len(field) + 1 for field in state.line.split(":")[:index])
