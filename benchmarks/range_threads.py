"""Two threads of one solver with ranges against one, and two solvers at once, on a turn.

Two solvers at once share nothing, so that what they gain is what the machine has to give: two
virtual cores may be one real core at times. Processes differ, by where their arrays lie and by what
else the host does, so that several are started; each takes turns between all three.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from acpcbot.subgames.solver import RangeCFR, fast_settings
from benchmarks.abstraction import once
from benchmarks.figure import Figure
from benchmarks.range_solver import SPOTS, spot_game

ONLY_BY_NAME = True
ROOT = Path(__file__).parents[1]
STARTS, ROUNDS, ITERATIONS = 7, 20, 10


def figures() -> Iterator[Figure]:
    """Yield what is gained, as medians over processes."""
    found = [process_gains() for _ in range(STARTS)]
    names = (
        "two threads of one solver, to one thread",
        "two solvers at once, to one after the other",
        "two threads, to two solvers at once",
    )
    for name, gains in zip(names, zip(*found, strict=True), strict=True):
        yield Figure(
            name=name,
            value=statistics.median(gains),
            unit="times",
            note=f"{STARTS} processes, from {min(gains):.2f} to {max(gains):.2f}",
        )


def process_gains() -> tuple[float, ...]:
    """Return the gains that a new process measures."""
    words = [sys.executable, "-m", "benchmarks.range_threads"]
    printed = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT).stdout
    return tuple(float(word) for word in printed.split())


def main() -> None:
    """Print the gain of two threads, that of two solvers, and the ratio of both."""
    game = spot_game(next(spot for spot in SPOTS if spot.name == "turn"))
    one, other, third = (RangeCFR(game, fast_settings(game)) for _ in range(3))
    shared = RangeCFR(game, fast_settings(game), num_threads=2)
    for solver in (one, other, third, shared):
        solver.step(2)

    def solve_both() -> None:
        threads = [threading.Thread(target=own.step, args=(ITERATIONS,)) for own in (other, third)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    by_threads, by_solvers = list[float](), list[float]()
    for _ in range(ROUNDS):
        single_s = taken_s(lambda: one.step(ITERATIONS))
        by_threads.append(single_s / taken_s(lambda: shared.step(ITERATIONS)))
        by_solvers.append(2 * single_s / taken_s(solve_both))
    ratios = [own / most for own, most in zip(by_threads, by_solvers, strict=True)]
    print(*(statistics.median(gains) for gains in (by_threads, by_solvers, ratios)))


def taken_s(work: Callable[[], object]) -> float:
    """Return the seconds that *work* takes by the clock."""
    return once(work)[0]


if __name__ == "__main__":
    main()
