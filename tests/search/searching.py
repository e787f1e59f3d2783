"""Strategies that search in small games and in hold'em of few buckets, and what they do said
plainly.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from acpcbot.poker.betting import BettingState
from acpcbot.poker.hands import all_hands
from acpcbot.search.blueprint import BlueprintPlay
from acpcbot.search.leaves import RolloutLeaves
from acpcbot.search.names import FILE
from acpcbot.search.settings import Menus, SearchSettings, StreetSettings
from acpcbot.search.strategy import SearchStrategy
from acpcbot.search.subgame import board_at
from acpcbot.strategies.files import load_snapshot
from acpcbot.strategies.finding import find_folder
from acpcbot.trees.bet_menu import parse_menu
from tests.strategies.menu_snapshots import saved_menu_snapshot
from tests.support.games import LEDUC_NOLIMIT, NOLIMIT_2P

SHIPPED = {"leduc.nolimit.2p": "external_sampling", "leduc.limit.2p": "dcfr"}
ALIKE = Menus(parse_menu("0.5,1,all-in"), parse_menu("0.5,1,all-in"))
FEW = Menus(parse_menu("1,all-in;all-in"), parse_menu("1,all-in;all-in"))
FLOP = StreetSettings((ALIKE,), iterations=60)
STREET_SETTINGS = StreetSettings(
    (FEW,),
    iterations=5,
    num_continuations=2,
    rollout_boards=3,
    rollout_hand_buckets=6,
    translation_samples=1,
)
LATE = {2: StreetSettings((FEW,), iterations=5), 3: StreetSettings((FEW,), iterations=10)}

HOLDEM_TOML = """
blueprint = "../blueprint"

[profiles.few.turn]
iterations = 2
min_iterations = 1
gadget = "reach"
menus = [["1,all-in;all-in/1;", "1;"]]

[profiles.few.river]
iterations = 4
min_iterations = 1
root_gadget = "resolve"
menus = ["1,all-in;all-in"]
"""
LEDUC_TOML = """
blueprint = "../blueprint"
[profiles.few.flop]
iterations = 10
menus = ["1,all-in"]
"""
TOML = {NOLIMIT_2P: HOLDEM_TOML, LEDUC_NOLIMIT: LEDUC_TOML}


def search_folder(folder: Path, game: str) -> Path:
    """A folder whose strategy searches with a random blueprint."""
    saved_menu_snapshot(folder / "blueprint", game)
    (folder / "search").mkdir()
    (folder / "search" / FILE).write_text(TOML[game])
    return folder / "search"


def shipped_blueprint(game: str) -> BlueprintPlay:
    folder = find_folder(f"strategies/{game}/{SHIPPED[game]}")
    assert folder is not None
    return BlueprintPlay(load_snapshot(folder))


def leduc_search(game: str = "leduc.nolimit.2p", **changes: object) -> SearchStrategy:
    """Searches the flop; *changes* are of its settings."""
    return SearchStrategy(shipped_blueprint(game), SearchSettings({1: replace(FLOP, **changes)}))  # type: ignore[arg-type]


def holdem_search(folder: Path) -> SearchStrategy:
    """Searches turn and river, with a random blueprint that is saved as *folder*."""
    return SearchStrategy(
        BlueprintPlay(saved_menu_snapshot(folder, NOLIMIT_2P)), SearchSettings(LATE)
    )


def flop_search(folder: Path, **changes: object) -> SearchStrategy:
    """Searches flops to the end of the street; *changes* are of its settings."""
    blueprint = BlueprintPlay(saved_menu_snapshot(folder, NOLIMIT_2P))
    street = replace(STREET_SETTINGS, **changes)  # type: ignore[arg-type]
    return SearchStrategy(
        blueprint, SearchSettings({1: street, **LATE}), leaves=RolloutLeaves(blueprint, 1, 1)
    )


def plain_range(
    search: SearchStrategy, betting: BettingState, board: tuple[int, ...], seat: int
) -> NDArray[np.float64]:
    """Return the reach of each hand of *seat* at *betting* by its own tables, the largest 1."""
    definition = search.definition
    reach = []
    for number, hand in enumerate(all_hands(definition).tolist()):
        chance = 0.0 if set(hand) & set(board) else 1.0
        for before, action in betting.decisions():
            if before.actor == seat and not set(hand) & set(board):
                table = search.table(before, board_at(before, board))
                chance *= table.probabilities[number, table.actions.index(action)]
        reach.append(chance)
    return np.array(reach) / max(reach)
