"""Gain of a bet off the tree before the flop in no-limit Leduc: translated and searched.

Exactly: a best response that may open for 0.75 of the pot beside 0.5, 1 and all-in, which are all
that the strategy knows. On the flop the strategy plays, bets translated.
"""

from __future__ import annotations

from collections.abc import Iterator

from acpcbot.errors import UsageError
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.shipped import shipped_definition
from acpcbot.rollouts.preflop_accumulation import PreflopRollouts, PreflopSettings
from acpcbot.rollouts.preflop_table import finished_table
from acpcbot.search.blueprint import BlueprintPlay
from acpcbot.search.leaves import RolloutLeaves, StoredLeaves
from acpcbot.search.settings import OFF_TREE, Menus, SearchSettings, StreetSettings
from acpcbot.search.strategy import SearchStrategy
from acpcbot.strategies.files import load_snapshot
from acpcbot.strategies.finding import find_folder
from acpcbot.strategies.public_strategy import PublicStrategy
from acpcbot.strategies.range_play import tabulate_strategy
from acpcbot.subgames.best_response import response_values
from acpcbot.subgames.game import make_range_game
from acpcbot.trees.bet_menu import parse_menu
from benchmarks.figure import Figure

GAME = "leduc.nolimit.2p"
STRATEGY = f"strategies/{GAME}/external_sampling"
KNOWN, BET = parse_menu("0.5,1,all-in"), parse_menu("0.5,0.75,1,all-in;0.5,1,all-in/0.5,1,all-in")


def figures() -> Iterator[Figure]:
    folder = find_folder(STRATEGY)
    if folder is None:
        raise UsageError(f"no folder {STRATEGY}", "run benchmarks from a clone")
    blueprint = BlueprintPlay(load_snapshot(folder))
    roll_outs = PreflopRollouts(blueprint, PreflopSettings())
    while roll_outs.num_done < roll_outs.num_boards:
        roll_outs.step()
    leaves = StoredLeaves(blueprint, finished_table(roll_outs), RolloutLeaves(blueprint, 1, 1))
    yield figure("translated", blueprint)
    for values in (1, 4):
        opening = StreetSettings(
            (Menus(KNOWN, KNOWN),), OFF_TREE, iterations=300, num_continuations=values
        )
        yield figure(
            f"{values} values a state",
            SearchStrategy(blueprint, SearchSettings({0: opening}), leaves=leaves),
        )


def figure(name: str, strategy: PublicStrategy) -> Figure:
    game = make_range_game(
        BettingRules(shipped_definition(GAME)).start, menu=BET, suits_alike=False
    )
    play = tabulate_strategy(game, strategy)
    value = 1000 * response_values(game, (play, play)).exploitability
    return Figure(name=name, value=value, unit="mbb", note="exploitability", higher_is_better=False)
