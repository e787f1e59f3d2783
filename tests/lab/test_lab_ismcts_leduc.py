"""``acpcbot lab ismcts-leduc``: a small budget, and the paper's grid."""

from __future__ import annotations

from pathlib import Path

import pytest

from acpcbot.lab.experiment import Budget, Row, Unit
from acpcbot.lab.ismcts_leduc import EXPERIMENT, FINALS, cells
from tests.lab.running import run_lab, table


def rows_of(unit: Unit, budget: Budget, folder: Path) -> list[Row]:
    return [
        {"unit": unit.name, **dict(unit.settings), **row}
        for row in EXPERIMENT.run(unit, budget, folder)
        if isinstance(row, dict)
    ]


def test_the_grid_has_84_cells_and_the_paper_s_best_one() -> None:
    grid = cells(Budget())
    assert sum(map(len, grid.values())) == 84
    best = min((value, cell, final) for cell, row in grid.items() for final, value in row.items())
    assert best == (465, (10_000, 13.0), "most-visits")


def test_a_thousand_simulations_come_near_the_paper(tmp_path: Path) -> None:
    """C 10: 697, 601 and 632 mbb/h there; ours is of two strategies."""
    budget = Budget(games=2)
    unit = next(
        unit
        for unit in EXPERIMENT.units(budget)
        if unit.whole("simulations") == 1000 and unit.number("constant") == 10
    )
    rows = rows_of(unit, budget, tmp_path)
    assert len(rows) == 2 * len(FINALS)
    lines = {line.what: line for line in EXPERIMENT.comparison(rows, budget).lines}
    for final in FINALS:
        line = lines[f"1,000, C 10, {final}"]
        assert line.ours is not None
        assert isinstance(line.paper, int)
        assert line.ours == pytest.approx(line.paper, rel=0.25)


@pytest.mark.slow
def test_a_small_budget_gives_the_same_rows_at_one_and_two_processes(tmp_path: Path) -> None:
    for jobs in (1, 2):
        run_lab(
            tmp_path / str(jobs),
            "ismcts-leduc",
            *("--simulations", 100, "--games", 1, "--jobs", jobs),
        )
    rows = table(tmp_path / "1")
    assert rows == table(tmp_path / "2")
    assert len(rows) == 2 * 7 * 3
