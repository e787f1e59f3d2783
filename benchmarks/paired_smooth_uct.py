"""Smooth UCT: how many times as long an earlier version takes, with 95 % intervals.

``paired.py`` runs this file with either version. Run as a script: ``acpcbot`` is that of the
version on ``PYTHONPATH``. For each line on the standard input, the name of a measure, one with its
milliseconds for ``COUNT`` episodes or deals is written, by CPU time. "The same 64 deals" visit so
few information sets that all stay in the caches: what they take less than others is the time that
episodes wait for memory.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import cache
from typing import Any

MEASURES = (
    "limit hold'em, deals and episodes",
    "limit hold'em, deals",
    "limit hold'em, episodes",
    "limit hold'em, episodes of the same 64 deals",
    "Leduc, episodes",
    "Kuhn, episodes",
)
LONG_MEASURES = ("limit hold'em for three, episodes",)
"""It takes 5 GB: measured when it is named."""
COUNT, WARM_UP = 1 << 18, {"limit hold'em": 1 << 23, "limit hold'em for three": 1 << 23}
SMALL_WARM_UP, NUM_FEW = 1 << 22, 64


def main() -> None:
    """Time what is asked for, until the input ends."""
    for line in sys.stdin:
        game, _, work = line.strip().partition(", ")
        print(f"{milliseconds(game, work):.6g}", flush=True)


def milliseconds(game: str, work: str) -> float:
    """Return the CPU time of *work* in a *game*, whose tree grows by the work."""
    solver, source = warm(game)
    if work == "deals and episodes":
        return timed(lambda: solver.step(COUNT))
    deals, state = pool(source)
    if work == "deals":
        return timed(lambda: fill(source, deals, state))
    fill(source, deals, state)
    if work == "episodes of the same 64 deals":
        deals.reshape(-1, NUM_FEW, source.width)[1:] = deals[:NUM_FEW]
    return timed(lambda: walk(solver.learner, deals, state))


def timed(work: Callable[[], object]) -> float:
    """Return the milliseconds of CPU time that *work* takes."""
    start = time.process_time()
    work()
    return 1000 * (time.process_time() - start)


def fill(source: Any, deals: Any, state: Any) -> None:
    """Deal as training does, a pool at a time."""
    from acpcbot.learning.sampling import POOL_LENGTH

    for start in range(0, len(deals), POOL_LENGTH):
        source.fill(deals[start : start + POOL_LENGTH], state)


def walk(learner: Any, deals: Any, state: Any) -> None:
    """Play an episode for each of *deals*, a pool at a time."""
    from acpcbot.learning.sampling import POOL_LENGTH

    for start in range(0, len(deals), POOL_LENGTH):
        learner.walk(deals[start : start + POOL_LENGTH], state)


@cache
def warm(game: str) -> tuple[Any, Any]:
    """Return a solver of *game* whose tree has grown for some millions of episodes, and its deals.

    Settings are those of the benchmarks ``smooth_uct`` and ``smooth_uct_3p``.
    """
    from acpcbot.abstraction.card_abstraction import EXACT
    from acpcbot.learning.sampling import SamplingSolver
    from acpcbot.learning.uct import UCTLearner
    from benchmarks import smooth_uct, smooth_uct_3p
    from benchmarks.abstraction import PAPER

    kinds: dict[str, tuple[str, Any, Any]] = {
        "limit hold'em": (smooth_uct.LIMIT_HOLDEM, PAPER, smooth_uct.LIMIT_HOLDEM_SETTINGS),
        "limit hold'em for three": (smooth_uct_3p.GAME, smooth_uct_3p.GRID, smooth_uct_3p.SETTINGS),
    }
    for label, name, settings, _ in smooth_uct.SMALL_GAMES:
        kinds[label] = (name, EXACT, settings)
    name, abstraction, settings = kinds[game]
    table, source = smooth_uct.table(name, abstraction)
    solver = SamplingSolver(UCTLearner(table, settings), source, seed=smooth_uct.SEED)
    solver.step(WARM_UP.get(game, SMALL_WARM_UP))
    return solver, source


@cache
def pool(source: Any) -> tuple[Any, Any]:
    """Return room for ``COUNT`` deals of *source*, and the random state that is theirs."""
    import numpy as np

    from acpcbot.random_kernels import seed_state

    return np.zeros((COUNT, source.width), np.uint16), seed_state(1)


if __name__ == "__main__":
    main()
