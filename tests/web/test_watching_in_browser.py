"""Watching matches in a real browser: what the cards say is what the logs and evaluate say."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from acpcbot.cli.dispatch import main
from acpcbot.logs.match_log import HandRecord, read_match_log
from tests.support.axe import needs_axe, serious_faults
from tests.support.chromium import BrowserPage, needs_chromium
from tests.support.games import NOLIMIT_3P
from tests.support.matches import plan_of, play
from tests.support.page_looks import DEVICE_WIDTHS_PX, THEMES, check_looks, set_screen
from tests.web.test_table_in_browser import IN_LOBBY, table

pytestmark = needs_chromium

TRANSCRIPTS = Path(__file__).parents[2] / "dealer_tests" / "transcripts"
RECORDED = TRANSCRIPTS / "clean_nolimit_3p_s1" / "dealer.log"
CARDS = """[...document.querySelectorAll('.match')].map((card) => [
    card.querySelector('.match-title').innerText,
    card.querySelector('p').innerText,
    ...[...card.querySelectorAll('tr')].map((row) => [...row.cells].map((cell) => cell.innerText)),
])"""
POTS = "[...document.querySelectorAll('.pot-row')].map((row) => row.innerText)"
NUM_POTS = "document.querySelectorAll('.pot-row').length"
TITLE = "document.querySelector('#step-title').textContent"


def open_watch(browser: BrowserPage, address: str) -> None:
    browser.open_address(address)
    browser.wait_for(IN_LOBBY)
    browser.click("#show-watch")
    browser.wait_for(f"{NUM_POTS} > 0")


def told(text: str) -> list[float]:
    """The mean and half the width of an interval, as a card has them."""
    mean, _, half_width = text.replace(",", "").partition(" ± ")
    return [chips_of(mean), float(half_width)]


def test_a_hand_that_comes_is_shown(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches a page that must be loaded again, and a hand that is not the newest one."""
    text, log = RECORDED.read_bytes(), tmp_path / "growing.log"
    log.write_bytes(text[: text.index(b"STATE:30:") + 25])
    with table(browser, tmp_path, "call", "--game", NOLIMIT_3P, "--watch", log) as address:
        open_watch(browser, address)
        browser.wait_for(f"{TITLE}.startsWith('hand 29 ')")
        assert "30 of 40 hands" in browser.text(".match p")
        browser.evaluate("window.isSame = true")
        with log.open("ab") as file:
            file.write(text[text.index(b"STATE:30:") + 25 :])
        browser.wait_for("document.querySelector('.match p').innerText.includes('finished')")
        # The hand that is being replayed is played to its end first.
        browser.wait_for(f"{TITLE}.startsWith('hand 39 ')")
        assert "40 of 40 hands" in browser.text(".match p")
        assert browser.evaluate("window.isSame")
        browser.wait_for(f"{NUM_POTS} === 25")
        assert browser.complaints() == []


def test_any_hand_is_reached_by_keys_and_by_its_pot(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches a hand that cannot be chosen, a list in another order, a pot of another hand."""
    hands = [entry for entry in read_match_log(RECORDED) if isinstance(entry, HandRecord)]
    with table(browser, tmp_path, "call", "--game", NOLIMIT_3P, "--watch", RECORDED) as address:
        open_watch(browser, address)
        browser.wait_for(f"{TITLE}.startsWith('hand 39 ')")
        assert browser.text("#hand-count") == "of 0 to 39"
        browser.press("b")
        browser.wait_for(f"{TITLE}.startsWith('hand 38 ')")
        browser.wait_for("document.querySelector('#hand').value === '38'")
        browser.evaluate(
            "const hand = document.querySelector('#hand'); hand.value = 7;"
            "hand.dispatchEvent(new Event('change'))"
        )
        browser.wait_for(f"{TITLE}.startsWith('hand 7 ')")
        browser.click("#more-pots")
        browser.wait_for(f"{NUM_POTS} === 40 && document.querySelector('#more-pots').hidden")
        rows = browser.evaluate(POTS)
        chips = [int(row.split("\n")[0].replace(",", "")) for row in rows]
        assert chips == sorted(chips, reverse=True)
        assert sorted(int(row.rpartition("hand ")[2]) for row in rows) == list(range(40))
        first = hands[int(rows[0].rpartition("hand ")[2])]
        browser.evaluate("document.querySelector('.pot-row button').focus()")
        browser.click(".pot-row button")
        browser.wait_for(f"{TITLE}.startsWith('hand {first.hand_id} ')")
        assert browser.evaluate("document.activeElement.getAttribute('aria-current')") == "true"
        browser.press("End")
        won = dict(zip(first.names, first.values, strict=True))
        shown = browser.evaluate(
            "Object.fromEntries([...document.querySelectorAll('.seat')].map((seat) =>"
            " [seat.querySelector('.name').innerText, seat.querySelector('.result').innerText]))"
        )
        assert {name: chips_of(text) for name, text in shown.items()} == won
        assert browser.complaints() == []


def chips_of(text: str) -> float:
    return float(text.replace("−", "-").replace(",", "").replace("±0", "0"))


def folders(folder: Path, pairs: Sequence[tuple[str, str]]) -> None:
    """Play a duplicate match of each pair, each in a folder of its own."""
    for number, pair in enumerate(pairs):
        plan = plan_of(*pair, game="leduc.limit.2p", num_hands=30, is_duplicate=True)
        plan.save(folder / f"m{number}")
        play(plan, folder / f"m{number}")


def test_matches_stand_side_by_side_with_the_scores_of_evaluate(
    browser: BrowserPage, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Catches scores of another match, a match that begins later and is not shown, and a choice
    that changes nothing.
    """
    day = tmp_path / "day"
    folders(day, [("tight", "call"), ("tight", "random")])
    with table(browser, tmp_path, "call", "--game", "leduc.limit.2p", "--watch", day) as address:
        open_watch(browser, address)
        browser.wait_for("document.querySelectorAll('.match tr').length === 4")
        cards = browser.evaluate(CARDS)
        for number, (title, state, *rows) in enumerate(cards):
            capsys.readouterr()
            assert main(["evaluate", str(day / f"m{number}"), "--json"]) == 0
            players = json.loads(capsys.readouterr().out)["players"]
            assert title == " – ".join(row[0] for row in rows)
            assert "60 of 60 hands (30 deals) · finished" in state
            for row in rows:
                (chips,) = [one["estimates"][0] for one in players if one["name"] == row[0]]
                wanted = [chips["mean_mbb"], chips["half_width_mbb"]]
                assert told(row[1]) == pytest.approx(wanted, abs=0.0501)
        plan = plan_of("call", "random", game="leduc.limit.2p", num_hands=5)
        plan.save(day / "m2")
        play(plan, day / "m2")
        browser.wait_for("document.querySelectorAll('.match tr').length === 6")
        title, _, *rows = browser.evaluate(CARDS)[2]
        assert title == "call – random"
        assert [row[1] for row in rows] == ["too few hands", "too few hands"]
        assert browser.text("#watched") == "tight – call"
        browser.press("j")
        browser.press("j")
        browser.wait_for(f"{NUM_POTS} === 5")
        assert browser.text("#watched") == "call – random"
        assert browser.evaluate("document.activeElement.getAttribute('aria-pressed')") == "true"
        browser.press("k")
        browser.wait_for(f"{NUM_POTS} === 25")
        browser.evaluate("window.isLeft = true; location.reload()")
        browser.wait_for(f"!window.isLeft && document.readyState === 'complete' && {NUM_POTS} > 0")
        assert browser.complaints() == []


def test_a_log_that_is_cut_off_is_shown_as_it_is(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches a page that goes on with hands which are no longer in the log."""
    text, log = RECORDED.read_bytes(), tmp_path / "match.log"
    log.write_bytes(text)
    with table(browser, tmp_path, "call", "--game", NOLIMIT_3P, "--watch", log) as address:
        open_watch(browser, address)
        browser.wait_for(f"{TITLE}.startsWith('hand 39 ')")
        os.truncate(log, text.index(b"STATE:12:") + 9)
        browser.wait_for("document.querySelector('.match p').innerText.includes('12 of 40 hands')")
        browser.wait_for(f"{NUM_POTS} === 12")
        browser.wait_for(f"{TITLE}.startsWith('hand 11 ')")
        assert browser.complaints() == []


@needs_axe
def test_looks_and_names_of_the_view(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches text that is too small or too pale, what sticks out, a control without a name."""
    folders(tmp_path / "day", [("tight", "call"), ("tight", "random"), ("random", "raise")])
    words = ("call", "--game", "leduc.limit.2p", "--watch", tmp_path / "day")
    with table(browser, tmp_path, *words, "--watch", RECORDED) as address:
        open_watch(browser, address)
        browser.wait_for("document.querySelectorAll('.match tr').length === 6")
        # The log of another game is told to be wrong.
        browser.wait_for("document.querySelector('.match .pain') !== null")
        for theme in THEMES:
            for width in DEVICE_WIDTHS_PX:
                set_screen(browser, width, theme)
                check_looks(browser, width, "#matches", 35)
                check_looks(browser, width, "#watch", 100)
                assert serious_faults(browser) == []
