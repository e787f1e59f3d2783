"""docs/guides/agents.md against the code: its example plays, its names are those that there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from acpcbot.agents.registry import KNOWN, make_agent
from acpcbot.agents.table_text import turn_text
from acpcbot.poker.shipped import SHIPPED_NAMES
from tests.agents.playing import action_text, decision, decisions, hands
from tests.support.games import LIMIT_2P, NOLIMIT_2P, definition_of

GUIDE = (Path(__file__).parents[2] / "docs" / "guides" / "agents.md").read_text(encoding="utf-8")


@pytest.fixture
def example(tmp_path: Path) -> str:
    """The name of the guide's own agent."""
    (code,) = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    (tmp_path / "my_module.py").write_text(code, encoding="utf-8")
    return f"{tmp_path / 'my_module.py'}:MyAgent"


@pytest.mark.parametrize("game", SHIPPED_NAMES)
def test_the_example_plays_legally_in_every_shipped_game(example: str, game: str) -> None:
    definition = definition_of(game)
    names = [example, "random"] * 3
    agents = [make_agent(names[seat], definition, seat) for seat in range(definition.num_players)]
    for hand in hands(game, 30, seed=1):
        for view, action in decisions(agents, hand):
            view.betting.verify_action(action)


def test_the_example_does_what_the_guide_says(example: str) -> None:
    agent = make_agent(example, definition_of(LIMIT_2P), 1)
    assert action_text(agent, decision(LIMIT_2P, "r", "As2d")) == "r"
    assert action_text(agent, decision(LIMIT_2P, "r", "Ks2d")) == "c"
    assert action_text(make_agent(example, definition_of(NOLIMIT_2P), 1), decision(NOLIMIT_2P, "r300", "Ks2d")) == "f"


def test_the_guide_lists_the_shipped_agents() -> None:
    shipped = GUIDE.partition("## Your own")[0]
    assert tuple(sorted(re.findall(r"^\| `(\w+)` \|", shipped, re.MULTILINE))) == KNOWN


def test_the_guides_table_is_what_the_screen_shows() -> None:
    assert turn_text(decision(NOLIMIT_2P, "r300c/r600", "AsKs", "Qh7d2c", hand_id=7)) in GUIDE
