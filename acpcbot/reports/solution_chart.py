"""The chart of a decision as SVG: cells of starting hands, coloured by how often each action is taken.

All that one action colours is one path, so that a page with many charts stays small.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from acpcbot.cards.deck import NUM_RANKS
from acpcbot.poker.hand_classes import PAIR_SIZE, chart_cell, class_name
from acpcbot.reports.markup import Markup, element, escaped
from acpcbot.reports.plots import CELL, plot
from acpcbot.solvers.decision_classes import ClassRow

STYLES = {"fold": "fold", "check": "call", "call": "call"}
NUM_RAISE_STYLES = 4
GAP = 1
LEAST_SHARE = 0.005


def action_styles(choices: Sequence[str]) -> list[str]:
    """The class of each action: one for folds, one for calls, deeper ones for larger raises."""
    num_passive = sum(word in STYLES for word in choices)
    return [
        STYLES.get(word, f"raise{min(number - num_passive, NUM_RAISE_STYLES - 1)}")
        for number, word in enumerate(choices)
    ]


def solution_chart(rows: Mapping[str, ClassRow], choices: Sequence[str]) -> Markup:
    """Suited hands above the diagonal, aces first; pointing at a cell tells its numbers."""
    places = {
        class_name(chart_cell(row=NUM_RANKS - 1 - line, column=NUM_RANKS - 1 - column), PAIR_SIZE): (
            column * CELL,
            line * CELL,
        )
        for line in range(NUM_RANKS)
        for column in range(NUM_RANKS)
    }
    bars = [
        element("path", class_=style, d="".join([_bar(row, number, places[name]) for name, row in rows.items()]))
        for number, style in enumerate(action_styles(choices))
    ]
    cells = [_cell(name, place, rows.get(name), choices) for name, place in places.items()]
    size = NUM_RANKS * CELL
    return plot("What each hand does", *bars, *cells, width=size, height=size, class_="chart")


def _bar(row: ClassRow, number: int, place: tuple[int, int]) -> str:
    """The part of a cell that action *number* colours."""
    share = float(row.probabilities[number])
    if share < LEAST_SHARE:
        return ""
    width = CELL - 2 * GAP
    start = place[0] + GAP + width * float(row.probabilities[:number].sum())
    return f"M{start:.1f} {place[1] + GAP}h{width * share:.1f}v{width}h{-width * share:.1f}z"


def _cell(name: str, place: tuple[int, int], row: ClassRow | None, choices: Sequence[str]) -> Markup:
    x, y = place
    box = {"x": x + GAP, "y": y + GAP, "width": CELL - 2 * GAP, "height": CELL - 2 * GAP}
    label = element("text", escaped(name), x=x + CELL / 2, y=y + CELL / 2, text_anchor="middle")
    if row is None:
        return element("g", element("rect", class_="none", **box), label)
    ev = element(
        "text", escaped(_short(row.ev_chips)), class_="small", x=x + CELL / 2, y=y + CELL - 9, text_anchor="middle"
    )
    shares = [f"{word} {100 * share:.1f} %" for word, share in zip(choices, row.probabilities.tolist(), strict=True)]
    words = ", ".join([f"{name}: held {100 * row.weight:.2f} %", *shares, f"EV {row.ev_chips:+,.2f}"])
    return element("g", label, ev, element("rect", element("title", escaped(words)), class_="point", **box))


def _short(chips: float) -> str:
    """A number that has room in a cell; nothing has no sign."""
    return f"{round(chips, 1) + 0.0:.1f}" if abs(chips) < 100 else f"{chips:.0f}"
