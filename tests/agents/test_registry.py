"""Names and what they lead to: shipped agents, the user's own, and mistakes that come with a
hint.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from acpcbot.agents.names import KNOWN, SEARCHING
from acpcbot.agents.registry import make_agent, verify_name
from acpcbot.errors import AcpcbotError, UnknownStrategy, UsageError
from tests.agents.playing import action_text, decision
from tests.support.games import KUHN, definition_of

CALLER = """
from acpcbot.poker.actions import {action}

class Player:
    is_instant = True

    def __init__(self, definition, seed):
        self.made_from = (definition, seed)

    def act(self, state, deadline_s):
        return {action}
"""


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]


def write(path: str, text: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")


def refusal(name: str) -> AcpcbotError:
    """The error that making the agent called *name* ends in."""
    with pytest.raises((UnknownStrategy, UsageError)) as caught:
        make_agent(name, definition_of(KUHN), 1)
    return caught.value


@pytest.mark.parametrize("name", KNOWN)
def test_every_known_name_makes_an_agent_for_every_kind_of_game(name: str) -> None:
    verify_name(name)
    agent = make_agent(name, definition_of(KUHN), 1)
    assert agent.is_instant == (name not in ("human", *SEARCHING))
    assert callable(agent.act)


def test_the_known_names_of_agents() -> None:
    assert KNOWN == ("call", "fold", "human", "ismcts", "oos", "raise", "random", "tight")


@pytest.mark.parametrize(
    "name", ["own_player:Player", "own_player.py:Player", "sub/own_player.py:Player"]
)
def test_a_class_of_the_users_own_is_made_with_definition_and_seed(name: str) -> None:
    write(("sub/" if "/" in name else "") + "own_player.py", CALLER.format(action="CALLING"))
    verify_name(name)
    agent = make_agent(name, definition_of(KUHN), 9)
    assert vars(agent)["made_from"] == (definition_of(KUHN), 9)
    assert action_text(agent, decision(KUHN, "r", "Qs")) == "c"


def test_two_files_of_one_name_are_two_players() -> None:
    """Would catch a second version of a bot that is silently the first."""
    write("old/bot.py", CALLER.format(action="CALLING"))
    write("new/bot.py", CALLER.format(action="FOLDING"))
    agents = [
        make_agent(f"{folder}/bot.py:Player", definition_of(KUHN), 1) for folder in ("old", "new")
    ]
    assert [action_text(agent, decision(KUHN, "r", "Qs")) for agent in agents] == ["c", "f"]


def test_a_file_may_import_its_neighbours_and_use_dataclasses() -> None:
    """Would catch a module that is run without its place among the modules."""
    write("bots/shared_part_of_bots.py", CALLER.format(action="CALLING"))
    text = "from __future__ import annotations\nfrom dataclasses import dataclass\nimport shared_part_of_bots\n"
    text += "@dataclass\nclass Settings:\n    size: int = 1\n"
    text += "class Mine(shared_part_of_bots.Player):\n    s = Settings()\n"
    write("bots/bot.py", text)
    assert (
        action_text(
            make_agent("bots/bot.py:Mine", definition_of(KUHN), 1), decision(KUHN, "r", "Qs")
        )
        == "c"
    )


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        (
            "tigth",
            "did you mean tight? shipped strategies: call, fold, human, ismcts, oos, raise,",
        ),
        ("cal", "did you mean call? shipped strategies"),
        (
            "strategies/leduc.limit.2p/dcrf",
            "did you mean strategies/leduc.limit.2p/dcfr? no folder",
        ),
        (
            "leduc.limit.2p/dcrf?play=purified",
            "did you mean strategies/leduc.limit.2p/dcfr? no folder",
        ),
        (
            "strategies/leduc.nolimit.2p/saerch",
            "did you mean strategies/leduc.nolimit.2p/search? no folder",
        ),
        ("", "shipped strategies: call, fold"),
        ("strategies/holdem/best", "no folder strategies/holdem/best: it was looked for in "),
        ("bots/mine.py", "name the class too: bots/mine.py:MyAgent"),
        ("no_such_module:Mine", "no module no_such_module in "),
        ("no_such_package.part:Mine", "no module no_such_package in "),
        ("no_such_file.py:Mine", "there is no file no_such_file.py"),
        ("own_player:Plaver", "own_player has no class Plaver; it has Player"),
        ("own_player.py:number", "has no class number; it has Player"),
        ("string:Player", "string has no class Player; it has no agents at all"),
        (":Player", "shipped strategies"),
        ("own_player:", "shipped strategies"),
    ],
)
def test_a_name_that_leads_nowhere_comes_with_a_hint(name: str, hint: str) -> None:
    write("own_player.py", CALLER.format(action="CALLING") + "number = 3\n")
    error = refusal(name)
    assert isinstance(error, UnknownStrategy)
    assert (error.name, error.known) == (name, KNOWN)
    assert hint in error.hint
    with pytest.raises(UnknownStrategy):
        verify_name(name)


@pytest.mark.parametrize("name", ["", "zzz", "no/such"])
def test_a_name_that_is_like_no_other_gets_no_suggestion(name: str) -> None:
    """Catches suggestions for anything that is not known."""
    assert "did you mean" not in refusal(name).hint


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("import no_such_dependency\n", "No module named 'no_such_dependency'"),
        ("1 / 0\n", "ZeroDivisionError: division by zero"),
        ("class Player\n", "SyntaxError"),
        ("class Player:\n    pass\n", "takes no arguments"),
        (
            "class Player:\n    def __init__(self, definition, seed):\n        raise ValueError('no luck')\n",
            "no luck",
        ),
        (
            "class Player:\n    def __init__(self, definition, seed):\n        pass\n",
            "makes no agent",
        ),
        (
            CALLER.replace("is_instant = True", "pass").format(action="CALLING"),
            "whether it is instant",
        ),
    ],
)
@pytest.mark.parametrize("place", ["faulty_player", "faulty_player.py"])
def test_a_fault_in_the_users_own_code_shows_its_message(
    place: str, text: str, problem: str
) -> None:
    """Would catch a fault inside a module that is told as a name nobody knows."""
    write("faulty_player.py", text)
    error = refusal(f"{place}:Player")
    assert isinstance(error, UsageError)
    assert problem in str(error)


def test_a_fault_keeps_the_users_own_exception_as_its_cause() -> None:
    write("faulty_player.py", "1 / 0\n")
    assert isinstance(refusal("faulty_player.py:Player").__cause__, ZeroDivisionError)


def test_a_mended_file_can_be_tried_again() -> None:
    """Would catch a half-run module that stays behind."""
    write("mended_player.py", "1 / 0\n")
    refusal("mended_player.py:Player")
    write("mended_player.py", CALLER.format(action="CALLING"))
    verify_name("mended_player.py:Player")


def test_a_simple_player_does_not_load_the_evaluators_tables() -> None:
    """Would catch imports at the top of the registry, which every start would pay for."""
    code = """
import sys
from acpcbot.agents.registry import make_agent
from acpcbot.poker.shipped import shipped_definition

make_agent("random", shipped_definition("kuhn.limit.2p"), 1)
assert not {"acpcbot.cards.strength", "acpcbot.agents.tight", "acpcbot.agents.human"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])
