"""HTML and SVG built from parts, so that no text gets into a page unescaped.

``Markup`` is text that is markup already; only ``element``, ``escaped`` and ``joined`` make it.
``page_table`` makes a table of cells that scrolls if it is too wide.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import NewType

Markup = NewType("Markup", str)
VOID_TAGS = frozenset(("meta", "input", "br"))


def escaped(text: object) -> Markup:
    """Return *text* as markup that shows it character for character."""
    return Markup(html.escape(str(text)))


def joined(*parts: Markup) -> Markup:
    """Return *parts* one after the other."""
    return Markup("".join(parts))


def element(tag: str, *children: Markup, **attributes: object) -> Markup:
    """Return an element; attributes that are None or False are left out, true ones have no value.

    Underscores at the end of a name are for Python's sake, those within stand for hyphens.

    >>> element("p", escaped("a < b"), class_="note", data_seat=1, hidden=True)
    '<p class="note" data-seat="1" hidden>a &lt; b</p>'
    """
    words = "".join(
        [
            _attribute(name, value)
            for name, value in attributes.items()
            if value not in (None, False)
        ]
    )
    if tag in VOID_TAGS:
        return Markup(f"<{tag}{words}>")
    return Markup(f"<{tag}{words}>{''.join(children)}</{tag}>")


def _attribute(name: str, value: object) -> str:
    name = name.rstrip("_").replace("_", "-")
    if value is True:
        return f" {name}"
    return f' {name}="{html.escape(_number(value) if isinstance(value, float) else str(value))}"'


def _number(value: float) -> str:
    """Return a coordinate as text; two decimals are finer than any screen."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def page_table(heading: Sequence[Markup], lines: Sequence[Markup]) -> Markup:
    """Return a table from the cells of its *heading* and its *lines*, which are rows."""
    table = element("table", element("thead", element("tr", *heading)), element("tbody", *lines))
    return element("div", table, class_="scroll")


def head_cell(text: str, kind: str | None = None) -> Markup:
    """Return the heading of a column."""
    return element("th", escaped(text), scope="col", class_=kind)


def number_cell(text: str) -> Markup:
    """Return a cell with a number, aligned with those of the other lines."""
    return element("td", escaped(text), class_="number")
