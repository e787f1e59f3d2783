"""Fills of actions, and winnings as cells of the grid of hands."""

from __future__ import annotations

import pytest

from acpcbot.reports.hand_grid import (
    NUM_RAISE_FILLS,
    ActionKind,
    action_fills,
    embedded_json,
    word_fills,
)
from acpcbot.reports.page_files import page_file


@pytest.mark.parametrize("num_raises", range(1, NUM_RAISE_FILLS + 1))
def test_every_size_of_a_raise_has_its_own_fill(num_raises: int) -> None:
    """Catches sizes that share a colour, and one out of order."""
    raises: list[ActionKind] = ["raise"] * num_raises
    fills = action_fills(["fold", "call", *raises, "all-in"])
    numbers = [int(fill.removeprefix("raise")) for fill in fills[2:-1]]
    assert (fills[:2], fills[-1]) == (["fold", "call"], "all-in")
    assert numbers == sorted(set(numbers))
    assert 0 <= numbers[0] <= numbers[-1] < NUM_RAISE_FILLS


def test_words_of_solved_games_have_fills() -> None:
    assert word_fills(["check", "bet 50", "bet 100", "all-in"]) == [
        "call",
        "raise0",
        "raise11",
        "all-in",
    ]
    assert word_fills(["fold", "call", "raise to 9"]) == ["fold", "call", "raise6"]


def test_every_fill_is_in_the_style_sheet() -> None:
    """Catches a fill that nothing is painted with."""
    style = page_file("fills.css")
    raises = action_fills(["raise"] * NUM_RAISE_FILLS)
    levels = [f"{side}{level}" for side in ("win", "loss") for level in range(4)]
    for fill in ["none", "fold", "call", "all-in", *raises, *levels]:
        assert f":root .fill-{fill} {{" in style
        assert f"--fill-{fill}: light-dark(" in style


def test_data_cannot_end_its_element() -> None:
    """Catches a name that closes the script element which holds it."""
    assert "<" not in embedded_json({"name": "</script><b>&amp;"})
