"""``acpcbot.train``: the strategy that comes of it, and its curve."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import acpcbot
from acpcbot.errors import UsageError
from acpcbot.research import TrainingResult
from acpcbot.research.training_runs import read_curve

RECIPE = """
game = "kuhn.limit.2p"
snapshot = "strategies/kuhn.limit.2p/mine"

[learner]
name = "dcfr"

[budget]
count = 300

[curve]
points_per_decade = 2
"""


def trained(folder: Path, text: str = RECIPE) -> TrainingResult:
    return acpcbot.train(acpcbot.parse_recipe(text), folder=folder)


def test_training_returns_the_trained_strategy(tmp_path: Path) -> None:
    """Catches a curve of another run: its end is the exploitability of the strategy."""
    result = trained(tmp_path)
    curve = result.curve
    assert result.num_steps == curve.counts[-1] == 300
    assert curve.counts.tolist() == [1, 3, 10, 32, 100, 300]
    found = acpcbot.exploitability(result.strategy)
    assert 1000 * curve.values["exploitability"][-1] == pytest.approx(found.exploitability_mbb)
    assert found.exploitability_mbb < 10 < 1000 * curve.values["exploitability"][0]
    assert result.strategy.learner == "dcfr"
    assert result.folder == tmp_path


def test_a_run_that_is_over_is_not_trained_again_and_a_longer_one_goes_on(tmp_path: Path) -> None:
    """Catches a run that starts from nothing, or that ends too soon."""
    heard: list[int] = []
    first = trained(tmp_path)
    longer = acpcbot.parse_recipe(RECIPE.replace("count = 300", "count = 400"))
    again = acpcbot.train(
        longer,
        folder=tmp_path,
        output=tmp_path / "there",
        on_progress=lambda position: heard.append(position.count),
    )
    assert heard == [316, 400]
    assert again.num_steps == 400
    assert again.curve.counts[:5].tolist() == first.curve.counts[:5].tolist()
    assert (tmp_path / "there" / "manifest.json").exists()


def test_a_recipe_may_be_a_file_or_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Catches a run beside the shipped strategy, or a name that leads nowhere."""
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(RECIPE)
    result = acpcbot.train("mine.toml")
    assert result.folder == Path("runs/kuhn.limit.2p/mine")
    assert result.strategy.name == "runs/kuhn.limit.2p/mine/strategy"
    assert not Path("strategies").exists()
    with pytest.raises(UsageError, match="no recipe nowhere"):
        acpcbot.train("nowhere")


def test_a_result_is_one_line_and_a_curve(tmp_path: Path) -> None:
    """Catches numbers by the page, and a picture without its curves."""
    result = trained(tmp_path)
    assert repr(result).startswith(f"<TrainingResult {tmp_path}/strategy: 300 steps in ")
    assert repr(result.curve).startswith("<LearningCurve of 6 points: nash_conv 0.00")
    page = ElementTree.fromstring(result._repr_html_())
    curves = [path for path in page.iter("path") if "curve" in str(path.get("class"))]
    assert len(curves) == len(result.curve.values)
    assert all(path.get("d", "").count("L") == 5 for path in curves)


def test_without_points_there_is_no_curve_and_it_says_so(tmp_path: Path) -> None:
    """Catches an empty picture."""
    result = trained(tmp_path, RECIPE.partition("[curve]")[0])
    assert len(result.curve.counts) == 0
    assert "no points" in result._repr_html_()


def test_intervals_stand_beside_their_values(tmp_path: Path) -> None:
    """Catches a column of half widths that counts as a value."""
    path = tmp_path / "curve.csv"
    path.write_text("count,seconds,call_mbb,call_mbb_ci\n10,1.5,-3,2\n100,9,4,\n")
    curve = read_curve(path)
    assert list(curve.values) == list(curve.half_widths) == ["call_mbb"]
    assert curve.values["call_mbb"].tolist() == [-3, 4]
    assert np.isnan(curve.half_widths["call_mbb"][1])
    assert curve.seconds.tolist() == [1.5, 9]
