"""``acpcbot lab goofspiel-convergence``."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from acpcbot.errors import UsageError
from acpcbot.lab.experiment import Budget, Row
from acpcbot.lab.goofspiel_convergence import EXPERIMENT, rise_from_lowest, shares_below
from acpcbot.lab.results import numbers
from tests.lab.running import run_lab, table


def rows_of(budget: Budget, folder: Path, **settings: object) -> list[Row]:
    """The rows of the units that have these settings."""
    return [
        {**dict(unit.settings), **row}
        for unit in EXPERIMENT.units(budget)
        if settings.items() <= dict(unit.settings).items()
        for row in EXPERIMENT.run(unit, budget, folder)
        if isinstance(row, dict)
    ]


@pytest.mark.slow
def test_a_small_budget_makes_a_table_a_csv_and_a_comparison(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_lab(tmp_path / "lab", "goofspiel-convergence", "--games", 4, "--simulations", 200)
    output = capsys.readouterr()
    rows = table(tmp_path / "lab")
    # 6 algorithms in 2 games from 4 upcards, measured 20 times.
    assert len(rows) == 6 * 2 * 4 * 20
    assert list(rows[0])[-3:] == ["simulations", "nash_conv", "exploitability"]
    assert "PD-Goof(4), RM: % below 0.1 at the end" in output.out
    assert max(map(len, output.out.splitlines())) <= 100


@pytest.mark.parametrize(("variant", "nash_conv"), [("WL", 1.493056), ("PD", 5.0)])
def test_a_tree_without_experience_is_as_exploitable_as_uniform_play(
    variant: str, nash_conv: float, tmp_path: Path
) -> None:
    """The first simulation leaves uniform strategies; OpenSpiel gives these figures for them."""
    budget = Budget(games=4, simulations=1)
    rows = rows_of(budget, tmp_path, game=variant, algorithm="RM")
    assert len(rows) == 4
    # Chance turns up each first upcard alike, and both seats see it.
    assert np.mean(numbers(rows, "nash_conv")) == pytest.approx(nash_conv, abs=1e-6)
    for row in rows:
        assert float(row["exploitability"]) == pytest.approx(float(row["nash_conv"]) / 2)


def test_oos_comes_near_to_an_equilibrium(tmp_path: Path) -> None:
    rows = rows_of(
        Budget(games=4, simulations=20_000), tmp_path, game="WL", algorithm="OOS", upcard=1
    )
    found = numbers(rows, "exploitability")
    assert found[-1] < 0.3 < found[0]


def test_the_rise_of_a_mean_is_taken_run_by_run() -> None:
    rows: list[Row] = [
        {"upcard": 1, "run": run, "simulations": point, "exploitability": 0.1 * run + height}
        for run in (1, 2)
        for point, height in ((10, 0.5), (20, 0.2), (30, 0.3))
    ]
    found = rise_from_lowest(rows)
    assert found is not None
    assert found[0] == 20
    assert found[1:] == pytest.approx((0.1, 0.0))
    assert shares_below(rows, 0.45) == [0, 100, 100, 0, 100, 0]


def test_runs_are_shared_out_among_first_upcards() -> None:
    with pytest.raises(UsageError, match="--games 6: expected a multiple of 4"):
        EXPERIMENT.estimate(Budget(games=6))
