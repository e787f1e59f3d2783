"""The layout of betting lines: each has one lane, and ways lead where the betting leads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from acpcbot.betting_lines.lines import EMPTY, BettingLines, betting_lines
from acpcbot.subgames.game import street_parts
from acpcbot.training.recipe import load_recipe
from acpcbot.wide_lanes import WIDTH
from tests.betting_lines.toys import GAMES, toy_lines

RECIPE = (
    Path(__file__).parents[2] / "strategies/holdem.nolimit.2p.reverse_blinds/cfr_br/recipe.toml"
)


def verify_layout(lines: BettingLines) -> None:
    """Assert that each line has one lane, which is reached from the line before it, once."""
    parts = street_parts(lines.tree)
    firsts, last = parts.street_parts.tolist(), len(lines.streets) - 1
    for street, groups in enumerate(lines.streets):
        used = np.concatenate([group.lanes[group.lanes != EMPTY] for group in groups])
        assert sorted(used.tolist()) == list(range(firsts[street + 1] - firsts[street]))
        reached: list[int] = []
        for group in groups:
            for way in group.ways:
                above = lines.streets[street - 1][way.group]
                for place, end, source in way.rows.tolist():
                    width = WIDTH if street == last else 1
                    for step in range(width):
                        line = int(above.lanes[source * width + step])
                        found = int(group.lanes[place * width + step])
                        assert (line == EMPTY) == (found == EMPTY)
                        if line != EMPTY:
                            child = int(parts.first_child[firsts[street - 1] + line]) + end
                            assert found == child - firsts[street]
                            reached.append(found)
        assert street == 0 or sorted(reached) == sorted(used.tolist())


@pytest.mark.parametrize("name", GAMES)
def test_every_line_has_one_lane_and_one_way(name: str) -> None:
    """Catches lines that are lost, doubled, or behind another line's end."""
    verify_layout(toy_lines(name))


def test_holdem_has_few_groups() -> None:
    """Catches shapes that are told apart by chips: their groups would be nearly empty lanes."""
    recipe = load_recipe(RECIPE)
    assert recipe.menu is not None
    lines = betting_lines(recipe.definition, recipe.menu)
    verify_layout(lines)
    numbers = [len(groups) for groups in lines.streets]
    lanes = sum(len(group.lanes) for group in lines.streets[-1])
    used = sum(int((group.lanes != EMPTY).sum()) for group in lines.streets[-1])
    assert max(numbers) <= 14
    assert used > 0.6 * lanes
