"""``acpcbot lab coordination``."""

from __future__ import annotations

from pathlib import Path

import pytest

from acpcbot.lab.coordination import EXPERIMENT
from acpcbot.lab.experiment import Budget, Row
from acpcbot.lab.results import numbers, where
from tests.lab.running import run_lab, table

SMALL = ("coordination", "--games", 2, "--simulations", 20_000)


def test_a_small_budget_makes_a_table_a_csv_and_a_comparison(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_lab(tmp_path / "lab", *SMALL)
    output = capsys.readouterr()
    rows = table(tmp_path / "lab")
    # 4 searches in 2 games, 2 runs each; 1,000, 2,154, 4,642, 10,000 and 20,000 samples.
    assert len(rows) == 4 * 2 * 2 * 5
    assert list(rows[0]) == ["unit", "search", "left_leaf", "run", "samples", "left"]
    assert "OOS targeted at I, left leaf 2" in output.out
    assert "IS-MCTS moves by at most 0 when" in output.out
    assert max(map(len, output.out.splitlines())) <= 100
    assert "8 units, about" in output.err
    assert "memory: " in output.err


def test_oos_finds_the_equilibrium_and_is_mcts_stays_where_it_is(tmp_path: Path) -> None:
    budget = Budget(games=1, simulations=1_000_000)
    rows: list[Row] = [
        {**dict(unit.settings), **row}
        for unit in EXPERIMENT.units(budget)
        for row in EXPERIMENT.run(unit, budget, tmp_path)
        if isinstance(row, dict)
    ]
    last = where(rows, samples=1_000_000)
    for search in ("OOS from the root", "OOS targeted at I"):
        for leaf, left in ((1, 1 / 3), (2, 1 / 6)):
            assert numbers(where(last, search=search, left_leaf=leaf), "left") == pytest.approx(
                [left], abs=0.01
            )
    for search in ("IS-MCTS, UCT", "IS-MCTS, regret matching"):
        one, other = (where(rows, search=search, left_leaf=leaf) for leaf in (1, 2))
        assert numbers(one, "left") == numbers(other, "left")
