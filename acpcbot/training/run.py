"""A training run in its folder: it advances, measures, keeps checkpoints, and goes on where it was.

    recipe.toml       the recipe as it was last started
    checkpoint-N/     all arrays after N episodes or iterations
    curve.csv         the learning curve so far; curve.png where matplotlib is installed
    snapshots/N/      the strategies kept on the way

Steps end at multiples of the solver's round and at points of the curve, both fixed by the
recipe; so on one thread a run that was killed and continued equals one that was not.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from acpcbot.errors import UsageError
from acpcbot.training.checkpoint import read_record, restore_arrays, save_checkpoint
from acpcbot.training.curve import Curve, next_point
from acpcbot.training.export import export_snapshot
from acpcbot.training.measures import Measure, make_measure
from acpcbot.training.preparation import Workplace

SECONDS_BETWEEN_CHECKPOINTS = 300.0


@dataclass(frozen=True, slots=True)
class Position:
    """How far a run is: *count* episodes or iterations in *seconds* of training."""

    count: int
    seconds: float


class TrainingRun:
    """The run of *workplace*'s recipe in *folder*; raises UsageError where another recipe's run lies there."""

    def __init__(self, workplace: Workplace, folder: Path, on_position: Callable[[Position], None]) -> None:
        self.workplace, self.folder = workplace, folder
        self._stops = False
        self._on_position = on_position
        self._seconds = 0.0
        self._last_checkpoint = time.monotonic()
        self._kept_count = -1
        self._curve = Curve(folder / "curve.csv")
        self._measure: Measure | None = None
        self._resume()

    @property
    def position(self) -> Position:
        """Where the run is now."""
        return Position(self.workplace.solver.num_done, self._seconds)

    @property
    def is_finished(self) -> bool:
        """Whether the budget is spent."""
        budget = self.workplace.recipe.budget
        spent_count = budget.count is not None and self.position.count >= budget.count
        return spent_count or (budget.seconds is not None and self._seconds >= budget.seconds)

    def stop(self) -> None:
        """Let the training end at the next cut."""
        self._stops = True

    def train(self) -> None:
        """Advance until the budget is spent or ``stop`` was called; then everything is on disk."""
        while not self.is_finished and not self._stops:
            self._advance()
            self._on_position(self.position)
            if time.monotonic() - self._last_checkpoint >= SECONDS_BETWEEN_CHECKPOINTS:
                self._keep()
        self._keep()

    def save_result(self, place: Path) -> None:
        """Write the strategy as it is now as a snapshot at *place*, with what the curve says of it."""
        measured = [row for row in self._curve.rows() if row["count"] == str(self.position.count)]
        strength = tuple([{"measured": "by training", **_numbers(row)} for row in measured])
        export_snapshot(place, self.workplace, self.position.count, self._seconds, strength)

    def _advance(self) -> None:
        """Train up to the next cut, and do what is due there."""
        recipe, solver = self.workplace.recipe, self.workplace.solver
        done = solver.num_done
        point = next_point(recipe.curve, done)
        cuts = [done - done % solver.round_length + solver.round_length]
        cuts += [point] if point else []
        cuts += [done - done % recipe.snapshots.every + recipe.snapshots.every] if recipe.snapshots.every else []
        cuts += [recipe.budget.count] if recipe.budget.count else []
        start = time.monotonic()
        solver.step(min(cuts) - done)
        self._seconds += time.monotonic() - start
        if solver.num_done == point or (self.is_finished and recipe.curve.has_points):
            self._add_point()
        if recipe.snapshots.every and solver.num_done % recipe.snapshots.every == 0:
            self.save_result(self.folder / "snapshots" / str(solver.num_done))

    def _add_point(self) -> None:
        if self._measure is None:
            self._measure = make_measure(self.workplace)
        self._curve.add(self.position.count, self._seconds, self._measure())

    def _keep(self) -> None:
        """A checkpoint, unless nothing happened since the last one."""
        if self.position.count != self._kept_count:
            solver = self.workplace.solver
            record = {"identity": self.workplace.recipe.identity(), "seconds": self._seconds}
            save_checkpoint(self.folder, solver.num_done, solver.state, record)
            self._curve.draw(f"{self.workplace.recipe.learner_name}, {self.workplace.recipe.game_name}")
            self._kept_count = self.position.count
        self._last_checkpoint = time.monotonic()

    def _resume(self) -> None:
        record = read_record(self.folder)
        if record is not None:
            if record["identity"] != self.workplace.recipe.identity():
                raise UsageError(
                    f"{self.folder} holds the run of another recipe", "name another --folder, or delete this one"
                )
            restore_arrays(self.folder, self.workplace.solver.state)
            self._seconds = record["seconds"]
            self._kept_count = self.position.count
        self._curve.forget_after(self.position.count)
        (self.folder / "recipe.toml").write_text(self.workplace.recipe.text, encoding="utf-8")


def _numbers(row: dict[str, str]) -> dict[str, float]:
    """The measured values of a point of the curve."""
    return {name: float(value) for name, value in row.items() if value and name not in ("count", "seconds")}
