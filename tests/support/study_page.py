"""The study of a decision as a browser shows it: its switches, grid and list of hands."""

from __future__ import annotations

import json
from typing import Any

from tests.support.chromium import BrowserPage

PIPS = {"♣": "c", "♦": "d", "♥": "h", "♠": "s"}
MINUS = "\N{MINUS SIGN}"
SCRIPT = """((study) => {
    const text = (one) => one.innerText.replaceAll("\\u00a0", " ").trim();
    return {
        title: text(study.querySelector(".study-title")),
        heads: [...study.querySelectorAll(".study-hands thead th")].map(text),
        lines: [...study.querySelectorAll(".study-hands tbody tr")].map((line) =>
            [...line.children].map((cell) => [...cell.childNodes]
                .map((node) => node.textContent.trim()))),
        held: [...study.querySelectorAll(".study-hands tr.own")].map((line) => line.dataset.combo),
        pressed: [...study.querySelectorAll("[aria-pressed=true]")].map(text),
    };
})(document.querySelector(%s))"""


def press_switch(browser: BrowserPage, scope: str, name: str) -> None:
    """Press the switch of the study below *scope* whose text begins with *name*."""
    script = (
        f"[...document.querySelectorAll({json.dumps(scope + ' .study-switches button')})]"
        f".find((one) => one.innerText.startsWith({json.dumps(name)})).click()"
    )
    browser.evaluate(script)


def choose_class(browser: BrowserPage, scope: str, name: str) -> None:
    """Click the cell of the class *name*."""
    browser.evaluate(f"document.querySelector('{scope} [data-hand={json.dumps(name)}]').click()")


def shown_study(browser: BrowserPage, scope: str) -> dict[str, Any]:
    """Return what the study below *scope* shows; hands are written as ``AhKd``."""
    found: dict[str, Any] = browser.evaluate(SCRIPT % json.dumps(f"{scope} .study-view"))
    found["hands"] = {}
    for title, *cells in found["lines"]:
        hand = "".join(part[0] + PIPS[part[1]] for part in title)
        found["hands"][hand] = [" ".join(cell) for cell in cells]
    return found


def is_near(text: str, value: float, *, is_share: bool = True) -> bool:
    """Return whether the number that begins *text* is *value*, to the digits that it shows.

    A share is shown in per cent.
    """
    if is_share and text.startswith("under"):
        return 0 < value < 0.0005
    word = text.split(" ")[0].replace(",", "").replace(MINUS, "-")
    digits = word.partition(".")[2].split("e")[0]
    unit = 10.0 ** -len(digits) * (10.0 ** int(word.partition("e")[2] or 0))
    wanted = 100 * value if is_share else value
    return abs(float(word) - wanted) <= 0.5 * unit + 2e-6 * max(abs(wanted), 1e-9)
