"""Time at the table: how long a subgame may be solved, and how long that will take."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import NamedTuple

from acpcbot.subgames.solver import RangeCFR

MARGIN_S = 0.01
"""What is kept back for the way from a solution to an answer, besides one more iteration."""
PATIENCE = 0.8
SLOWER = 1.5
"""So much longer than those before an iteration may take."""


class TooLate(Exception):
    """There is no time to search."""


@dataclass(slots=True)
class IterationTimer:
    """How many seconds a cell of a tree took lately, in one iteration and to build.

    The slower ones weigh more.
    """

    step_s: float = 0.0
    build_s: float = 0.0

    def predicted_s(self, num_cells: int, num_iterations: int) -> float:
        """How long it takes at most to build and solve a tree of so many cells."""
        return self.build_s + SLOWER * num_cells * self.step_s * num_iterations

    def relax(self) -> None:
        """Expect less after a refusal, so that a slow moment is forgotten."""
        self.build_s *= PATIENCE
        self.step_s *= PATIENCE

    def saw_build(self, took_s: float) -> None:
        """Learn how long a tree took to build."""
        self.build_s = max(took_s, (7 * self.build_s + took_s) / 8)

    def saw_step(self, num_cells: int, took_s: float) -> None:
        """Learn how long an iteration took."""
        each_s = took_s / num_cells
        self.step_s = each_s if not self.step_s else (7 * self.step_s + each_s) / 8


class Budget(NamedTuple):
    """Moments on the monotonic clock: when a decision began, when it should be made, and when
    it must be.
    """

    started_s: float
    wanted_s: float
    last_s: float

    @property
    def allowed_s(self) -> float:
        """How long it should take."""
        return self.wanted_s - self.started_s


def make_budget(seconds: float, share: float, deadline_s: float) -> Budget:
    """So many *seconds* from now, and the *share* of what is left until *deadline_s* at most."""
    started_s = time.monotonic()
    most_s = share * (deadline_s - started_s - MARGIN_S)
    return Budget(started_s, started_s + min(seconds, most_s), started_s + most_s)


def step_until(
    solver: RangeCFR, least: int, most: int, budget: Budget, pace: IterationTimer, num_cells: int
) -> None:
    """At most *most* iterations.

    Once the decision should be made, only those that *least* still lacks.

    None is begun that might not end in time.
    """
    slowest_s = 0.0
    for done in range(most):
        started_s = time.monotonic()
        if started_s + SLOWER * slowest_s > (budget.wanted_s if done >= least else budget.last_s):
            break
        solver.step(1)
        took_s = time.monotonic() - started_s
        pace.saw_step(num_cells, took_s)
        slowest_s = max(slowest_s, took_s)
