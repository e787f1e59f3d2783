"""Runs: killed at any moment they go on as if nothing had happened."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from acpcbot.errors import UsageError
from acpcbot.strategies.files import load_snapshot
from acpcbot.training import run as run_module
from acpcbot.training.recipe import Budget, Recipe
from acpcbot.training.run import Position, TrainingRun
from acpcbot.training.session import build_session
from tests.training.recipes import cfr_recipe, leduc_recipe

ROUND = 1 << 18


class Killed(Exception):
    """Stands for a kill: nothing is tidied up."""


def start(
    recipe: Recipe, folder: Path, kill_at: int | None = None, stop_at: int | None = None
) -> TrainingRun:
    folder.mkdir(exist_ok=True)

    def on_position(position: Position) -> None:
        if kill_at is not None and position.count >= kill_at:
            raise Killed
        if stop_at is not None and position.count >= stop_at:
            training.stop()

    session = build_session(recipe, lambda needed: None, lambda name, done, total: None)
    training = TrainingRun(session, folder, on_position)
    return training


def learnt(training: TrainingRun) -> np.ndarray:
    arrays = training.session.solver.learner.arrays
    return np.concatenate([array.reshape(-1).astype(np.float64) for array in arrays.values()])


def curve(folder: Path) -> list[tuple[str, str]]:
    with (folder / "curve.csv").open() as file:
        return [(row["count"], row["nash_conv"]) for row in csv.DictReader(file)]


def test_a_run_ends_at_its_budget_exactly(tmp_path: Path) -> None:
    training = start(leduc_recipe(count=300_007), tmp_path / "run")
    training.train()
    assert training.is_finished
    assert training.position.count == 300_007


@pytest.mark.parametrize(
    "stops_at",
    [10_000, *[pytest.param(count, marks=pytest.mark.slow) for count in (1, ROUND, ROUND + 1)]],
)
def test_a_stopped_run_goes_on_to_the_same_result(tmp_path: Path, stops_at: int) -> None:
    recipe = leduc_recipe(count=2 * ROUND + 1000)
    whole, part = (
        start(recipe, tmp_path / "whole"),
        start(recipe, tmp_path / "part", stop_at=stops_at),
    )
    whole.train()
    part.train()
    assert not part.is_finished
    continued = start(recipe, tmp_path / "part")
    assert continued.position.count == part.position.count
    continued.train()
    assert np.array_equal(learnt(continued), learnt(whole))
    assert curve(tmp_path / "part") == curve(tmp_path / "whole")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("num_rounds", "kills"), [(2, (100, ROUND + 5)), (3, (100, ROUND, 2 * ROUND + 5))]
)
def test_a_killed_run_goes_on_from_its_last_checkpoint_to_the_same_result(
    num_rounds: int, kills: tuple[int, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = leduc_recipe(count=num_rounds * ROUND)
    whole = start(recipe, tmp_path / "whole")
    whole.train()
    monkeypatch.setattr(run_module, "SECONDS_BETWEEN_CHECKPOINTS", 0.0)
    for kill_at in kills:
        with pytest.raises(Killed):
            start(recipe, tmp_path / "part", kill_at=kill_at).train()
    continued = start(recipe, tmp_path / "part")
    assert continued.position.count > 0
    continued.train()
    assert np.array_equal(learnt(continued), learnt(whole))
    assert curve(tmp_path / "part") == curve(tmp_path / "whole")


def test_points_beyond_the_last_checkpoint_are_measured_again(tmp_path: Path) -> None:
    with pytest.raises(Killed):
        start(leduc_recipe(), tmp_path / "run", kill_at=5000).train()
    assert curve(tmp_path / "run")
    start(leduc_recipe(), tmp_path / "run")
    assert curve(tmp_path / "run") == []


def test_a_larger_budget_goes_on_where_the_smaller_one_ended(tmp_path: Path) -> None:
    start(leduc_recipe(count=ROUND), tmp_path / "run").train()
    longer = start(leduc_recipe(count=2 * ROUND), tmp_path / "run")
    longer.train()
    whole = start(leduc_recipe(count=2 * ROUND), tmp_path / "whole")
    whole.train()
    assert np.array_equal(learnt(longer), learnt(whole))


def test_another_recipes_folder_is_refused(tmp_path: Path) -> None:
    start(leduc_recipe(count=1000), tmp_path / "run").train()
    with pytest.raises(UsageError, match="another recipe"):
        start(leduc_recipe(count=1000, seed=2), tmp_path / "run")


def test_snapshots_are_kept_on_the_way_and_hold_what_was_learnt(tmp_path: Path) -> None:
    training = start(leduc_recipe(count=200_000, every=100_000), tmp_path / "run")
    training.train()
    found = sorted(path.name for path in (tmp_path / "run" / "snapshots").iterdir())
    assert found == ["100000", "200000"]
    snapshot = load_snapshot(tmp_path / "run" / "snapshots" / "200000")
    assert snapshot.policy is not None
    assert snapshot.greedy is not None
    strategy = training.session.solver.learner.average_strategy()
    stored = np.concatenate([part.reshape(-1) for part in snapshot.policy])
    assert np.array_equal(stored, strategy)
    assert snapshot.manifest.training.num_episodes == 200_000


def test_the_curve_of_a_solved_game_falls(tmp_path: Path) -> None:
    start(cfr_recipe(count=1000), tmp_path / "run").train()
    values = [float(value) for _, value in curve(tmp_path / "run")]
    assert [count for count, _ in curve(tmp_path / "run")] == ["1", "10", "100", "1000"]
    assert values == sorted(values, reverse=True)
    assert values[-1] < 0.002


def test_a_budget_may_be_given_in_seconds(tmp_path: Path) -> None:
    training = start(replace(cfr_recipe(), budget=Budget(seconds=0.05)), tmp_path / "run")
    training.train()
    assert training.is_finished
    assert training.position.count > 0
