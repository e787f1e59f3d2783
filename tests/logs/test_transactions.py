"""Transaction logs: every action in its turn, or the line that is not."""

from __future__ import annotations

import json
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import pytest

from acpcbot.errors import BadLogLine
from acpcbot.logs.transactions import read_transactions, write_transactions
from acpcbot.poker.actions import CALLING, raising
from acpcbot.poker.definition import load_definition
from acpcbot.protocol.records import Transaction
from tests.protocol.log_making import SHARED, as_bytes, shared_files
from tests.support.games import NOLIMIT_2P, definition_of

LOG = (
    "c 0 1795163193.813521 1795163193.813764",
    "r482 0 1795163193.813834 1795163193.813958",
    "f 0 1795163193.814034 1795163193.814146",
    "r20000 1 5.000000 5.000001",
    "c 1 6.000000 4.000001",
    "c 2 7.000000 7.000001",
)


def transactions(lines: Sequence[str]) -> list[Transaction]:
    return list(read_transactions(BytesIO(as_bytes(lines)), definition_of(NOLIMIT_2P)))


def test_transactions_are_read_and_come_out_again() -> None:
    """Caught: a hand that is thought to go on, an all-in that is thought to need more calls."""
    found, file = transactions(LOG), BytesIO()
    assert found[0] == Transaction(CALLING, 0, 1_795_163_193_813_521, 1_795_163_193_813_764)
    assert found[3] == Transaction(raising(20_000), 1, 5_000_000, 5_000_001)
    write_transactions(found, file)
    assert file.getvalue() == as_bytes(LOG)


@pytest.mark.parametrize(
    ("number", "line", "reason"),
    [
        (1, "c 1 1.000000 1.000000", "expected an action of hand 0"),
        (2, "r199 0 1.000000 1.000000", "raises go from 200 to 20000"),
        (3, "r482 0 1.000000 1.000000", "r482 is illegal after cr482"),
        (4, "c 0 1.000000 1.000000", "expected an action of hand 1"),
        (5, "c 2 1.000000 1.000000", "expected an action of hand 1"),
        (6, "k 2 7.000000 7.000001", "expected an action, a hand number and two times"),
        (6, "c 2 7.000000 7.001", "expected an action, a hand number and two times"),
        (6, "c 2 7.000000", "expected an action, a hand number and two times"),
    ],
)
def test_an_action_out_of_its_turn_is_refused(number: int, line: str, reason: str) -> None:
    """Caught: a check that is missing, or blames another line."""
    with pytest.raises(BadLogLine) as error:
        transactions([*LOG[: number - 1], line, *LOG[number:]])
    assert error.value.number == number
    assert reason in error.value.reason


@pytest.mark.parametrize("path", shared_files("gold/*/*.tlog"))
def test_recorded_transactions_are_read_unless_they_were_made_wrong(path: Path) -> None:
    """Caught: a real transaction log refused."""
    case = json.loads((path.parent / "case.json").read_text())
    definition, file = load_definition(SHARED / "gold" / "games" / case["game"]), BytesIO()
    if "bad_hand_number_2" in path.parent.name:
        with pytest.raises(BadLogLine, match="expected an action of hand 0"):
            list(read_transactions(path, definition))
        return
    write_transactions(read_transactions(path, definition), file)
    assert file.getvalue() == path.read_bytes()


def test_blank_lines_and_either_line_end_will_do() -> None:
    """Caught: a log that went through an editor or a Windows machine refused."""
    spaced = as_bytes([LOG[0], "", " \t", *LOG[1:], ""]).replace(b"\n", b"\r\n")
    assert list(read_transactions(BytesIO(spaced), definition_of(NOLIMIT_2P))) == transactions(LOG)
