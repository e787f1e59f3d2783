"""Results as HTML fragments for notebooks: a scoped style sheet, and the reports' charts in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan

from acpcbot.cards.deck import NUM_RANKS, format_cards
from acpcbot.poker.definition import STREET_NAMES
from acpcbot.poker.hand_classes import PAIR_SIZE, chart_cell, class_name, has_chart
from acpcbot.reports.hand_grid import word_fills
from acpcbot.reports.markup import (
    Markup,
    element,
    escaped,
    head_cell,
    joined,
    number_cell,
    page_table,
)
from acpcbot.reports.page_files import page_file
from acpcbot.reports.plots import plot
from acpcbot.reports.solution import class_table
from acpcbot.reports.solved_study import short_chips
from acpcbot.subgames.solution import ClassRow, Decision, class_rows

CELL = 46
GAP = 1
LEAST_SHARE = 0.005


def notebook_markup(*parts: Markup) -> str:
    """Return *parts* in an element of their own, with the style that they need.

    The style names that element alone, so that the rest of the notebook keeps its looks.
    """
    fills = page_file("fills.css").replace(":root", ".acpcbot")
    style = element("style", Markup(page_file("notebook.css") + fills))
    return element("div", style, *parts, class_="acpcbot")


def table_markup(heading: Sequence[str], rows: Sequence[Sequence[Markup]]) -> Markup:
    """Return a table whose first column holds names and whose others hold numbers or charts."""
    first, *others = heading
    lines = [
        element(
            "tr",
            element("th", name, scope="row"),
            *[element("td", cell, class_="number") for cell in cells],
        )
        for name, *cells in rows
    ]
    return page_table([head_cell(first), *[head_cell(name, "number") for name in others]], lines)


def title_markup(text: str) -> Markup:
    """Return a line of text above a chart."""
    return element("p", element("strong", escaped(text)))


def decision_markup(decision: Decision) -> Markup:
    """Return the frequencies of a decision's actions, and its chart of 13 x 13 classes.

    Games without such a chart get a table of classes.
    """
    betting, board = decision.place.betting, format_cards(decision.place.board)
    facts = [*decision.place.words, STREET_NAMES[betting.street], board, f"pot {betting.pot:,}"]
    rows = class_rows(decision)
    styles = word_fills(decision.choices)
    legend = [
        element(
            "span",
            element("span", class_=f"sample fill-{style}"),
            escaped(f"{word} {100 * share:.1f} %"),
            class_="action",
        )
        for word, style, share in zip(
            decision.choices, styles, decision.frequencies.tolist(), strict=True
        )
    ]
    chart = (
        element("figure", solution_chart(rows, decision.choices))
        if has_chart(betting.game.definition)
        else class_table(rows, decision.choices)
    )
    return joined(
        title_markup(f"Seat {decision.seat} to act: {' · '.join(filter(None, facts))}"),
        element("p", *legend),
        chart,
    )


def solution_chart(rows: Mapping[str, ClassRow], choices: Sequence[str]) -> Markup:
    """Return the chart of a decision as SVG: aces first, suited hands above the diagonal.

    Notebooks show it without running a script. Each cell's title, which browsers show on hover, has
    its numbers.
    """
    places = {
        class_name(
            chart_cell(row=NUM_RANKS - 1 - line, column=NUM_RANKS - 1 - column), PAIR_SIZE
        ): (
            column * CELL,
            line * CELL,
        )
        for line in range(NUM_RANKS)
        for column in range(NUM_RANKS)
    }
    bars = [
        element(
            "path",
            class_=f"fill-{style}",
            d="".join([_bar(row, number, places[name]) for name, row in rows.items()]),
        )
        for number, style in enumerate(word_fills(choices))
    ]
    cells = [_cell(name, place, rows.get(name), choices) for name, place in places.items()]
    size = NUM_RANKS * CELL
    words = "Action frequencies by starting hand"
    return plot(words, *bars, *cells, width=size, height=size, class_="chart")


def _bar(row: ClassRow, number: int, place: tuple[int, int]) -> str:
    """Return the part of a cell that action *number* colours."""
    share = float(row.probabilities[number])
    if share < LEAST_SHARE:
        return ""
    width = CELL - 2 * GAP
    start = place[0] + GAP + width * float(row.probabilities[:number].sum())
    return f"M{start:.1f} {place[1] + GAP}h{width * share:.1f}v{width}h{-width * share:.1f}z"


def _cell(
    name: str, place: tuple[int, int], row: ClassRow | None, choices: Sequence[str]
) -> Markup:
    x, y = place
    box = {"x": x + GAP, "y": y + GAP, "width": CELL - 2 * GAP, "height": CELL - 2 * GAP}
    label = element("text", escaped(name), x=x + CELL / 2, y=y + CELL / 2, text_anchor="middle")
    if row is None:
        return element("g", element("rect", class_="fill-none", **box), label)
    ev = element(
        "text",
        escaped(short_chips(row.ev_chips)),
        class_="small",
        x=x + CELL / 2,
        y=y + CELL - 9,
        text_anchor="middle",
    )
    shares = [
        f"{word} {100 * share:.1f} %"
        for word, share in zip(choices, row.probabilities.tolist(), strict=True)
    ]
    known_ev = [] if isnan(row.ev_chips) else [f"EV {row.ev_chips:+,.2f}"]
    words = ", ".join([f"{name}: held {100 * row.weight:.2f} %", *shares, *known_ev])
    return element(
        "g", label, ev, element("rect", element("title", escaped(words)), class_="point", **box)
    )


def result_markup(title: str, facts: Mapping[str, str]) -> Markup:
    """Return a title above a table of names and numbers."""
    lines = [
        element("tr", element("th", escaped(name), scope="row"), number_cell(text))
        for name, text in facts.items()
    ]
    return joined(title_markup(title), page_table([], lines))
