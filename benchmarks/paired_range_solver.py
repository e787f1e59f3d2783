"""The solver with ranges: how many times as long an earlier version takes, with 95 % intervals.

``paired.py`` runs this file with either version. Run as a script: ``acpcbot`` and the spots are
those of the version on ``PYTHONPATH``. For each line on the standard input, the name of a measure,
one with its milliseconds is written. A measure on one core is CPU time on the first core of those
allowed, for other programs hardly change that; one on two cores is time by the clock.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import cycle
from pathlib import Path
from typing import Any

MEASURES = (
    "river, an iteration, one core",
    "river, both best responses, one core",
    "turn, an iteration, one core",
    "turn, both best responses, one core",
    "turn in 16 bits, an iteration, one core",
    "turn, an iteration, two cores",
    "turn, both best responses, two cores",
    "river behind a gadget, an iteration, one core",
    "turn to its end, an iteration, one core",
    "river, to 0.1 %, one core",
)
LONG_MEASURES = (
    "flop to its end, rollouts, one core",
    "turn, to 0.1 %, one core",
    "turn, to 0.1 %, two cores",
    "flop, an iteration, two cores",
    "flop in 16 bits, an iteration, two cores",
)
"""Each takes minutes, and a flop gigabytes: measured when they are named."""
REPEATS = {"river": 40, "turn": 2, "turn to its end": 20, "flop": 1, "flop to its end": 1}
TO_TARGET = "to 0.1 %"
"""An exploitability in shares of the pot, measured after every fifth iteration."""
TARGET, POT, EVERY = 0.001, 100, 5
RENAMED_SUITS = "cdhs", "dhsc", "hscd", "scdh", "shdc"
"""In a game with renamed suits sums are rounded otherwise, which changes the iterations needed."""


def main() -> None:
    """Time what is asked for, until the input ends."""
    for line in sys.stdin:
        print(milliseconds(line.strip()), flush=True)


def milliseconds(measure: str) -> float:
    """Return the mean time of a call."""
    kind = measure.partition(",")[0]
    repeats = REPEATS.get(kind, REPEATS[kind.partition(" ")[0]])
    if TO_TARGET in measure:
        repeats = len(RENAMED_SUITS) if kind == "river" else 1
    is_one_core = measure.endswith("one core")
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    if is_one_core and cores:
        os.sched_setaffinity(0, cores[:1])
    clock = time.process_time if is_one_core else time.perf_counter
    work = prepared(measure)
    start = clock()
    work(repeats)
    took_s = clock() - start
    if is_one_core and cores:
        os.sched_setaffinity(0, cores)
    return 1000 * took_s / repeats


@cache
def prepared(measure: str) -> Callable[[int], None]:
    """Return the work of *measure*, to be called with a number of repeats; it runs once here."""
    from acpcbot.subgames.solver import RangeCFR, fast_settings
    from benchmarks.range_solver import SPOTS, spot_game

    kind, action, cores = measure.split(", ")
    spot = next(spot for spot in SPOTS if spot.name == kind.partition(" ")[0])
    num_threads = 1 if cores == "one core" else 2
    if action == "rollouts":
        return roll_outs()
    if action == TO_TARGET:
        games = [spot_game(renamed(spot, suits)) for suits in RENAMED_SUITS]
        work = partial(solve_next, cycle(games), num_threads)
        work(1)
        return work
    game, more = spot_game(spot), dict[str, Any]()
    if kind == "river behind a gadget":
        more["gadgets"] = resolve_gadget(game)
    elif kind == "turn to its end":
        game, more["leaves"] = depth_limited(game, spot)
    solver = RangeCFR(
        game,
        fast_settings(game),
        num_threads=num_threads,
        is_int16="16 bits" in kind,
        **more,
    )
    solver.step(1)
    if action == "an iteration":
        return solver.step
    solver.step(4)
    solver.response_values()
    return partial(respond, solver.response_values)


def roll_outs() -> Callable[[int], None]:
    """Return the work of leaf values behind a flop, by rollouts of the shipped blueprint."""
    from acpcbot.rng import Stream
    from acpcbot.rollouts.rollouts import RolloutSettings, rollout_values
    from acpcbot.strategies.files import load_snapshot
    from acpcbot.strategies.public_play import SnapshotStrategy
    from benchmarks.roll_outs import BLUEPRINT, CHOOSER, MENU, flop

    # The other version is packages alone: both read this one's blueprint.
    blueprint = SnapshotStrategy(load_snapshot(Path(__file__).parents[1] / BLUEPRINT))
    game, settings = flop(blueprint, MENU), RolloutSettings()

    def work(repeats: int) -> None:
        for _ in range(repeats):
            rollout_values(game, blueprint, CHOOSER, settings, Stream(1))

    work(1)
    return work


def renamed(spot: Any, suits: str) -> Any:
    """Return *spot* with *suits* in place of clubs, diamonds, hearts and spades."""
    return replace(spot, board=spot.board.translate(str.maketrans(RENAMED_SUITS[0], suits)))


def solve_next(games: Iterator[Any], num_threads: int, repeats: int) -> None:
    """Solve the next *repeats* of *games* to the target."""
    from acpcbot.subgames.solver import RangeCFR, fast_settings

    for _ in range(repeats):
        game = next(games)
        solver = RangeCFR(game, fast_settings(game), num_threads=num_threads)
        for _ in solver.solve(target=TARGET * POT, every=EVERY):
            pass


def resolve_gadget(game: Any) -> dict[int, Any]:
    """Return a re-solving gadget for seat 1, whose alternative values are 0."""
    import numpy as np

    from acpcbot.subgames.gadgets import make_gadget

    num_hands = game.ranges.shape[1]
    return {
        1: make_gadget("resolve", game.ranges[1], np.full(num_hands, 990.0), np.zeros(num_hands))
    }


def depth_limited(game: Any, spot: Any) -> tuple[Any, Any]:
    """Return the turn alone, and leaf values behind it: exact equities, the rest at random.

    There are four continuations and 64 buckets, as in searches. Time does not depend on the values.
    """
    import numpy as np

    from acpcbot.abstraction.hand_groups import group_hands
    from acpcbot.abstraction.pair_equities import pair_equities
    from acpcbot.rollouts.plans import leaf_states
    from acpcbot.subgames.game import make_range_game
    from acpcbot.subgames.leaf_values import BucketedValues, ChosenContinuations, HandFeatures

    board = game.boards.boards[0]
    street = make_range_game(game.tree.root, board, spot.menu, one_street=True)
    equities = pair_equities(street.definition, board)
    groups = group_hands(equities, np.ones(len(equities)), 64)
    draw, leaves = np.random.default_rng(1), list(leaf_states(street))
    goes_on = np.array([state is not None for _, state in leaves])
    chips = np.array([[chips] * 4 for chips, _ in leaves], np.float32)
    shape = len(leaves), 4
    residual = draw.normal(size=(*shape, len(groups), len(groups))) * goes_on[:, None, None, None]
    by_nut_strength = draw.normal(size=shape) * goes_on[:, None]
    cards = street.boards.arrays.cards[street.boards.rows(0)].astype(np.int64)
    nut_strengths = draw.normal(size=len(equities)).astype(np.float32)
    values = BucketedValues(
        HandFeatures(equities, nut_strengths, groups.groups, cards),
        chips,
        by_nut_strength.astype(np.float32),
        residual.astype(np.float32),
    )
    return street, ChosenContinuations(values, 1)


def respond(response_values: Callable[[], object], repeats: int) -> None:
    """Compute both best responses *repeats* times."""
    for _ in range(repeats):
        response_values()


if __name__ == "__main__":
    main()
