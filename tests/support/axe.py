"""Faults of accessibility that axe-core finds on a page; npm installs it for ``./dev check``."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.support.chromium import BrowserPage

SOURCE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
RUN = """axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html, any, all, none }) =>
        [id, html.slice(0, 200), [...any, ...all, ...none].map(({ message }) => message).join(" ")])))
"""

needs_axe = pytest.mark.skipif(
    not SOURCE.exists(), reason="no axe-core: ./dev check installs the tools from npm"
)


@cache
def _source() -> str:
    return SOURCE.read_text(encoding="utf-8")


def serious_faults(page: BrowserPage) -> list[list[str]]:
    """Return the serious and critical faults of the open page: rule, element and reason."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(_source() + "; true")
    found: list[list[str]] = page.evaluate(RUN)
    return found
