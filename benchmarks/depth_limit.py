"""Exploitability of the searching agent by the number of continuations at its depth limit.

It is the agent that plays: every decision is searched on its own. Leduc, limit and no-limit (bets
of half the pot, the pot, all-in), exactly; the figure to set beside figure 2 of Brown, Sandholm &
Amos (2018), which is drawn for flop hold'em.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from acpcbot.evaluation.exploitability.self_generated import generated_table
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.shipped import shipped_definition
from acpcbot.search.blueprint import SolvedBlueprint
from acpcbot.search.leaves import StoredLeaves
from acpcbot.search.settings import Menus, SearchSettings, StreetSettings
from acpcbot.search.strategy import SearchStrategy
from acpcbot.strategies.range_play import tabulate_solution, tabulate_strategy
from acpcbot.subgames.best_response import TabularStrategy, response_values
from acpcbot.subgames.game import RangeGame, make_range_game
from acpcbot.subgames.solver import RangeCFR
from acpcbot.trees.bet_menu import ALL_IN, LIMIT_MENU, same_menu
from benchmarks.figure import Figure

GAMES = {
    "leduc.limit.2p": LIMIT_MENU,
    "leduc.nolimit.2p": same_menu([0.5, 1.0, ALL_IN], [1.0, ALL_IN]),
}
NUMBERS = (1, 2, 4, 8, 16)
BLUEPRINT_ITERATIONS, FIRST_ITERATIONS, SECOND_ITERATIONS = 30, 1000, 300


def figures() -> Iterator[Figure]:
    for name, menu in GAMES.items():
        game = make_range_game(
            BettingRules(shipped_definition(name)).start, menu=menu, suits_alike=False
        )
        solver = RangeCFR(game)
        solver.step(BLUEPRINT_ITERATIONS)
        blueprint = tabulate_solution(solver)
        yield figure(f"{name}, blueprint", game, blueprint)
        first = StreetSettings((Menus(menu, menu),), iterations=FIRST_ITERATIONS)
        table = generated_table(game, blueprint, NUMBERS[-1], first)
        solved = SolvedBlueprint(game, blueprint)
        safe = replace(first, iterations=SECOND_ITERATIONS, root_gadget="resolve", gadget="resolve")
        unsafe = replace(safe, root_gadget="unsafe", gadget="unsafe")
        for label, number, second in [
            *[("", number, safe) for number in NUMBERS],
            *[(", unsafe on the flop", number, unsafe) for number in (NUMBERS[0], NUMBERS[-1])],
        ]:
            settings = SearchSettings({0: replace(first, num_continuations=number), 1: second})
            agent = SearchStrategy(solved, settings, leaves=StoredLeaves(solved, table))
            play = tabulate_strategy(game, agent)
            yield figure(f"{name}, {number} continuations{label}", game, play)


def figure(name: str, game: RangeGame, play: TabularStrategy) -> Figure:
    value = 1000 * response_values(game, (play, play)).exploitability
    return Figure(name=name, value=value, unit="mbb", note="exploitability", higher_is_better=False)
