"""Learning curves: points where the recipe wants them, a file that only grows, and a picture of
it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from acpcbot.training.curve import Curve, next_point
from acpcbot.training.recipe import CurveSettings


def points(settings: CurveSettings, last: int) -> list[int]:
    found, done = [], 0
    while (point := next_point(settings, done)) is not None and point <= last:
        found.append(point)
        done = point
    return found


def test_points_lie_where_the_recipe_wants_them() -> None:
    assert points(CurveSettings(), 10**6) == []
    assert points(CurveSettings(points_per_decade=1), 10**4) == [1, 10, 100, 1000, 10_000]
    assert points(CurveSettings(points_per_decade=2), 1000) == [1, 3, 10, 32, 100, 316, 1000]
    assert points(CurveSettings(every=400), 1300) == [400, 800, 1200]
    assert points(CurveSettings(points_per_decade=1, every=4), 12) == [1, 4, 8, 10, 12]


def test_points_are_appended_and_those_after_a_checkpoint_forgotten(tmp_path: Path) -> None:
    curve = Curve(tmp_path / "curve.csv")
    assert curve.rows() == []
    for count in (1, 10, 100):
        curve.add(count, count / 2, {"nash_conv": 1 / count})
    curve.forget_after(10)
    assert [row["count"] for row in Curve(curve.path).rows()] == ["1", "10"]
    curve.add(20, 4.0, {"nash_conv": 0.05, "call_mbb": -3.25, "call_mbb_ci": 1.5})
    assert curve.path.read_text().splitlines() == [
        "count,seconds,nash_conv,call_mbb,call_mbb_ci",
        "1,0.5,1,,",
        "10,5.0,0.1,,",
        "20,4.0,0.05,-3.25,1.5",
    ]


def test_the_picture_is_drawn_beside_the_file(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the extra plots is not installed")
    curve = Curve(tmp_path / "curve.csv")
    assert not curve.draw("nothing yet")
    curve.add(1000, 1.0, {"call_mbb": -20.0, "call_mbb_ci": 5.0})
    curve.add(5000, 2.0, {"call_mbb": 30.0, "call_mbb_ci": 4.0})
    assert curve.draw("against call")
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
