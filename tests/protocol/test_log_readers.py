"""Match logs read in plain Python and by compiled code: same entries, same refusals, the
dealer's digits.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from random import Random

import pytest

from acpcbot.errors import BadLogLine
from acpcbot.logs import match_log as reading
from acpcbot.logs.match_log import HandRecord, LogEntry, ScoreRecord, read_match_log
from acpcbot.logs.tally import SeatingTotals
from acpcbot.poker.definition import GameDefinition, load_definition
from acpcbot.poker.shipped import shipped_definition
from acpcbot.protocol.records import format_value
from tests.protocol.log_making import SHARED, as_bytes, match_log, shared_files
from tests.support.games import ALL_GAMES, definition_of

MANY = 1 << 40  # bytes


def outcome(
    log: bytes, definition: GameDefinition | None, monkeypatch: pytest.MonkeyPatch, plain_bytes: int
) -> tuple[list[LogEntry], str]:
    """Return entries and refusal of *log*, if so many bytes are read in plain Python."""
    monkeypatch.setattr(reading, "PLAIN_BYTES", plain_bytes)
    found: list[LogEntry] = []
    try:
        found.extend(read_match_log(BytesIO(log), definition, chunk_size=4096))
    except BadLogLine as error:
        return found, str(error)
    return found, ""


def verify_readers_agree(
    log: bytes, definition: GameDefinition | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = outcome(log, definition, monkeypatch, MANY)
    for plain_bytes in (0, 6000):
        assert outcome(log, definition, monkeypatch, plain_bytes) == plain


def damaged(lines: Sequence[str], random: Random) -> bytes:
    """*lines* with one of them lost, doubled, or changed in one character."""
    number = random.randrange(len(lines))
    line = lines[number]
    place = random.randrange(len(line) + 1)
    changed = line[:place] + random.choice("0123456789fcr:|/.-AKQcdhs# ") + line[place + 1 :]
    return as_bytes(
        [
            *lines[:number],
            *random.choice(([], [line, line], [changed], ["", changed])),
            *lines[number + 1 :],
        ]
    )


@pytest.mark.parametrize("name", ALL_GAMES)
def test_both_readers_agree_on_logs_of_random_play(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Caught: a record or a refusal that depends on how large the log is."""
    lines, random = match_log(name, 60), Random(name)
    verify_readers_agree(as_bytes(lines), definition_of(name), monkeypatch)
    for _ in range(12):
        verify_readers_agree(damaged(lines, random), definition_of(name), monkeypatch)


@pytest.mark.parametrize("path", shared_files("gold/*/dealer.log"))
def test_both_readers_agree_on_recorded_logs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Caught: as above, on hands that people and scripts played."""
    definition = load_definition(
        SHARED / "gold" / "games" / json.loads((path.parent / "case.json").read_text())["game"]
    )
    log, random = path.read_bytes(), Random(path.parent.name)
    verify_readers_agree(log, definition, monkeypatch)
    lines = log.decode("latin-1").splitlines()
    for _ in range(6 if lines else 0):
        verify_readers_agree(damaged(lines, random), definition, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("path", shared_files("data/acpc_dealer_logs/*.r0.log"))
def test_both_readers_agree_on_logs_of_whole_matches(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Caught: as above, in the thousandth hand."""
    verify_readers_agree(path.read_bytes(), None, monkeypatch)


@pytest.mark.parametrize("path", shared_files("gold/*/dealer.log"))
def test_totals_have_the_digits_of_the_official_dealer(path: Path) -> None:
    """Caught: sums of printed values, or of each seating apart, which differ in the sixth
    decimal.
    """
    definition = load_definition(
        SHARED / "gold" / "games" / json.loads((path.parent / "case.json").read_text())["game"]
    )
    totals = SeatingTotals()
    for entry in read_match_log(path, definition):
        if isinstance(entry, HandRecord):
            totals.add(entry)
        elif isinstance(entry, ScoreRecord) and totals.num_hands == num_hands(path):
            seats = totals.by_seat(entry.names_text)
            assert seats is None or ScoreRecord(1, tuple(seats), entry.names_text).text == line_of(
                path, "SCORE:"
            )


def num_hands(path: Path) -> int:
    """The hands of the whole match, as the header has them."""
    return int(line_of(path, "# name/game").split()[-2])


def line_of(path: Path, tag: str) -> str:
    return next(line for line in path.read_text("latin-1").splitlines() if line.startswith(tag))


@pytest.mark.parametrize("plain_bytes", [0, MANY])
def test_totals_add_up_thirds_of_chips_as_they_are(
    plain_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Caught: five times 33.333333 printed as 166.666665."""
    monkeypatch.setattr(reading, "PLAIN_BYTES", plain_bytes)
    cards = "2s2d|4h6d|2c3c|3h5d|2hJs|6c8c/AsKdQc/Jh/Td"
    values = "33.333333|-100|33.333333|33.333333|0|0"
    lines = [
        f"STATE:{number}:r300cffcf/ccc/ccc/ccc:{cards}:{values}:A|B|C|D|E|F" for number in range(5)
    ]
    totals = SeatingTotals()
    for entry in read_match_log(BytesIO(as_bytes(lines)), shipped_definition("holdem.nolimit.6p")):
        assert isinstance(entry, HandRecord)
        totals.add(entry)
        assert entry.text == lines[entry.hand_id]
    assert format_value(totals.by_name()["A"]) == "166.666667"
