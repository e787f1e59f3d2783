"""Results as HTML fragments for notebooks: a scoped style sheet, and the reports' charts in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from acpcbot.cards.deck import format_cards
from acpcbot.poker.definition import STREET_NAMES
from acpcbot.poker.hand_classes import has_chart
from acpcbot.reports.markup import (
    Markup,
    element,
    escaped,
    head_cell,
    joined,
    number_cell,
    page_table,
)
from acpcbot.reports.page import page_file
from acpcbot.reports.solution import action_styles, class_table, solution_chart
from acpcbot.subgames.solution import Decision, class_rows


def notebook_markup(*parts: Markup) -> str:
    """Return *parts* in an element of their own, with the style that they need.

    The style names that element alone, so that the rest of the notebook keeps its looks.
    """
    style = element("style", Markup(page_file("notebook.css")))
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
    styles = action_styles(decision.choices)
    legend = [
        element(
            "span",
            element("span", class_=f"sample {style}"),
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


def result_markup(title: str, facts: Mapping[str, str]) -> Markup:
    """Return a title above a table of names and numbers."""
    lines = [
        element("tr", element("th", escaped(name), scope="row"), number_cell(text))
        for name, text in facts.items()
    ]
    return joined(title_markup(title), page_table([], lines))
