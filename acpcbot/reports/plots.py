"""The plots of report pages as SVG; colours and fonts come from the page's style sheet, by class.

Every plot scales with its container, and its title says in words what it shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil, floor, isfinite, log10

from acpcbot.reports.markup import Markup, element, escaped, joined
from acpcbot.reports.summary import MILLI, Curve, Winnings
from acpcbot.reports.tables import chips_text, mean_text

WIDTH, HEIGHT = 640, 230
LEFT, RIGHT, TOP, BOTTOM = 80, 12, 10, 32
RANGE_WIDTH, RANGE_HEIGHT = 160, 16
STEPS = (1, 2, 5, 10)

Point = tuple[float, float]


class Scale:
    """A linear map of numbers from *low* to *high* to coordinates from *start* to *end*."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        self._low, self._start = low, start
        self._factor = (end - start) / ((high - low) or 1.0)

    def __call__(self, value: float) -> float:
        return self._start + (value - self._low) * self._factor


def ticks(low: float, high: float, wanted: int = 6) -> list[float]:
    """Return about *wanted* round numbers between *low* and *high*.

    >>> ticks(-7, 23)
    [-5.0, 0.0, 5.0, 10.0, 15.0, 20.0]
    """
    rough = (high - low) / wanted or 1.0
    unit = 10.0 ** floor(log10(rough))
    step = next(unit * step for step in STEPS if unit * step >= rough * 0.99)
    first = -floor(-low / step)
    return [number * step for number in range(first, floor(high / step) + 1)]


def plot(
    words: str, *parts: Markup, width: float = WIDTH, height: float = HEIGHT, class_: str = "plot"
) -> Markup:
    """Return a drawing of *width* times *height* units; *words* describe it to screen readers."""
    title = element("title", escaped(words))
    return element(
        "svg",
        title,
        *parts,
        class_=class_,
        viewBox=f"0 0 {width} {height}",
        role="img",
        aria_label=words,
    )


def curve_plot(curves: Mapping[str, Curve], unit_chips: int) -> Markup:
    """Return bankroll curves in big blinds over hands, the first with its confidence band.

    The curves' CSS classes are ``curve0`` and so on.
    """
    first = next(iter(curves.values()))
    lows = [
        (won - half) / unit_chips
        for won, half in zip(first.chips, first.half_width_chips, strict=True)
    ]
    highs = [
        (won + half) / unit_chips
        for won, half in zip(first.chips, first.half_width_chips, strict=True)
    ]
    others = [won / unit_chips for curve in curves.values() for won in curve.chips]
    across = Scale(0, first.num_hands[-1], LEFT, WIDTH - RIGHT)
    bounds = min(*lows, *others), max(*highs, *others)
    up = Scale(*bounds, HEIGHT - BOTTOM, TOP)
    band = [
        *zip(first.num_hands, lows, strict=True),
        *zip(first.num_hands[::-1], highs[::-1], strict=True),
    ]
    lines = [
        _line(
            [
                (across(x), up(won / unit_chips))
                for x, won in zip(curve.num_hands, curve.chips, strict=True)
            ],
            number,
        )
        for number, curve in enumerate(curves.values())
    ]
    won_text = chips_text(round(first.chips[-1] / unit_chips, 1))
    words = f"Big blinds won over {first.num_hands[-1]:,} hands: {won_text}"
    return plot(
        words,
        *_axes(across, up, first.num_hands[-1], bounds),
        element("path", class_="band", d=_path([(across(x), up(y)) for x, y in band]) + "Z"),
        *lines,
    )


def _axes(
    across: Scale, up: Scale, num_hands: int, bounds: tuple[float, float]
) -> Iterator[Markup]:
    for value in ticks(*bounds):
        y = up(value)
        kind = "axis" if value == 0 else "grid"
        yield element("line", class_=kind, x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y)
        yield element(
            "text",
            escaped(f"{value:,.4g}" if abs(value) < MILLI else f"{value:,.0f}"),
            x=LEFT - 8,
            y=y + 4,
            text_anchor="end",
        )
    for value in ticks(0, num_hands, 4):
        anchor = "end" if across(value) > WIDTH - LEFT else "middle"
        yield element(
            "text", escaped(f"{value:,.0f}"), x=across(value), y=HEIGHT - 10, text_anchor=anchor
        )


def _path(points: Sequence[Point]) -> str:
    return "M" + "L".join([f"{x:.1f} {y:.1f}" for x, y in points])


def _line(points: Sequence[Point], number: int) -> Markup:
    return element("path", class_=f"curve curve{number}", d=_path(points))


def learning_plot(
    counts: Sequence[int], values: Mapping[str, Sequence[float]], words: str
) -> Markup:
    """Return curves of *values* over *counts*, both axes logarithmic, with a tick a power of ten.

    Values that are not positive have no place on such an axis and are left out; the curves are of
    the classes ``curve0`` and so on. Nothing is drawn of no positive value.
    """
    curves = {
        name: [
            (log10(count), log10(value))
            for count, value in zip(counts, row, strict=True)
            if value > 0
        ]
        for name, row in values.items()
    }
    points = [point for curve in curves.values() for point in curve]
    if not points:
        return joined()
    (left, right), (low, high) = [
        (floor(min(axis)), ceil(max(axis))) for axis in zip(*points, strict=True)
    ]
    right, high = max(right, left + 1), max(high, low + 1)
    across = Scale(left, right, LEFT, WIDTH - RIGHT)
    up = Scale(low, high, HEIGHT - BOTTOM, TOP)
    lines = [
        _line([(across(x), up(y)) for x, y in curve], number)
        for number, curve in enumerate(curves.values())
        if curve
    ]
    grid = [
        *[_level(f"{10.0**power:g}", up(power)) for power in range(low, high + 1)],
        *[_count(f"{10**power:,}", across(power)) for power in range(left, right + 1)],
    ]
    return plot(words, *grid, *lines)


def _level(text: str, y: float) -> Markup:
    """A grid line with its number at the left."""
    return joined(
        element("line", class_="grid", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y),
        element("text", escaped(text), x=LEFT - 8, y=y + 4, text_anchor="end"),
    )


def _count(text: str, x: float) -> Markup:
    """A number below the plot."""
    anchor = "end" if x > WIDTH - LEFT else "middle"
    return element("text", escaped(text), x=x, y=HEIGHT - 10, text_anchor=anchor)


def range_scale(rows: Sequence[Winnings]) -> Scale:
    """Return a scale that shows the intervals of all *rows*, and zero."""
    return interval_scale([(row.mean_mbb, row.half_width_mbb) for row in rows])


def interval_scale(intervals: Sequence[tuple[float, float]]) -> Scale:
    """Return the scale on which *intervals*, means and half widths, fit in together with zero."""
    ends = [mean + sign * _shown(half) for mean, half in intervals for sign in (-1, 1)]
    return Scale(min(0.0, *ends), max(0.0, *ends), 4, RANGE_WIDTH - 4)


def range_plot(row: Winnings, scale: Scale) -> Markup:
    """Return the mean of *row* as a dot on its interval, beside a line at zero.

    The markup is empty if there is no mean.
    """
    if not row.num_hands:
        return joined()
    return interval_plot(row.mean_mbb, row.half_width_mbb, f"{mean_text(row)} mbb a hand", scale)


def interval_plot(mean: float, half_width: float, words: str, scale: Scale) -> Markup:
    """Return *mean* as a dot on its interval, beside a line at zero, told in *words*."""
    middle, zero, half = RANGE_HEIGHT / 2, scale(0), _shown(half_width)
    kind = "even" if abs(mean) <= half_width else "win" if mean > 0 else "loss"
    return plot(
        words,
        element("line", class_="axis", x1=zero, x2=zero, y1=0, y2=RANGE_HEIGHT),
        element(
            "line",
            class_=f"whisker {kind}",
            x1=scale(mean - half),
            x2=scale(mean + half),
            y1=middle,
            y2=middle,
        ),
        element("circle", class_=kind, cx=scale(mean), cy=middle, r=3.5),
        width=RANGE_WIDTH,
        height=RANGE_HEIGHT,
        class_="range",
    )


def _shown(half_width: float) -> float:
    """The half width, 0 where it is not finite."""
    return half_width if isfinite(half_width) else 0.0
