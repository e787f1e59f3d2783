"""``acpcbot lab oos-parameters``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from acpcbot.lab.experiment import Budget, Note, Row
from acpcbot.lab.oos_parameters import CASES, DELTAS, EPSILONS, EXPERIMENT
from tests.lab.running import run_lab, table


@pytest.mark.slow
def test_a_small_budget_makes_a_table_and_a_comparison(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_lab(tmp_path / "lab", "oos-parameters", "--games", 1, "--simulations", 20)
    output = capsys.readouterr().out
    rows = table(tmp_path / "lab")
    assert len(rows) == len(CASES) * len(DELTAS) * len(EPSILONS) * 2 * 3
    assert "LD(1,1), public, 20: without w_T less with" in output
    assert max(map(len, output.splitlines()[2:])) <= 100


def test_settings_of_a_unit_reach_its_search(tmp_path: Path) -> None:
    budget = Budget(games=2, simulations=100)
    found = {}
    for unit in EXPERIMENT.units(budget):
        if unit.name.startswith("LD(1,1)") and unit.whole("run") == 1:
            kind = unit.text("targeting"), unit.number("delta"), unit.text("w_T")
            if unit.number("epsilon") == EPSILONS[0] and kind[1] in (0.9, 1.0):
                # One seed for all, so that only the settings tell them apart.
                same = replace(unit, name="LD(1,1)")
                (row,) = (
                    row
                    for row in EXPERIMENT.run(same, budget, tmp_path)
                    if not isinstance(row, Note)
                )
                found[kind] = row["exploitability"]
    assert len(found) == 2 * 2 * 2
    # Public targets differ less from each other: of such short searches, not in the last digit.
    infoset, public = (
        {value for kind, value in found.items() if kind[0] == targeting}
        for targeting in ("infoset", "public")
    )
    assert len(infoset) == 4
    assert not infoset & public


def made_up_rows(budget: Budget) -> list[Row]:
    """A row for each unit: 1 with w_T, 1.25 without, more with fewer simulations."""
    return [
        {
            **dict(unit.settings),
            "matches": 30,
            "exploitability": (1.25 if unit.text("w_T") == "without" else 1.0)
            + (unit.whole("simulations") == 1_000) / 2
            + unit.whole("run") / 1000,
        }
        for unit in EXPERIMENT.units(budget)
    ]


def test_differences_are_paired_and_named() -> None:
    budget = Budget()
    comparison = EXPERIMENT.comparison(made_up_rows(budget), budget)
    by_name = {line.what: line for line in comparison.lines}
    weighed = by_name["GP(3,3,2,2), public, 5,000: without w_T less with"]
    assert weighed.ours == pytest.approx(0.25)
    assert weighed.explanation == "rises"
    falls = by_name["II-GS(6), infoset, delta 0.5: 5,000 less 1,000"]
    assert falls.ours == pytest.approx(-0.5)
    assert (falls.paper, falls.explanation) == ("falls", "falls")
    stuck = by_name["LD(1,1), infoset, delta 1: 5,000 less 1,000"]
    assert stuck.paper == "no better"
    level = by_name["LD(1,1), public, delta 0.9, 1,000"]
    assert level.ours == pytest.approx(1.502)


def test_a_comparison_without_rows_names_what_is_missing() -> None:
    comparison = EXPERIMENT.comparison([], Budget())
    assert {line.ours for line in comparison.lines} == {None}
