"""The compiled reader of STATE lines, against the plain one and against recorded values."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpcbot.logs.replay import CompiledReader
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import load_definition
from acpcbot.protocol.records import format_value
from tests.protocol.log_making import (
    SHARED,
    as_bytes,
    is_taken_compiled,
    is_taken_slowly,
    match_lines,
    match_log,
    shared_files,
)
from tests.support.games import ALL_GAMES, LEDUC, LIMIT_2P, NOLIMIT_2P, definition_of, rules_of

TYPED = "STAE:0123456789fcrkb/|.-#AKQJThsdcx \r"


def states(game_name: str, num_hands: int = 30, seed: int = 1) -> list[str]:
    return [line for line in match_log(game_name, num_hands, seed) if line.startswith("STATE:")]


@pytest.mark.parametrize("name", ALL_GAMES)
def test_both_readers_take_every_hand_that_is_played(name: str) -> None:
    """Caught: a legal hand of some game refused (side pots, padding of all-ins, antes, small
    decks).
    """
    for line in states(name):
        assert is_taken_compiled(line, definition_of(name)), line
        assert is_taken_slowly(line, rules_of(name)), line


@given(name=st.sampled_from(ALL_GAMES), seed=st.integers(0, 50), data=st.data())
def test_both_readers_agree_on_a_line_with_one_character_changed(
    name: str, seed: int, data: st.DataObject
) -> None:
    """Caught: any check that one of the two has and the other lacks."""
    line = data.draw(st.sampled_from(states(name, 5, seed)))
    place = data.draw(st.integers(0, len(line) - 1))
    changed = (
        line[:place]
        + data.draw(st.sampled_from(TYPED))
        + line[place + data.draw(st.integers(0, 1)) :]
    )
    assert is_taken_compiled(changed, definition_of(name)) == is_taken_slowly(
        changed, rules_of(name)
    ), changed


@pytest.mark.parametrize("path", shared_files("gold/*/dealer.log"))
def test_both_readers_agree_on_recorded_lines_and_on_damaged_ones(path: Path) -> None:
    """Caught: as above, on hands that people and scripts played, with every third character
    lost or replaced.
    """
    case = json.loads((path.parent / "case.json").read_text())
    game = BettingRules(load_definition(SHARED / "gold" / "games" / case["game"]))
    random = Random(path.parent.name)
    for line in path.read_bytes().decode("latin-1").splitlines()[:40]:
        for place in range(0, len(line), 3):
            changed = line[:place] + random.choice(["", *TYPED]) + line[place + 1 :]
            assert is_taken_compiled(changed, game.definition) == is_taken_slowly(changed, game), (
                changed
            )
        assert (
            is_taken_compiled(line, game.definition)
            == line.startswith("STATE:")
            == is_taken_slowly(line, game)
        )


@pytest.mark.parametrize("path", shared_files("gold/unit/value.jsonl"))
def test_recorded_values_are_taken_and_no_others(path: Path) -> None:
    """Caught: a side pot or a split that is shared otherwise than by the official programs."""
    for row in map(json.loads, path.read_text().splitlines()):
        definition = load_definition(SHARED / "gold" / "games" / row["game"])
        names = "|".join("ABCDEFGHIJ"[: definition.num_players])
        right = f"{row['state']}:{'|'.join(map(format_value, row['values']))}:{names}"
        off = "|".join(format_value(value + 0.000002) for value in row["values"])
        wrong = f"{row['state']}:{off}:{names}"
        assert is_taken_compiled(right, definition), right
        assert is_taken_slowly(right, BettingRules(definition)), right
        assert not is_taken_compiled(wrong, definition), wrong


def test_reading_stops_at_the_first_line_that_is_wrong() -> None:
    """Caught: a place that is off by a line, so that the wrong line would be blamed."""
    lines = states(LIMIT_2P, 9)
    for bad in range(len(lines)):
        log = as_bytes([*lines[:bad], "STATE:7:", *lines[bad + 1 :]])
        found, _ = CompiledReader(definition_of(LIMIT_2P), 0.0).read(log, 0, 0)
        assert [line.decode() for line, _ in found] == lines[:bad]


def test_values_may_be_anything_that_is_within_the_tolerance() -> None:
    """Caught: values checked although luck was averaged out of them, or half a printed step too
    strictly.
    """
    line = "STATE:3:rrrc/rrf:4s8s|6hJd/QhJs9d:-50|50:p2|p1"
    for values, tolerance, is_taken in [
        ("-50.0000004|50", 0.0000005, False),  # seven decimals
        ("-50.000001|50", 0.0000005, False),
        ("-50.000000|50.0", 0.0000005, True),
        ("-49.5|50", 0.4, False),
        ("-49.5|50", 0.5, True),
        ("12.5|-12.5", math.inf, True),
        ("12.5|x", math.inf, False),
        ("12.5", math.inf, False),
    ]:
        changed = line.replace("-50|50", values)
        assert is_taken_compiled(changed, definition_of(LIMIT_2P), tolerance) == is_taken, changed
        assert is_taken_slowly(changed, rules_of(LIMIT_2P), tolerance) == is_taken, changed


@pytest.mark.parametrize(
    ("hand_id", "is_taken"),
    [("0", True), ("4294967295", True), ("4294967296", False), ("007", False), ("", False)],
)
def test_hand_numbers_have_32_bits_and_no_leading_zeros(hand_id: str, *, is_taken: bool) -> None:
    """Caught: numbers that no dealer counts up to, and text that would not come out as it went
    in.
    """
    line = f"STATE:{hand_id}:f:Ah8s|2h4c:50|-50:A|B"
    assert is_taken_compiled(line, definition_of(NOLIMIT_2P)) is is_taken
    assert is_taken_slowly(line, rules_of(NOLIMIT_2P)) is is_taken


@pytest.mark.parametrize(
    "size", ["19999", "20001", "020000", "99999999999999999999", "4294987296", ""]
)
def test_a_size_is_read_whole(size: str) -> None:
    """Caught: sizes that wrap around, or leading zeros that are dropped."""
    line = f"STATE:0:r20000r{size}c///:5d5c|9hQd/8dAs8s/4h/6d:20000|-20000:A|B"
    assert not is_taken_compiled(line, definition_of(NOLIMIT_2P))
    assert not is_taken_slowly(line, rules_of(NOLIMIT_2P))


def test_board_cards_of_the_first_street_stand_behind_the_last_hole_cards() -> None:
    """Caught: a game that deals board cards at once being misread."""
    definition = replace(definition_of(LEDUC), num_board_cards=(2, 1))
    game = BettingRules(definition)
    for line in match_lines(game, 20, 5):
        if line.startswith("STATE:"):
            assert is_taken_compiled(line, definition), line
            assert is_taken_slowly(line, game), line
