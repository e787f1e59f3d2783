"""``acpcbot lab goofspiel-tables``."""

from __future__ import annotations

from pathlib import Path

import pytest

from acpcbot.lab.experiment import Budget, Row
from acpcbot.lab.goofspiel import (
    REWARDS,
    VARIANTS,
    constant_at,
    constant_of,
    game_of,
    policy_of,
    root_of,
    simulations_a_second,
    tree_bytes,
)
from acpcbot.lab.goofspiel_tables import (
    EXPERIMENT,
    judge,
    num_games,
    pairs,
    paper_score,
    score_of,
)
from acpcbot.lab.results import numbers
from acpcbot.tree_search.simultaneous import SimultaneousSearch
from tests.lab.running import run_lab, table


@pytest.mark.slow
def test_a_small_budget_makes_a_table_a_csv_and_a_comparison(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_lab(tmp_path / "lab", "goofspiel-tables", "--games", 2, "--simulations", 50)
    output = capsys.readouterr()
    rows = table(tmp_path / "lab")
    assert len(rows) == 2 * 21 * 2
    assert list(rows[0])[-2:] == ["number", "score"]
    assert {row["score"] for row in rows if row["game"] == "WL"} <= {"0.0", "50.0", "100.0"}
    assert "PD-Goof: RM - OOS+" in output.out
    assert max(map(len, output.out.splitlines())) <= 100


def test_the_cells_are_those_of_the_paper() -> None:
    assert len(pairs()) == 21
    assert pairs()[0] == ("DUCT(max)", "RND")
    assert pairs()[-1] == ("RM", "OOS+")
    assert paper_score("WL", "RM", "DUCT(max)") == 63.3
    assert paper_score("PD", "OOS", "Exp3") == -1.71
    assert paper_score("PD", "RM", "OOS+") == 0.17


def test_all_pairings_but_one_are_significant_in_each_table() -> None:
    for variant in VARIANTS:
        open_ones = [
            (one, two)
            for one, two in pairs()
            if judge(variant, 1000.0, 1.0, paper_score(variant, one, two)).startswith("not sig")
        ]
        assert open_ones == [("RM", "OOS+")]


def test_the_default_plays_what_it_can_resolve() -> None:
    """Caught: cells with too few games for the paper's difference, which decide nothing."""
    default = Budget()
    # 13.3 % and games of 49 %: the square of 2.8 * 49 / 13.3 is 106.4.
    assert num_games(default, "WL", "RM", "DUCT(max)") == 108
    assert num_games(default, "PD", "RM", "RND") == 40
    assert num_games(default, "WL", "RM", "OOS") == num_games(default, "WL", "RM", "OOS+") == 0
    assert num_games(default, "PD", "OOS", "DUCT(mix)") == 0
    units = EXPERIMENT.units(default)
    played = {(unit.text("game"), unit.text("one"), unit.text("two")) for unit in units}
    lines = EXPERIMENT.comparison([], default).lines
    assert len(lines) == len(played) == 16
    assert sum(unit.whole("end") - unit.whole("first") for unit in units) == sum(
        num_games(default, *cell) for cell in played
    )
    assert "left out" in EXPERIMENT.comparison([], default).notes[1]
    assert len(EXPERIMENT.comparison([], Budget(games=2)).lines) == 42


def test_the_full_budget_is_the_papers_second() -> None:
    """More than a day of a core, with the simulations that the paper's program made in a second."""
    full = Budget(is_full=True)
    assert 1 < EXPERIMENT.estimate(full).cpu_seconds / 86_400 < 2
    note = EXPERIMENT.comparison([], full).notes[0]
    assert "games a cell: 1,000; simulations a move: 85,940 to 186,962" in note
    assert "simulations a move: 85,940" in EXPERIMENT.comparison([], Budget()).notes[0]
    assert "simulations a move: 500," in EXPERIMENT.comparison([], Budget(simulations=500)).notes[0]


@pytest.mark.parametrize("variant", VARIANTS)
def test_duct_spreads_its_visits_as_after_the_papers_second(variant: str) -> None:
    """Caught: C 150 with 10,000 simulations, which is close to uniform play in PD-Goof."""

    def concentration(constant: float, simulations: int) -> float:
        """The sum of squared visit shares when 13 is turned up: 1/13 in uniform play."""
        search = SimultaneousSearch(
            game_of(variant, 13),
            policy_of("DUCT(mix)", variant, constant),
            1,
            REWARDS[variant],
            tree_bytes(13, simulations),
        )
        search.begin(root_of(variant, 13, 13))
        search.simulate(simulations)
        return float((search.strategy(0) ** 2).sum())

    papers = constant_of("DUCT(mix)", variant)
    after_a_second = concentration(papers, simulations_a_second("DUCT(mix)"))
    fitted = constant_at("DUCT(mix)", variant, 10_000)
    assert concentration(fitted, 10_000) == pytest.approx(after_a_second, rel=0.5)
    assert concentration(papers, 10_000) < 0.6 * after_a_second
    assert (constant_at("DUCT(max)", variant, 10_000) == papers) == (variant == "WL")
    assert constant_at("RM", variant, 100) == constant_of("RM", variant)


def test_a_figure_is_judged_by_its_sign() -> None:
    assert judge("WL", 55.0, 3.0, 63.3) == "the paper's sign"
    assert judge("WL", 45.0, 3.0, 63.3) == "the other sign"
    assert judge("WL", 52.0, 3.0, 63.3) == "sign not resolved here"
    assert judge("PD", -1.0, 0.5, -1.71) == "the paper's sign"


def test_units_are_cut_into_chunks_that_make_up_the_same_games(tmp_path: Path) -> None:
    """A game depends on its number alone, whatever unit it is played in."""
    budget = Budget(games=6, simulations=30)
    unit = next(unit for unit in EXPERIMENT.units(budget) if unit.text("one") == "RM")
    assert (unit.whole("first"), unit.whole("end")) == (0, 6)
    whole = [row for row in EXPERIMENT.run(unit, budget, tmp_path) if isinstance(row, dict)]
    settings = tuple((k, 2 if k == "first" else v) for k, v in unit.settings)
    part = type(unit)("a part", settings)
    found = [row for row in EXPERIMENT.run(part, budget, tmp_path) if isinstance(row, dict)]
    assert found == whole[2:]
    assert [row["number"] for row in whole] == list(range(6))


def test_long_cells_are_shared_out_among_units() -> None:
    units = EXPERIMENT.units(Budget(is_full=True))
    games: dict[tuple[str, str, str], int] = {}
    for unit in units:
        cell = unit.text("game"), unit.text("one"), unit.text("two")
        games[cell] = games.get(cell, 0) + unit.whole("end") - unit.whole("first")
        assert unit.whole("first") % 2 == 0
    assert set(games.values()) == {1000}
    assert len(games) == 42


def test_two_games_on_the_same_upcards_are_one_sample() -> None:
    rows: list[Row] = [
        {"game": "WL", "one": "RM", "two": "OOS", "number": number, "score": score}
        for number, score in enumerate((100.0, 0.0, 100.0, 50.0))
    ]
    mean, half_width = score_of(rows, "WL", "RM", "OOS")
    assert mean == 62.5
    # Two pairs, with 50 and 75: the error of their mean is 12.5.
    assert half_width == pytest.approx(12.706 * 12.5, rel=0.06)
    assert numbers(rows, "score") == [100.0, 0.0, 100.0, 50.0]


def test_regret_matching_beats_the_random_player(tmp_path: Path) -> None:
    budget = Budget(games=40, simulations=1000)
    unit = next(unit for unit in EXPERIMENT.units(budget) if unit.text("one") == "RM")
    rows = [row for row in EXPERIMENT.run(unit, budget, tmp_path) if isinstance(row, dict)]
    assert sum(numbers(rows, "score")) / len(rows) > 55
