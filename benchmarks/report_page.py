"""First view, filters and steps of a report's page of 100,000 hands in headless Chromium.

The first view is the time from opening the file until statistics, list and replayer are drawn and
painted. A filter is the time from a control's change to the next frame after everything is drawn
again: the median of five changes, of the control that takes longest. Hands are of random play, as
in ``report``.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from benchmarks.figure import Figure
from benchmarks.logs import NUM_HANDS
from benchmarks.report import GAMES, NUM_LOGS, report, write_logs
from tests.support.chromium import BrowserPage, browser_page, chromium_path

NUM_REPEATS = 5
FIRST_VIEW_S, FILTER_MS, LARGEST_KB = 2.0, 300.0, 400.0
# Tells when the frame is done in which the hands appear, in milliseconds since the page was opened.
WATCH = """addEventListener("DOMContentLoaded", () => {
    const hands = document.querySelector("#hands");
    const done = () => requestAnimationFrame(() => setTimeout(() => {
        window.firstViewMs = performance.now();
    }));
    new MutationObserver((_, observer) => {
        if (hands.hidden) return;
        observer.disconnect();
        done();
    }).observe(hands, { attributes: true });
});"""
FRAME = "await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));"
# The milliseconds of a change of a control from one value to another, and back.
CHANGE = """(async () => {
    const box = document.getElementById("%s"), times = [];
    const values = box.options ? [box.options[1].value, box.options[0].value] : ["6", ""];
    for (const value of values) {
        const start = performance.now();
        box.value = value;
        box.dispatchEvent(new Event("change", { bubbles: true }));
        FRAME
        times.push(performance.now() - start);
    }
    return times;
})()""".replace("FRAME", FRAME)
CONTROLS = ("player", "opponent", "position", "street", "pot-from", "order")
BEHIND = f"""(async () => {{
    const start = performance.now();
    document.querySelector(".player:not([hidden]) .rates tbody a").click();
    {FRAME}
    const took = performance.now() - start;
    document.querySelector("#all").click();
    return [took];
}})()"""


def figures() -> Iterator[Figure]:
    if chromium_path() is None:
        print("report_page: no browser, so no page is measured", file=sys.stderr)
        return
    for game in GAMES:
        with tempfile.TemporaryDirectory() as folder:
            logs = write_logs(game, Path(folder))
            report(game, logs)
            yield from page_figures(game, logs[0].with_suffix(".html"), Path(folder))


def page_figures(game: str, path: Path, folder: Path) -> Iterator[Figure]:
    """Yield what is measured of the page at *path*."""
    note = f"{NUM_LOGS * NUM_HANDS:,} hands"
    name = f"page, {game}"
    text = path.read_text(encoding="utf-8")
    data = text.partition('type="application/json">')[2].partition("</script>")[0]
    yield _figure(f"{name}, size", len(text) / 1e6, "MB", None, note)
    yield _figure(f"{name}, without data", (len(text) - len(data)) / 1e3, "kB", LARGEST_KB, note)
    with browser_page(folder / "browser") as browser:
        browser.call("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        first_views = [first_view_ms(browser, path) for _ in range(NUM_REPEATS)]
        first_view_s = median(first_views) / 1e3
        yield _figure(f"{name}, first view", first_view_s, "s", FIRST_VIEW_S, note)
        times = {control: median(_times(browser, CHANGE % control)) for control in CONTROLS}
        slowest = max(times, key=lambda control: times[control])
        yield _figure(
            f"{name}, filter", times[slowest], "ms", FILTER_MS, f"{note}, slowest: {slowest}"
        )
        behind_ms = median(_times(browser, BEHIND))
        yield _figure(f"{name}, hands behind a number", behind_ms, "ms", FILTER_MS, note)


def _figure(name: str, value: float, unit: str, target: float | None, note: str) -> Figure:
    return Figure(
        name=name, value=value, unit=unit, target=target, note=note, higher_is_better=False
    )


def first_view_ms(browser: BrowserPage, path: Path) -> float:
    """Open the page at *path* and return the time to its first view."""
    browser.open_address("about:blank")
    browser.open(path)
    browser.wait_for("window.firstViewMs !== undefined")
    found: float = browser.evaluate("window.firstViewMs")
    return found


def _times(browser: BrowserPage, script: str) -> list[float]:
    return [took for _ in range(NUM_REPEATS) for took in browser.evaluate(script)]
