"""``acpcbot lab oos-root``: a small budget, checkpoints, and the paper's curves."""

from __future__ import annotations

from pathlib import Path

import pytest

from acpcbot.games.generic_poker import LEDUC
from acpcbot.lab import oos_root
from acpcbot.lab.checkpoints import Position, load_search, save_search
from acpcbot.lab.experiment import Budget, Row, Unit
from acpcbot.lab.oos_root import EXPERIMENT, make_search, paper_seconds, paper_value, sample_points
from tests.lab.running import run_lab, table

LEDUC_OOS = Unit("Leduc, OOS", (("game", "Leduc"), ("search", "OOS")))


def rows_of(unit: Unit, budget: Budget, folder: Path) -> list[Row]:
    return [row for row in EXPERIMENT.run(unit, budget, folder) if isinstance(row, dict)]


@pytest.mark.parametrize("search", ["OOS", "UCT", "RM"])
def test_a_search_from_a_checkpoint_goes_on_as_if_nothing_had_happened(
    search: str, tmp_path: Path
) -> None:
    """Caught: random numbers or a table that a checkpoint leaves out."""
    whole, first, second = (make_search(LEDUC, search, 13.0, seed) for seed in (5, 5, 6))
    for part in (whole, first):
        oos_root._search_batch(part, Position(0, 0.0, []), 600)
    position = Position(600, 1.5, [{"samples": 600, "nash_conv": 0.1 + 0.2}])
    save_search(tmp_path, first, position)
    assert load_search(tmp_path, second) == position
    for part in (whole, second):
        oos_root._search_batch(part, Position(600, 1.5, []), 800)
    assert second.table.used.tolist() == whole.table.used.tolist()
    used = int(whole.table.used[1])
    assert second.table.sums[:used].tolist() == whole.table.sums[:used].tolist()
    assert second.random_state.tolist() == whole.random_state.tolist()


def test_a_unit_that_was_killed_goes_on_from_its_checkpoint_with_its_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(oos_root, "CHECKPOINT_SECONDS", 0.0)
    budget = Budget(simulations=20_000)
    (tmp_path / "whole").mkdir()
    (tmp_path / "killed").mkdir()
    whole = rows_of(LEDUC_OOS, budget, tmp_path / "whole")
    killed = EXPERIMENT.run(LEDUC_OOS, budget, tmp_path / "killed")
    seen = [row for _, row in zip(range(9), killed, strict=False) if isinstance(row, dict)]
    assert 0 < len(seen) < len(whole)
    killed.close()  # type: ignore[attr-defined]
    assert rows_of(LEDUC_OOS, budget, tmp_path / "killed") == whole


def test_full_budgets_count_seconds_and_keep_the_paper_s_points(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(oos_root, "paper_seconds", lambda: [0.01, 0.03])
    rows = rows_of(LEDUC_OOS, Budget(is_full=True), tmp_path)
    assert [row["point"] for row in rows] == [0.01, 0.03]
    assert all(float(row["seconds"]) >= float(row["point"]) for row in rows)
    assert len(paper_seconds()) == 45
    assert {4.0, 33.0, 246.0, 1829.0} <= set(paper_seconds())


def test_the_paper_s_values_are_those_of_its_curves() -> None:
    assert paper_value("LD(1,1)", "OOS", 4) == pytest.approx(0.147, abs=0.001)
    assert paper_value("II-GS(6)", "OOS", 1829) == pytest.approx(0.0037, abs=1e-4)
    assert paper_value("GP(3,3,2,2)", "OOS", 4) == pytest.approx(1.80, abs=0.01)
    assert paper_value("Leduc", "UCT", 4) is None
    assert paper_value("LD(1,1)", "OOS", 0.01) is None
    assert sample_points(Budget(simulations=5_001))[-1] == 5_000


@pytest.mark.slow
def test_a_small_budget_measures_every_search_in_every_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Caught: rows that depend on the number of processes."""
    for jobs in (1, 2):
        run_lab(tmp_path / str(jobs), "oos-root", "--simulations", 2_000, "--jobs", jobs)
    assert table(tmp_path / "1") == table(tmp_path / "2")
    # 4 games, 3 searches; 1,000, 1,778 and 2,000 samples.
    assert len(table(tmp_path / "1")) == 4 * 3 * 3
    assert "II-GS(6), UCT: last over lowest" in capsys.readouterr().out
