"""Ways to play a strategy: known values, laws for all of them, and spellings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpcbot.errors import UsageError
from acpcbot.strategies.policy import (
    PlaySettings,
    drawn_action,
    drawn_index,
    greedy_probabilities,
    parse_play_settings,
    played_probabilities,
    verify_settings,
)
from tests.strategies.random_snapshots import saved
from tests.support.games import KUHN

SPELLINGS = ("average", "greedy", "purified", "threshold:0.1", "threshold:0")


def played(text: str, row: Sequence[float]) -> list[float]:
    result: list[float] = played_probabilities(np.array(row), parse_play_settings(text)).tolist()
    return result


@pytest.mark.parametrize(
    ("text", "row", "expected"),
    [
        ("average", [0.2, 0.3, 0.5], [0.2, 0.3, 0.5]),
        ("purified", [0.2, 0.3, 0.5], [0.0, 0.0, 1.0]),
        ("purified", [0.4, 0.2, 0.4], [0.5, 0.0, 0.5]),
        ("purified", [0.5, 0.5], [0.5, 0.5]),
        ("threshold:0.25", [0.2, 0.3, 0.5], [0.0, 0.375, 0.625]),
        ("threshold:0.2", [0.2, 0.3, 0.5], [0.2, 0.3, 0.5]),
        ("threshold:0.9", [0.2, 0.3, 0.5], [0.0, 0.0, 1.0]),
        ("threshold:1", [0.25, 0.25, 0.5], [0.0, 0.0, 1.0]),
        ("threshold:0", [0.2, 0.3, 0.5], [0.2, 0.3, 0.5]),
    ],
)
def test_known_probabilities_of_ways_of_playing(
    text: str, row: list[float], expected: list[float]
) -> None:
    """Would catch an action at the threshold that is dropped, and all actions dropped at once."""
    assert played(text, row) == pytest.approx(expected, abs=1e-12)


@given(
    rows=st.lists(
        st.lists(st.integers(0, 50), min_size=3, max_size=3).filter(any), min_size=1, max_size=5
    ),
    text=st.sampled_from([text for text in SPELLINGS if text != "greedy"]),
)
def test_many_rows_are_played_as_each_is_alone(rows: list[list[int]], text: str) -> None:
    """Would catch a sum or a maximum over the wrong axis."""
    averages = np.array(rows) / np.sum(rows, axis=1, keepdims=True)
    together = played_probabilities(averages, parse_play_settings(text))
    assert together.sum(axis=1) == pytest.approx(1)
    assert np.all(together[averages == 0] == 0)
    for average, row in zip(averages, together, strict=True):
        assert row.tolist() == played(text, average.tolist())


def test_greedy_actions_become_probabilities_of_one() -> None:
    assert greedy_probabilities(np.array([[2, 0]]), 3).tolist() == [[[0, 0, 1], [1, 0, 0]]]
    assert greedy_probabilities(np.array(1), 2).tolist() == [0, 1]


@pytest.mark.parametrize("text", SPELLINGS)
def test_settings_are_written_as_they_are_read(text: str) -> None:
    assert str(parse_play_settings(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        *["", "Average", "average ", "greedy:1", "purified:"],
        *[
            "threshold",
            "threshold:",
            "threshold:x",
            "threshold:-0.1",
            "threshold:1.1",
            "threshold:nan",
        ],
    ],
)
def test_other_spellings_are_refused_with_a_hint(text: str) -> None:
    with pytest.raises(UsageError) as refusal:
        parse_play_settings(text)
    assert refusal.value.hint


def test_a_way_of_playing_without_its_arrays_is_refused(tmp_path: Path) -> None:
    snapshot = saved(tmp_path / "x", KUHN, greedy=None)
    verify_settings(snapshot.path, snapshot.manifest, PlaySettings("purified"))
    verify_settings(snapshot.path, snapshot.manifest, None)
    with pytest.raises(UsageError, match="cannot be played as greedy"):
        verify_settings(snapshot.path, snapshot.manifest, PlaySettings("greedy"))
    greedy_only = replace(snapshot.manifest, files={"greedy.0.npy": ""})
    with pytest.raises(UsageError, match="cannot be played as average"):
        verify_settings(snapshot.path, greedy_only, PlaySettings())


@given(
    shares=st.lists(st.integers(0, 255), min_size=1, max_size=12).filter(any),
    text=st.sampled_from([text for text in SPELLINGS if text != "greedy"]),
    unit=st.floats(0, 1, exclude_max=True),
    whole=st.sampled_from([255, 7, 1]),
)
def test_an_action_drawn_without_arrays_is_the_one_that_they_give(
    shares: list[int], text: str, unit: float, whole: int
) -> None:
    """Would catch sums in another order, ends of ranges on the other side, and a likeliest
    action found otherwise.
    """
    settings, average = parse_play_settings(text), [share / whole for share in shares]
    expected = drawn_index(played_probabilities(np.array(average), settings), unit)
    assert drawn_action(average, settings, lambda: unit) == expected
