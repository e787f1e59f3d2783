"""The person's decisions in a real browser: numbers as in ``explain --json``, and drills by keys."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from acpcbot.cli.dispatch import main
from tests.support.axe import needs_axe, serious_faults
from tests.support.chromium import BrowserPage, needs_chromium
from tests.support.games import LEDUC
from tests.support.page_looks import DEVICE_WIDTHS_PX, THEMES, check_looks, set_screen
from tests.web.test_table_in_browser import IS_OVER, MAY_ACT, click_through, sit_down, table

pytestmark = needs_chromium

STRATEGY = "strategies/leduc.limit.2p/dcfr"
ITEMS = "[...document.querySelectorAll('%s li')].map((item) => item.innerText)"
IS_JUDGED = "document.querySelector('#after .judged li') !== null"
ARE_JUDGED = "document.querySelector('#costs-total').textContent.includes(' in %s hands cost ')"
ROWS = """[...document.querySelectorAll('#cost-tables table')].map((table) =>
    [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.innerText)))"""
IS_SPOT = "!document.querySelector('#drill').hidden && document.querySelector('#drill-next').hidden"
IS_ANSWERED = "!document.querySelector('#drill-next').hidden"
NUM_HANDS = 8


def number(text: str) -> float:
    return float(text.replace("−", "-"))


def explained(log: Path, capfd: pytest.CaptureFixture[str], *more: str) -> Any:
    capfd.readouterr()
    words = ["explain", str(log), "--strategy", STRATEGY, "--player", "Ann", "--json", *more]
    assert main(words) == 0
    return json.loads(capfd.readouterr().out)


def check_item(item: str, judged: dict[str, Any]) -> None:
    """Compare the text of a decision with its numbers."""
    cost = re.search(r"cost (−?\d+\.\d\d) bb", item)
    assert cost is not None, item
    assert number(cost[1]) == pytest.approx(judged["cost_bb"], abs=0.00501)
    values = [number(found) for found in re.findall(r": (−?\d+\.\d\d) bb", item)]
    assert values == pytest.approx(judged["values_bb"], abs=0.00501)
    shares = re.findall(r"(under |over )?(\d+(?:\.\d+)?) %", item)
    assert len(shares) == len(judged["probabilities"])
    for (bound, share), probability in zip(shares, judged["probabilities"], strict=True):
        assert float(share) == pytest.approx(100 * probability, abs=0.51), (bound, item)
    assert item.count("(taken)") == 1
    assert "values are exact" in item


def test_shown_numbers_are_those_of_explain(
    browser: BrowserPage, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Catches numbers that are lost or mixed up on their way to the page."""
    shown: dict[int, list[str]] = {}
    with table(browser, tmp_path, STRATEGY, "--game", LEDUC) as address:
        sit_down(browser, address)
        random = Random(5)
        for hand in range(NUM_HANDS):
            click_through(browser, 1, random) if hand == 0 else play_on(browser, hand, random)
            browser.wait_for(
                f"document.querySelector('#after h2').innerText.startsWith('Hand {hand}')"
            )
            browser.wait_for(
                f"({IS_JUDGED}) || document.querySelector('#after .judged-total')"
                ".innerText.startsWith('You had nothing')"
            )
            shown[hand] = browser.evaluate(ITEMS % "#after .judged")
        browser.wait_for(ARE_JUDGED % NUM_HANDS)
        browser.click("#show-costs")
        total, rows = browser.text("#costs-total"), browser.evaluate(ROWS)
        spots = browser.evaluate(ITEMS % "#cost-spots")
        assert browser.complaints() == []
        assert all(url.startswith((address, "data:")) for url in browser.requests())
    log = tmp_path / "logs" / "table000.log"
    for hand, items in shown.items():
        (found,) = explained(log, capfd, "--hand", str(hand))
        judged = [decision["judged"] for decision in found["decisions"]]
        assert len(items) == len(judged)
        for item, wanted in zip(items, judged, strict=True):
            check_item(item, wanted)
    (player,) = explained(log, capfd)["players"]
    assert total.startswith(f"{player['total']['decisions']} decisions in {NUM_HANDS} hands cost ")
    for drawn, name in zip(rows, ("by_street", "by_position", "by_kind"), strict=True):
        for (label, count, cost), wanted in zip(drawn, player[name], strict=True):
            assert label in wanted.values()
            assert int(count) == wanted["decisions"]
            assert number(cost) == pytest.approx(wanted["cost_bb"], abs=0.00501)
    assert len(spots) == len(player["most_expensive"]) > 0
    for item, wanted in zip(spots, player["most_expensive"], strict=True):
        assert item.startswith(f"Hand {wanted['hand']}, position ")
        check_item(item, wanted)


def play_on(browser: BrowserPage, hand: int, random: Random) -> None:
    """Deal the next hand and play it by keys."""
    browser.press(" ")
    is_played = (
        f"({IS_OVER}) && document.querySelectorAll('#history tbody tr').length === {hand + 1}"
    )
    while not browser.evaluate(is_played):
        browser.wait_for(f"({MAY_ACT}) || ({is_played})")
        browser.press(random.choice("ccrrf"))


def test_a_drill_is_played_by_keys(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches a spot of other cards, an answer that is not judged, and a table that is lost."""
    with table(browser, tmp_path, STRATEGY, "--game", LEDUC) as address:
        sit_down(browser, address)
        random = Random(5)
        click_through(browser, 1, random)
        for hand in range(1, NUM_HANDS):
            play_on(browser, hand, random)
        browser.wait_for(ARE_JUDGED % NUM_HANDS)
        pot = browser.text("#pot")
        browser.click("#show-costs")
        spots = browser.evaluate(ITEMS % "#cost-spots")
        browser.click("#drill-all")
        for turn in range(len(spots) + 1):
            place = turn % len(spots)
            browser.wait_for(
                f"({IS_SPOT}) && document.querySelector('#drill-title').innerText"
                f".startsWith('Spot {place + 1} of {len(spots)},')"
            )
            played = re.match(r"Hand (\d+)", spots[place])
            assert played is not None
            assert browser.text("#drill-title").endswith(f"of hand {played[1]}")
            own = browser.text(".me .cards")
            assert f"with {own}" in " ".join(spots[place].split())
            assert browser.evaluate("document.querySelectorAll('.others .card.back').length") == 1
            browser.press("c")
            browser.wait_for(IS_ANSWERED)
            said = browser.text("#drill-answer")
            assert re.search(r"(calls \d+|checks) (\d|under|over|[\d.]+ %).*\(taken\)", said)
            before = re.search(r"cost (−?\d+\.\d\d) bb", spots[place])
            assert before is not None
            assert f"cost {before[1]} bb." in said
            assert browser.evaluate("document.activeElement.id") == "drill-next"
            browser.press("n")
        browser.wait_for(IS_SPOT)
        browser.click("#drill-close")
        browser.wait_for(f"({IS_OVER}) && document.querySelector('#drill').hidden")
        assert browser.text("#pot") == pot
        assert browser.complaints() == []


@needs_axe
def test_decisions_can_be_read_by_everybody(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches what sticks out, is too small or too pale, or has no name, in every view of them."""
    faults = {}
    with table(browser, tmp_path, STRATEGY, "--game", LEDUC) as address:
        sit_down(browser, address)
        random = Random(5)
        click_through(browser, 1, random)
        for hand in range(1, NUM_HANDS):
            play_on(browser, hand, random)
        browser.wait_for(ARE_JUDGED % NUM_HANDS)
        views = {
            "hand": ("", IS_JUDGED),
            "costs": ("#show-costs", "!document.querySelector('#costs').hidden"),
            "spot": ("#drill-all", IS_SPOT),
            "answer": ("#call", IS_ANSWERED),
        }
        for name, (pressed, is_there) in views.items():
            if pressed:
                browser.click(pressed)
            browser.wait_for(is_there)
            for width in DEVICE_WIDTHS_PX:
                for theme in THEMES:
                    set_screen(browser, width, theme)
                    browser.wait_for(f"window.innerWidth === {width}")
                    part = {"hand": "#after", "costs": "#costs"}.get(name, "#drill")
                    check_looks(browser, width, part, least_texts=3)
                    faults[f"{name} {width} {theme}"] = serious_faults(browser)
    assert {place: found for place, found in faults.items() if found} == {}
