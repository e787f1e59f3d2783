"""Looks of a page that is open in a browser: contrast, sizes of text, and what sticks out."""

from __future__ import annotations

import json
from typing import Any

from tests.support.chromium import BrowserPage

THEMES = ("light", "dark")
WIDTHS_PX = (390, 500, 768, 1280)
DEVICE_WIDTHS_PX = (390, 768, 1280)
"""Of a phone, a tablet and a desktop."""
LEAST_TEXT_PX = 12.0
LEAST_CONTRAST = 4.5
HEIGHT_PX = 900
PHONE_PX = 500

# Elements with text of their own that is seen, the size of that text on the screen, and its colour
# against the nearest background behind it. Text of a cell is compared with all fills of the cell.
SCRIPT = """((root) => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const rgba = (text) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = text;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const light = (part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    const luminance = ([red, green, blue]) => 0.2126 * light(red / 255)
        + 0.7152 * light(green / 255) + 0.0722 * light(blue / 255);
    const contrast = (one, other) => {
        const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
        return (high + 0.05) / (low + 0.05);
    };
    const behind = (element) => {
        for (let node = element; node; node = node.parentElement) {
            const found = rgba(getComputedStyle(node).backgroundColor);
            if (found[3] === 255) return found;
        }
        return [255, 255, 255, 255];
    };
    const backgrounds = (element) => {
        const cell = element.closest(".cell");
        const fills = cell ? [...cell.querySelectorAll(".bars i")] : [];
        return [behind(element), ...fills.map((fill) => rgba(getComputedStyle(fill).backgroundColor))];
    };
    const size = (element) => {
        const pixels = parseFloat(getComputedStyle(element).fontSize);
        return element instanceof SVGElement ? pixels * element.getScreenCTM().a : pixels;
    };
    const hasText = (element) => [...element.childNodes].some((node) =>
        node.nodeType === Node.TEXT_NODE && node.data.trim());
    const isSeen = (element) => element.checkVisibility({ visibilityProperty: true })
        && element.getBoundingClientRect().width > 1 && !element.closest("title, option, noscript");
    return [...root.querySelectorAll("*")].filter((one) => hasText(one) && isSeen(one)).map((one) => {
        const ink = rgba(getComputedStyle(one)[one instanceof SVGElement ? "fill" : "color"]);
        const least = Math.min(...backgrounds(one).map((found) => contrast(ink, found)));
        return { text: one.textContent.trim().slice(0, 40), size: size(one), contrast: least };
    });
})(document.querySelector(%s))"""

# Labels of cells that are wider than their cells.
CUT_OFF = """[...document.querySelectorAll(".hand-grid .cell")].filter((cell) => {
    const box = cell.getBoundingClientRect();
    const found = cell.querySelector("b").getBoundingClientRect();
    return found.left < box.left - 0.5 || found.right > box.right + 0.5
        || cell.scrollWidth > cell.clientWidth || cell.scrollHeight > cell.clientHeight;
}).map((cell) => cell.dataset.hand)"""

# By class of hands: the height of its colours as a share of the cell, its accessible name, and
# the colours with their shares of the width.
CELLS = """Object.fromEntries([...document.querySelectorAll(".hand-grid .cell")].map((cell) => {
    const box = cell.getBoundingClientRect(), bars = cell.querySelector(".bars");
    const share = (one) => one.getBoundingClientRect().width / box.width;
    return [cell.dataset.hand, {
        height: bars ? bars.getBoundingClientRect().height / box.height : 0,
        label: cell.getAttribute("aria-label"),
        fills: [...cell.querySelectorAll(".bars i")].map((one) =>
            [getComputedStyle(one).backgroundColor, share(one)]),
    }];
}))"""


def set_screen(page: BrowserPage, width: int, theme: str) -> None:
    """Make the window *width* pixels wide, a phone's where narrow, in the *theme*."""
    page.call(
        "Emulation.setDeviceMetricsOverride",
        width=width,
        height=HEIGHT_PX,
        deviceScaleFactor=1,
        mobile=width < PHONE_PX,
    )
    scheme = [{"name": "prefers-color-scheme", "value": theme}]
    page.call("Emulation.setEmulatedMedia", features=scheme)


def check_looks(
    page: BrowserPage, width: int, selector: str = "body", least_texts: int = 170
) -> None:
    """Check that text is large enough, that nothing sticks out of the screen, and the contrast.

    The contrast is that of text below *selector*, where no background is a gradient, and where
    there are at least *least_texts* elements with text.
    """
    small = [one for one in texts_of(page, "body") if one["size"] < LEAST_TEXT_PX]
    assert not small, small
    texts = texts_of(page, selector)
    assert len(texts) >= least_texts
    pale = [one for one in texts if one["contrast"] < LEAST_CONTRAST]
    assert not pale, pale
    cut_off = page.evaluate(CUT_OFF)
    assert not cut_off, cut_off
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def texts_of(page: BrowserPage, selector: str) -> list[dict[str, Any]]:
    """Return text, size on the screen and least contrast of each element with text of its own."""
    found: list[dict[str, Any]] = page.evaluate(SCRIPT % json.dumps(selector))
    return found


def point_at(page: BrowserPage, selector: str) -> None:
    """Move the mouse onto the middle of the first element that *selector* finds."""
    x, y = middle(page, selector)
    page.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)


def tap(page: BrowserPage, selector: str) -> None:
    """Tap the middle of the first element that *selector* finds with a finger."""
    x, y = middle(page, selector)
    page.call("Emulation.setTouchEmulationEnabled", enabled=True)
    page.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    page.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    page.call("Emulation.setTouchEmulationEnabled", enabled=False)


def middle(page: BrowserPage, selector: str) -> tuple[float, float]:
    """Scroll to the first element that *selector* finds, and return its middle on the screen."""
    script = """((found) => {
        found.scrollIntoView({ block: "center" });
        const box = found.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];
    })(document.querySelector(%s))"""
    x, y = page.evaluate(script % json.dumps(selector))
    return x, y
