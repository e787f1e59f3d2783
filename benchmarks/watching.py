"""Twenty matches of 100,000 hands in all, watched in headless Chromium while they go on.

The first view is the time from opening the page until every card has its score. Then each match
gets a hand ten times a second: the delay is the time until a card tells of them, the median of ten;
the longest frame is the longest time between two pictures meanwhile. Hands are of random play.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from statistics import median

from acpcbot.poker.shipped import shipped_definition
from benchmarks.figure import Figure
from benchmarks.logs import random_lines
from tests.support.chromium import BrowserPage, browser_page, chromium_path

GAME = "holdem.limit.2p.reverse_blinds"
NUM_MATCHES, NUM_HANDS, NUM_MORE = 20, 5_000, 1_000
NUM_REPEATS, HANDS_S = 10, 10.0
PAUSE_S = 0.37
"""Between two delays, so that they begin anywhere between two messages."""
FIRST_VIEW_S, DELAY_S, FRAME_MS = 5.0, 1.5, 200.0
NUM_SCORES = "document.querySelectorAll('.match tr').length"
HANDS = "document.querySelector('.match p').innerText"
FRAMES = """window.longestMs = 0;
let last = performance.now();
const tick = (now) => {
    window.longestMs = Math.max(window.longestMs, now - last);
    last = now;
    requestAnimationFrame(tick);
};
requestAnimationFrame((now) => { last = now; tick(now); });"""


def figures() -> Iterator[Figure]:
    if chromium_path() is None:
        print("watching: no browser, so no page is measured", file=sys.stderr)
        return
    lines = list(islice(random_lines(shipped_definition(GAME)), NUM_HANDS + NUM_MORE))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        logs = [folder / "logs" / f"{number}.log" for number in range(NUM_MATCHES)]
        logs[0].parent.mkdir()
        for log in logs:
            log.write_text("".join(lines[:NUM_HANDS]))
        with served(folder) as address, browser_page(folder / "browser") as browser:
            yield from page_figures(browser, address, logs, lines[NUM_HANDS:])


def page_figures(
    browser: BrowserPage, address: str, logs: list[Path], more: list[str]
) -> Iterator[Figure]:
    """Yield what is measured of the page at *address* while *more* hands come to the *logs*."""
    began_s = time.perf_counter()
    browser.open_address(f"{address}#watch")
    browser.wait_for(f"{NUM_SCORES} === {2 * NUM_MATCHES}")
    yield figure("first view", time.perf_counter() - began_s, "s", FIRST_VIEW_S)
    browser.evaluate(FRAMES)
    stopped = threading.Event()
    writing = threading.Thread(target=grow, args=(logs, more, stopped))
    writing.start()
    delays_s = []
    for _ in range(NUM_REPEATS):
        time.sleep(PAUSE_S)
        delays_s.append(delay_s(browser, logs[0]))
    stopped.set()
    writing.join()
    yield figure("delay of a hand", median(delays_s), "s", DELAY_S)
    yield figure("longest frame", browser.evaluate("window.longestMs"), "ms", FRAME_MS)


def delay_s(browser: BrowserPage, log: Path) -> float:
    """Return the seconds until the card of *log* tells of the hands that are in it now."""
    hands, began_s = log.read_text().count("STATE:"), time.perf_counter()
    browser.wait_for(f"Number({HANDS}.match(/([\\d,]+) hands/)[1].replace(',', '')) >= {hands}")
    return time.perf_counter() - began_s


def grow(logs: list[Path], lines: list[str], stopped: threading.Event) -> None:
    """Add one of *lines* after the other to each of the *logs* until *stopped* is set."""
    for line in lines:
        for log in logs:
            with log.open("a") as file:
                file.write(line)
        if stopped.wait(1 / HANDS_S):
            return


def figure(name: str, value: float, unit: str, target: float) -> Figure:
    """Return the figure *name*, of which less is better."""
    note = f"{NUM_MATCHES} matches, {NUM_MATCHES * NUM_HANDS:,} hands"
    return Figure(
        name=f"watching, {name}",
        value=value,
        unit=unit,
        target=target,
        note=note,
        higher_is_better=False,
    )


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Within, a table shows the logs in *folder*; its address."""
    words = ["table", "call", "--game", GAME, "--watch", "logs", "--port", "0", "-o", "tables"]
    process = subprocess.Popen(
        [sys.executable, "-m", "acpcbot", *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.send_signal(signal.SIGTERM)
        process.wait()
    finally:
        process.kill()
        process.wait()
