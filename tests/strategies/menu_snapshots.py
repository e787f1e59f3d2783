"""Snapshots of random strategies for no-limit games with few bets."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.card_abstraction import Abstraction, ExactAbstraction
from acpcbot.abstraction.holdem_abstraction import HoldemAbstraction
from acpcbot.poker.definition import GameDefinition
from acpcbot.strategies.files import SnapshotContent, load_snapshot, save_snapshot
from acpcbot.strategies.snapshot import Snapshot
from acpcbot.trees.bet_menu import parse_menu
from acpcbot.trees.betting_tree import MenuGame
from acpcbot.trees.public_tree import make_game
from tests.strategies.random_snapshots import FEW_BUCKETS, TRAINING, skewed_policy
from tests.support.games import (
    LEDUC_NOLIMIT,
    NOLIMIT_2P,
    NOLIMIT_3P,
    NOLIMIT_6P,
    definition_of,
)
from tests.support.menu_games import MENU

MENUS = {
    LEDUC_NOLIMIT: MENU,
    NOLIMIT_2P: parse_menu("0.5,1,all-in;1,all-in/1,all-in;all-in"),
    NOLIMIT_3P: parse_menu("0.5,1;1;all-in;/1;all-in;"),
    NOLIMIT_6P: replace(parse_menu("1;all-in;/1;"), max_players=2),
}


@cache
def menu_abstraction(game: str) -> Abstraction:
    """The abstraction of the game's snapshots."""
    if game != LEDUC_NOLIMIT:
        return holdem_abstraction()
    return ExactAbstraction(definition_of(game))


@cache
def holdem_abstraction() -> HoldemAbstraction:
    """Very few buckets, whatever the blinds and stacks."""
    return HoldemAbstraction.from_settings(FEW_BUCKETS)


@cache
def menu_tree(game: str) -> MenuGame:
    """The game with its tree."""
    found = make_game(definition_of(game), MENUS[game], menu_abstraction(game).num_buckets)
    assert isinstance(found, MenuGame)
    return found


def random_policy(game: str, seed: int = 1) -> NDArray[np.float64]:
    """Return the ``skewed_policy`` of a no-limit game."""
    return skewed_policy(menu_tree(game), seed)


def saved_menu_snapshot(folder: Path, game: str, seed: int = 1) -> Snapshot:
    """A random strategy, saved as *folder* and loaded."""
    return _saved(folder, menu_tree(game), menu_abstraction(game), random_policy(game, seed))


def saved_holdem_snapshot(folder: Path, definition: GameDefinition, seed: int = 1) -> Snapshot:
    """The same for no-limit hold'em of any blinds and stacks."""
    game = make_game(definition, MENUS[NOLIMIT_2P], holdem_abstraction().num_buckets)
    assert isinstance(game, MenuGame)
    policy = game.normalised(np.random.default_rng(seed).random(game.layout.num_slots) ** 4)
    return _saved(folder, game, holdem_abstraction(), policy)


def _saved(
    folder: Path, game: MenuGame, abstraction: Abstraction, policy: NDArray[np.float64]
) -> Snapshot:
    save_snapshot(folder, SnapshotContent(game, abstraction, TRAINING, policy=policy))
    return load_snapshot(folder)
