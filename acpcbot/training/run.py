"""A training run in its folder: it advances, measures, keeps checkpoints, and goes on where it was.

    recipe.toml       the recipe as it was last started
    checkpoint-N/     all arrays after N episodes or iterations
    curve.csv         the learning curve so far; curve.png where matplotlib is installed
    snapshots/N/      the strategies kept on the way

Steps end at multiples of the solver's round and at points of the curve, both fixed by the
recipe; so on one thread a run that was killed and continued equals one that was not.

Checkpoints: all arrays that a run depends on, written so that a kill at any moment leaves a whole
one.

A checkpoint is a folder of .npy files and ``checkpoint.json``, written under another name
and renamed. The newest of those that are complete counts; older ones are deleted after
the rename, so the disk holds two for a moment.

From what a learner knows to a snapshot.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess  # nosec B404 # for git, whose words are all our own
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.card_abstraction import quick_at_the_table
from acpcbot.errors import UsageError
from acpcbot.learning.policies import greedy_actions
from acpcbot.learning.uct import UCTLearner
from acpcbot.strategies.files import SnapshotContent, save_snapshot
from acpcbot.strategies.manifest import Training
from acpcbot.training.curve import Curve, Measure, make_measure, next_point
from acpcbot.training.preparation import AVERAGE, GREEDY, TrainingSession
from acpcbot.training.recipe import settings_table

PREFIX = "checkpoint-"
RECORD = "checkpoint.json"


def save_checkpoint(
    folder: Path, number: int, arrays: dict[str, NDArray[Any]], record: dict[str, Any]
) -> None:
    """Keep *arrays* and *record* as checkpoint *number* of the run in *folder*; older ones go."""
    unfinished = folder / "unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    for name, array in arrays.items():
        with (unfinished / f"{name}.npy").open("wb") as file:
            np.save(file, array, allow_pickle=False)
            _to_disk(file.fileno())
    with (unfinished / RECORD).open("w", encoding="utf-8") as text:
        json.dump(record, text, indent=1)
        _to_disk(text.fileno())
    finished = folder / f"{PREFIX}{number}"
    shutil.rmtree(finished, ignore_errors=True)
    unfinished.rename(finished)
    for older in _checkpoints(folder)[:-1]:
        shutil.rmtree(older)


def read_record(folder: Path) -> dict[str, Any] | None:
    """The record of the newest checkpoint, or None where there is none."""
    found = _checkpoints(folder)
    if not found:
        return None
    record: dict[str, Any] = json.loads((found[-1] / RECORD).read_text(encoding="utf-8"))
    return record


def restore_arrays(folder: Path, arrays: dict[str, NDArray[Any]]) -> None:
    """Fill *arrays* in place from the newest checkpoint.

    Raises UsageError where they do not fit.
    """
    newest = _checkpoints(folder)[-1]
    for name, array in arrays.items():
        try:
            kept = np.load(newest / f"{name}.npy", mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError, EOFError):
            raise UsageError(
                f"{newest} has no sound array {name}", "begin anew in another folder"
            ) from None
        if kept.shape != array.shape or kept.dtype != array.dtype:
            raise UsageError(
                f"{newest} belongs to another kind of training", "begin anew in another folder"
            )
        array[...] = kept


def _checkpoints(folder: Path) -> list[Path]:
    found = [path for path in folder.glob(f"{PREFIX}*") if (path / RECORD).exists()]
    return sorted(found, key=lambda path: int(path.name.removeprefix(PREFIX)))


def _to_disk(descriptor: int) -> None:
    os.fsync(descriptor)


PACKAGE = Path(__file__).resolve().parents[1]


def export_snapshot(
    place: Path,
    workplace: TrainingSession,
    count: int,
    seconds: float,
    strength: tuple[dict[str, Any], ...] = (),
) -> None:
    """Write what the recipe wants its snapshots to hold to the folder *place*, with the recipe
    beside it.
    """
    recipe, learner = workplace.recipe, workplace.solver.learner
    hold = recipe.snapshots.hold
    training = Training(
        learner=recipe.learner_name,
        settings=settings_table(learner.settings),
        seed=recipe.seed,
        num_threads=recipe.threads,
        num_episodes=count,
        hours=round(seconds / 3600, 4),
        commit=program_version(),
    )
    content = SnapshotContent(
        game=workplace.game,
        abstraction=quick_at_the_table(workplace.abstraction),
        training=training,
        policy=learner.average_strategy() if AVERAGE in hold else None,
        greedy=_greedy(workplace.game, learner) if GREEDY in hold else None,
        play=recipe.play,
        strength=strength,
        recipe=recipe.text,
    )
    place.parent.mkdir(parents=True, exist_ok=True)
    save_snapshot(place, content)


def program_version() -> str:
    """The commit of the source tree, or the installed version where there is none."""
    try:
        command = [
            "git",
            "-C",
            str(PACKAGE.parent),
            "describe",
            "--always",
            "--dirty",
            "--abbrev=12",
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=True)  # nosec B603 # no shell, no word of others
        return done.stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        pass
    try:
        return version("acpcbot")
    except PackageNotFoundError:
        return "unknown"


def _greedy(game: Any, learner: Any) -> Any:
    assert isinstance(learner, UCTLearner), "verify_recipe let it through"
    return greedy_actions(learner.visits, learner.means, game)


SECONDS_BETWEEN_CHECKPOINTS = 300.0


@dataclass(frozen=True, slots=True)
class Position:
    """How far a run is: *count* episodes or iterations in *seconds* of training."""

    count: int
    seconds: float


class TrainingRun:
    """The run of *workplace*'s recipe in *folder*.

    Raises UsageError where another recipe's run lies there.
    """

    def __init__(
        self, workplace: TrainingSession, folder: Path, on_position: Callable[[Position], None]
    ) -> None:
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
        """Write the strategy as it is now as a snapshot at *place*, with what the curve says of
        it.
        """
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
        cuts += (
            [done - done % recipe.snapshots.every + recipe.snapshots.every]
            if recipe.snapshots.every
            else []
        )
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
            self._curve.draw(
                f"{self.workplace.recipe.learner_name}, {self.workplace.recipe.game_name}"
            )
            self._kept_count = self.position.count
        self._last_checkpoint = time.monotonic()

    def _resume(self) -> None:
        record = read_record(self.folder)
        if record is not None:
            if record["identity"] != self.workplace.recipe.identity():
                raise UsageError(
                    f"{self.folder} holds the run of another recipe",
                    "name another --run-dir, or delete this one",
                )
            restore_arrays(self.folder, self.workplace.solver.state)
            self._seconds = record["seconds"]
            self._kept_count = self.position.count
        self._curve.forget_after(self.position.count)
        (self.folder / "recipe.toml").write_text(self.workplace.recipe.text, encoding="utf-8")


def _numbers(row: dict[str, str]) -> dict[str, float]:
    """The measured values of a point of the curve."""
    return {
        name: float(value)
        for name, value in row.items()
        if value and name not in ("count", "seconds")
    }
