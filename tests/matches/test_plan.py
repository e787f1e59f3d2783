"""The parts of a match: tables, seatings, names, and the file that keeps them."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpcbot.errors import UsageError
from acpcbot.matches.plan import MatchPlan, load_plan
from acpcbot.poker.definition import format_definition
from tests.support.games import ALL_GAMES, KUHN, LIMIT_3P, definition_of

PLAN = MatchPlan(
    ("tight", "call"), KUHN, format_definition(definition_of(KUHN)), num_hands=10, seed=7
)
THREE = replace(
    PLAN,
    strategies=("a", "b", "c"),
    game_name=LIMIT_3P,
    game_text=format_definition(definition_of(LIMIT_3P)),
)

names = st.one_of(
    st.sampled_from(
        [
            "call",
            "call.2",
            "call-2",
            "bots/call",
            "m:call",
            "a:B",
            "",
            "x|y",
            "a b",
            "é",
            "./call",
            "call_2",
        ]
    ),
    st.text(min_size=1, max_size=8),
)


def test_a_plain_match_is_one_table_a_seed() -> None:
    tables = replace(PLAN, num_seeds=3).tables()
    assert [(table.seed, table.seating) for table in tables] == [
        (7, (0, 1)),
        (8, (0, 1)),
        (9, (0, 1)),
    ]
    assert [table.name for table in tables] == ["table000", "table001", "table002"]
    assert [table.number for table in tables] == [0, 1, 2]


def test_a_duplicate_match_seats_everybody_everywhere_with_the_same_cards() -> None:
    tables = replace(THREE, is_duplicate=True, num_seeds=2).tables()
    for seed in (7, 8):
        assert {table.seating for table in tables if table.seed == seed} == set(
            permutations(range(3))
        )
    seats = Counter(
        (entrant, seat) for table in tables for seat, entrant in enumerate(table.seating)
    )
    assert set(seats.values()) == {4}


def test_tables_have_names_of_their_own_also_beyond_a_thousand() -> None:
    tables = replace(PLAN, num_seeds=1500).tables()
    assert len({table.name for table in tables}) == 1500


def test_a_table_has_its_seed_and_its_names_in_seat_order() -> None:
    plan = replace(PLAN, is_duplicate=True)
    settings = plan.settings(plan.tables()[1], Path("folder"))
    assert (settings.player_names, settings.seed, settings.num_hands) == (("call", "tight"), 7, 10)
    assert Path(settings.name) == Path("folder") / "table001"
    assert settings.definition == definition_of(KUHN)


@pytest.mark.parametrize(
    ("strategies", "expected"),
    [
        (("tight", "call"), ("tight", "call")),
        (("call", "call", "call"), ("call", "call.2", "call.3")),
        (("bots/fast.sh", "mine:Bot", "my.module:Bot"), ("fast-sh", "Bot", "Bot.2")),
        (("a|b", "x:y|z"), ("a-b", "y-z")),
        (("C:\\bots\\a.exe",), ("a-exe",)),
        (("bots/", "::"), ("bots", "bot")),
        (
            ("a/dcfr?play=threshold:0.1", "a?play=purified"),
            ("dcfr-play-threshold-0-1", "a-play-purified"),
        ),
        (("my.py:Bot?x=1:2", "search?blueprint=../mine"), ("Bot-x-1-2", "search")),
    ],
)
def test_names_are_short_and_free_of_what_logs_give_a_meaning_to(
    strategies: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    assert replace(PLAN, strategies=strategies).names == expected


@given(strategies=st.lists(names, min_size=1, max_size=8))
def test_no_two_entrants_have_the_same_name_and_none_breaks_a_log(strategies: list[str]) -> None:
    found = replace(PLAN, strategies=tuple(strategies)).names
    assert len(set(found)) == len(strategies)
    assert all(name and not set(name) & set("|: \n\r") for name in found)


@given(strategies=st.lists(names, min_size=1, max_size=4))
def test_names_survive_the_encoding_of_logs(strategies: list[str]) -> None:
    """A log is latin-1: two names must not become one there, and none may be unreadable."""
    found = replace(PLAN, strategies=tuple(strategies)).names
    assert len({name.encode("latin-1", "replace") for name in found}) == len(strategies)
    assert [name.encode("latin-1", "replace").decode("latin-1") for name in found] == list(found)


@pytest.mark.parametrize("strategies", [(), ("a",), ("a", "b", "c")])
def test_a_wrong_number_of_entrants_is_refused(strategies: tuple[str, ...]) -> None:
    with pytest.raises(UsageError, match=f"{len(strategies)} entrants for 2 seats") as refusal:
        replace(PLAN, strategies=strategies).verify()
    assert "name 2 strategies" in refusal.value.hint
    PLAN.verify()


@pytest.mark.parametrize("game", ALL_GAMES)
def test_a_plan_comes_back_from_its_file_whatever_the_game(game: str, tmp_path: Path) -> None:
    plan = replace(
        PLAN, game_name=game, game_text=format_definition(definition_of(game)), is_duplicate=True
    )
    plan.save(tmp_path / "new" / "folder")
    again = load_plan(tmp_path / "new" / "folder")
    assert again == plan
    assert again.definition == definition_of(game)


def test_saving_again_leaves_one_whole_file(tmp_path: Path) -> None:
    for _ in range(2):
        PLAN.save(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [MatchPlan.FILE]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "5",
        "null",
        "{}",
        '{"format": 2}',
        '{"format": 1}',
        json.dumps({"format": 1, "strategies": None}),
        json.dumps({"format": 1, "strategies": ["a"], "unknown": 3}),
    ],
)
def test_a_damaged_plan_is_refused_by_its_folder(text: str, tmp_path: Path) -> None:
    (tmp_path / MatchPlan.FILE).write_text(text)
    with pytest.raises(UsageError, match="holds no match to go on with") as refusal:
        load_plan(tmp_path)
    assert str(tmp_path) in str(refusal.value)


def test_a_folder_without_a_match_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no match to go on with"):
        load_plan(tmp_path / "missing")
