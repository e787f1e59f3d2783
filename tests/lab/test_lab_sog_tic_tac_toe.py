"""``acpcbot lab sog-tic-tac-toe``: a training that resumes, and the table."""

from __future__ import annotations

from pathlib import Path

import pytest

from acpcbot.lab import sog_tic_tac_toe
from acpcbot.lab.experiment import Budget, Note, Row, Unit
from acpcbot.lab.sog_tic_tac_toe import EXPERIMENT, NONE, TRAINED


def rows_of(unit: Unit, folder: Path) -> list[Row]:
    return [
        {"unit": unit.name, **dict(unit.settings), **row}
        for row in EXPERIMENT.run(unit, Budget(), folder)
        if isinstance(row, dict)
    ]


def test_units_are_trainings_and_searches_without_a_network() -> None:
    found = [unit.text("values") for unit in EXPERIMENT.units(Budget())]
    assert found == [TRAINED, TRAINED, TRAINED, NONE]
    assert len(EXPERIMENT.units(Budget(games=1))) == 2
    assert EXPERIMENT.estimate(Budget(is_full=True)).cpu_seconds > 200


@pytest.mark.slow
def test_a_training_goes_on_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With few episodes; equal rows but for the seconds."""
    monkeypatch.setattr(sog_tic_tac_toe, "EPISODES", 7)
    monkeypatch.setattr(sog_tic_tac_toe, "EPISODES_A_NOTE", 4)
    monkeypatch.setattr(sog_tic_tac_toe, "SIMULATIONS", (10,))
    unit = EXPERIMENT.units(Budget())[0]
    whole = rows_of(unit, tmp_path / "whole")
    started = EXPERIMENT.run(unit, Budget(), tmp_path / "parts")
    assert isinstance(next(started), Note)
    resumed = rows_of(unit, tmp_path / "parts")
    (first,), (second,) = whole, resumed
    assert float(first.pop("training_cpu_s")) >= 0
    second.pop("training_cpu_s")
    assert first == second
    lines = {line.what: line for line in EXPERIMENT.comparison(whole, Budget()).lines}
    assert lines["SoG(10,1), trained"].ours == first["nash_conv"]
    assert lines["SoG(10,1), no network, greedy"].ours is None
    assert [panel.title for panel in EXPERIMENT.chart(whole, Budget()).panels] == [
        "average policy",
        "most probable action",
    ]


@pytest.mark.slow
def test_training_and_simulations_lower_nash_conv(tmp_path: Path) -> None:
    """A minute and a half: with enough simulations the trained network loses nothing by far."""
    rows = rows_of(EXPERIMENT.units(Budget())[0], tmp_path)
    by_count = {int(row["s"]): row for row in rows}
    assert float(by_count[1600]["greedy_nash_conv"]) == 0
    assert float(by_count[1600]["nash_conv"]) < 0.02
    assert float(by_count[400]["nash_conv"]) < 0.1
