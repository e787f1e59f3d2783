"""Seats, switches and the slider of the table in a real browser."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.support.chromium import BrowserPage, needs_chromium
from tests.support.games import (
    FOLDER,
    KUHN,
    LIMIT_2P,
    LIMIT_3P,
    NOLIMIT_2P,
    NOLIMIT_3P,
    NOLIMIT_6P,
    NOLIMIT_10P,
)
from tests.support.page_input import Keyboard
from tests.web.logged_tables import plain
from tests.web.test_table_in_browser import (
    IN_LOBBY,
    IS_OVER,
    IS_SEATED,
    MAY_ACT,
    ROWS,
    click_through,
    sit_down,
    table,
)

pytestmark = needs_chromium

GAMES = {NOLIMIT_10P: str(FOLDER / f"{NOLIMIT_10P}.game")}
# Pairs of parts that lie over each other, by more than a pixel; a bet may touch its own seat.
OVERLAPS = """(() => {
    const found = [];
    const boxes = (selector) => [...document.querySelectorAll(selector)].map(
        (part) => [part, part.getBoundingClientRect()]);
    const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    const compare = (some, others) => {
        for (const [one, first] of boxes(some)) for (const [other, second] of boxes(others)) {
            if (one !== other && one.parentElement !== other.parentElement && overlap(first, second))
                found.push([one.className, one.textContent, other.className, other.textContent]);
        }
    };
    compare("#seats .seat", "#seats .seat, #board .card, #pot, #seats .wager");
    compare("#seats .wager", "#board .card, #pot, #seats .wager");
    const felt = document.querySelector(".felt").getBoundingClientRect();
    for (const [part, box] of boxes("#seats .seat, #seats .wager")) {
        const inside = box.left >= felt.left && box.right <= felt.right
            && box.top >= felt.top && box.bottom <= felt.bottom;
        if (!inside) found.push([part.className, part.textContent, "felt"]);
        if (part.scrollHeight > part.clientHeight || part.scrollWidth > part.clientWidth)
            found.push([part.className, part.textContent, "is cut off"]);
    }
    return found;
})()"""
COUNTING_AUDIO = """window.tones = 0;
window.AudioContext = class {
    constructor() { this.state = "running"; this.currentTime = 0; this.destination = {}; }
    resume() {}
    createGain() {
        return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} },
                 connect: (next) => next };
    }
    createOscillator() {
        return { frequency: {}, connect: (next) => next, start() { window.tones += 1; }, stop() {} };
    }
};"""
WIN_RATES = "[...document.querySelectorAll('#tally dd')].map((one) => one.innerText).slice(2)"


def resize(page: BrowserPage, width: int) -> None:
    size: dict[str, Any] = {"width": width, "height": 900, "deviceScaleFactor": 1}
    page.call("Emulation.setDeviceMetricsOverride", **size, mobile=width < 500)
    page.wait_for(f"window.innerWidth === {width}")


def reload(page: BrowserPage) -> None:
    page.evaluate("window.isLeft = true; location.reload()")
    page.wait_for(f"!window.isLeft && document.readyState === 'complete' && {IS_SEATED}")


@pytest.mark.parametrize(
    ("game", "bot"),
    [
        (NOLIMIT_2P, "call"),
        (NOLIMIT_3P, "call"),
        (NOLIMIT_6P, "call"),
        (NOLIMIT_10P, "call"),
        (LIMIT_2P, "raise"),
        (LIMIT_3P, "raise"),
    ],
)
def test_no_part_of_the_table_lies_over_another(
    browser: BrowserPage, tmp_path: Path, game: str, bot: str
) -> None:
    """Catches seats, bets or the board that cover each other or leave the felt, and names of hands
    that are cut off, on a phone and on a screen, in both units.
    """
    with table(browser, tmp_path, bot, "--game", GAMES.get(game, game)) as address:
        sit_down(browser, address)
        while True:
            browser.wait_for(f"({MAY_ACT}) || ({IS_OVER})")
            for width in (390, 1280):
                resize(browser, width)
                for _ in range(2):
                    browser.evaluate("document.querySelector('#big-blinds').click()")
                    assert (width, browser.evaluate(OVERLAPS)) == (width, [])
                assert browser.evaluate("document.documentElement.scrollWidth") <= width
            if browser.evaluate(IS_OVER):
                break
            browser.click("#call")
        assert browser.evaluate("document.querySelectorAll('.card.lifted').length") >= 5
        assert browser.evaluate("document.querySelectorAll('#seats .dealer').length") == 1


def test_the_unit_is_remembered(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches a switch that a new visit forgets."""
    with table(browser, tmp_path, "call", "--game", NOLIMIT_2P) as address:
        sit_down(browser, address)
        browser.wait_for(MAY_ACT)
        assert browser.text("#pot") == "Pot 200"
        browser.click("#big-blinds")
        assert browser.text("#pot") == "Pot 2 bb"
        reload(browser)
        browser.wait_for(MAY_ACT)
        assert browser.text("#pot") == "Pot 2 bb"
        assert browser.text("#unit") == "bb"
        # An amount that is typed is in the unit, too.
        browser.evaluate(
            "const typed = document.querySelector('#amount'); typed.value = '7.5';"
            "typed.dispatchEvent(new Event('change'))"
        )
        assert browser.text("#raise .word") == "Raise to 7.5 bb"
        browser.click("#big-blinds")
        assert browser.text("#raise .word") == "Raise to 750"


def test_sound_is_off_until_it_is_switched_on(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches tones that nobody asked for, a switch without effect, and one that is forgotten."""
    browser.call("Page.addScriptToEvaluateOnNewDocument", source=COUNTING_AUDIO)
    with table(browser, tmp_path, "call", "--game", KUHN) as address:
        sit_down(browser, address)
        click_through(browser, 2, Random(1))
        assert browser.evaluate("window.tones") == 0
        browser.click("#sound")
        reload(browser)
        browser.click("#deal")
        browser.wait_for("window.tones > 0")
        assert browser.complaints() == []
        assert all(url.startswith((address, "data:")) for url in browser.requests())


def test_a_win_rate_needs_thirty_hands(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches figures that say nothing, and none where there are enough hands."""
    with table(browser, tmp_path, "call", "--game", KUHN) as address:
        sit_down(browser, address)
        click_through(browser, 29, Random(2))
        assert browser.evaluate(WIN_RATES)[0] == "too few hands"
        browser.click("#deal")
        while browser.evaluate(f"{ROWS}.length") < 30:
            browser.wait_for(f"({MAY_ACT}) || {ROWS}.length === 30")
            browser.evaluate(f"({MAY_ACT}) && document.querySelector('#call').click()")
        assert " ± " in browser.evaluate(WIN_RATES)[0]


def test_equal_steps_of_the_slider_multiply_the_bet(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches a slider on which all sizes that are played lie in its first hundredth."""
    with table(browser, tmp_path, "call", "--game", NOLIMIT_2P) as address:
        sit_down(browser, address)
        browser.wait_for(MAY_ACT)
        for share in (0.0, 0.25, 0.5, 0.75, 1.0):
            browser.evaluate(
                "{ const slider = document.querySelector('#size');"
                f"slider.value = slider.max * {share}; slider.dispatchEvent(new Event('input')) }}"
            )
            # From 200 to 20,000 a quarter of the way is a factor of the square root of ten.
            shown = float(browser.evaluate("document.querySelector('#amount').value"))
            assert shown == pytest.approx(200 * 100**share, rel=0.01)
            assert browser.text("#raise .word") == f"Raise to {plain(shown)}"


def test_every_step_of_the_slider_is_another_bet(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches a key that moves the slider and not the bet, where few chips lie between bounds."""
    with table(browser, tmp_path, "call", "--game", "leduc.nolimit.2p") as address:
        sit_down(browser, address)
        browser.wait_for(MAY_ACT)
        browser.evaluate(
            "const slider = document.querySelector('#size'); slider.focus(); slider.value = 0;"
            "slider.dispatchEvent(new Event('input'))"
        )
        bets = [amount(browser)]
        for _ in range(12):
            Keyboard().type_key(browser, "ArrowRight")
            bets.append(amount(browser))
        assert bets == sorted(set(bets))


def amount(page: BrowserPage) -> float:
    return float(page.evaluate("document.querySelector('#amount').value"))


def test_bots_are_introduced_with_their_cards(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches a path where a title should be, and a link that leads nowhere."""
    strategy = "strategies/leduc.limit.2p/dcfr"
    with table(browser, tmp_path, strategy, "call", "--game", "leduc.limit.2p") as address:
        browser.open_address(address)
        browser.wait_for(IN_LOBBY)
        assert browser.evaluate("document.querySelector('#game').selectedOptions[0].text") == (
            "Leduc hold'em"
        )
        options = "[...document.querySelector('select.bot').options].map((one) => one.text)"
        assert browser.evaluate(options) == [
            "DCFR, 2 M iterations",
            "Caller: never folds, never raises",
        ]
        sit_down(browser, address)
        assert browser.text("#playing") == "Leduc hold'em"
        assert browser.text("#opponents li") == "DCFR, 2 M iterations strength card"
        card = browser.evaluate(
            "fetch(document.querySelector('#opponents a').href).then((found) => found.text())"
        )
        assert card.startswith("# dcfr, leduc.limit.2p")
        assert browser.text(".others .name") == "DCFR"


def test_a_phone_shows_the_own_seat_above_the_buttons(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches own cards that lie below the screen, or behind the buttons, when one sits down."""
    with table(browser, tmp_path, "call", "--game", NOLIMIT_6P) as address:
        size: dict[str, Any] = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
        browser.call("Emulation.setDeviceMetricsOverride", **size)
        sit_down(browser, address)
        browser.wait_for(MAY_ACT)
        box = "document.querySelector('%s').getBoundingClientRect()"
        own, buttons = box % ".me .seat", box % "#actions"
        assert browser.evaluate(f"{own}.top >= 0 && {own}.bottom <= {buttons}.top")
        assert browser.evaluate(f"{buttons}.bottom <= window.innerHeight")
