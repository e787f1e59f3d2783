"""Recorded matches of the official dealer, and a way to play them again without sockets.

A recording is a folder with case.json, one ``seatN.stream`` a seat and the files
that the dealer wrote. ``replay`` feeds what each seat sent to a ``Table`` under a
clock that shows the recorded times, so that even matches decided by a time
limit come out the same way each time.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from acpcbot.cli.dealer_command import DealerOptions, parse_dealer_arguments
from acpcbot.matches.settings import MatchSettings
from acpcbot.matches.table import Phase, Table
from acpcbot.poker.definition import load_definition

SHIPPED = Path(__file__).parent / "transcripts"
SHARED = Path(__file__).resolve().parents[2] / "shared" / "gold"
STAMP = re.compile(r"[0-9]+\.[0-9]{6}|(?<=seat )[0-9]: [0-9]+")


@dataclass(frozen=True, slots=True)
class Arrival:
    """Something that one seat did: *data* sent, or a word (CONNECT, EOF, RST, REFUSED)."""

    order: int
    time_us: int
    seat: int
    data: bytes | None
    word: str


@dataclass(frozen=True)
class Recording:
    """One recorded match."""

    folder: Path
    case: dict[str, Any] = field(repr=False)

    @property
    def name(self) -> str:
        return str(self.case["name"])

    @property
    def game_path(self) -> Path:
        return self.folder.parent / "games" / str(self.case["game"])

    @property
    def is_exact(self) -> bool:
        """Return True if every byte follows from the bytes that the seats sent."""
        return not (self.case["timing_dependent"] or self.case["os_error_end"] or self.is_undefined)

    @property
    def is_undefined(self) -> bool:
        return bool(self.case.get("undefined_behaviour"))

    @property
    def has_log(self) -> bool:
        return (self.folder / "dealer.log").exists()

    def text(self, name: str) -> str:
        path = self.folder / name
        return path.read_bytes().decode("latin-1") if path.exists() else ""

    def arrivals(self) -> list[Arrival]:
        """Return the events of the seats, in the recorder's order."""
        return sorted(
            (a for seat in self.seats() for a in self._stream(seat, "C")), key=lambda a: a.order
        )

    def seats(self) -> range:
        return range(len(self.case["names"]))

    def sent_to(self, seat: int) -> bytes:
        """Every byte that the dealer sent to *seat*."""
        return b"".join(arrival.data or b"" for arrival in self._stream(seat, "S"))

    def _stream(self, seat: int, wanted: str) -> list[Arrival]:
        arrivals = []
        for line in self.text(f"seat{seat + 1}.stream").splitlines():
            order, time, direction, what = line.split(" ", 3)
            data = json.loads(what).encode("latin-1") if what.startswith('"') else None
            if direction == wanted:
                arrivals.append(
                    Arrival(int(order), round(float(time) * 1e6), seat, data, "" if data else what)
                )
        return arrivals


def recordings(root: Path) -> list[Recording]:
    """All recordings below *root*."""
    return [
        Recording(path.parent, json.loads(path.read_text(encoding="utf-8")))
        for path in sorted(root.glob("*/case.json"))
    ]


@dataclass
class Replay:
    """A table's output for a recording."""

    sent: list[bytes]
    logged: list[str] = field(default_factory=list)
    transactions: list[str] = field(default_factory=list)
    talk_text: str = ""
    phase: Phase = Phase.GREETING
    now_us: int = 0

    def send(self, seat: int, data: bytes) -> None:
        self.sent[seat] += data

    def log(self, line: str) -> None:
        self.logged.append(line)

    def transact(self, line: str) -> None:
        self.transactions.append(line)

    def talk(self, text: str) -> None:
        self.talk_text += text

    def clock(self) -> int:
        return self.now_us


def replay(recording: Recording, *, piece: int = 0, tail: bytes = b"") -> Replay:
    """Play *recording* again.

    With *piece*, what the seats sent is cut into pieces of so many bytes; *tail*
    arrives together with the last that each of them sent.
    """
    options = parse_dealer_arguments(recording.case["argv"][1:])
    settings = options.settings(load_definition(recording.game_path))
    result = Replay([b"" for _ in recording.seats()])
    table = _table(recording, options, settings, result)
    for line in settings.header:
        result.talk(f"{line}\n")
        result.log(line)
    arrivals = recording.arrivals()
    last = {arrival.seat: arrival for arrival in arrivals if arrival.data is not None}
    for arrival in arrivals:
        _pass_time(table, result, arrival.time_us)
        _deliver(table, arrival, piece, tail if last.get(arrival.seat) is arrival else b"")
    _pass_time(table, result, result.now_us + 10**7)
    result.phase = table.phase
    return result


def _table(
    recording: Recording, options: DealerOptions, settings: MatchSettings, result: Replay
) -> Table:
    resumes = options.appends and settings.keeps_transactions
    transactions = recording.text("before.dealer.tlog").splitlines() if resumes else []
    num_logged = recording.text("before.dealer.log").count("STATE:")
    return Table(settings, result, result.clock, transactions, num_logged)


def _pass_time(table: Table, result: Replay, until_us: int) -> None:
    """Let the clock run to *until_us*, or to the moment when the wait for a line ends the match."""
    deadline = table.wait_started_us + table.settings.limits.response_us
    if table.phase is Phase.PLAYING and deadline <= until_us:
        result.now_us = deadline
        table.give_up_waiting()
    result.now_us = max(result.now_us, until_us)


def _deliver(table: Table, arrival: Arrival, piece: int, tail: bytes) -> None:
    if arrival.data is None:
        if arrival.word in ("EOF", "RST"):
            table.receive_eof(arrival.seat)
        return
    data = arrival.data + tail
    step = piece or len(data)
    for start in range(0, len(data), step):
        table.receive(arrival.seat, data[start : start + step])


def without_times(text: str) -> list[str]:
    """The lines of *text* with clock times replaced, as recordings were made on another day."""
    return [STAMP.sub("TIME", line) for line in text.splitlines()]


def check_outcome(recording: Recording, result: Replay, *, in_real_time: bool = False) -> None:
    """Assert that *result* is what was recorded, as far as the recording determines it.

    With *in_real_time* a match that a time limit decides need only agree up to its end.
    """
    if recording.is_undefined:
        assert result.phase in (Phase.FINISHED, Phase.ABORTED, Phase.PLAYING)
        return
    expected = [recording.sent_to(seat) for seat in recording.seats()]
    if recording.case["os_error_end"] or (in_real_time and recording.case["timing_dependent"]):
        assert (result.phase is Phase.FINISHED) == (recording.case["exit_code"] == 0)
        assert all(map(_agree_up_to_the_end, result.sent, expected))
        return
    assert result.sent == expected
    assert without_times(result.talk_text) == without_times(recording.text("dealer.stderr"))
    assert (result.phase is Phase.FINISHED) == (recording.case["exit_code"] == 0)
    if recording.has_log:
        log = recording.text("before.dealer.log") if "-a" in recording.case["flags"] else ""
        assert log.splitlines() + result.logged == recording.text("dealer.log").splitlines()
    if "-T" in recording.case["flags"]:
        log = recording.text("before.dealer.tlog") if "-a" in recording.case["flags"] else ""
        ours = without_times("\n".join([*log.splitlines(), *result.transactions]))
        assert ours == without_times(recording.text("dealer.tlog"))


def _agree_up_to_the_end(ours: bytes, theirs: bytes) -> bool:
    return ours.startswith(theirs) or theirs.startswith(ours)
