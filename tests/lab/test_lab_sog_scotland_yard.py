"""``acpcbot lab sog-scotland-yard``: the paper's figures, and a training that resumes."""

from __future__ import annotations

from pathlib import Path

import pytest

from acpcbot.lab import sog_scotland_yard
from acpcbot.lab.experiment import Budget, Note, Row, Unit
from acpcbot.lab.results import numbers, where
from acpcbot.lab.sog_scotland_yard import EXPERIMENT, NONE, TRAINED, UNTRAINED, paper_figure

ONE = Budget(games=1)


def unit_of(values: str) -> Unit:
    return next(unit for unit in EXPERIMENT.units(ONE) if unit.text("values") == values)


def rows_of(unit: Unit, budget: Budget, folder: Path) -> list[Row]:
    return [
        {"unit": unit.name, **dict(unit.settings), **row}
        for row in EXPERIMENT.run(unit, budget, folder)
        if isinstance(row, dict)
    ]


def test_the_paper_has_figures_for_networks_alone() -> None:
    assert paper_figure(UNTRAINED, 33) == 0.41
    assert paper_figure(TRAINED, 1000) == "0.015 to 0.021"
    assert paper_figure(NONE, 33) is None


def test_more_simulations_are_less_exploitable_without_a_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sog_scotland_yard, "SIMULATIONS", (33, 300))
    rows = rows_of(unit_of(NONE), ONE, tmp_path)
    (few,) = numbers(where(rows, s=33), "exploitability")
    (many,) = numbers(where(rows, s=300), "exploitability")
    assert many < 0.25 < few < 0.5
    lines = {line.what: line for line in EXPERIMENT.comparison(rows, ONE).lines}
    assert lines["SoG(33,1), no network"].ours == few
    assert lines["SoG(300,1), trained"].ours is None


def test_a_training_goes_on_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With few episodes; equal rows but for the seconds."""
    monkeypatch.setattr(sog_scotland_yard, "EPISODES", 7)
    monkeypatch.setattr(sog_scotland_yard, "EPISODES_A_NOTE", 4)
    monkeypatch.setattr(sog_scotland_yard, "SIMULATIONS", (33,))
    whole = rows_of(unit_of(TRAINED), ONE, tmp_path / "whole")
    started = EXPERIMENT.run(unit_of(TRAINED), ONE, tmp_path / "parts")
    assert isinstance(next(started), Note)
    resumed = rows_of(unit_of(TRAINED), ONE, tmp_path / "parts")
    (first,), (second,) = whole, resumed
    assert float(first.pop("training_cpu_s")) > 0
    assert float(second.pop("training_cpu_s")) > 0
    assert first == second


@pytest.mark.slow
def test_a_trained_network_is_not_above_the_paper_s(tmp_path: Path) -> None:
    """Single strategies scatter by half around the mean of five, which is what is asserted."""
    rows = rows_of(unit_of(TRAINED), Budget(games=5, seed=2), tmp_path)
    for simulations, greatest in ((33, 0.13), (100, 0.058), (300, 0.038), (1000, 0.021)):
        found = numbers(where(rows, s=simulations), "exploitability")
        assert len(found) == 5
        assert sum(found) / 5 < greatest
