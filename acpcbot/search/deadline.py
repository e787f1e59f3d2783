"""Time at the table: deadlines of a decision, and predictions of solving time."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import NamedTuple

from acpcbot.subgames.solver import RangeCFR
from acpcbot.subgames.sweeps import Limits

MARGIN_S = 0.01
"""Time kept back to turn a solution into an answer, besides one more iteration."""
DECAY = 0.8
SAFETY_FACTOR = 1.5
"""An iteration may take this many times as long as those before."""


class TooLate(Exception):
    """There is no time to search."""


@dataclass(slots=True)
class IterationTimer:
    """Recent seconds to build a tree, and seconds a cell for one iteration, as slow averages.

    Slow builds weigh more than fast ones.
    """

    iteration_s: float = 0.0
    build_s: float = 0.0

    def predicted_s(self, num_cells: int, num_iterations: int) -> float:
        """Return an upper estimate of the seconds to build and solve a tree of *num_cells*."""
        return self.build_s + SAFETY_FACTOR * num_cells * self.iteration_s * num_iterations

    def decay(self) -> None:
        """Shorten both predictions after a refusal, to forget a slow moment in time."""
        self.build_s *= DECAY
        self.iteration_s *= DECAY

    def record_build(self, took_s: float) -> None:
        """Record how long a tree took to build."""
        self.build_s = max(took_s, (7 * self.build_s + took_s) / 8)

    def record_iteration(self, num_cells: int, took_s: float) -> None:
        """Record how long an iteration over *num_cells* cells took."""
        each_s = took_s / num_cells
        self.iteration_s = each_s if not self.iteration_s else (7 * self.iteration_s + each_s) / 8


class Budget(NamedTuple):
    """Moments on the monotonic clock: start of a decision, its target, and its last moment."""

    started_s: float
    wanted_s: float
    last_s: float

    @property
    def allowed_s(self) -> float:
        """The seconds from the start to the target."""
        return self.wanted_s - self.started_s


def make_budget(seconds: float, max_share: float, deadline_s: float) -> Budget:
    """Return a budget of *seconds* from now, at most *max_share* of the time to *deadline_s*."""
    started_s = time.monotonic()
    most_s = max_share * (deadline_s - started_s - MARGIN_S)
    return Budget(started_s, started_s + min(seconds, most_s), started_s + most_s)


def step_until(
    solver: RangeCFR,
    min_iterations: int,
    max_iterations: int,
    budget: Budget,
    timer: IterationTimer,
    num_cells: int,
) -> None:
    """Run at most *max_iterations* iterations; after the target, only up to *min_iterations*.

    They end by the last moment. With leaf values, whose iterations are not interrupted, none is
    begun that might not end in time.
    """
    if not solver.has_leaves:
        for wanted, deadline_s in (
            (min(min_iterations, max_iterations), budget.last_s),
            (max_iterations, budget.wanted_s),
        ):
            before, started_s = solver.num_iterations, time.monotonic()
            solver.step(max(wanted - before, 0), Limits(deadline_s))
            if solver.num_iterations > before:
                took_s = (time.monotonic() - started_s) / (solver.num_iterations - before)
                timer.record_iteration(num_cells, took_s)
        return
    longest_s = 0.0
    for done in range(max_iterations):
        started_s = time.monotonic()
        if started_s + SAFETY_FACTOR * longest_s > (
            budget.wanted_s if done >= min_iterations else budget.last_s
        ):
            break
        solver.step(1)
        took_s = time.monotonic() - started_s
        timer.record_iteration(num_cells, took_s)
        longest_s = max(longest_s, took_s)
