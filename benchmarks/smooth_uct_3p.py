"""Episodes a second of Smooth UCT in three-player limit hold'em, one thread, and memory.

The rate is by CPU time, with a tree that is warm; constants and grid are those of Heinrich
& Silver (2015), Smooth UCT Search in Computer Poker.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from acpcbot.learning.sampling import SamplingSolver
from acpcbot.learning.uct import UCTLearner, UCTSettings
from benchmarks.figure import Figure
from benchmarks.smooth_uct import COUNT, SEED, rate, table

ONLY_BY_NAME = True

GAME = "holdem.limit.3p"
GRID = {"preflop": "lossless", "flop": {"grid": 1000}, "turn": {"grid": 100}, "river": {"grid": 20}}
SETTINGS = UCTSettings(exploration=36.0, potential_share=0.5, d=5e-5, storage="float32")
WARM_UP = 1 << 26


def figures() -> Iterator[Figure]:
    game, source = table(GAME, GRID)
    solver = SamplingSolver(UCTLearner(game, SETTINGS), source, seed=SEED)
    solver.step(WARM_UP)
    yield rate("Smooth UCT in 3-player limit hold'em", solver, COUNT, 0.7)
    note = "the most that the process held"
    name = "resident memory, 3-player limit hold'em"
    yield Figure(
        name=name, value=peak_bytes() / 1e9, unit="GB", target=5, note=note, higher_is_better=False
    )


def peak_bytes() -> int:
    """Return the peak of the process's resident memory."""
    import resource  # here, because Windows has none

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (
        1 if sys.platform == "darwin" else 1024
    )
