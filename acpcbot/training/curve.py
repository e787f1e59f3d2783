"""The learning curve: a CSV file that grows a line at each point, and its picture.

Columns are ``count`` (episodes or iterations), ``seconds`` of training, and the measured
values by name; a value's 95 % interval, where it has one, is in the column NAME_ci.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path

from acpcbot.training.picture import draw_curve
from acpcbot.training.recipe import CurveSettings


def next_point(settings: CurveSettings, done: int) -> int | None:
    """The first point of the curve after *done*; None where none is asked for."""
    points = [_next_log_point(settings.points_per_decade, done)] if settings.points_per_decade else []
    points += [done - done % settings.every + settings.every] if settings.every else []
    return min(points) if points else None


def _next_log_point(per_decade: int, done: int) -> int:
    """The least round(10 ** (k / per_decade)) above *done*."""
    step = 0
    while round(10 ** (step / per_decade)) <= done:
        step += 1
    return round(10 ** (step / per_decade))


class Curve:
    """The curve in the file *path*."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def add(self, count: int, seconds: float, values: Mapping[str, float]) -> None:
        """Append a point; a curve whose columns have changed keeps what it had and leaves blanks."""
        rows = [*self.rows(), {"count": str(count), "seconds": f"{seconds:.1f}", **_texts(values)}]
        self._write(rows)

    def forget_after(self, count: int) -> None:
        """Drop the points beyond *count*, which a killed run measured after its last checkpoint."""
        rows = self.rows()
        kept = [row for row in rows if int(row["count"]) <= count]
        if len(kept) < len(rows):
            self._write(kept)

    def rows(self) -> list[dict[str, str]]:
        """The points so far."""
        if not self.path.exists():
            return []
        with self.path.open(newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def draw(self, title: str) -> bool:
        """Draw the picture beside the file; False where there is nothing to draw with or from."""
        rows = self.rows()
        return bool(rows) and draw_curve(rows, self.path.with_suffix(".png"), title)

    def _write(self, rows: list[dict[str, str]]) -> None:
        columns = list(dict.fromkeys(name for row in rows for name in row))
        text = io.StringIO()
        writer = csv.DictWriter(text, columns or ["count", "seconds"], restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        draft = self.path.with_suffix(".csv.new")
        draft.write_text(text.getvalue(), encoding="utf-8")
        draft.replace(self.path)


def _texts(values: Mapping[str, float]) -> dict[str, str]:
    return {name: f"{value:.9g}" for name, value in values.items()}
