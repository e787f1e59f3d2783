"""``acpcbot lab oos-matches``."""

from __future__ import annotations

from pathlib import Path

import pytest

from acpcbot.lab.experiment import Budget, Note, Row
from acpcbot.lab.oos_matches import (
    EXPERIMENT,
    PLAYERS,
    SECONDS,
    num_games,
    score,
    simulations,
)
from acpcbot.lab.oos_players import GAMES
from acpcbot.lab.published import read


def rows_of(budget: Budget, cell: str, folder: Path) -> list[Row]:
    """The rows of a cell's units, without their names."""
    return [
        row
        for unit in EXPERIMENT.units(budget)
        if unit.name.startswith(f"{cell}, games")
        for row in EXPERIMENT.run(unit, budget, folder)
        if not isinstance(row, Note)
    ]


@pytest.mark.parametrize("game", GAMES)
def test_searches_play_each_other_in_every_game(game: str, tmp_path: Path) -> None:
    budget = Budget(games=2, simulations=40)
    for cell in ("OOS - UCT", "RM - OOS"):
        rows = rows_of(budget, f"{game}, {cell}", tmp_path)
        assert [row["number"] for row in rows] == [1, 2]
        if "GP" not in game:
            assert {row["score"] for row in rows} <= {0.0, 50.0, 100.0}


def test_games_do_not_depend_on_how_a_cell_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    budget = Budget(games=5, simulations=50)
    whole = rows_of(budget, "LD(1,1), OOS - RM", tmp_path)
    monkeypatch.setattr("acpcbot.lab.oos_matches.UNIT_SECONDS", 1e-9)
    cut = [
        unit
        for unit in EXPERIMENT.units(budget)
        if unit.name.startswith("LD(1,1), OOS - RM, games")
    ]
    assert [unit.whole("count") for unit in cut] == [1] * 5
    assert rows_of(budget, "LD(1,1), OOS - RM", tmp_path) == whole


def test_every_game_of_a_cell_is_in_one_unit() -> None:
    for budget in (Budget(), Budget(is_full=True), Budget(games=7)):
        played: dict[tuple[str, str, str], list[int]] = {}
        for unit in EXPERIMENT.units(budget):
            cell = unit.text("game"), unit.text("row"), unit.text("column")
            first = unit.whole("first")
            played.setdefault(cell, []).extend(range(first, first + unit.whole("count")))
        assert len(played) == len(GAMES) * len(PLAYERS) ** 2
        for (game, _, _), numbers in played.items():
            assert numbers == list(range(num_games(game, budget)))


def test_full_budgets_are_the_papers() -> None:
    full = Budget(is_full=True)
    assert {num_games(game, full) for game in GAMES} == {500}
    assert simulations("LD(2,2)", full) == 2_000_000
    assert simulations("II-GS(6)", full) == 40_000
    cells = read("oos_2015_matches")["cells"]
    assert {*cells} == {*GAMES} == {*SECONDS}
    for rows in cells.values():
        assert {row: {*columns} for row, columns in rows.items()} == {
            player: {*PLAYERS} for player in PLAYERS
        }


def test_figures_are_percent_won_or_chips_above_the_value() -> None:
    assert [score("LD(1,1)", payoff) for payoff in (-1.0, 0.0, 1.0)] == [0, 50, 100]
    assert score("GP(3,3,2,2)", -0.11135308803867544) == pytest.approx(0)


def test_signs_stand_beside_the_papers() -> None:
    budget = Budget(games=4)
    cells = {
        ("OOS", "random"): [100.0, 100.0, 100.0, 100.0],  # the paper: 83.1
        ("RM", "UCT"): [0.0, 0.0, 0.0, 0.0],  # 70.6
        ("UCT", "UCT"): [0.0, 100.0, 50.0, 50.0],  # 62.9
        ("OOS", "OOS"): [0.0, 0.0, 0.0, 0.0],  # 49.3, not significant
        ("UCT", "RM"): [50.0],  # three games missing
    }
    rows: list[Row] = [
        {"game": "II-GS(6)", "row": row, "column": column, "score": value}
        for (row, column), values in cells.items()
        for value in values
    ]
    words = {
        line.what: (line.ours, line.explanation)
        for line in EXPERIMENT.comparison(rows, budget).lines
    }
    assert words["II-GS(6), OOS - random"] == (100.0, "the paper's sign")
    assert words["II-GS(6), RM - UCT"] == (0.0, "the other sign")
    assert words["II-GS(6), UCT - UCT"] == (50.0, "sign not decided by these games")
    assert words["II-GS(6), OOS - OOS"] == (0.0, "the paper's sign is not significant")
    assert words["II-GS(6), UCT - RM"] == (None, "")
