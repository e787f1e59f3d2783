"""``acpcbot lab``: the list, refusals, the table and the plot, without long work."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from acpcbot.cli.dispatch import main
from acpcbot.lab.catalogue import NAMES, find_experiment
from acpcbot.lab.charts import comparison_text, draw, explanation_of, number_text
from acpcbot.lab.experiment import Budget, Chart, Compared, Comparison, Line, Panel, Unit, unit_seed
from acpcbot.lab.results import Results
from tests.lab.running import document, kept_units, run_lab, table

QUICK = ("coordination", "--games", "2", "--simulations", "20000")


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small experiment; nothing may change it."""
    folder = tmp_path_factory.mktemp("lab") / "finished"
    run_lab(folder, *QUICK, "--jobs", 1)
    return folder


def test_a_small_budget_makes_a_table_a_csv_and_a_comparison(
    finished: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Shown again, which takes no work and needs no worker."""
    rows = table(finished)
    # 4 searches in 2 games, 2 runs each; 1,000, 2,154, 4,642, 10,000 and 20,000 samples.
    assert len(rows) == 4 * 2 * 2 * 5
    assert list(rows[0]) == ["unit", "search", "left_leaf", "run", "samples", "left"]
    assert len(kept_units(finished)) == 8
    run_lab(finished, *QUICK)
    output = capsys.readouterr()
    assert "OOS targeted at I, left leaf 2" in output.out
    assert "IS-MCTS moves by at most 0 when" in output.out
    assert max(map(len, output.out.splitlines())) <= 100
    assert output.err.splitlines()[0] == str(finished / "table.csv")


def test_the_list_has_a_line_of_at_most_100_columns_for_each_experiment(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["lab", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 100
    # The source of each stands in a line of its own, which is indented.
    assert [line.split()[0] for line in lines[1:] if line[0] != " "] == list(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_an_experiment_has_distinct_units_and_full_takes_longer(name: str) -> None:
    experiment = find_experiment(name)
    assert experiment.name == name
    assert len(experiment.title) <= 45
    assert len(experiment.source) <= 45
    budgets = Budget(), Budget(is_full=True)
    for budget in budgets:
        units = experiment.units(budget)
        assert len({unit.name for unit in units}) == len(units) > 0
        assert units == experiment.units(budget)
        # Nothing is measured yet: the table says so, line by line.
        lines = experiment.comparison([], budget).lines
        assert lines
        assert all(line.ours is None for line in lines)
    default, full = (experiment.estimate(budget) for budget in budgets)
    assert 0 < default.cpu_seconds < full.cpu_seconds


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["coordinaton"], "did you mean coordination"),
        (["coordination", "--games", "0"], "--games 0: expected at least 1"),
        (["coordination", "--simulations", "-3"], "--simulations -3: expected at least 1"),
        (["coordination", "--seed", "-1"], "--seed -1: expected 0 to 4294967295"),
        (["coordination", "--jobs", "0"], "--jobs 0: expected at least 1"),
        (["oos-root", "--games", "5"], "oos-root takes no --games"),
        (["ismcts-leduc", "--simulations", "9"], "the smallest searches of the table have 10"),
    ],
)
def test_bad_input_is_one_line_and_a_hint(
    words: list[str],
    problem: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["lab", *words]) == 1
    output = capsys.readouterr()
    assert output.out == ""
    assert problem in output.err
    assert "\nhint: " in output.err
    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_other_settings_or_other_files_is_refused(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = (finished / "rows.jsonl").read_bytes()
    for words, problem in (
        (["coordination", "--games", "3", "--simulations", "20000"], "--games 2"),
        ([*QUICK, "--full"], "--full"),
        (["oos-root"], "holds coordination"),
    ):
        capsys.readouterr()
        assert main(["lab", *words, "-o", str(finished)]) == 1
        talk = capsys.readouterr().err
        assert problem in talk
        assert "hint: name another folder, -o FOLDER" in talk
    assert (finished / "rows.jsonl").read_bytes() == kept
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("mine")
    assert main(["lab", *QUICK, "-o", str(tmp_path / "other")]) == 1
    assert "holds other files" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "other").iterdir() if path.suffix] == ["letter.txt"]


def test_the_document_holds_what_the_table_says_and_no_plot_without_matplotlib(
    finished: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    shutil.copytree(finished, tmp_path / "lab", ignore=shutil.ignore_patterns("plot.png"))
    run_lab(tmp_path / "lab", *QUICK, "--json")
    output = capsys.readouterr()
    found = document(output.out)
    assert found["experiment"] == "coordination"
    assert len(found["lines"]) == 8
    assert set(found["lines"][0]) == {"what", "ours", "half_width", "paper", "explanation"}
    assert "no plot: it needs matplotlib" in output.err
    assert not (tmp_path / "lab" / "plot.png").exists()
    assert found["files"] == [str(tmp_path / "lab" / "table.csv")]


def test_a_plot_is_drawn_of_lines_and_of_dots(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the extra plots is not installed")
    lines = [
        Line(label="ours", xs=[1, 10], ys=[0.5, 0.1], half_widths=[0.1, 0.0]),
        Line(label="paper", xs=[1, 10], ys=[0.6, 0.2], is_paper=True),
    ]
    panel = Panel(title="curves", x_label="samples", y_label="NashConv", lines=lines)
    assert draw(Chart("both", [panel]), tmp_path / "plot.png")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")


def test_the_table_says_what_is_missing_and_what_is_inside_the_interval() -> None:
    lines = [
        Compared("near", 0.3341, 0.001, 1 / 3),
        Compared("far", 0.5, 0.01, 1 / 3, "another rule for ties"),
        Compared("not there", None, None, 0.25),
        Compared("a name that is so long that it has to be wrapped " * 2, 12.0, None, "rises"),
    ]
    text = comparison_text(Comparison("probability", lines, ["a note"]))
    assert max(map(len, text.splitlines())) <= 100
    assert [explanation_of(line) for line in lines] == [
        "within our interval",
        "another rule for ties",
        "not measured yet",
        "",
    ]
    assert "0.3341  0.0010  0.3333  within our interval" in text
    assert number_text(None) == number_text(float("nan")) == "–"


def test_seeds_depend_on_the_unit_and_the_seed_alone() -> None:
    one, other = Unit("one", ()), Unit("other", (), 7.0)
    seeds = {
        unit_seed(Budget(seed=seed), unit, number)
        for seed in (1, 2)
        for unit in (one, other)
        for number in (0, 1)
    }
    assert len(seeds) == 8
    assert unit_seed(Budget(), one) == unit_seed(Budget(is_full=True, games=9), one)


def test_rows_come_back_as_they_were_and_those_of_another_version_are_refused(
    tmp_path: Path,
) -> None:
    units = [Unit("one", (("cards", 4),)), Unit("other", ())]
    results = Results(tmp_path / "lab", "x", Budget(), units)
    results.begin()
    results.keep(units[1], [{"value": 0.1 + 0.2}], 1.5)
    results.keep(units[0], [{"value": 1}, {"value": 2}], 0.5)
    results.close()
    # The rest of a write that was cut off counts for nothing.
    with (tmp_path / "lab" / "rows.jsonl").open("ab") as file:
        file.write(b'{"unit": "on')
    again = Results(tmp_path / "lab", "x", Budget(), units)
    assert again.rows == [
        {"unit": "one", "cards": 4, "value": 1},
        {"unit": "one", "cards": 4, "value": 2},
        {"unit": "other", "value": 0.1 + 0.2},
    ]
    assert again.missing == []
    with pytest.raises(Exception, match="'one' is none of this version's units"):
        Results(tmp_path / "lab", "x", Budget(), units[1:])
