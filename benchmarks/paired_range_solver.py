"""Timings of the solver with ranges for ``paired.py``, which runs this file with either version.

Run as a script: ``acpcbot`` and the spots are those of the version on ``PYTHONPATH``. For each line
on the standard input, the name of a measure, one with its milliseconds is written. A measure on one
core is CPU time on the first core of those allowed, for other programs hardly change that; one on
two cores is time by the clock.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from functools import cache, partial

MEASURES = (
    "river, an iteration, one core",
    "river, both best responses, one core",
    "turn, an iteration, one core",
    "turn, both best responses, one core",
    "turn in 16 bits, an iteration, one core",
    "turn, an iteration, two cores",
    "turn, both best responses, two cores",
)
LONG_MEASURES = ("flop, an iteration, two cores", "flop in 16 bits, an iteration, two cores")
"""Each takes gigabytes and minutes: measured when they are named."""
REPEATS = {"river": 40, "turn": 2, "flop": 1}


def main() -> None:
    """Time what is asked for, until the input ends."""
    for line in sys.stdin:
        print(milliseconds(line.strip()), flush=True)


def milliseconds(measure: str) -> float:
    """Return the mean time of a call."""
    spot = measure.partition(",")[0].partition(" ")[0]
    is_one_core, repeats = measure.endswith("one core"), REPEATS[spot]
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
    game = spot_game(next(spot for spot in SPOTS if spot.name == kind.partition(" ")[0]))
    solver = RangeCFR(
        game,
        fast_settings(game),
        num_threads=1 if cores == "one core" else 2,
        is_int16="16 bits" in kind,
    )
    solver.step(1)
    if action == "an iteration":
        return solver.step
    solver.step(4)
    solver.response_values()
    return partial(respond, solver.response_values)


def respond(response_values: Callable[[], object], repeats: int) -> None:
    """Compute both best responses *repeats* times."""
    for _ in range(repeats):
        response_values()


if __name__ == "__main__":
    main()
