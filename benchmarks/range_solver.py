"""The solver with ranges on the three spots that public solvers are compared on.

Ks Td 9h (4s (2c)), a pot of 100, stacks of 400, every hand with the same weight. Times are by the
clock, the least of several runs, for what else the machine does only adds to them; beside it is the
median. Measuring how exploitable the strategy is does not count. Targets are those of the fastest
public solver on a like machine.
"""

from __future__ import annotations

import os
import statistics
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from acpcbot.cards.deck import parse_cards
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import parse_definition
from acpcbot.subgames.game import RangeGame, make_range_game
from acpcbot.subgames.solver import RangeCFR, fast_settings, solver_bytes
from acpcbot.trees.bet_menu import ALL_IN, BetMenu, same_menu
from benchmarks.abstraction import once
from benchmarks.figure import RUNS, Figure

GAME = """GAMEDEF
nolimit
numPlayers = 2
numRounds = 4
stack = 450 450
blind = 50 50
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""
RIVER_MENU, MENU = same_menu([0.5, 1.0, ALL_IN], [1.0, ALL_IN]), same_menu([0.75, ALL_IN], [ALL_IN])


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A spot, the iterations of a run, and targets: ms an iteration, seconds to % of the pot."""

    name: str
    betting: str
    board: str
    menu: BetMenu
    num_threads: int
    num_iterations: int
    iteration_ms: float
    targets_s: dict[float, float]
    every: int = 5
    num_runs: int = 25
    is_int16: bool = False


FLOP = Spot(
    name="flop",
    betting="cc/",
    board="KsTd9h",
    menu=MENU,
    num_threads=2,
    num_iterations=1,
    iteration_ms=1190.0,
    targets_s={},
    num_runs=10,
)
SPOTS = (
    Spot(
        name="river",
        betting="cc/cc/cc/",
        board="KsTd9h4s2c",
        menu=RIVER_MENU,
        num_threads=1,
        num_iterations=100,
        iteration_ms=0.23,
        targets_s={0.1: 0.048},
        every=1,
    ),
    Spot(
        name="turn",
        betting="cc/cc/",
        board="KsTd9h4s",
        menu=MENU,
        num_threads=1,
        num_iterations=5,
        iteration_ms=20.5,
        targets_s={},
    ),
    Spot(
        name="turn",
        betting="cc/cc/",
        board="KsTd9h4s",
        menu=MENU,
        num_threads=2,
        num_iterations=5,
        iteration_ms=10.7,
        targets_s={0.5: 0.95, 0.1: 2.04},
    ),
    FLOP,
    replace(FLOP, name="flop in 16 bits", is_int16=True),
)


def figures() -> Iterator[Figure]:
    for spot in SPOTS:
        game = spot_game(spot)
        yield iteration(spot, game)
        yield from times_to_targets(spot, game)


def spot_game(spot: Spot) -> RangeGame:
    """Return the game to solve."""
    root = BettingRules(parse_definition(GAME)).parse(spot.betting)
    return make_range_game(root, parse_cards(spot.board), spot.menu)


def iteration(spot: Spot, game: RangeGame) -> Figure:
    solver = RangeCFR(
        game, fast_settings(game), num_threads=spot.num_threads, is_int16=spot.is_int16
    )
    solver.step(1)
    runs = (once(partial(solver.step, spot.num_iterations))[0] for _ in range(spot.num_runs))
    taken_ms = [took_s / spot.num_iterations * 1000 for took_s in runs]
    memory, load = (
        f"{solver_bytes(game, is_int16=spot.is_int16) / 1e6:.1f} MB",
        f"load {os.getloadavg()[0]:.1f}",
    )
    note = f"median {statistics.median(taken_ms):.3g}, {spot.num_runs} runs, {memory}, {load}"
    return figure(
        f"{spot.name}, an iteration, {threads(spot)}", min(taken_ms), "ms", spot.iteration_ms, note
    )


def times_to_targets(spot: Spot, game: RangeGame) -> Iterator[Figure]:
    solved = [dict(time_to_targets(spot, game)) for _ in range(RUNS)] if spot.targets_s else []
    for percent, target_s in spot.targets_s.items():
        taken_s = [run[percent] for run in solved]
        name = f"{spot.name}, to {percent} % of the pot, {threads(spot)}"
        yield figure(
            name,
            min(taken_s),
            "s",
            target_s,
            f"median {statistics.median(taken_s):.3g}, {RUNS} runs",
        )


def time_to_targets(spot: Spot, game: RangeGame) -> Iterator[tuple[float, float]]:
    """Yield each share of the pot, and the seconds until the exploitability was below it."""
    solver, took_s = RangeCFR(game, fast_settings(game), num_threads=spot.num_threads), 0.0
    for percent in spot.targets_s:
        exploitability = float("inf")
        while exploitability > percent:
            took_s += once(partial(solver.step, spot.every))[0]
            exploitability = solver.exploitability()
        yield percent, took_s


def threads(spot: Spot) -> str:
    return "one core" if spot.num_threads == 1 else "two cores"


def figure(name: str, value: float, unit: str, target: float, note: str) -> Figure:
    return Figure(
        name=name, value=value, unit=unit, target=target, note=note, higher_is_better=False
    )
