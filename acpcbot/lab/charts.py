"""Results for people: the table "ours, paper, difference explained", and the plot beside the paper.

The plot needs matplotlib, the extra ``plots``.
"""

from __future__ import annotations

import textwrap
from math import floor, isfinite, log10
from pathlib import Path
from typing import Any

from acpcbot.lab.experiment import Chart, Compared, Comparison, Line, Panel

HEADINGS = ("what", "ours", "± 95 %", "paper", "difference explained")
WIDTH = 100
NOT_KNOWN = "–"
DIGITS, MOST_DIGITS = 4, 6


def comparison_text(comparison: Comparison) -> str:
    """Return the table as text of at most 100 columns, with its notes."""
    cells = [HEADINGS] + [
        (
            line.what,
            number_text(line.ours, line.half_width),
            number_text(line.half_width, line.half_width),
            line.paper if isinstance(line.paper, str) else number_text(line.paper, line.half_width),
            explanation_of(line),
        )
        for line in comparison.lines
    ]
    # Numbers stand whole; names and explanations are wrapped in what they leave of the width.
    numbers = [max(len(row[column]) for row in cells) for column in (1, 2, 3)]
    left = WIDTH - sum(numbers) - 2 * (len(HEADINGS) - 1)
    longest, explanation = (max(len(row[column]) for row in cells) for column in (0, 4))
    what = min(longest, max(left - explanation, left // 2))
    lines = [f"in {comparison.unit}", ""] if comparison.unit else []
    for row in cells:
        names = textwrap.wrap(row[0], what) or [""]
        words = textwrap.wrap(row[4], left - what) or [""]
        for number in range(max(len(names), len(words))):
            name = names[number] if number < len(names) else ""
            word = words[number] if number < len(words) else ""
            middle = [
                (cell if number == 0 else "").rjust(width)
                for cell, width in zip(row[1:4], numbers, strict=True)
            ]
            lines.append("  ".join([name.ljust(what), *middle, word]).rstrip())
    for note in comparison.notes:
        lines += ["", *textwrap.wrap(note, WIDTH)]
    return "\n".join(lines)


def explanation_of(line: Compared) -> str:
    """Return the words about the difference of *line* from the paper."""
    if line.ours is None:
        return "not measured yet"
    if line.explanation or line.half_width is None or not isinstance(line.paper, int | float):
        return line.explanation
    is_inside = abs(line.ours - line.paper) <= line.half_width
    return "within our interval" if is_inside else ""


def number_text(value: float | None, half_width: float | None = None) -> str:
    """Return a number with two digits of its interval, or four digits of its own.

    >>> number_text(0.33412, 0.0012), number_text(464.61, 7.3), number_text(12345.6)
    ('0.3341', '464.6', '12,346')
    """
    if value is None or not isfinite(value):
        return NOT_KNOWN
    most = MOST_DIGITS - 1 - floor(log10(abs(value))) if value else DIGITS
    if half_width and isfinite(half_width):
        decimals = min(most, 1 - floor(log10(half_width)))
    else:
        decimals = most - MOST_DIGITS + DIGITS if value else 0
    decimals = max(0, decimals)
    return f"{value:,.{decimals}f}"


def comparison_chart(comparison: Comparison, title: str) -> Chart:
    """Return a chart with a dot for each line of *comparison*, ours and the paper's."""
    known = [
        (place, line)
        for place, line in enumerate(comparison.lines, start=1)
        if line.ours is not None
    ]
    ours = Line(
        label="ours",
        xs=[line.ours for _, line in known if line.ours is not None],
        ys=[place for place, _ in known],
        half_widths=[line.half_width or 0.0 for _, line in known],
    )
    theirs = [
        (place, line.paper)
        for place, line in enumerate(comparison.lines, start=1)
        if isinstance(line.paper, int | float)
    ]
    paper = Line(
        label="paper",
        xs=[float(value) for _, value in theirs],
        ys=[place for place, _ in theirs],
        is_paper=True,
    )
    panel = Panel(
        title="",
        x_label=comparison.unit,
        y_label="",
        lines=[ours, paper],
        is_log_x=False,
        names=[line.what for line in comparison.lines],
    )
    return Chart(title, [panel])


def draw(chart: Chart, path: Path) -> bool:
    """Draw *chart* as PNG; False without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return False
    panels = chart.panels
    tallest = max((len(panel.names) for panel in panels), default=0)
    size = 6.5 * len(panels) + (2 if tallest else 0), max(4.5, 1.5 + 0.25 * tallest)
    figure = Figure(figsize=size, layout="constrained")
    for number, panel in enumerate(panels):
        axes = figure.add_subplot(1, len(panels), number + 1)
        if panel.names:
            _draw_dots(axes, panel)
        else:
            _draw_lines(axes, panel)
        axes.set(xlabel=panel.x_label, ylabel=panel.y_label, title=panel.title)
        axes.grid(visible=True, alpha=0.3)
        if any(len(line.xs) for line in panel.lines):
            axes.legend(fontsize="small", framealpha=0.6)
    figure.suptitle(chart.title)
    draft = path.with_name(f"{path.stem}.new.png")
    figure.savefig(draft, dpi=100)
    draft.replace(path)
    return True


def _draw_lines(axes: Any, panel: Panel) -> None:
    for number, line in enumerate(panel.lines):
        if not len(line.xs):
            continue
        color = f"C{number if line.color is None else line.color}"
        style: dict[str, Any] = {"linestyle": "--"} if line.is_paper else {"marker": "."}
        axes.plot(line.xs, line.ys, color=color, label=line.label, **style)
        if line.half_widths:
            bands = list(zip(line.ys, line.half_widths, strict=True))
            lows, highs = [y - half for y, half in bands], [y + half for y, half in bands]
            axes.fill_between(line.xs, lows, highs, color=color, alpha=0.2)
    if panel.is_log_x:
        axes.set_xscale("log")
    if panel.is_log_y:
        axes.set_yscale("log")


def _draw_dots(axes: Any, panel: Panel) -> None:
    """Draw numbers across and names downwards, the first on top."""
    for line in panel.lines:
        if line.is_paper:
            axes.plot(line.xs, line.ys, "kx", label=line.label)
        else:
            axes.errorbar(
                line.xs, line.ys, xerr=line.half_widths, fmt="o", capsize=2, label=line.label
            )
    axes.set_yticks(range(1, len(panel.names) + 1), panel.names)
    axes.invert_yaxis()
