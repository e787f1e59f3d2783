"""The page in a real browser: it draws, it replays hands, it asks nobody for anything, and
names stay names.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from acpcbot.reports.page import NUM_WITHOUT_SCRIPT, report_page
from acpcbot.reports.summary import summarise
from tests.protocol.log_making import match_log
from tests.reports.logs import NOLIMIT_HEADER, table_of
from tests.reports.pages import open_report
from tests.support.chromium import BrowserPage, needs_chromium
from tests.support.games import NOLIMIT_6P

pytestmark = needs_chromium

EVIL = "<script>alert(1)<!--&amp;"
HANDS = (
    NOLIMIT_HEADER,
    "STATE:0:r300f:QcKc|4d2h:-100|100:Alice|Bob".replace("Bob", EVIL),
    f"STATE:1:cr300c/cr600c/cc/r1200f:7hTh|4d5s/2c3c8d/Ks/Kd:600|-600:{EVIL}|Alice",
    f"STATE:2:r20000c///:5d5c|9hQd/8dAs8s/4h/6d:20000|-20000:Alice|{EVIL}",
)


def write_page(
    folder: Path, lines: tuple[str, ...] | list[str], game: str | None = None, num_hands: int = 100
) -> Path:
    table = table_of(folder, lines, game)
    path = folder / "page.html"
    path.write_text(report_page(summarise(table), table, num_hands), encoding="utf-8")
    return path


def test_the_page_opens_without_a_complaint_and_without_a_request(
    browser: BrowserPage, tmp_path: Path
) -> None:
    """Catches an error of the script, something that the page's own policy forbids, a font or a
    picture from afar.
    """
    path = write_page(tmp_path, HANDS)
    open_report(browser, path)
    browser.press("ArrowRight")
    assert browser.complaints() == []
    assert {url for url in browser.requests() if not url.startswith("data:")} == {path.as_uri()}


def test_the_policy_stops_a_script_that_is_not_the_pages(
    browser: BrowserPage, tmp_path: Path
) -> None:
    """Catches a policy that allows any script."""
    open_report(browser, write_page(tmp_path, HANDS))
    browser.evaluate(
        "{ const added = document.createElement('script'); added.textContent = 'window.intruder = 1';"
        " document.body.append(added); }"
    )
    assert browser.evaluate("typeof window.intruder") == "undefined"
    assert len(browser.complaints()) == 1


def test_plots_are_drawn_with_points_inside_their_frames(
    browser: BrowserPage, tmp_path: Path
) -> None:
    """Catches coordinates that are no numbers, and curves outside the picture."""
    open_report(browser, write_page(tmp_path, match_log(NOLIMIT_6P), NOLIMIT_6P))
    script = """[...document.querySelectorAll('.player:not([hidden]) svg.plot')].map((svg) => {
        const box = svg.querySelector('path.curve0').getBBox(), frame = svg.viewBox.baseVal;
        return [svg.querySelector('path.curve0').getTotalLength() > 100, box.x >= 0 && box.y >= 0,
                box.x + box.width <= frame.width && box.y + box.height <= frame.height];
    })"""
    assert browser.evaluate(script) == [[True, True, True]]
    cells = "document.querySelectorAll('.player:not([hidden]) .hand-grid .cell').length"
    assert browser.evaluate(cells) == 169
    assert browser.evaluate("document.querySelector('main').innerHTML.includes('NaN')") is False


def test_names_are_text_and_never_markup(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches a name that gets into the page as it is."""
    open_report(browser, write_page(tmp_path, HANDS))
    assert EVIL in browser.text("header table")
    assert EVIL in browser.text("#seats")
    assert EVIL in browser.text("#player")
    assert browser.evaluate("document.scripts.length") == 2


def test_keys_step_through_a_hand_forwards_and_backwards(
    browser: BrowserPage, tmp_path: Path
) -> None:
    """Catches wrong pots, chips left behind by a step back, cards shown too early."""
    open_report(browser, write_page(tmp_path, HANDS))
    browser.press("n")
    pots, boards = [], []
    for _ in range(12):
        pots.append(browser.text("#pot"))
        boards.append("".join(browser.text("#board").split()))
        browser.press("ArrowRight")
    # Blinds; call, raise to 300, call; flop; check, raise to 600, call; turn; check, check; river.
    amounts = [150, 200, 400, 600, 600, 600, 900, 1200, 1200, 1200, 1200, 1200]
    assert pots == [f"pot {amount:,}" for amount in amounts]
    assert boards == [""] * 4 + ["2♣3♣8♦"] * 4 + ["2♣3♣8♦K♠"] * 3 + ["2♣3♣8♦K♠K♦"]
    browser.press("ArrowLeft")
    browser.press("ArrowLeft")
    assert (browser.text("#caption"), browser.text("#pot")) == ("Alice checks.", "pot 1,200")
    browser.press("End")
    assert browser.text("#caption") == f"{EVIL} wins 600."
    browser.press("Home")
    assert browser.text("#pot") == "pot 150"


def test_buttons_do_what_keys_do(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches a button without its deed."""
    open_report(browser, write_page(tmp_path, HANDS))
    browser.click("#forward")
    assert browser.text("#caption") == f"{EVIL} raises to 300."
    assert "".join(browser.text("#seats .cards").split()) == "Q♣K♣"
    browser.click("#last")
    assert browser.text("#caption") == f"{EVIL} wins 100."
    browser.click("#back")
    assert browser.text("#caption") == "Alice folds."
    assert "folded" in browser.evaluate("document.querySelector('#seats').firstChild.className")
    browser.click("#next")
    browser.click("#first")
    assert browser.text("#caption") == "The cards are dealt."
    browser.click("#previous")
    assert browser.text("#found") == "match.log:2 · 1 of 3"


def test_the_end_of_a_hand_says_what_else_the_result_is_taken_for(
    browser: BrowserPage, tmp_path: Path
) -> None:
    """Catches a value at another seat, and one where there is none."""
    table = table_of(tmp_path, HANDS)
    columns = {"AIVAT": np.array([[1.5, np.nan]] * 3)}
    path = tmp_path / "page.html"
    path.write_text(report_page(summarise(table), table, 3, columns), encoding="utf-8")
    open_report(browser, path)
    browser.press("End")
    assert browser.text("#seats .last-action") == "−100 · AIVAT +1.5"
    assert browser.text("#seats .seat:last-child .last-action") == "+100"


def test_a_link_opens_its_hand(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches a big pot that leads to another hand, and one that is not on the page."""
    open_report(browser, write_page(tmp_path, HANDS, num_hands=1), "#hand=1")
    assert browser.text("#title") == "Hand 1"
    browser.click("a[href='#hand=2']")
    assert browser.text("#title") == "Hand 2"
    browser.press("End")
    assert browser.text("#pot") == "pot 40,000"


def test_a_hand_that_cannot_be_replayed_is_said_to_be_so(
    browser: BrowserPage, tmp_path: Path
) -> None:
    """Catches another hand in its place, and chips of the one before."""
    lines = [*HANDS, *[HANDS[1].replace("STATE:0", f"STATE:{number}") for number in range(3, 14)]]
    open_report(browser, write_page(tmp_path, lines, num_hands=0), "#hand=13")
    assert browser.text("#title") == "Hand 13"
    assert browser.text("#found") == "match.log:15 · 14 of 14 · cannot be replayed here"
    assert (browser.text("#pot"), browser.text("#caption")) == ("", "")
    assert browser.evaluate("document.querySelector('#forward').disabled")


def test_the_page_shows_the_player_that_is_chosen(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches a filter that hides the wrong section."""
    others = [line.replace("Jo", "J") for line in match_log(NOLIMIT_6P, num_hands=3)]
    open_report(browser, write_page(tmp_path, others, NOLIMIT_6P))
    visible = "[...document.querySelectorAll('.player')].map((section) => section.hidden)"
    assert browser.evaluate(visible) == [False] + [True] * (NUM_WITHOUT_SCRIPT - 1)
    browser.evaluate(
        "{ const box = document.querySelector('#player'); box.selectedIndex = 5;"
        " box.dispatchEvent(new Event('change', { bubbles: true })); }"
    )
    assert browser.evaluate(visible) == [False] + [True] * (NUM_WITHOUT_SCRIPT - 1)
    name = browser.evaluate("document.querySelector('#player').selectedOptions[0].text")
    assert browser.text(".player:not([hidden]) h2") == name


@pytest.mark.parametrize("width", [360, 1200])
def test_nothing_sticks_out_of_the_screen(browser: BrowserPage, tmp_path: Path, width: int) -> None:
    """Catches a part that makes a phone scroll sideways."""
    browser.call(
        "Emulation.setDeviceMetricsOverride",
        width=width,
        height=800,
        deviceScaleFactor=1,
        mobile=width < 500,
    )
    open_report(browser, write_page(tmp_path, match_log(NOLIMIT_6P), NOLIMIT_6P))
    assert browser.evaluate("document.documentElement.scrollWidth") <= width
