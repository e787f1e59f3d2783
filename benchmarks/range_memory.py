"""The memory of the solver with ranges: game, regrets, strategies and buffers, at rest and at most.

Counted are the bytes that numpy and Python hand out while a spot of ``range_solver.py`` is built,
solved for some iterations and responded to, without the code itself.
"""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Iterator

from acpcbot.subgames.solver import RangeCFR, fast_settings
from benchmarks.figure import Figure
from benchmarks.range_solver import SPOTS, spot_game

ONLY_BY_NAME = True
RUNS = ("river", 1), ("turn", 1), ("turn", 2)


def figures() -> Iterator[Figure]:
    """Yield the memory of each spot by its number of threads."""
    for name, num_threads in RUNS:
        # Once before, for what is made once a process is not the solver's.
        solved(name, num_threads)
        gc.collect()
        tracemalloc.start()
        kept = solved(name, num_threads)
        at_rest, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        del kept
        threads = "one thread" if num_threads == 1 else f"{num_threads} threads"
        for kind, taken in (("at rest", at_rest), ("at most", most)):
            yield Figure(
                name=f"{name}, {threads}, {kind}",
                value=taken / 1e6,
                unit="MB",
                higher_is_better=False,
            )


def solved(name: str, num_threads: int) -> RangeCFR:
    """Return a solver that has run some iterations on the spot called *name*."""
    game = spot_game(next(spot for spot in SPOTS if spot.name == name))
    solver = RangeCFR(game, fast_settings(game), num_threads=num_threads)
    for _ in range(2):
        solver.step(3)
        solver.exploitability()
    return solver


if __name__ == "__main__":
    for figure in figures():
        print(figure)
