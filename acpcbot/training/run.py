"""A training run in its folder: it trains, measures, checkpoints, and can be resumed.

    recipe.toml       the recipe as it was last started
    checkpoint-N/     all arrays after N episodes or iterations
    curve.csv         the learning curve so far; curve.png where matplotlib is installed
    snapshots/N/      the strategies kept on the way

Steps end at multiples of the solver's round and at points of the curve, both fixed by the recipe;
so on one thread a run that was killed and resumed equals one that was not.

A checkpoint is a folder of .npy files and ``checkpoint.json``, written under another name and then
renamed, so that a kill at any time leaves a complete one. The newest complete one counts; older
ones are deleted after the rename, so the disk holds two for a moment. ``export_snapshot`` writes
the learner's strategy as a snapshot.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.card_abstraction import quick_at_the_table
from acpcbot.errors import UsageError
from acpcbot.learning.policies import greedy_actions
from acpcbot.learning.uct import UCTLearner
from acpcbot.strategies.files import SnapshotContent, save_snapshot
from acpcbot.strategies.manifest import Training, program_version
from acpcbot.training.curve import Curve, Measure, make_measure, next_point
from acpcbot.training.recipe import settings_table
from acpcbot.training.session import AVERAGE, GREEDY, TrainingSession

PREFIX = "checkpoint-"
RECORD = "checkpoint.json"
SECONDS_BETWEEN_CHECKPOINTS = 300.0


class TrainingRun:
    """Run of the recipe of *session* in *folder*, resumed from its newest checkpoint.

    Raises UsageError if the folder holds the run of another recipe.
    """

    def __init__(
        self, session: TrainingSession, folder: Path, on_position: Callable[[Position], None]
    ) -> None:
        self.session, self.folder = session, folder
        self._stops = False
        self._on_position = on_position
        self._seconds = 0.0
        self._last_checkpoint = time.monotonic()
        self._saved_count = -1
        self._curve = Curve(folder / "curve.csv")
        self._measure: Measure | None = None
        self._resume()

    @property
    def position(self) -> Position:
        """Progress so far."""
        return Position(self.session.solver.num_done, self._seconds)

    @property
    def is_finished(self) -> bool:
        """True if the budget is spent."""
        budget = self.session.recipe.budget
        spent_count = budget.count is not None and self.position.count >= budget.count
        return spent_count or (budget.seconds is not None and self._seconds >= budget.seconds)

    def stop(self) -> None:
        """Let the training end at the next multiple of a round."""
        self._stops = True

    def train(self) -> None:
        """Train until the budget is spent or ``stop`` was called, then checkpoint."""
        while not self.is_finished and not self._stops:
            self._advance()
            self._on_position(self.position)
            if time.monotonic() - self._last_checkpoint >= SECONDS_BETWEEN_CHECKPOINTS:
                self._save_checkpoint()
        self._save_checkpoint()

    def save_result(self, place: Path) -> None:
        """Write the current strategy as a snapshot at *place*, with the latest measurements."""
        measured = [row for row in self._curve.rows() if row["count"] == str(self.position.count)]
        strength = tuple([{"measured": "by training", **_numbers(row)} for row in measured])
        export_snapshot(place, self.session, self.position.count, self._seconds, strength)

    def _advance(self) -> None:
        """Train to the next stop, and add a point or a snapshot that is due there."""
        recipe, solver = self.session.recipe, self.session.solver
        done = solver.num_done
        point = next_point(recipe.curve, done)
        stops = [done - done % solver.round_length + solver.round_length]
        stops += [point] if point else []
        stops += (
            [done - done % recipe.snapshots.every + recipe.snapshots.every]
            if recipe.snapshots.every
            else []
        )
        stops += [recipe.budget.count] if recipe.budget.count else []
        start = time.monotonic()
        solver.step(min(stops) - done)
        self._seconds += time.monotonic() - start
        if solver.num_done == point or (self.is_finished and recipe.curve.has_points):
            self._add_point()
        if recipe.snapshots.every and solver.num_done % recipe.snapshots.every == 0:
            self.save_result(self.folder / "snapshots" / str(solver.num_done))

    def _add_point(self) -> None:
        if self._measure is None:
            self._measure = make_measure(self.session)
        self._curve.add(self.position.count, self._seconds, self._measure())

    def _save_checkpoint(self) -> None:
        """Save a checkpoint, unless nothing happened since the last one."""
        if self.position.count != self._saved_count:
            solver = self.session.solver
            record = {"identity": self.session.recipe.identity(), "seconds": self._seconds}
            save_checkpoint(self.folder, solver.num_done, solver.state, record)
            self._curve.draw(f"{self.session.recipe.learner_name}, {self.session.recipe.game_name}")
            self._saved_count = self.position.count
        self._last_checkpoint = time.monotonic()

    def _resume(self) -> None:
        record = read_record(self.folder)
        if record is not None:
            if record["identity"] != self.session.recipe.identity():
                raise UsageError(
                    f"{self.folder} holds the run of another recipe",
                    "name another --run-dir, or delete this one",
                )
            restore_arrays(self.folder, self.session.solver.state)
            self._seconds = record["seconds"]
            self._saved_count = self.position.count
        self._curve.forget_after(self.position.count)
        (self.folder / "recipe.toml").write_text(self.session.recipe.text, encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Position:
    """Progress of a run: *count* episodes or iterations in *seconds* of training."""

    count: int
    seconds: float


def save_checkpoint(
    folder: Path, number: int, arrays: dict[str, NDArray[Any]], record: dict[str, Any]
) -> None:
    """Save *arrays* and *record* as checkpoint *number* of *folder*; delete older ones."""
    unfinished = folder / "unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    for name, array in arrays.items():
        with (unfinished / f"{name}.npy").open("wb") as file:
            np.save(file, array, allow_pickle=False)
            _flush_to_disk(file.fileno())
    with (unfinished / RECORD).open("w", encoding="utf-8") as text:
        json.dump(record, text, indent=1)
        _flush_to_disk(text.fileno())
    finished = folder / f"{PREFIX}{number}"
    shutil.rmtree(finished, ignore_errors=True)
    unfinished.rename(finished)
    for older in _checkpoints(folder)[:-1]:
        shutil.rmtree(older)


def read_record(folder: Path) -> dict[str, Any] | None:
    """Return the record of the newest checkpoint, or None where there is none."""
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
            saved = np.load(newest / f"{name}.npy", mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError, EOFError):
            raise UsageError(
                f"{newest} has no readable array {name}", "start in another folder"
            ) from None
        if saved.shape != array.shape or saved.dtype != array.dtype:
            raise UsageError(
                f"{newest}: {name} is {saved.dtype} {list(saved.shape)}, expected"
                f" {array.dtype} {list(array.shape)}",
                "it is of another training; start in another folder",
            )
        array[...] = saved


def read_arrays(folder: Path) -> dict[str, NDArray[Any]]:
    """Return all arrays of the newest checkpoint by name; raises UsageError for a damaged one."""
    newest = _checkpoints(folder)[-1]
    try:
        return {
            path.name.removesuffix(".npy"): np.load(path, allow_pickle=False)
            for path in newest.glob("*.npy")
        }
    except (OSError, ValueError, EOFError) as error:
        raise UsageError(f"{newest} is damaged: {error}", "start in another folder") from None


def _checkpoints(folder: Path) -> list[Path]:
    found = [path for path in folder.glob(f"{PREFIX}*") if (path / RECORD).exists()]
    return sorted(found, key=lambda path: int(path.name.removeprefix(PREFIX)))


def _flush_to_disk(descriptor: int) -> None:
    os.fsync(descriptor)


def export_snapshot(
    place: Path,
    session: TrainingSession,
    count: int,
    seconds: float,
    strength: tuple[dict[str, Any], ...] = (),
) -> None:
    """Write a snapshot of the learner to the folder *place*, with the recipe beside it.

    It holds what the recipe asks for.
    """
    recipe, learner = session.recipe, session.solver.learner
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
        game=session.game,
        abstraction=quick_at_the_table(session.abstraction),
        training=training,
        policy=learner.average_strategy() if AVERAGE in hold else None,
        greedy=_greedy(session.game, learner) if GREEDY in hold else None,
        play=recipe.play,
        strength=strength,
        recipe=recipe.text,
        steps=recipe.snapshots.steps,
    )
    place.parent.mkdir(parents=True, exist_ok=True)
    save_snapshot(place, content)


def _greedy(game: Any, learner: Any) -> Any:
    assert isinstance(learner, UCTLearner), "verify_recipe let it through"
    return greedy_actions(learner.visits, learner.means, game)


def _numbers(row: dict[str, str]) -> dict[str, float]:
    """Return the measured values of a point of the curve."""
    return {
        name: float(value)
        for name, value in row.items()
        if value and name not in ("count", "seconds")
    }
