"""``acpcbot lab sog-liars-dice``: a training that comes below the paper's figure, and the table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from acpcbot.lab import sog_liars_dice
from acpcbot.lab.experiment import Budget, Note, Row, Unit
from acpcbot.lab.sog_liars_dice import EXPERIMENT, NETWORK, SIZES, WHOLE, paper_figure


def rows_of(unit: Unit, budget: Budget, folder: Path) -> list[Row]:
    return [
        {"unit": unit.name, **dict(unit.settings), **row}
        for row in EXPERIMENT.run(unit, budget, folder)
        if isinstance(row, dict)
    ]


def units_of(size: str, values: str) -> list[Unit]:
    return [
        unit
        for unit in EXPERIMENT.units(Budget())
        if unit.text("size") == size and unit.text("values") == values
    ]


def test_units_are_of_the_four_sizes_of_the_paper() -> None:
    full = Budget(is_full=True)
    sizes = {unit.text("size") for unit in EXPERIMENT.units(full)}
    assert sizes == set(SIZES)
    assert len([u for u in EXPERIMENT.units(full) if u.text("values") == NETWORK]) == 12
    assert paper_figure("ReBeL, CFR-D", "1x6") == 0.024
    assert paper_figure("whole game, CFR", "2x3") == 0.002


def test_the_whole_game_is_solved_as_far_as_by_the_paper_s_cfr(tmp_path: Path) -> None:
    """Within a factor of 3: so their unit is ours, and the rules are."""
    (unit,) = units_of("1x4", WHOLE)
    (row,) = rows_of(unit, Budget(), tmp_path)
    assert 0 < float(row["exploitability"]) < 3 * paper_figure("whole game, CFR", "1x4")


def test_a_training_goes_on_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With few episodes; equal rows but for the seconds."""
    monkeypatch.setitem(sog_liars_dice.EPISODES, "1x4", 12)
    monkeypatch.setattr(sog_liars_dice, "EPISODES_A_NOTE", 5)
    monkeypatch.setattr(sog_liars_dice, "STRATEGIES", 1)
    monkeypatch.setattr(
        sog_liars_dice, "MEASURED", replace(sog_liars_dice.MEASURED, simulations_per_update=1.0)
    )
    (unit,) = units_of("1x4", NETWORK)
    whole = rows_of(unit, Budget(), tmp_path / "whole")
    started = EXPERIMENT.run(unit, Budget(), tmp_path / "parts")
    assert isinstance(next(started), Note)
    resumed = rows_of(unit, Budget(), tmp_path / "parts")
    (first,), (second,) = whole, resumed
    assert first.pop("training_cpu_s") != 0
    second.pop("training_cpu_s")
    assert first == second
    lines = {line.what: line for line in EXPERIMENT.comparison(whole, Budget()).lines}
    assert lines["1x4, network"].ours == first["exploitability"]
    assert lines["1x4, network"].paper == 0.017
    assert lines["1x5, network"].ours is None


@pytest.mark.slow
def test_a_network_of_the_smallest_size_is_below_the_paper_s_figure(tmp_path: Path) -> None:
    (unit,) = units_of("1x4", NETWORK)
    rows = rows_of(unit, Budget(), tmp_path)
    assert max(float(row["exploitability"]) for row in rows) < paper_figure("ReBeL, CFR-D", "1x4")
