"""Logs as tables of polars and pandas, and the same logs made of these tables."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from acpcbot.adapters.data_frames import (
    ACTION_TYPES,
    HAND_TYPES,
    LogFrames,
    hands_of_frames,
    log_frames,
)
from acpcbot.errors import UsageError
from acpcbot.reports.hands import HandTable, read_hands
from tests.protocol.log_making import match_log
from tests.reports.logs import NOLIMIT_HEADER, table_of, write_log
from tests.support.games import (
    ALL_GAMES,
    LEDUC,
    LIMIT_3P,
    NOLIMIT_2P,
    NOLIMIT_6P,
    definition_of,
)

polars = pytest.importorskip("polars", reason="the extra frames is not installed")
pandas = pytest.importorskip("pandas", reason="the extra pandas is not installed")

LIBRARIES = ("polars", "pandas")
TWO_HANDS = [
    "STATE:0:r20000f:5d5c|9hQd:-100|100:A|B # 1700000000",
    "STATE:1:cc/r300c/cr900r20000c/:5d5c|9hQd/8dAs8s/4h/6d:20000|-20000:B|A",
]


def rows_of(frame: Any) -> list[dict[str, Any]]:
    """The rows of a frame of either library, nulls as None."""
    if isinstance(frame, polars.DataFrame):
        return list(frame.to_dicts())
    plain = frame.astype(object)
    return list(plain.where(frame.notna(), None).to_dict("records"))


def shuffled(frame: Any, seed: int) -> Any:
    if isinstance(frame, polars.DataFrame):
        return frame.sample(fraction=1, shuffle=True, seed=seed)
    return frame.sample(frac=1, random_state=seed)


def without_row(frame: Any, place: int) -> Any:
    if isinstance(frame, polars.DataFrame):
        return polars.concat([frame[:place], frame[place + 1 :]])
    return frame.drop(frame.index[place])


def verify_round_trip(table: HandTable, library: Any) -> None:
    frames = log_frames(table, library)
    found = hands_of_frames(frames.hands, frames.actions, table.definition)
    expected = list(table.records())
    stamps = table.unix_time.tolist()
    assert len(found) == len(expected) == len(stamps)
    for hand, wanted, stamp in zip(found, expected, stamps, strict=True):
        assert hand.text == wanted.text + (f" # {stamp}" if stamp >= 0 else "")
        assert hand.values == wanted.values
        assert (hand.line_number, hand.betting_text) == (wanted.line_number, wanted.betting_text)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("game", ALL_GAMES)
def test_hands_come_back_as_they_were(game: str, library: str, tmp_path: Path) -> None:
    """Catches cards, actions, seats and chips that are lost or changed on either way."""
    verify_round_trip(table_of(tmp_path, match_log(game, 40, 3), game), library)


@pytest.mark.slow
@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("game", [NOLIMIT_6P, LIMIT_3P])
def test_ten_thousand_hands_come_back_as_they_were(game: str, library: str, tmp_path: Path) -> None:
    """The rarer ones too: many side pots, and pots shared by three."""
    verify_round_trip(table_of(tmp_path, match_log(game, 10_000, 4), game), library)


@pytest.mark.parametrize("library", LIBRARIES)
def test_two_hands_have_their_documented_rows(library: Any, tmp_path: Path) -> None:
    """Catches numbers that stand in another column, hand or seat."""
    frames = log_frames(table_of(tmp_path, [NOLIMIT_HEADER, *TWO_HANDS]), library)
    first, second, third, _ = rows_of(frames.hands)
    time = first.pop("time")
    assert time.timestamp() == datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC).timestamp()
    assert first == {
        "log": "match.log",
        "line": 2,
        "hand": 0,
        "seed": 7,
        "seat": 1,
        "player": "A",
        "hole_cards": "5d5c",
        "board": "",
        "showdown": False,
        "pot": 200,
        "won": -100.0,
    }
    assert (second["seat"], second["player"], second["won"]) == (2, "B", 100.0)
    assert third["time"] is None
    assert (third["board"], third["showdown"], third["pot"]) == ("/8dAs8s/4h/6d", True, 40000)
    actions = rows_of(frames.actions)
    assert actions[0] == {
        "log": "match.log",
        "line": 2,
        "hand": 0,
        "number": 1,
        "street": 1,
        "seat": 2,
        "player": "B",
        "action": "raise",
        "pot": 150,
        "to_call": 50,
        "added": 19950,
        "total": 20000,
        "all_in": True,
    }
    told = [
        (row["number"], row["street"], row["player"], row["action"], row["added"], row["total"])
        for row in actions[2:]
    ]
    assert told == [
        (1, 1, "A", "call", 50, 100),
        (2, 1, "B", "check", 0, 100),
        (3, 2, "B", "bet", 200, 300),
        (4, 2, "A", "call", 200, 300),
        (5, 3, "B", "check", 0, 300),
        (6, 3, "A", "bet", 600, 900),
        (7, 3, "B", "raise", 19700, 20000),
        (8, 3, "A", "call", 19100, 20000),
    ]
    assert [row["all_in"] for row in actions[2:]] == [False] * 6 + [True] * 2


def test_columns_have_their_types_in_both_libraries(tmp_path: Path) -> None:
    """Catches numbers kept as objects or texts, and actions that are any text."""
    table = table_of(tmp_path, TWO_HANDS, NOLIMIT_2P)  # no header: no seed
    frames = log_frames(table, "polars")
    assert dict(frames.hands.schema) == {
        "log": polars.String,
        "line": polars.Int64,
        "hand": polars.Int64,
        "seed": polars.Int64,
        "time": polars.Datetime("us", "UTC"),
        "seat": polars.Int8,
        "player": polars.String,
        "hole_cards": polars.String,
        "board": polars.String,
        "showdown": polars.Boolean,
        "pot": polars.Int64,
        "won": polars.Float64,
    }
    words = ["fold", "check", "call", "bet", "raise"]
    assert frames.actions.schema["action"] == polars.Enum(words)
    assert frames.actions.schema["number"] == polars.Int16
    assert frames.hands["seed"].null_count() == 4
    theirs = log_frames(table, "pandas")
    types = {name: str(dtype) for name, dtype in theirs.hands.dtypes.items()}
    assert types == {
        "log": "string",
        "line": "int64",
        "hand": "int64",
        "seed": "Int64",
        "time": "datetime64[us, UTC]",
        "seat": "int8",
        "player": "string",
        "hole_cards": "string",
        "board": "string",
        "showdown": "bool",
        "pot": "int64",
        "won": "float64",
    }
    assert list(theirs.actions["action"].cat.categories) == words
    assert str(theirs.actions["all_in"].dtype) == "bool"
    assert theirs.hands["seed"].isna().all()
    for of in (frames, theirs):
        assert list(of.hands.columns) == list(HAND_TYPES)
        assert list(of.actions.columns) == list(ACTION_TYPES)


@pytest.mark.parametrize("game", [LEDUC, NOLIMIT_6P])
def test_both_libraries_have_the_same_rows(game: str, tmp_path: Path) -> None:
    table = table_of(tmp_path, match_log(game, 30, 5), game)
    ours, theirs = log_frames(table, "polars"), log_frames(table, "pandas")
    assert rows_of(ours.hands) == rows_of(theirs.hands)
    assert rows_of(ours.actions) == rows_of(theirs.actions)


def test_chips_of_the_actions_are_those_that_the_seats_have_put_in(tmp_path: Path) -> None:
    """Catches chips of the street taken for those of the hand: sums by a library, against the
    replayed hands.
    """
    table = table_of(tmp_path, match_log(NOLIMIT_6P, 200, 6), NOLIMIT_6P)
    frames = log_frames(table, "polars")
    added = frames.actions.group_by("line", "seat").agg(polars.col("added").sum())
    spent = np.tile(np.array(table.definition.blinds), (table.num_hands, 1))
    for line, seat, chips in added.iter_rows():
        spent[np.flatnonzero(table.line_number == line)[0], seat - 1] += chips
    assert np.array_equal(spent, table.facts.spent)
    won = frames.hands.group_by("player").agg(polars.col("won").sum())
    assert won["won"].sum() == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("library", LIBRARIES)
def test_rows_may_stand_in_any_order_and_go_through_files(library: Any, tmp_path: Path) -> None:
    """Catches a table that is read by the places of its rows, and types that files lose."""
    table = table_of(tmp_path, match_log(NOLIMIT_6P, 30, 7), NOLIMIT_6P)
    frames = log_frames(table, library)
    hands, actions = shuffled(frames.hands, 1), shuffled(frames.actions, 2)
    found = hands_of_frames(hands, actions, table.definition)
    expected = sorted(hand.text for hand in table.records())
    assert sorted(hand.text for hand in found) == expected
    if library == "polars":
        frames.hands.write_parquet(tmp_path / "hands.parquet")
        frames.actions.write_csv(tmp_path / "actions.csv")
        hands = polars.read_parquet(tmp_path / "hands.parquet")
        actions = polars.read_csv(tmp_path / "actions.csv")
        assert hands.equals(frames.hands)
    else:
        frames.actions.to_csv(tmp_path / "actions.csv", index=False)
        hands, actions = frames.hands, pandas.read_csv(tmp_path / "actions.csv")
    found = hands_of_frames(hands, actions, table.definition)
    assert sorted(hand.text for hand in found) == expected


def test_logs_and_folders_are_read_by_their_paths(tmp_path: Path) -> None:
    """Catches hands of two logs that are taken for one another: both have a line 2."""
    logs = [
        write_log(tmp_path, match_log(LEDUC, 5, seed=1), "a.log"),
        write_log(tmp_path, match_log(LEDUC, 6, seed=2), "b.log"),
    ]
    frames = log_frames([str(log) for log in logs], "polars", definition=definition_of(LEDUC))
    assert frames.hands["log"].unique().sort().to_list() == ["a.log", "b.log"]
    found = hands_of_frames(frames.hands, frames.actions, definition_of(LEDUC))
    expected = read_hands(logs, definition_of(LEDUC))
    assert [hand.text for hand in found] == [hand.text for hand in expected.records()]


def changed(frame: Any, name: str, value: object) -> Any:
    """The frame with *value* in the first row of the column *name*."""
    values = frame[name].to_list()
    values[0] = value
    return frame.with_columns(polars.Series(name, values, dtype=frame.schema[name]))


def test_tables_that_make_no_hand_are_refused(tmp_path: Path) -> None:
    """Catches a hand that is made up of what is left of it."""
    table = table_of(tmp_path, [NOLIMIT_HEADER, *TWO_HANDS])
    whole = log_frames(table, "polars")

    def refused(words: str, frames: LogFrames) -> None:
        with pytest.raises(UsageError, match=words):
            hands_of_frames(frames.hands, frames.actions, table.definition)

    hands, actions = whole.hands, whole.actions
    refused(r"line 2 of match.log: seats \[2\]", LogFrames(without_row(hands, 0), actions))
    refused("action 1 of line 2 .* its number is 2", LogFrames(hands, without_row(actions, 0)))
    refused("line 2 of match.log is no hand", LogFrames(hands, without_row(actions, 1)))
    refused("is no hand", LogFrames(changed(hands, "won", 7.0), actions))
    refused("is no hand", LogFrames(changed(hands, "hole_cards", "9h5c"), actions))
    refused("raise of seat 1 after ''", LogFrames(hands, changed(actions, "seat", 1)))
    refused("raise of seat 2 after ''", LogFrames(hands, changed(actions, "total", 20001)))
    refused("no column won", LogFrames(hands.drop("won"), actions))
    with pytest.raises(UsageError, match="seats"):
        hands_of_frames(hands, actions, definition_of(NOLIMIT_6P))


def test_a_library_that_is_missing_is_named_with_its_extra(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Catches a traceback, and pandas in the place of polars where that was asked for."""
    table = table_of(tmp_path, TWO_HANDS, NOLIMIT_2P)
    assert isinstance(log_frames(table).hands, polars.DataFrame)
    with pytest.raises(UsageError, match="library='spark'"):
        log_frames(table, "spark")  # type: ignore[arg-type]
    monkeypatch.setitem(sys.modules, "polars", None)
    assert isinstance(log_frames(table).hands, pandas.DataFrame)
    with pytest.raises(UsageError, match="need polars") as caught:
        log_frames(table, "polars")
    assert caught.value.hint == "install the extra: pip install 'acpcbot[frames]'"
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(UsageError, match="need pandas") as caught:
        log_frames(table, "pandas")
    assert "acpcbot[pandas]" in caught.value.hint
    with pytest.raises(UsageError, match="need polars or pandas"):
        log_frames(table)
