"""docs/guides/agents.md against the code: its example plays, its names are those that there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from acpcbot.agents.human import turn_text
from acpcbot.agents.names import KNOWN
from acpcbot.agents.registry import make_agent
from acpcbot.poker.shipped import SHIPPED_NAMES
from tests.agents.playing import action_text, decision, decisions, hands
from tests.support.games import LIMIT_2P, NOLIMIT_2P, definition_of

GUIDE = (Path(__file__).parents[2] / "docs" / "guides" / "agents.md").read_text(encoding="utf-8")


@pytest.fixture
def examples(tmp_path: Path) -> list[str]:
    """The names of the guide's own agents."""
    names = []
    for number, code in enumerate(re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)):
        path = tmp_path / f"my_module{number}.py"
        path.write_text(code, encoding="utf-8")
        classes = re.findall(r"^class (\w+)", code, re.MULTILINE)
        names.append(f"{path}:{classes[-1]}")
    return names


@pytest.fixture
def example(examples: list[str]) -> str:
    """The first of them."""
    return examples[0]


@pytest.mark.parametrize("game", SHIPPED_NAMES)
def test_the_examples_play_legally_in_every_shipped_game(examples: list[str], game: str) -> None:
    definition = definition_of(game)
    names = [*examples, "random"] * 2
    agents = [make_agent(names[seat], definition, seat) for seat in range(definition.num_players)]
    for hand in hands(game, 30, seed=1):
        for view, action in decisions(agents, hand):
            view.betting.verify_action(action)


def test_the_example_does_what_the_guide_says(example: str) -> None:
    agent = make_agent(example, definition_of(LIMIT_2P), 1)
    assert action_text(agent, decision(LIMIT_2P, "r", "As2d")) == "r"
    assert action_text(agent, decision(LIMIT_2P, "r", "Ks2d")) == "c"
    assert (
        action_text(
            make_agent(example, definition_of(NOLIMIT_2P), 1), decision(NOLIMIT_2P, "r300", "Ks2d")
        )
        == "f"
    )


def test_the_guide_lists_the_shipped_agents() -> None:
    shipped = GUIDE.partition("## Your own")[0]
    assert tuple(sorted(re.findall(r"^\| `(\w+)` \|", shipped, re.MULTILINE))) == KNOWN


def test_the_guides_table_is_what_the_screen_shows() -> None:
    assert turn_text(decision(NOLIMIT_2P, "r300c/r600", "AsKs", "Qh7d2c", hand_id=7)) in GUIDE
