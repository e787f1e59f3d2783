"""``acpcbot lab coordination``."""

from __future__ import annotations

from pathlib import Path

import pytest

from acpcbot.lab.coordination import EXPERIMENT
from acpcbot.lab.experiment import Budget, Row
from acpcbot.lab.results import numbers, where


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
