"""``acpcbot lab oos-targets``: matches with settings of targets, and what their weights do."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from acpcbot.lab.experiment import Budget, Row
from acpcbot.lab.oos_targets import EXPERIMENT, RUNS, VARIANTS, hand_marks
from tests.lab.running import run_lab, table

WEIGHTED = "delta 0.9 and w_T, the paper's"


def rows_of(variant: str, budget: Budget, folder: Path) -> list[Row]:
    (unit,) = [unit for unit in EXPERIMENT.units(budget) if unit.name == f"{variant}, run 1"]
    return [row for row in EXPERIMENT.run(unit, budget, folder) if isinstance(row, dict)]


def test_moving_targets_cost_accuracy_elsewhere_and_weights_far_more(tmp_path: Path) -> None:
    """Caught: a target that is not aimed at, weights of a search that has none."""
    budget = Budget(games=40, simulations=1_000)
    found = {variant: rows_of(variant, budget, tmp_path)[-1] for variant in VARIANTS}
    mbb = {variant: float(row["mbb"]) for variant, row in found.items()}
    assert mbb["no target"] < mbb["delta 0.9"] < mbb[WEIGHTED]
    for variant, row in found.items():
        # Decisions of equal weight count fully, of very different weights hardly.
        if variant.endswith("w_T") or variant == WEIGHTED:
            assert float(row["effective"]) < 0.5 * float(row["decisions"])
            assert float(row["largest_weight"]) > 20
        else:
            assert row["effective"] == row["decisions"]
            assert row["largest_weight"] == 1.0


def test_equal_seeds_give_equal_rows_and_deals_are_those_of_the_run(tmp_path: Path) -> None:
    budget = Budget(games=8, simulations=200)
    assert rows_of(WEIGHTED, budget, tmp_path) == rows_of(WEIGHTED, budget, tmp_path)
    other = Budget(games=8, simulations=200, seed=2)
    assert rows_of(WEIGHTED, budget, tmp_path) != rows_of(WEIGHTED, other, tmp_path)


def test_strategies_are_measured_four_times_in_a_match() -> None:
    assert hand_marks(Budget(games=400)) == [100, 200, 300, 400]
    assert hand_marks(Budget(games=3)) == [1, 2, 3]
    assert hand_marks(Budget(games=1)) == [1]


def test_a_small_budget_makes_a_table_and_a_comparison(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_lab(tmp_path / "lab", "oos-targets", "--games", 4, "--simulations", 100)
    rows = table(tmp_path / "lab")
    assert len(rows) == len(VARIANTS) * RUNS * 4
    assert all(np.isfinite(float(row["mbb"])) for row in rows)
    output = capsys.readouterr().out
    assert "no target" in output
    assert max(map(len, output.splitlines())) <= 100
