"""The hands of a report's page in a real browser: the list beside the replayer, stars, curves of
several players, and addresses that restore what was chosen.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import pytest

from acpcbot.reports.groupings import groupings
from acpcbot.reports.hands import HandTable, read_hands
from acpcbot.reports.page import report_page
from acpcbot.reports.summary import summarise
from acpcbot.reports.tables import mean_text
from tests.protocol.log_making import match_log
from tests.reports.logs import write_log
from tests.reports.pages import open_report
from tests.support.axe import needs_axe, serious_faults
from tests.support.chromium import BrowserPage, needs_chromium
from tests.support.games import LIMIT_2P, NOLIMIT_6P, definition_of
from tests.support.page_looks import THEMES, WIDTHS_PX, check_looks, set_screen

pytestmark = needs_chromium

HANDS = "[...document.querySelectorAll('#rows tbody tr')].map((row) => Number(row.dataset.at))"
CURRENT = (
    "[...document.querySelectorAll('#rows [aria-current]')].map((row) => Number(row.dataset.at))"
)
CURVES = "[...document.querySelectorAll('.player:not([hidden]) path.curve')].length"
CHOSEN = "#player=Bob&street=flop%2B&pot=5-&behind=statistic%3AVPIP%3Acount&order=won&curve=Cara"
STARRED = """[...document.querySelectorAll('#rows tbody tr')].filter((row) =>
    row.querySelector('.star')).map((row) => Number(row.dataset.at))"""


def written(folder: Path, *logs: list[str], game: str = NOLIMIT_6P) -> tuple[Path, HandTable]:
    """Return the page of *logs* and its hands."""
    paths = [write_log(folder, lines, f"{place}.log") for place, lines in enumerate(logs)]
    table = read_hands(paths, definition_of(game))
    path = folder / "page.html"
    path.write_text(report_page(summarise(table), table), encoding="utf-8")
    return path, table


def choose(browser: BrowserPage, name: str, value: str) -> None:
    """Give a control a value, as a reader does."""
    browser.evaluate(
        f"{{ const box = document.getElementById({name!r}); box.value = {value!r};"
        " box.dispatchEvent(new Event('change', { bubbles: true })); }"
    )


def test_the_list_is_shown_a_part_at_a_time(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches a hand that no part has, and one that two have."""
    path, table = written(tmp_path, match_log(NOLIMIT_6P, 250))
    open_report(browser, path)
    found = browser.evaluate(HANDS)
    assert len(found) == 100
    for text in ("101 to 200 of 250", "201 to 250 of 250"):
        browser.click("#later")
        assert browser.text("#range") == text
        found += browser.evaluate(HANDS)
    assert found == list(range(table.num_hands))
    assert browser.evaluate("document.querySelector('#later').disabled")
    browser.click("#earlier")
    assert browser.text("#range") == "101 to 200 of 250"


@pytest.mark.parametrize("order", ["pot", "won", "lost"])
def test_the_list_is_sorted(browser: BrowserPage, tmp_path: Path, order: str) -> None:
    """Catches an order from the wrong end, and equal hands that change places."""
    path, table = written(tmp_path, match_log(NOLIMIT_6P, 90))
    bob = table.players.index("Bob")
    open_report(browser, path, "#player=Bob")
    choose(browser, "order", order)
    won = np.where(table.player == bob, table.chips, 0).sum(axis=1)
    keys = {"pot": -table.pot_chips, "won": -won, "lost": won}
    assert browser.evaluate(HANDS) == np.argsort(keys[order], kind="stable").tolist()


def test_keys_lead_through_the_list_into_its_next_part(
    browser: BrowserPage, tmp_path: Path
) -> None:
    """Catches a step out of the list, and an open hand that the list does not mark."""
    path, _ = written(tmp_path, match_log(NOLIMIT_6P, 130))
    open_report(browser, path, "#player=Bob&hand=99")
    assert browser.evaluate(CURRENT) == [99]
    browser.press("n")
    assert (browser.evaluate(CURRENT), browser.text("#title")) == ([100], "Hand 100")
    assert browser.text("#range") == "101 to 130 of 130"
    browser.press("p")
    assert (browser.evaluate(CURRENT), browser.text("#range")) == ([99], "1 to 100 of 130")
    assert browser.evaluate("location.hash") == "#player=Bob&hand=99"


def test_a_click_in_the_list_opens_the_hand_and_keeps_the_focus(
    browser: BrowserPage, tmp_path: Path
) -> None:
    """Catches a list that is drawn anew under the keyboard's focus."""
    path, _ = written(tmp_path, match_log(NOLIMIT_6P, 30))
    open_report(browser, path)
    link = "document.querySelector('#rows [data-at=\"7\"] a')"
    browser.evaluate(f"{{ {link}.focus(); {link}.click(); }}")
    assert browser.text("#title") == "Hand 7"
    assert browser.evaluate(f"document.activeElement === {link}")


def test_enter_on_a_cell_leads_to_its_hands(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches a cell that only a mouse can follow."""
    path, table = written(tmp_path, match_log(NOLIMIT_6P, 60))
    open_report(browser, path, "#player=Bob")
    cell = "document.querySelector('.player:not([hidden]) a.cell')"
    name = browser.evaluate(f"{cell}.dataset.hand")
    browser.evaluate(f"{cell}.focus()")
    for kind in ("rawKeyDown", "char", "keyUp"):
        browser.call(
            "Input.dispatchKeyEvent", type=kind, key="Enter", text="\r", windowsVirtualKeyCode=13
        )
    browser.wait_for("document.activeElement.id === 'behind'")
    assert browser.text("#behind") == f"Hands: {name}"
    bob = table.players.index("Bob")
    assert browser.text("#facts").startswith(f"{len(browser.evaluate(HANDS))} hand")
    way = next(way for way in groupings(table) if way.title == "hand")
    dealt = np.where(table.player == bob, way.number, -1).max(axis=1)
    assert browser.evaluate(HANDS) == np.flatnonzero(dealt == way.labels.index(name)).tolist()


def test_hands_have_the_numbers_of_their_logs(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches a number counted by the page, and the hand of another log with the same number."""
    first = match_log(LIMIT_2P, 20)
    second = [line.replace("STATE:", "STATE:7") for line in match_log(LIMIT_2P, 8, seed=2)]
    path, table = written(tmp_path, first, second, game=LIMIT_2P)
    for hand in (3, 20, 27):
        words = {"hand": table.hand_id[hand], "hand-log": table.source_names[table.source[hand]]}
        open_report(browser, path, f"#{urlencode(words)}")
        assert browser.text("#title") == f"Hand {table.hand_id[hand]}"
        place = f"{table.source_names[table.source[hand]]}:{table.line_number[hand]}"
        assert browser.text("#found").startswith(f"{place} · ")
        line = (first, second)[table.source[hand]][table.line_number[hand] - 1]
        assert line.startswith(f"STATE:{table.hand_id[hand]}:")
        assert browser.evaluate(CURRENT) == [hand]


def test_a_number_that_is_typed_opens_its_hand(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches a place in the list taken for a number, and a number that no log has."""
    lines = [line.replace("STATE:", "STATE:7") for line in match_log(LIMIT_2P, 8)]
    path, _ = written(tmp_path, lines, game=LIMIT_2P)
    open_report(browser, path)
    choose(browser, "number", "75")
    assert (browser.text("#title"), browser.evaluate(CURRENT)) == ("Hand 75", [5])
    choose(browser, "number", "5")
    assert browser.text("#title") == "Hand 75"
    missing = browser.evaluate("document.querySelector('#number').validationMessage")
    assert missing == "No hand 5 in these logs"


def test_stars_stay_and_choose_hands(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches a star that a reload or another report of the log forgets, and one of other cards."""
    lines = match_log(NOLIMIT_6P, 40)
    path, _ = written(tmp_path, lines)
    open_report(browser, path, "#hand=5")
    browser.click("#star")
    browser.press("n")
    browser.press("s")
    assert browser.evaluate(STARRED) == [5, 6]
    assert browser.evaluate("document.querySelector('#star').ariaPressed") == "true"
    open_report(browser, path, "#starred=yes")
    assert browser.evaluate(HANDS) == [5, 6]
    assert browser.text("#chosen") == "2 of 40 hands"
    longer = tmp_path / "longer"
    longer.mkdir()
    other, _ = written(longer, match_log(NOLIMIT_6P, 60))
    open_report(browser, other)
    # The cards of hands of one seed are the same in a longer match.
    assert browser.evaluate(STARRED) == [5, 6]
    browser.click("#rows [data-at='6'] a")
    browser.click("#star")
    strangers = tmp_path / "strangers"
    strangers.mkdir()
    third, _ = written(strangers, match_log(NOLIMIT_6P, 40, seed=2))
    open_report(browser, third)
    assert browser.evaluate(STARRED) == []
    open_report(browser, path)
    assert browser.evaluate(STARRED) == [5]
    browser.evaluate("localStorage.clear()")


def test_without_a_store_a_star_lasts_as_long_as_the_page(
    browser: BrowserPage, tmp_path: Path
) -> None:
    """Catches a page that stops where the browser keeps nothing, and one that says nothing."""
    path, _ = written(tmp_path, match_log(NOLIMIT_6P, 10))
    open_report(browser, path)
    browser.evaluate(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('none'); } }); true"
    )
    browser.click("#star")
    assert browser.evaluate(STARRED) == [0]
    assert "keeps no stars" in browser.text("#found")
    assert browser.complaints() == []


def test_curves_of_other_players_are_drawn_over_the_same_filter(
    browser: BrowserPage, tmp_path: Path
) -> None:
    """Catches a curve of all hands beside one of few, and a box that does nothing."""
    path, _ = written(tmp_path, match_log(NOLIMIT_6P, 60))
    open_report(browser, path, "#player=Bob&position=2+BB")
    assert browser.evaluate(CURVES) == 1
    box = "document.querySelector('.player:not([hidden]) .compared input')"
    browser.evaluate(f"{box}.click()")
    assert browser.evaluate(CURVES) == 2
    assert browser.evaluate("location.hash").startswith("#player=Bob&position=2+BB&curve=")
    assert browser.evaluate(f"document.activeElement === {box}")
    # Each of six players has a tenth of the hands in the big blind: the axis is theirs.
    title = "document.querySelector('.player:not([hidden]) .curves title').textContent"
    assert " over 10 hands" in browser.evaluate(title)
    browser.evaluate(f"{box}.click()")
    assert browser.evaluate(CURVES) == 1


def test_a_name_at_the_top_leads_to_its_player(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches a name with another player's hands, and filters that stay behind unseen."""
    path, table = written(tmp_path, match_log(NOLIMIT_6P, 60))
    open_report(browser, path, "#player=Bob&position=2+BB")
    for place, player in enumerate(summarise(table).players):
        browser.evaluate(f"document.querySelectorAll('header tbody a')[{place}].click()")
        assert browser.text(".player:not([hidden]) h2") == player.name
        assert browser.text("#chosen") == "all 60 hands"
        won = browser.text(".player:not([hidden]) .won-over")
        assert won == f"{mean_text(player.total['chips'])} mbb/hand over 60 hands"


def test_a_filter_that_leaves_nothing_says_so(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches empty tables and charts, and hands of the filter before."""
    path, _ = written(tmp_path, match_log(NOLIMIT_6P, 20))
    open_report(browser, path)
    choose(browser, "pot-from", "90000")
    assert browser.text("#chosen") == "0 of 20 hands"
    assert browser.text(".player:not([hidden]) .won-over") == "No hand is left by these filters."
    assert browser.evaluate("document.querySelector('#replayer').hidden")
    browser.press("n")
    browser.press("End")
    assert browser.complaints() == []
    browser.click("#clear")
    assert browser.evaluate(HANDS) == list(range(20))
    assert not browser.evaluate("document.querySelector('#replayer').hidden")


def test_an_address_restores_everything(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches a choice that is not in the address."""
    path, _ = written(tmp_path, match_log(NOLIMIT_6P, 80))
    looks = """[document.querySelector('main').innerText, location.hash,
        ...[...document.querySelectorAll('#filter input, select')].map((box) => box.value)]"""
    open_report(browser, path)
    for name, value in (("street", "1-3"), ("pot-from", "5"), ("order", "won")):
        choose(browser, name, value)
    browser.evaluate(
        "{ const box = document.querySelector('#player');"
        " box.value = [...box.options].find((one) => one.text === 'Bob').value;"
        " box.dispatchEvent(new Event('change', { bubbles: true })); }"
    )
    browser.evaluate("document.querySelector('.player:not([hidden]) .rates tbody a').click()")
    browser.evaluate("document.querySelector('.player:not([hidden]) .compared input').click()")
    browser.press("n")
    before = browser.evaluate(looks)
    open_report(browser, path, before[1])
    assert browser.evaluate(looks) == before


def test_back_leads_to_what_was_shown_before(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches an address that changes while the page stays."""
    path, _ = written(tmp_path, match_log(NOLIMIT_6P, 80))
    open_report(browser, path, "#player=Bob")
    before = browser.evaluate(HANDS)
    choose(browser, "street", "3-3")
    assert browser.evaluate(HANDS) != before
    browser.evaluate("history.back()")
    browser.wait_for("document.querySelector('#street').value === '0-3'")
    assert browser.evaluate(HANDS) == before


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("width", WIDTHS_PX)
def test_text_can_be_read_with_filters_and_several_curves(
    browser: BrowserPage, tmp_path: Path, width: int, theme: str
) -> None:
    """Catches pale links, small text and a list that sticks out of the screen."""
    path, _ = written(tmp_path, match_log(NOLIMIT_6P, 200))
    set_screen(browser, width, theme)
    open_report(browser, path, CHOSEN)
    browser.click("#star")
    check_looks(browser, width, "main")
    assert browser.complaints() == []
    assert all(url.startswith(("data:", path.as_uri())) for url in browser.requests())
    browser.evaluate("localStorage.clear()")


@needs_axe
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("chosen", [CHOSEN, "#player=Bob&pot=90000-", "#behind=hand%3AAKs"])
def test_no_serious_fault_of_accessibility_is_found_in_what_was_chosen(
    browser: BrowserPage, tmp_path: Path, chosen: str, width: int, theme: str
) -> None:
    """Catches roles, names and contrasts of lists, links, curves and empty results."""
    path, _ = written(tmp_path, match_log(NOLIMIT_6P, 200))
    set_screen(browser, width, theme)
    open_report(browser, path, chosen)
    assert serious_faults(browser) == []
