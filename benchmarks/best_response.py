"""Time for the exact best responses of both seats in flop hold'em, limit and no-limit.

Limit: against the shipped strategy. No-limit with bets of the pot and all-in: against a player that
always calls, since no strategy is shipped. By the clock, on two threads, tables of boards included.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from acpcbot.abstraction.deal_sources import DealSources
from acpcbot.agents.public_strategies import find_strategy
from acpcbot.games.best_response_result import BestResponse
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.shipped import shipped_definition
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.strategies.range_play import tabulate_cardless, tabulate_snapshot
from acpcbot.subgames.best_response import Walker, abstract_response_values, response_values
from acpcbot.subgames.game import RangeGame, make_range_game
from acpcbot.trees.bet_menu import ALL_IN, LIMIT_MENU, BetMenu, same_menu
from benchmarks.figure import Figure

LIMIT, NO_LIMIT = "flop_holdem.limit.2p", "flop_holdem.nolimit.2p"
STRATEGY = f"strategies/{LIMIT}/external_sampling"
POT_OR_ALL_IN = same_menu([1.0, ALL_IN])
TARGET_S = 60.0
WALKER = Walker(num_threads=2)


def figures() -> Iterator[Figure]:
    warm_up()
    strategy = find_strategy(STRATEGY, DealSources(shipped_definition(LIMIT)))
    assert isinstance(strategy, SnapshotStrategy)
    counts = strategy.snapshot.abstraction.num_buckets

    def stored(game: RangeGame) -> BestResponse:
        play = tabulate_snapshot(game, strategy)
        return response_values(game, (play, play), WALKER)

    def inside(game: RangeGame) -> BestResponse:
        play = tabulate_snapshot(game, strategy)
        return abstract_response_values(game, (play, play), counts, WALKER)

    def caller(game: RangeGame) -> BestResponse:
        play = tabulate_cardless(game, find_strategy("call", DealSources(game.definition)))
        return response_values(game, (play, play), WALKER)

    yield timed("limit flop hold'em, both seats", stored, LIMIT, LIMIT_MENU, TARGET_S)
    yield timed("the same inside the abstraction", inside, LIMIT, LIMIT_MENU)
    yield timed("no-limit flop hold'em, pot or all-in", caller, NO_LIMIT, POT_OR_ALL_IN)


def timed(
    name: str,
    respond: Callable[[RangeGame], BestResponse],
    game_name: str,
    menu: BetMenu,
    target: float | None = None,
) -> Figure:
    start = time.perf_counter()
    game = make_range_game(BettingRules(shipped_definition(game_name)).start, menu=menu)
    found = respond(game)
    took_s = round(time.perf_counter() - start, 1)
    boards_mb = game.row_bytes / 1e6
    note = f"exploitability {1000 * found.exploitability:.1f} mbb; {boards_mb:.0f} MB of boards"
    return Figure(
        name=name, value=took_s, unit="s", target=target, note=note, higher_is_better=False
    )


def warm_up() -> None:
    """Have everything compiled."""
    definition = shipped_definition("leduc.limit.2p")
    game = make_range_game(BettingRules(definition).start)
    play = tabulate_cardless(game, find_strategy("call", DealSources(definition)))
    response_values(game, (play, play))
