"""Tables of a page: a line of headings, lines of cells, and room to scroll where they are wide."""

from __future__ import annotations

from collections.abc import Sequence

from acpcbot.reports.markup import Markup, element, escaped


def page_table(heading: Sequence[Markup], lines: Sequence[Markup]) -> Markup:
    """A table from the cells of its *heading* and its *lines*, which are rows."""
    table = element("table", element("thead", element("tr", *heading)), element("tbody", *lines))
    return element("div", table, class_="scroll")


def head_cell(text: str, kind: str | None = None) -> Markup:
    """The heading of a column."""
    return element("th", escaped(text), scope="col", class_=kind)


def number_cell(text: str) -> Markup:
    """A cell whose number stands below those of the other lines."""
    return element("td", escaped(text), class_="number")
