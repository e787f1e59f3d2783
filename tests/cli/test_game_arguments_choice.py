"""The game that entrants play, where nobody names it."""

from __future__ import annotations

from pathlib import Path

import pytest

from acpcbot.cli.dispatch import main
from acpcbot.cli.game_arguments import choose_game
from acpcbot.errors import UsageError
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.shipped import find_definition
from acpcbot.search.names import game_of
from tests.strategies.random_snapshots import saved
from tests.support.games import KUHN, LEDUC, LIMIT_2P

SEARCH = """
blueprint = "../kuhn"
[profiles.usual.preflop]
menus = ["1"]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with a stored strategy of Kuhn and one of Leduc, and one that searches."""
    monkeypatch.chdir(tmp_path)
    saved(tmp_path / "kuhn", KUHN)
    saved(tmp_path / "leduc", LEDUC)
    (tmp_path / "search").mkdir()
    (tmp_path / "search" / "search.toml").write_text(SEARCH)
    return tmp_path


def two_seats(game: GameDefinition) -> bool:
    return game.num_players == 2


def nobody(name: str) -> None:
    raise AssertionError(f"{name} was looked for")


def chosen(*strategies: str, named: str | None = None) -> str:
    """The label of the game of *strategies*, whose rules are the shipped game's."""
    label, definition = choose_game(named, strategies, two_seats, nobody)
    assert definition == find_definition(label)[1]
    return label


@pytest.mark.usefixtures("folder")
def test_a_stored_strategy_says_its_game() -> None:
    assert chosen("call", "kuhn") == KUHN
    assert chosen("leduc?play=purified", "leduc") == LEDUC
    assert chosen("search?profile=usual", "random") == KUHN


@pytest.mark.usefixtures("folder")
def test_a_game_that_is_named_goes_first() -> None:
    assert chosen("kuhn", named=LEDUC) == LEDUC


@pytest.mark.usefixtures("folder")
def test_strategies_of_two_games_are_a_conflict_that_names_both() -> None:
    with pytest.raises(UsageError) as fault:
        chosen("call", "kuhn", "leduc")
    assert str(fault.value) == f"kuhn plays {KUHN}, and leduc plays {LEDUC}"


def test_a_missing_game_is_asked_for_with_a_list_of_those_that_fit() -> None:
    asked: list[str] = []
    with pytest.raises(UsageError) as fault:
        choose_game(None, ["call", "tight"], two_seats, asked.append)
    assert asked == ["call", "tight"]
    assert "call or tight" in str(fault.value)
    assert f"{KUHN}," in fault.value.hint
    assert "kuhn.limit.3p" not in fault.value.hint


@pytest.mark.usefixtures("folder")
def test_names_that_are_no_stored_strategies_say_no_game(folder: Path) -> None:
    (folder / "empty").mkdir()
    assert [
        game_of(name) for name in ("call", "empty", "own.py:Bot", "remote:alice", "nosuch")
    ] == [None] * 5


@pytest.mark.usefixtures("folder")
def test_match_arena_and_lbr_take_the_game_of_their_strategies(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Each once took limit hold'em for it and refused."""
    assert main(["match", "kuhn", "call", "--hands", "10", "--in-process", "-o", "m"]) == 0
    assert f"match of {KUHN}, 10 hands" in capfd.readouterr().out
    assert main(["arena", "leduc", "call", "--deals", "100"]) == 0
    assert f"{LEDUC}, 100 deals" in capfd.readouterr().out
    assert main(["lbr", "leduc", "--deals", "2", "--jobs", "1"]) == 1
    assert "leduc plays" not in capfd.readouterr().err


@pytest.mark.usefixtures("folder")
def test_a_game_that_is_not_the_strategies_is_refused(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "kuhn", "call", "--game", LIMIT_2P, "-o", "m"]) == 1
    assert f"kuhn plays {KUHN}, not {LIMIT_2P}" in capfd.readouterr().err
