"""Exploitability of a depth-limited searcher by the number of values that a state has.

Leduc, limit and no-limit (bets of half the pot, the pot, all-in), exactly; the figure to set
beside figure 2 of Brown, Sandholm & Amos (2018), which is drawn for flop hold'em.
"""

from __future__ import annotations

from collections.abc import Iterator

from acpcbot.evaluation.exploitability.stitched_strategy import SearchSettings, StitchedSearch
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.shipped import shipped_definition
from acpcbot.strategies.range_play import tabulate_solution
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
BLUEPRINT_ITERATIONS = 30


def figures() -> Iterator[Figure]:
    for name, menu in GAMES.items():
        game = make_range_game(
            BettingRules(shipped_definition(name)).start, menu=menu, suits_alike=False
        )
        solver = RangeCFR(game)
        solver.step(BLUEPRINT_ITERATIONS)
        blueprint = tabulate_solution(solver)
        yield figure(f"{name}, blueprint", game, blueprint)
        search = StitchedSearch(game, blueprint)
        for number in NUMBERS:
            yield figure(f"{name}, {number} values a state", game, search.play(number))
        unsafe = StitchedSearch(game, blueprint, SearchSettings(gadget="unsafe"))
        for number in (NUMBERS[0], NUMBERS[-1]):
            yield figure(f"{name}, {number} values, unsafe on the flop", game, unsafe.play(number))


def figure(name: str, game: RangeGame, play: TabularStrategy) -> Figure:
    value = 1000 * response_values(game, (play, play)).exploitability
    return Figure(name=name, value=value, unit="mbb", note="exploitability", higher_is_better=False)
