"""``acpcbot lab oos-aggregate`` and the unit that it shares with ``oos-parameters``."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from acpcbot.evaluation.searches.aggregate import Aggregate
from acpcbot.evaluation.searches.whole_strategy import completing_policy
from acpcbot.games.solvers.best_response import sequence_best_response
from acpcbot.lab import aggregated as unit_module
from acpcbot.lab.aggregated import COMPLETION_SEED, form_of
from acpcbot.lab.experiment import Budget, Note, Row
from acpcbot.lab.oos_aggregate import EXPERIMENT, points
from acpcbot.lab.oos_players import MAX_PAYOFFS, SMALL_GAMES
from acpcbot.lab.published import read
from tests.lab.running import run_lab, table

BUDGET = Budget(games=3, simulations=300)


def rows_of(experiment_budget: Budget, names: tuple[str, ...], folder: Path) -> list[Row]:
    """The rows of the units whose names begin so."""
    return [
        {"unit": unit.name, **dict(unit.settings), **row}
        for unit in EXPERIMENT.units(experiment_budget)
        if unit.name.startswith(names)
        for row in EXPERIMENT.run(unit, experiment_budget, folder)
        if not isinstance(row, Note)
    ]


def test_a_small_budget_makes_a_table_and_a_comparison(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_lab(tmp_path / "lab", "oos-aggregate", "--games", 1, "--simulations", 100)
    output = capsys.readouterr().out
    rows = table(tmp_path / "lab")
    # 3 games, 3 searches, 3 runs, one number of simulations.
    assert len(rows) == 27
    for row in rows:
        gains = float(row["gain_0"]) + float(row["gain_1"])
        assert float(row["exploitability"]) == pytest.approx(gains / 2, abs=1e-6)
    assert "GP(3,3,2,2), 100, RM - OOS" in output
    assert "GP(3,3,2,2), 100, UCT, most visits" in output
    assert max(map(len, output.splitlines()[2:])) <= 100


def test_a_unit_goes_on_from_its_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (unit,) = [
        unit
        for unit in EXPERIMENT.units(BUDGET)
        if unit.name == "LD(1,1), OOS, 300 simulations, run 1"
    ]
    monkeypatch.setattr(unit_module, "CHECKPOINT_SECONDS", 0.0)
    (whole,) = [row for row in EXPERIMENT.run(unit, BUDGET, tmp_path) if not isinstance(row, Note)]
    (tmp_path / "sums.npy").unlink()
    notes = EXPERIMENT.run(unit, BUDGET, tmp_path)
    for note in notes:
        if note == Note("2 of 3 matches a seat"):
            break
    # The checkpoint of the first match is written when the second note is asked for.
    assert (tmp_path / "sums.npy").exists()
    monkeypatch.setattr(Aggregate, "best_response", _fails_without_checkpoint(Aggregate, 3))
    (rest,) = [row for row in EXPERIMENT.run(unit, BUDGET, tmp_path) if not isinstance(row, Note)]
    assert rest == whole


def _fails_without_checkpoint(kind: type[Aggregate], num_matches: int):  # type: ignore[no-untyped-def]
    """``best_response`` that requires so many matches in all."""
    original = kind.best_response

    def best_response(self: Aggregate, **settings: bool):  # type: ignore[no-untyped-def]
        assert self.num_matches == num_matches
        return original(self, **settings)

    return best_response


def test_a_checkpoint_of_another_game_is_refused(tmp_path: Path) -> None:
    np.zeros(3).tofile(tmp_path / "sums.npy")
    with pytest.raises(Exception, match="3 numbers, expected 49143"):
        rows_of(BUDGET, ("LD(1,1), OOS, 300 simulations, run 1",), tmp_path)


def test_equal_seeds_give_equal_rows_and_others_do_not(tmp_path: Path) -> None:
    names = ("LD(1,1), UCT, 300 simulations, run 1",)
    once, again = (rows_of(BUDGET, names, tmp_path) for _ in range(2))
    other = rows_of(Budget(games=3, simulations=300, seed=2), names, tmp_path)
    assert once == again != other


def test_full_budgets_are_the_papers_points() -> None:
    assert points(Budget(is_full=True)) == [40_000, 80_000, 160_000, 320_000, 640_000]
    curves = read("oos_2015_aggregate")["curves"]
    assert {game: {*curve} for game, curve in curves.items()} == {
        game: {"OOS", "UCT", "RM"} for game in SMALL_GAMES
    }


def test_knowing_nothing_is_exploitable_by_one_a_seat_as_in_the_papers_figure() -> None:
    # Each seat wins every game against one fixed action everywhere: the sum of gains is 2, and the
    # figure's first points, 1.0, can only be the mean.
    form = form_of("II-GS(6)")
    policy = completing_policy(form, "one-action", COMPLETION_SEED)
    assert sequence_best_response(form, policy).exploitability == pytest.approx(1, abs=1e-9)


def test_the_largest_payoffs_are_those_of_the_games() -> None:
    for game in SMALL_GAMES:
        assert form_of(game).end_payoffs.max() == MAX_PAYOFFS[game]
