"""The table in a real browser: whole matches are played by clicking, and the log tells whether
the page was right.
"""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import IO, Any

import pytest

from acpcbot.logs.match_log import HandRecord, read_match_log
from tests.cli.running import LONGEST_S, start
from tests.support.chromium import BrowserPage, needs_chromium
from tests.support.games import LEDUC, NOLIMIT_2P, NOLIMIT_6P

pytestmark = needs_chromium

IS_SEATED = "!document.querySelector('#table').hidden"
MAY_ACT = f"{IS_SEATED} && !document.querySelector('#actions').hidden && !document.querySelector('#call').hidden"
IS_OVER = f"{IS_SEATED} && !document.querySelector('#deal').hidden"
IN_LOBBY = "!document.querySelector('#lobby').hidden"
LIVE_BUTTONS = "[...document.querySelectorAll('.act')].filter((b) => !b.hidden && !b.disabled).map((b) => b.id)"
ROWS = (
    "[...document.querySelector('#history').tBodies[0].rows].map((row) => row.cells[3].innerText)"
)
# Pixels of the list of hands that are cut off, with the longest numbers in its newest row.
HIDDEN_PX = """((list) => {
    const [, , , chips, skill] = list.tBodies[0].rows[0].cells;
    chips.innerText = "−20,000";
    skill.innerText = "−19,876";
    return list.parentElement.scrollWidth - list.parentElement.clientWidth;
})(document.querySelector("#history"))"""


@contextmanager
def table(page: BrowserPage, folder: Path, *words: object) -> Iterator[str]:
    """A table as a process of its own; its address. It has to end by itself when it is told to."""
    process = start(folder, "table", *words, "--port", 0, "-o", "logs", "--seed", 11)
    try:
        yield first_line(process)
        page.open_address("about:blank")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=LONGEST_S)
        assert process.returncode == 0
    finally:
        process.kill()
        process.communicate()


def first_line(process: subprocess.Popen[str]) -> str:
    output: IO[str] | None = process.stdout
    assert output is not None
    line = output.readline().strip()
    assert line.startswith("http://"), process.communicate()[1]
    return line


def sit_down(page: BrowserPage, address: str) -> None:
    page.open_address(address)
    page.wait_for(IN_LOBBY)
    page.evaluate("document.querySelector('#name').value = 'Ann'")
    page.click("#sit-down")
    page.wait_for(IS_SEATED)
    page.evaluate("document.querySelector('#fast').checked = true")


def click_through(page: BrowserPage, num_hands: int, random: Random) -> None:
    """Play so many hands by clicking on whatever may be clicked on."""
    for hand in range(num_hands):
        while not page.evaluate(IS_OVER):
            page.wait_for(f"({MAY_ACT}) || ({IS_OVER})")
            buttons = page.evaluate(LIVE_BUTTONS)
            if "deal" in buttons:
                break
            if not page.evaluate("document.querySelector('#sizes').hidden"):
                sizes = page.evaluate("document.querySelectorAll('#presets button').length")
                page.evaluate(
                    f"document.querySelectorAll('#presets button')[{random.randrange(sizes)}].click()"
                )
            chosen = random.choice(
                [name for name in buttons if name != "fold" or random.random() < 0.3] or ["call"]
            )
            page.evaluate(f"document.querySelector('#{chosen}').click()")
        page.wait_for(f"{ROWS}.length === {hand + 1}")
        if hand + 1 < num_hands:
            page.click("#deal")
            # Where a bot folds at once, the hand may be over before anybody looks.
            page.wait_for(f"!({IS_OVER}) || {ROWS}.length > {hand + 1}")


def logged(folder: Path) -> list[HandRecord]:
    return [
        entry
        for entry in read_match_log(folder / "logs" / "table000.log")
        if isinstance(entry, HandRecord)
    ]


def shown(value: float) -> str:
    sign = "+" if value > 0 else "−" if value < 0 else "±"
    return f"{sign}{abs(value):,.2f}".rstrip("0").rstrip(".") if value else "±0"


@pytest.mark.parametrize(
    ("game", "strategy", "num_hands"),
    [
        (LEDUC, "strategies/leduc.limit.2p/dcfr", 20),
        (NOLIMIT_2P, "tight", 8),
        (NOLIMIT_6P, "call", 3),
    ],
)
def test_a_match_is_played_by_clicking(
    browser: BrowserPage, tmp_path: Path, game: str, strategy: str, num_hands: int
) -> None:
    """Catches a button without its deed, a result that is not the log's, a column of the list of
    hands that is cut off, an error of a script, a request elsewhere.
    """
    with table(browser, tmp_path, strategy, "--game", game) as address:
        sit_down(browser, address)
        click_through(browser, num_hands, Random(game))
        rows = browser.evaluate(ROWS)
        wide = {"width": 1280, "height": 844, "deviceScaleFactor": 1, "mobile": False}
        browser.call("Emulation.setDeviceMetricsOverride", **wide)
        browser.wait_for("window.innerWidth === 1280")
        assert browser.evaluate(HIDDEN_PX) <= 0
        browser.click("#leave")
        browser.wait_for(IN_LOBBY)
        assert browser.complaints() == []
        assert all(url.startswith((address, "data:")) for url in browser.requests())
    hands = logged(tmp_path)
    assert rows[::-1] == [shown(hand.values[hand.names.index("Ann")]) for hand in hands]
    assert len(hands) == num_hands


def test_a_hand_is_resumed_replayed_and_explained(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches a reload that loses the hand, a thought that is not shown, steps that do not
    step; all by keys.
    """
    with table(browser, tmp_path, "strategies/leduc.limit.2p/dcfr", "--game", LEDUC) as address:
        sit_down(browser, address)
        click_through(browser, 1, Random(1))
        browser.press(" ")
        browser.wait_for(MAY_ACT)
        before = browser.text(".me .cards"), browser.text("#pot")
        # The page that is left may act too, until it is gone: it is told from the next by a mark.
        browser.evaluate("window.isLeft = true; location.reload()")
        browser.wait_for(f"!window.isLeft && document.readyState === 'complete' && {MAY_ACT}")
        assert (browser.text(".me .cards"), browser.text("#pot")) == before
        browser.evaluate("document.querySelector('#fast').checked = true")
        while not browser.evaluate(IS_OVER):
            browser.wait_for(f"({MAY_ACT}) || ({IS_OVER})")
            browser.press("c")
        browser.click("#explain")
        browser.wait_for("document.querySelectorAll('.decision tbody tr').length >= 3")
        browser.wait_for("document.querySelector('#after .verdict') !== null")
        assert "skill" in browser.text("#after .verdict")
        # The numbers are the log's own: the second hand is STATE:1.
        assert browser.text("#after h2").startswith("Hand 1:")
        assert browser.evaluate(
            "[...document.querySelectorAll('#history tbody button')].map((one) => one.innerText)"
        ) == ["1", "0"]
        browser.click("#history tbody button")
        browser.wait_for("!document.querySelector('#steps').hidden")
        assert browser.text("#step-title") == "hand 1"
        assert browser.text("#said") == "The cards are dealt."
        browser.press("End")
        assert "win" in browser.text("#said")
        browser.click("#step-close")
        browser.wait_for(IS_OVER)


def test_loading_is_shown_until_it_is_over(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches a page that is blank while bots load, and a failure that is not shown."""
    broken = tmp_path / "broken.py"
    broken.write_text(
        "class Broken:\n    def __init__(self, definition, seed):\n        raise OSError('no such card')\n"
    )
    with table(browser, tmp_path, f"{broken}:Broken", "call", "--game", LEDUC) as address:
        browser.open_address(address)
        browser.wait_for(
            "document.querySelector('#loading').hidden && !document.querySelector('#failures').hidden"
        )
        assert "no such card" in browser.text("#failures")
        browser.wait_for(IN_LOBBY)


def test_nothing_sticks_out_of_the_screen(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches a part that makes a phone scroll sideways."""
    with table(browser, tmp_path, "call", "--game", NOLIMIT_6P) as address:
        for width in (360, 390, 1280):
            size = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 500}
            browser.call("Emulation.setDeviceMetricsOverride", **size)
            if width == 360:
                sit_down(browser, address)
                browser.wait_for(MAY_ACT)
            browser.wait_for(f"window.innerWidth === {width}")
            assert browser.evaluate("document.documentElement.scrollWidth") <= width


def test_every_control_has_a_name(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches a button or a field that a screen reader cannot tell."""
    with table(browser, tmp_path, "call", "--game", NOLIMIT_2P) as address:
        sit_down(browser, address)
        browser.wait_for(MAY_ACT)
        browser.call("Accessibility.enable")
        found = controls(browser)
        deadline_s = time.monotonic() + LONGEST_S
        # The browser brings its tree up to date in its own time.
        while len(found) < 8:
            assert time.monotonic() < deadline_s, found
            time.sleep(0.05)
            found = controls(browser)
        assert [node for node in found if not node.get("name", {}).get("value")] == []


def controls(browser: BrowserPage) -> list[dict[str, Any]]:
    """Return the controls of the page as a screen reader is told of them."""
    nodes = browser.call("Accessibility.getFullAXTree")["nodes"]
    roles = ("button", "slider", "spinbutton", "checkbox", "combobox")
    return [node for node in nodes if node.get("role", {}).get("value") in roles]
