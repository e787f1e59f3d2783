"""``acpcbot lab sog-leduc``: the shipped network beside the paper's, chains, and a training."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from acpcbot.errors import UsageError
from acpcbot.lab import sog_leduc
from acpcbot.lab.experiment import Budget, Note, Row, Unit
from acpcbot.lab.sog_leduc import (
    EXPERIMENT,
    NONE,
    OWN,
    SHARED,
    SHIPPED,
    TRAINED,
    UNSAFE,
    UNTRAINED,
    paper_text,
)
from tests.lab.running import run_lab, table


def rows_of(unit: Unit, budget: Budget, folder: Path) -> list[Row]:
    return [
        {"unit": unit.name, **dict(unit.settings), **row}
        for row in EXPERIMENT.run(unit, budget, folder)
        if isinstance(row, dict)
    ]


def unit_of(values: str, chain: str, budget: Budget) -> Unit:
    units = EXPERIMENT.units(budget)
    return next(u for u in units if (u.text("values"), u.text("chain")) == (values, chain))


def mean(rows: list[Row], simulations: int, per_update: float = 1.0) -> float:
    found = [row["mbb"] for row in rows if (row["s"], row["c"]) == (simulations, per_update)]
    return float(np.mean([float(value) for value in found]))


def test_units_are_the_tables_of_the_methods() -> None:
    kinds = {(unit.text("values"), unit.text("chain")) for unit in EXPERIMENT.units(Budget())}
    assert kinds == {
        (SHIPPED, OWN),
        (UNTRAINED, OWN),
        (NONE, OWN),
        (NONE, SHARED),
        (NONE, UNSAFE),
    }
    full = EXPERIMENT.units(Budget(is_full=True))
    assert len([unit for unit in full if unit.text("values") == TRAINED]) == 3
    assert paper_text(UNTRAINED, 33) == 840
    assert paper_text(SHIPPED, 1000) == "19 to 26"
    assert paper_text(NONE, 33) is None
    with pytest.raises(UsageError, match="the smallest searches have 10"):
        EXPERIMENT.units(Budget(simulations=9))


def test_the_shipped_network_is_where_the_paper_s_are(tmp_path: Path) -> None:
    """At s = 100 and above at most the paper's greatest, at s = 33 within a fifth of it."""
    budget = Budget(games=4, simulations=300)
    shipped = rows_of(unit_of(SHIPPED, OWN, budget), budget, tmp_path)
    untrained = rows_of(unit_of(UNTRAINED, OWN, budget), budget, tmp_path)
    assert mean(shipped, 33) < 1.2 * 211
    assert mean(shipped, 100) < 113
    assert mean(shipped, 300) < 68
    assert mean(shipped, 10, 0.01) < mean(shipped, 33)
    assert mean(untrained, 33) > 2 * mean(shipped, 33)
    lines = {line.what: line for line in EXPERIMENT.comparison(shipped, budget).lines}
    assert lines["SoG(300,1), shipped"].explanation == "below the least"
    assert lines["SoG(300,1), untrained"].ours is None


def test_a_chain_for_each_seat_is_what_makes_searches_sound(tmp_path: Path) -> None:
    budget = Budget(games=2, simulations=1600)
    own, shared, unsafe = (
        rows_of(unit_of(NONE, chain, budget), budget, tmp_path) for chain in (OWN, SHARED, UNSAFE)
    )
    assert mean(own, 1600) < 0.4 * mean(own, 400)
    assert mean(shared, 1600) > 5 * mean(own, 1600)
    assert mean(unsafe, 1600) > 5 * mean(own, 1600)


def test_a_training_is_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With few episodes; equal rows."""
    monkeypatch.setattr(sog_leduc, "EPISODES", 6)
    monkeypatch.setattr(sog_leduc, "EPISODES_A_NOTE", 4)
    budget = Budget(is_full=True, games=1, simulations=33)
    unit = unit_of(TRAINED, OWN, budget)
    whole = rows_of(unit, budget, tmp_path / "whole")
    assert isinstance(next(EXPERIMENT.run(unit, budget, tmp_path / "parts")), Note)
    assert rows_of(unit, budget, tmp_path / "parts") == whole
    assert [row["s"] for row in whole] == [33, 10]


def test_the_command_writes_table_and_plot(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_lab(tmp_path, "sog-leduc", "--games", 1, "--simulations", 33, "--jobs", 1)
    assert "SoG(33,1), shipped" in capsys.readouterr().out
    rows = table(tmp_path)
    assert {row["values"] for row in rows} == {SHIPPED, UNTRAINED, NONE}
    assert all(float(row["mbb"]) > 0 for row in rows)
