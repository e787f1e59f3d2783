"""Match logs as they grow: each line is verified once, any finished hand can be replayed.

A log that is watched has a thread of its own, which waits in it for more lines. Of a hand no more
is kept than where its line begins, so that logs may be long. A browser names logs by their places
in what the command line named, and nothing else leads to a file.
"""

from __future__ import annotations

import threading
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from acpcbot.errors import AcpcbotError, BadRequest, UsageError
from acpcbot.logs.line import parse_hand
from acpcbot.logs.match_log import HandRecord, ScoreRecord, read_match_log
from acpcbot.logs.source import MAX_LINE_LENGTH, line_text
from acpcbot.logs.tally import SeatingTotals
from acpcbot.matches.plan import MatchPlan, load_plan
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.game_titles import game_title
from acpcbot.web.table_view import Cards, TableSeats, finished_views

NO_HAND = "this hand is not in the log"
POLL_S = 0.25
MOST_FOLLOWED = 32
Message = dict[str, Any]
OnNews = Callable[[], None]


class GrowingFile:
    """Bytes of a file that may still be written.

    ``read`` waits for more until *stopped* is set.

    *starts* holds where each line begins.
    """

    def __init__(self, path: Path, stopped: threading.Event, on_wait: OnNews) -> None:
        self.name = str(path)
        self.starts = array("q", [0])
        self._path, self._stopped, self._on_wait = path, stopped, on_wait
        self._file: BinaryIO | None = None
        self._place = 0

    def read(self, size: int, /) -> bytes:
        """At least one more byte.

        None when it is to stop. Raises UsageError if the file has become shorter.
        """
        while not (data := self._more(size)) and not self._stopped.is_set():
            self._on_wait()
            self._stopped.wait(POLL_S)
        return data

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()

    def _more(self, size: int) -> bytes:
        if self._file is None:
            if not self._path.exists():
                return b""
            self._file = self._path.open("rb")
        if self._path.stat().st_size < self._place:
            raise UsageError(f"{self.name} was begun anew", "watch it again")
        data = self._file.read(size)
        self._note_lines(data)
        return data

    def _note_lines(self, data: bytes) -> None:
        end = data.find(b"\n")
        while end >= 0:
            self.starts.append(self._place + end + 1)
            end = data.find(b"\n", end + 1)
        self._place += len(data)


class FollowedLog:
    """The hands of the log at *path*; *on_news* is called from the thread when there are more."""

    def __init__(self, path: Path, definition: GameDefinition | None, on_news: OnNews) -> None:
        self.path, self.definition = path, definition
        self.problem = ""
        self.is_scored = False
        self._on_news, self._told = on_news, -1
        self._stopped = threading.Event()
        self._file = GrowingFile(path, self._stopped, self._tell)
        self._hands, self._lines, self._numbers = array("q"), array("q"), array("q")
        self._totals = SeatingTotals()
        self._players: tuple[str, ...] = ()
        threading.Thread(target=self._follow, name=f"watch {path.name}", daemon=True).start()

    @property
    def num_hands(self) -> int:
        """Number of hands so far."""
        return len(self._numbers)

    def stop(self) -> None:
        """Let the thread end."""
        self._stopped.set()

    def plain(self) -> Message:
        """Return what is known of the match so far.

        ``isRead`` tells that all that stood in the file has been read once. A browser that opens
        the newest hand before that would open one in the middle.
        """
        is_read = self._told >= 0 or bool(self.problem)
        definition, count = self.definition, self.num_hands
        per_hand = (
            1000.0 / definition.big_blind / count if definition is not None and count else 0.0
        )
        totals = self._totals.by_name() if count else {}
        return {
            "name": self.path.name,
            "game": game_title(definition) if definition is not None else "",
            "hands": count,
            "numbers": [self._numbers[0], self._numbers[count - 1]] if count else [],
            "isRead": is_read,
            "isScored": self.is_scored,
            "problem": self.problem,
            "totals": [
                {"name": name, "chips": chips, "mbb": chips * per_hand}
                for name, chips in totals.items()
            ],
        }

    def place_of(self, number: int) -> int:
        """Return the place of the first hand with this number; raises BadRequest."""
        try:
            return self._numbers.index(number)
        except ValueError:
            raise BadRequest(f"hand {number} of {self.path.name}", NO_HAND) from None

    def views(self, place: int) -> Message:
        """The hand at *place*, from 0, step by step, with the number that it has in the log.

        Raises BadRequest.
        """
        if not place < self.num_hands or self.definition is None:
            raise BadRequest(f"hand at place {place} of {self.path.name}", NO_HAND)
        line_number = self._lines[place]
        record = parse_hand(
            self._line(self._hands[place]), line_number, BettingRules(self.definition)
        )
        seating = TableSeats(record.names, tuple(map(self._players.index, record.names)))
        cards = Cards(record.hole_cards, record.board)
        return {
            "type": "replay",
            "hand": place,
            "number": record.hand_id,
            "title": f"hand {record.hand_id} · {self.path.name}:{line_number}",
            "views": finished_views(record.betting, seating, cards, record.values),
        }

    def _line(self, start: int) -> str:
        with self.path.open("rb") as file:
            file.seek(start)
            return line_text(file.readline(MAX_LINE_LENGTH)).rstrip("\r\n")

    def _follow(self) -> None:
        try:
            for entry in read_match_log(self._file, self.definition, is_growing=True):
                if isinstance(entry, HandRecord):
                    self._add(entry)
                self.is_scored = self.is_scored or isinstance(entry, ScoreRecord)
        except (AcpcbotError, OSError) as error:
            self.problem = str(error)
        finally:
            self._file.close()
        self._on_news()

    def _add(self, hand: HandRecord) -> None:
        if not self._players:
            self._players = tuple(sorted(hand.names))
            if len(set(self._players)) < len(self._players):
                raise UsageError("two players have one name", "nobody could tell who sits where")
            self.definition = hand.game.definition
        self._totals.add(hand)
        self._hands.append(self._file.starts[hand.line_number - 1])
        self._lines.append(hand.line_number)
        self._numbers.append(hand.hand_id)

    def _tell(self) -> None:
        """Say that there is news, if there is, when all that stood in the file is read."""
        if self._told != self.num_hands:
            self._told = self.num_hands
            self._on_news()


@dataclass(frozen=True, slots=True)
class NamedLog:
    """A log that may be watched, and its game where that is known."""

    path: Path
    definition: GameDefinition | None


class Gallery:
    """The logs that the command line named by *paths*, files or folders.

    Those of a folder may come later.

    Places never change: new logs come last.
    """

    def __init__(self, paths: Sequence[Path], definition: GameDefinition | None) -> None:
        self._paths, self._definition = paths, definition
        self._logs: list[NamedLog] = []
        self._followed: dict[int, FollowedLog] = {}
        self.refresh()

    def refresh(self) -> list[str]:
        """Look for new logs; the names of all."""
        known = {log.path for log in self._logs}
        for path in self._paths:
            self._logs += [log for log in self._found(path) if log.path not in known]
        return [str(log.path) for log in self._logs]

    def follow(self, number: int, on_news: OnNews) -> FollowedLog:
        """The log with this number, which is followed from now on; raises BadRequest."""
        if number >= len(self._logs):
            raise BadRequest(f"log {number}", "there is no such log")
        found = self._followed.get(number)
        if found is None or found.problem:
            if len(self._followed) >= MOST_FOLLOWED and found is None:
                raise BadRequest(f"log {number}", f"{MOST_FOLLOWED} logs are being watched already")
            named = self._logs[number]
            found = self._followed[number] = FollowedLog(named.path, named.definition, on_news)
        return found

    def followed(self, number: int) -> FollowedLog:
        """The log with this number, which somebody watches; raises BadRequest."""
        if number not in self._followed:
            raise BadRequest(f"log {number}", "watch this log first")
        return self._followed[number]

    def close(self) -> None:
        """Follow nothing any more."""
        for log in self._followed.values():
            log.stop()

    def _found(self, path: Path) -> list[NamedLog]:
        if not path.is_dir():
            return [NamedLog(path, self._definition)]
        if (path / MatchPlan.FILE).exists():
            plan = load_plan(path)
            tables = [path / f"{table.name}.log" for table in plan.tables()]
            return [NamedLog(log, plan.definition) for log in tables if log.exists()]
        return [NamedLog(log, self._definition) for log in sorted(path.glob("*.log"))]
