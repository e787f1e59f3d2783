"""Ways to use a page as people do: the mouse, a finger, the keyboard alone."""

from __future__ import annotations

import json
import time
from typing import Protocol

from tests.support.chromium import BrowserPage

# A press goes to what the screen shows: that follows a scroll two frames later.
FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
CENTRE = f"""(async () => {{
    const found = document.querySelector(%s);
    found.scrollIntoView({{ block: "center", behavior: "instant" }});
    await {FRAMES};
    const {{ left, top, width, height }} = found.getBoundingClientRect();
    return [left + width * %f, top + height / 2];
}})()"""
MOST_TABS = 80
CODES = {"Tab": ("Tab", 9, ""), "Enter": ("Enter", 13, "\r"), " ": ("Space", 32, " ")}


class PageInput(Protocol):
    """A way to press what is on the page."""

    def press(self, page: BrowserPage, selector: str, key: str) -> None:
        """Press the element; *key* is its key on the page, empty if it has none."""

    def slide(self, page: BrowserPage, selector: str, share: float) -> None:
        """Set a slider to a share of its length, as near as this way can."""


class Mouse:
    """Moves and clicks of a mouse."""

    def press(self, page: BrowserPage, selector: str, key: str) -> None:
        self._click(page, selector, 0.5)

    def slide(self, page: BrowserPage, selector: str, share: float) -> None:
        self._click(page, selector, share)

    def _click(self, page: BrowserPage, selector: str, share: float) -> None:
        x, y = page.evaluate(CENTRE % (json.dumps(selector), share))
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            button = "none" if kind == "mouseMoved" else "left"
            page.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, clickCount=1)


class Finger:
    """Taps on a phone."""

    def press(self, page: BrowserPage, selector: str, key: str) -> None:
        self._tap(page, selector, 0.5)

    def slide(self, page: BrowserPage, selector: str, share: float) -> None:
        self._tap(page, selector, share)

    def _tap(self, page: BrowserPage, selector: str, share: float) -> None:
        x, y = page.evaluate(CENTRE % (json.dumps(selector), share))
        page.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        page.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])


class Keyboard:
    """Keys of the page, and the tabulator where a control has none."""

    def press(self, page: BrowserPage, selector: str, key: str) -> None:
        if key:
            self.type_key(page, key)
        else:
            self._focus(page, selector)
            self.type_key(page, "Enter")

    def slide(self, page: BrowserPage, selector: str, share: float) -> None:
        self._focus(page, selector)
        for _ in range(round(10 * share)):
            self.type_key(page, "ArrowRight")

    def type_key(self, page: BrowserPage, key: str) -> None:
        code, number, text = CODES.get(key, (key, 39 if key == "ArrowRight" else 0, ""))
        for kind in ("keyDown", "keyUp"):
            page.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code=code,
                windowsVirtualKeyCode=number,
                text=text if kind == "keyDown" else "",
            )

    def _focus(self, page: BrowserPage, selector: str) -> None:
        has_focus = f"document.activeElement === document.querySelector({json.dumps(selector)})"
        for _ in range(MOST_TABS):
            if page.evaluate(has_focus):
                return
            self.type_key(page, "Tab")
            time.sleep(0.005)
        raise AssertionError(f"no tabulator leads to {selector}")
