"""Logs of official dealers, of people and of strong programs, with totals that were published."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest

from acpcbot.errors import BadLogLine
from acpcbot.logs.match_log import HandRecord, ScoreRecord, read_match_log, write_match_log
from acpcbot.poker.definition import GameDefinition, load_definition
from tests.protocol.log_making import SHARED, shared_files
from tests.support.games import NOLIMIT_2P, NOLIMIT_6P, definition_of


@pytest.mark.parametrize(
    "path", shared_files("gold/*/dealer.log") + shared_files("gold/*/before.dealer.log")
)
def test_recorded_logs_are_read_and_come_out_again(path: Path) -> None:
    """Caught: a possible log refused: odd names, one name twice, resumed and broken off
    matches, many pots.
    """
    case = json.loads((path.parent / "case.json").read_text())
    definition, file = load_definition(SHARED / "gold" / "games" / case["game"]), BytesIO()
    found = list(read_match_log(path, definition))
    write_match_log(found, file)
    assert file.getvalue() == path.read_bytes()
    if path.name == "dealer.log":
        scores = [entry.text for entry in found if isinstance(entry, ScoreRecord)]
        assert scores == ([case["expected_score"]] if case["expected_score"] else [])


@pytest.mark.parametrize("path", shared_files("gold/unit/all_in_expectation/*.out"))
def test_logs_with_luck_averaged_out_are_read_when_told(path: Path) -> None:
    """Caught: the output of the official tool refused."""
    case = json.loads((SHARED / "gold" / path.stem / "case.json").read_text())
    definition = load_definition(SHARED / "gold" / "games" / case["game"])
    original = [
        hand.values
        for hand in read_match_log(path.parents[2] / path.stem / "dealer.log", definition)
        if isinstance(hand, HandRecord)
    ]
    averaged = [
        hand.values
        for hand in read_match_log(path, definition, check_values=False)
        if isinstance(hand, HandRecord)
    ]
    assert len(averaged) == len(original)
    if averaged != original:
        with pytest.raises(BadLogLine, match="expected the values"):
            list(read_match_log(path, definition))


def totals_of(
    paths: list[Path], definition: GameDefinition | None = None
) -> tuple[int, Counter[str]]:
    num_hands, totals = 0, Counter[str]()
    for path in paths:
        for entry in read_match_log(path, definition):
            if isinstance(entry, HandRecord):
                num_hands += 1
                for name, value in zip(entry.names, entry.values, strict=True):
                    totals[name] += value  # type: ignore[assignment]
    return num_hands, totals


@pytest.mark.parametrize("path", shared_files("data/acpc_dealer_logs/*r0.log"))
def test_logs_of_older_dealers_add_up(path: Path) -> None:
    """Caught: rules that moved since; the reader compares the sums with the SCORE line itself."""
    assert totals_of([path])[0] == 1000


def shared_folder(name: str) -> list[Path]:
    paths = sorted((SHARED / "data" / name).glob("*.log"))
    if not paths:
        pytest.skip(f"no logs at {SHARED / 'data' / name}")
    return paths


@pytest.mark.slow
def test_fifty_thousand_hands_of_leduc_add_up() -> None:
    """Caught: pairs and splits of a small deck."""
    log = next(path for path in shared_folder("leduc_acpc") if path.name == "sample_log-large.log")
    assert totals_of([log]) == (50_000, {"Random_1": 48_745, "CFR_trained": -48_745})


@pytest.mark.slow
def test_five_thousand_hands_of_pluribus_add_up_to_what_was_published() -> None:
    """Caught: six-player side pots, logs without a header, a last line without a line end."""
    definition = replace(definition_of(NOLIMIT_6P), stacks=(10_000,) * 6)
    num_hands, totals = totals_of(shared_folder("pluribus"), definition)
    assert (num_hands, totals["Pluribus"]) == (5_070, -14_321.5)


@pytest.mark.slow
def test_hands_against_deepstack_add_up_to_what_was_published() -> None:
    """Caught: times behind names, hands of people."""
    won: list[float] = []
    num_hands = 0
    for path in shared_folder("deepstack_aivat"):
        found = [
            hand
            for hand in read_match_log(path, definition_of(NOLIMIT_2P))
            if isinstance(hand, HandRecord)
        ]
        num_hands += len(found)
        won += [hand.values[hand.names.index("DeepStack")] for hand in found[:3000]]
    assert (num_hands, len(won)) == (18_271, 18_119)
    assert sum(won) / len(won) * 10 == pytest.approx(524.28, abs=0.005)
