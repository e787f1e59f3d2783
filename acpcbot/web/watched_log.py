"""One log that is watched: what is kept of its hands, and any of them step by step.

Of a hand no more is kept than where its line begins, its numbers, its pot and what everybody won,
so that logs may be long. One thread reads; others may ask meanwhile, because rows that were added
never change.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from acpcbot.arrays import AnyArray, Floats, Ints
from acpcbot.cards.deck import format_cards
from acpcbot.errors import AcpcbotError, BadRequest, ProtocolError, UsageError
from acpcbot.logs.entries import PRINTED_TOLERANCE, HandRecord, HeaderRecord, ScoreRecord
from acpcbot.logs.growing import GrowingLog
from acpcbot.logs.line import parse_hand, verify_hand
from acpcbot.logs.match_log import PLAIN_BYTES
from acpcbot.logs.source import MAX_LINE_LENGTH, line_text
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition
from acpcbot.web.table_view import Cards, TableSeats, finished_views

NO_HAND = "this hand is not in the log"
START, LINE, NUMBER, POT = range(4)
"""Columns of the rows that are kept: the byte and the number of a hand's line, from one, the
dealer's number of the hand, and the chips in the pot that were called.
"""
FIRST_ROWS = 64
Message = dict[str, Any]


class GrowingRows:
    """A table to which rows are added."""

    def __init__(self, width: int, dtype: type[np.generic]) -> None:
        self._memory: AnyArray = np.zeros((FIRST_ROWS, width), dtype)
        self._count = 0

    @property
    def rows(self) -> AnyArray:
        """The rows so far, [row, column]."""
        return self._memory[: self._count]

    def extend(self, rows: Sequence[Sequence[float]]) -> None:
        """Add *rows*; those that somebody has taken before stay as they are."""
        needed = self._count + len(rows)
        if needed > len(self._memory):
            memory = np.zeros((2 * needed, self._memory.shape[1]), self._memory.dtype)
            memory[: self._count] = self.rows
            self._memory = memory
        if rows:
            self._memory[self._count : needed] = rows
        self._count = needed


class WatchedLog:
    """The hands of the log at *path*, whose game is *definition*, or what its header names.

    *is_read* is True once all that stood in the file has been read, *num_planned* the number of
    hands that its header promises, *plain_bytes* are as in ``GrowingLog``. A *problem* is a wrong
    line: nothing behind it is shown.
    """

    def __init__(
        self, path: Path, definition: GameDefinition | None, *, plain_bytes: int = PLAIN_BYTES
    ) -> None:
        self.path, self.definition = path, definition
        self.is_read = self.is_scored = False
        self.problem = ""
        self.num_planned = 0
        self.players: tuple[str, ...] = ()
        self._log = GrowingLog(path, definition, plain_bytes=plain_bytes)
        self._rows = GrowingRows(POT + 1, np.int64)
        self._chips = GrowingRows(0, np.float64)
        self._places: dict[str, tuple[int, ...]] = {}
        self._rules: BettingRules | None = None

    @property
    def is_replaced(self) -> bool:
        """True if the hands that were read are in the file no more."""
        return self._log.is_replaced

    @property
    def num_hands(self) -> int:
        """Number of hands so far."""
        return len(self._rows.rows)

    @property
    def numbers(self) -> Ints:
        """The dealer's numbers of the hands, [hand]."""
        numbers: Ints = self._rows.rows[:, NUMBER]
        return numbers

    @property
    def pots(self) -> Ints:
        """The chips in the pots, those left out that nobody called, [hand]."""
        pots: Ints = self._rows.rows[:, POT]
        return pots

    def chips(self, player: str) -> Floats:
        """Return the chips that *player* won, [hand]."""
        chips: Floats = self._chips.rows[:, self.players.index(player)]
        return chips

    def read(self) -> None:
        """Read the next part of the file; raises OSError."""
        rows: list[tuple[int, int, int, int]] = []
        chips: list[Sequence[float]] = []
        try:
            for start, entry in self._log.read():
                if isinstance(entry, HandRecord):
                    chips.append(self._won(entry))
                    pot = called_pot(entry.betting.spent)
                    rows.append((start, entry.line_number, entry.hand_id, pot))
                elif isinstance(entry, HeaderRecord):
                    self.num_planned = entry.num_hands
                self.is_scored = isinstance(entry, ScoreRecord) or (
                    self.is_scored and not isinstance(entry, HandRecord)
                )
        except AcpcbotError as error:
            self.problem = str(error)
        # Whoever finds a hand among the rows finds its chips too.
        self._chips.extend(chips)
        self._rows.extend(rows)
        self.is_read = self.is_read or self._log.is_at_end or bool(self.problem)

    def place_of(self, number: int) -> int:
        """Return the place of the first hand with this number; raises BadRequest."""
        found = np.flatnonzero(self.numbers == number)
        if not found.size:
            raise BadRequest(f"hand {number} of {self.path.name}", NO_HAND)
        return int(found[0])

    def views(self, place: int) -> Message:
        """Return the hand at *place*, from 0, step by step; raises BadRequest."""
        record = self._record(place)
        seating = TableSeats(record.names, tuple(map(self.players.index, record.names)))
        cards = Cards(record.hole_cards, record.board)
        return {
            "type": "replay",
            "hand": place,
            "number": record.hand_id,
            "title": f"hand {record.hand_id} · {self.path.name}:{record.line_number}",
            "views": finished_views(record.betting, seating, cards, record.values),
        }

    def pot(self, place: int) -> Message:
        """Return the pot of the hand at *place*, its board, and who won what; raises BadRequest."""
        record = self._record(place)
        won = sorted(zip(record.values, record.names, strict=True), reverse=True)
        return {
            "hand": place,
            "number": record.hand_id,
            "chips": int(self.pots[place]),
            "board": format_cards(record.board),
            "won": [{"name": name, "chips": chips} for chips, name in won if chips > 0],
        }

    def plain(self) -> Message:
        """Return what the page needs to offer its hands."""
        numbers = self.numbers
        return {
            "name": self.path.name,
            "hands": len(numbers),
            "numbers": [int(numbers[0]), int(numbers[-1])] if len(numbers) else [],
        }

    def _record(self, place: int) -> HandRecord:
        rows = self._rows.rows
        if not place < len(rows) or self.definition is None:
            raise BadRequest(f"hand at place {place} of {self.path.name}", NO_HAND)
        with self.path.open("rb") as file:
            file.seek(int(rows[place, START]))
            line = line_text(file.readline(MAX_LINE_LENGTH)).rstrip("\r\n")
        rules = self._rules = self._rules or BettingRules(self.definition)
        line_number = int(rows[place, LINE])
        try:
            # The file may have been written over since.
            verify_hand(line, rules, 0, PRINTED_TOLERANCE)
            return parse_hand(line, line_number, rules)
        except ProtocolError:
            raise BadRequest(f"line {line_number} of {self.path.name}", NO_HAND) from None

    def _won(self, hand: HandRecord) -> Sequence[float]:
        """Return the chips won [player]; raises UsageError."""
        places = self._places.get(hand.seating_text)
        if places is None:
            places = self._places[hand.seating_text] = self._new_seating(hand)
        values = hand.values
        return [values[place] for place in places]

    def _new_seating(self, hand: HandRecord) -> tuple[int, ...]:
        """Return the position of each player."""
        names, definition = hand.names, hand.game.definition
        if len(set(names)) < len(names):
            raise UsageError("two players have one name", "nobody could tell who sits where")
        if not self.players:
            self._chips = GrowingRows(len(names), np.float64)
            self.definition, self.players = definition, names
        if sorted(names) != sorted(self.players) or definition != self.definition:
            raise UsageError(
                f"{self.path.name}: line {hand.line_number} begins a match of other players or of"
                " another game",
                "watch a log of one match",
            )
        return tuple(map(names.index, self.players))


def called_pot(spent: Sequence[int]) -> int:
    """Return the chips in the pot of a finished hand without those that nobody called.

    >>> called_pot([300, 1000, 50])
    650
    """
    most, next_most = sorted(spent, reverse=True)[:2]
    return sum(spent) - (most - next_most)
