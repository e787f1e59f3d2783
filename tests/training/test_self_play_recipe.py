"""Recipes of self-play: the games that they name."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from acpcbot.errors import UsageError
from acpcbot.games.connect_four import ConnectFour
from acpcbot.games.generic_poker import LEDUC
from acpcbot.games.liars_dice import LiarsDice
from acpcbot.games.scotland_yard_maps import glasses
from acpcbot.games.tic_tac_toe import TicTacToe
from acpcbot.training.self_play_recipe import GameName, load_self_play_recipe

GAMES = {
    "leduc.limit.2p": LEDUC,
    "liars_dice.1x3": LiarsDice(1, 3),
    "liars_dice.1x4": LiarsDice(1, 4),
    "liars_dice.1x5": LiarsDice(1, 5),
    "liars_dice.1x6": LiarsDice(1, 6),
    "liars_dice.2x3": LiarsDice(2, 3),
    "scotland_yard.glasses": glasses(),
    "tic_tac_toe": TicTacToe(),
    "connect_four": ConnectFour(),
}


def recipe(folder: Path, game: str) -> Path:
    path = folder / "recipe.toml"
    path.write_text(f'game = "{game}"\nnetwork = "n"\nnum_episodes = 5\n[self_play]\n')
    return path


def test_every_name_of_a_game_is_tested() -> None:
    assert set(get_args(GameName)) == set(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_a_name_gives_the_encoding_of_its_game(name: str, tmp_path: Path) -> None:
    encoding = load_self_play_recipe(recipe(tmp_path, name)).encoding()
    assert repr(encoding.game) == repr(GAMES[name])
    assert encoding.interface.game == repr(GAMES[name])


def test_only_leduc_is_played_at_a_table(tmp_path: Path) -> None:
    """Catches networks of research games that are stored as those of a game of the protocol."""
    recipes = [load_self_play_recipe(recipe(tmp_path, name)) for name in GAMES]
    assert [found.acpc_game for found in recipes if found.acpc_game] == ["leduc.limit.2p"]
    units = {found.game: found.unit for found in recipes}
    assert units["connect_four"] == "of 1,000"
    assert units["tic_tac_toe"] == units["liars_dice.1x4"] == "thousandths of a won game"
    assert recipes[0].unit == "thousandths of an ante"


def test_another_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="9x9"):
        load_self_play_recipe(recipe(tmp_path, "liars_dice.9x9"))
