"""The study of a hand in a real browser: a tab for each street that goes with the replayer, and the
bots' strategies in the grid of hands.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from acpcbot.cards.deck import parse_cards
from acpcbot.evaluation.decisions.judged_hands import Judge
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.web.range_study import ESTIMATING
from acpcbot.web.study import estimated_study, hand_line, thoughts
from tests.support.axe import needs_axe, serious_faults
from tests.support.chromium import BrowserPage, needs_chromium
from tests.support.games import LEDUC, LIMIT_2P, NOLIMIT_2P
from tests.support.page_looks import CELLS, THEMES, WIDTHS_PX, check_looks, set_screen
from tests.support.study_page import is_near, press_switch, shown_study
from tests.web.test_range_study import limit_hand, nolimit_hand
from tests.web.test_study import nolimit_thoughts
from tests.web.test_table_in_browser import IN_LOBBY, IS_OVER, MAY_ACT, ROWS, sit_down, table

pytestmark = needs_chromium

TABS = "[...document.querySelectorAll('#after [role=tab]')].map((tab) => tab.innerText)"
IS_DEALT = "document.querySelectorAll('#story li').length > 0"
OPEN_TAB = "document.querySelector('#after [aria-selected=true]').innerText"
HEADING = "#after .decision h3"
FOCUSED = "document.activeElement.dataset.hand"
TALLEST_SCREENS = 3
SHOW = """import("/static/study.js").then((study) =>
    study.showThoughts(%s, %s, {
        onChosen: (step) => { window.chosenStep = step; },
        onEstimate: (place) => { (window.askedPlaces ??= []).push(place); },
    }))"""
ESTIMATED = 'import("/static/study.js").then((study) => study.showEstimated(%s))'
FOLLOW = 'import("/static/study.js").then((study) => study.followStep(7, %s))'


@cache
def message() -> str:
    """Return the server's message on a no-limit hand with five decisions on four streets."""
    found, decisions = nolimit_thoughts()
    plain: dict[str, Any] = {"type": "thoughts", "hand": 7, "split": None, "note": "unknown"}
    line = hand_line(found)
    return json.dumps(plain | {"silent": [], "decisions": decisions, "line": line})


def test_the_grid_can_be_read_on_every_screen(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches what ``check_looks`` does, decisions one below the other, and an empty river."""
    with table(browser, tmp_path, "call", "--game", NOLIMIT_2P) as address:
        sit_down(browser, address)
        browser.wait_for(IS_DEALT)
        for width in WIDTHS_PX:
            for theme in THEMES:
                set_screen(browser, width, theme)
                browser.evaluate(SHOW % (message(), 11))
                browser.wait_for(f"window.innerWidth === {width}")
                check_looks(browser, width, "#after")
                assert browser.evaluate(OPEN_TAB) == "River"
                assert len(browser.evaluate("[...document.querySelectorAll('.hand-grid')]")) == 1
        height = browser.evaluate("document.querySelector('#after').offsetHeight")
        assert height < TALLEST_SCREENS * 900
        check_cells(browser)
        assert browser.complaints() == []
        assert all(url.startswith((address, "data:")) for url in browser.requests())


@needs_axe
def test_no_serious_fault_of_accessibility_is_found(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches roles, names, orders of headings and contrasts that assistive programs suffer from."""
    with table(browser, tmp_path, "call", "--game", NOLIMIT_2P) as address:
        browser.open_address(address)
        browser.wait_for(IN_LOBBY)
        faults = {"lobby": serious_faults(browser)}
        sit_down(browser, address)
        browser.wait_for(IS_DEALT)
        browser.evaluate(SHOW % (message(), 11))
        for width in (390, 1280):
            for theme in THEMES:
                set_screen(browser, width, theme)
                browser.wait_for(f"window.innerWidth === {width}")
                faults[f"{width} {theme}"] = serious_faults(browser)
        assert {place: found for place, found in faults.items() if found} == {}


def check_cells(browser: BrowserPage) -> None:
    river, cells = json.loads(message())["decisions"][-1], browser.evaluate(CELLS)
    most = max(reach for reach, *_ in river["classes"].values())
    assert 0 < most < 0.5
    assert len(cells) == 169
    for name, (reach, *shares) in river["classes"].items():
        assert cells[name]["height"] == pytest.approx(reach / most, abs=0.06)
        if reach:
            found = [share for _, share in cells[name]["fills"]]
            assert found == pytest.approx([share for share in shares if share], abs=0.01)
        assert f"{name}: " in cells[name]["label"] or f"{name}, held: " in cells[name]["label"]
        for action in river["actions"]:
            assert f", {action['text']} " in cells[name]["label"]


def test_tabs_go_with_the_steps_of_a_replay(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches a tab of another street than the step's, and one that does not lead to its step."""
    with table(browser, tmp_path, "call", "--game", NOLIMIT_2P) as address:
        sit_down(browser, address)
        browser.wait_for(IS_DEALT)
        browser.evaluate(SHOW % (message(), 0))
        assert browser.evaluate(TABS) == ["Preflop", "Flop", "Turn", "River"]
        headings = {}
        for step in range(13):
            browser.evaluate(FOLLOW % step)
            headings[step] = " ".join(browser.text(HEADING).split())
        assert [step for step in range(1, 13) if headings[step] != headings[step - 1]] == [
            2,
            5,
            8,
            11,
        ]
        assert headings[2].startswith("Preflop: bot")
        assert headings[12].startswith("River: bot")
        browser.click("#street-turn")
        assert browser.evaluate(OPEN_TAB) == "Turn"
        assert browser.evaluate("window.chosenStep") == 8
        browser.evaluate("document.querySelector('#street-turn').focus()")
        browser.press("ArrowLeft")
        assert (browser.evaluate(OPEN_TAB), browser.evaluate("window.chosenStep")) == ("Flop", 5)
        assert browser.evaluate("document.activeElement.id") == "street-flop"
        browser.click("#street-preflop")
        second = "[...document.querySelectorAll('.choices button')].at(-1)"
        browser.evaluate(f"{second}.click()")
        assert browser.evaluate("window.chosenStep") == 2
        assert browser.evaluate(f"{second}.getAttribute('aria-pressed')") == "true"
        assert browser.complaints() == []


def test_hands_and_values_are_those_of_the_judgement(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches numbers of another hand or decision: those of judging the bot's own decisions."""
    found = nolimit_hand()
    strategy = found.strategies[1]
    assert isinstance(strategy, SnapshotStrategy)
    judged = Judge(strategy).judge_hand(found.hand, 1)
    decisions, line = thoughts(found), hand_line(found)
    message = {"type": "thoughts", "hand": 7, "split": None, "note": "unknown", "silent": []}
    big_blind = found.hand.betting.game.definition.big_blind
    num_exact = 0
    with table(browser, tmp_path, "call", "--game", NOLIMIT_2P) as address:
        sit_down(browser, address)
        browser.wait_for(IS_DEALT)
        shown = json.dumps(message | {"decisions": decisions, "line": line})
        browser.evaluate(SHOW % (shown, 0))
        for decision, one in zip(decisions, judged, strict=True):
            browser.evaluate(FOLLOW % decision["step"])
            browser.evaluate(f"document.querySelector('[data-hand={decision['own']}]').click()")
            study = shown_study(browser, "#after")
            (held,) = study["held"]
            assert parse_cards(held) == tuple(sorted(found.hand.hole_cards[1], reverse=True))
            assert study["heads"][-len(one.actions) :] == [
                action["text"] for action in decision["actions"]
            ]
            cells = study["hands"][held][-len(one.actions) :]
            betting = list(found.hand.betting.decisions())[one.place][0]
            for cell, share, value in zip(cells, one.probabilities, one.values_bb, strict=True):
                assert is_near(cell.split(" ")[0], share) or cell.startswith("under 0.1 %")
                if one.is_exact:
                    chips = value * big_blind + betting.spent[1]
                    assert is_near(cell.rpartition(" ")[2], chips, is_share=False)
            num_exact += one.is_exact
        assert num_exact >= 1
        assert browser.complaints() == []


def test_a_flop_shows_values_with_their_uncertainty(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches values that are never asked for, asked for twice, or shown without an interval."""
    found = limit_hand()
    decisions, line = thoughts(found), hand_line(found)
    place = next(number for number, one in enumerate(decisions) if one["street"] == "flop")
    flop, study = decisions[place], estimated_study(found, place)
    assert study is not None
    cell_of_own = f'[data-hand="{flop["own"]}"]'
    plain = {"type": "thoughts", "hand": 7, "split": None, "note": "unknown", "silent": []}
    shown = json.dumps(plain | {"decisions": decisions, "line": line})
    answer = json.dumps({"type": "estimated", "hand": 7, "place": place, "study": study})
    with table(browser, tmp_path, "call", "--game", LIMIT_2P) as address:
        sit_down(browser, address)
        browser.wait_for(IS_DEALT)
        browser.evaluate(SHOW % (shown, flop["step"]))
        assert browser.evaluate("window.askedPlaces") == [place]
        assert ESTIMATING in browser.text("#after")
        browser.evaluate(f"document.querySelector('{cell_of_own}').focus()")
        browser.evaluate(ESTIMATED % answer)
        assert browser.evaluate(FOCUSED) == flop["own"]
        assert ESTIMATING not in browser.text("#after")
        assert "Values are estimates from" in browser.text("#after")
        drawn = shown_study(browser, "#after")
        held = study["ranges"][0]["hands"].index(study["held"])
        values, widths = study["actionValues"][held], study["actionHalfWidths"][held]
        cells = drawn["hands"][study["held"]][-len(values) :]
        best = max(range(len(values)), key=values.__getitem__)
        for action, cell in enumerate(cells):
            value, width = values[action], widths[action]
            told = cell.split(" ")
            if width:
                assert f" ± {width:.2f} " in cell
            assert is_near(cell.split("% ")[-1], value, is_share=False)
            if action == best:
                assert told[-1] == "best"
            else:
                lead = study["leadHalfWidths"][held][action]
                assert is_near(told[-3], value - values[best], is_share=False)
                assert told[-2:] == ["±", f"{lead:.2f}"]
        press_switch(browser, "#after", "Value")
        look = browser.evaluate(f"document.querySelector('{cell_of_own}').ariaLabel")
        assert " ± " in look
        assert browser.evaluate("window.askedPlaces") == [place]
        for width in WIDTHS_PX:
            set_screen(browser, width, THEMES[0])
            browser.wait_for(f"window.innerWidth === {width}")
            check_looks(browser, width, "#after")
        assert browser.complaints() == []


def test_the_line_of_the_hand_leads_from_decision_to_decision(
    browser: BrowserPage, tmp_path: Path
) -> None:
    """Catches a step that opens another decision, and one of the person's that opens any."""
    with table(browser, tmp_path, "call", "--game", NOLIMIT_2P) as address:
        sit_down(browser, address)
        browser.wait_for(IS_DEALT)
        browser.evaluate(SHOW % (message(), 0))
        items = "[...document.querySelectorAll('#after .line-so-far li')]"
        told = json.loads(message())
        assert browser.evaluate(f"{items}.map((one) => one.innerText.trim())") == [
            caption.rstrip(".") for caption in told["line"][1:]
        ]
        steps = browser.evaluate(
            f"{items}.flatMap((one, step) => one.querySelector('button') ? [step] : [])"
        )
        assert steps == [decision["step"] for decision in told["decisions"]]
        for step, decision in zip(steps, told["decisions"], strict=True):
            browser.evaluate(f"{items}[{step}].querySelector('button').click()")
            assert browser.evaluate("window.chosenStep") == step
            assert browser.evaluate("document.activeElement.ariaCurrent") == "step"
            assert browser.text(HEADING).lower().startswith(decision["street"])
            assert browser.text(HEADING).endswith(decision["lastAction"])


def test_keys_in_the_grid_take_no_action_at_the_table(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches an arrow key that leaves the grid, and a key that the table gets as well."""
    with table(browser, tmp_path, "call", "--game", NOLIMIT_2P) as address:
        sit_down(browser, address)
        browser.wait_for(IS_DEALT)
        browser.evaluate(SHOW % (message(), 11))
        # The tab stop is the hand that is held.
        assert (
            browser.evaluate("document.querySelector('.cell[tabindex=\"0\"]').dataset.hand")
            == "32o"
        )
        browser.evaluate("document.querySelector('.cell[tabindex=\"0\"]').focus()")
        browser.press("ArrowUp")
        assert browser.evaluate(FOCUSED) == "33"
        assert browser.text(".hand-grid .look").startswith("33")
        browser.evaluate(
            "document.addEventListener('keydown', ({ key }) => { window.heard = key; })"
        )
        for key in ("ArrowLeft", "Home", " ", "Enter"):
            browser.press(key)
        assert browser.evaluate("window.heard") is None
        browser.press("q")
        assert browser.evaluate("window.heard") == "q"


def test_a_replayed_hand_opens_the_tab_of_its_step(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches tabs that the replayer of a real hand does not move, or that do not move it."""
    with table(browser, tmp_path, "strategies/leduc.limit.2p/dcfr", "--game", LEDUC) as address:
        sit_down(browser, address)
        for number in range(1, 6):
            call_down(browser, number)
            browser.click("#history tbody button")
            browser.wait_for("document.querySelector('#after .decision') !== null")
            if len(browser.evaluate(TABS)) == 2:
                break
            browser.click("#step-close")
            browser.wait_for(IS_OVER)
            browser.click("#deal")
        assert browser.evaluate(OPEN_TAB) == "Preflop"
        browser.press("End")
        assert browser.evaluate(OPEN_TAB) == "Flop"
        browser.click("#street-preflop")
        assert browser.evaluate(OPEN_TAB) == "Preflop"
        assert "win" not in browser.text("#said")
        assert browser.text("#board") == ""
        browser.click("#street-flop")
        assert browser.text("#board") != ""
        assert browser.complaints() == []


def call_down(browser: BrowserPage, number: int) -> None:
    """Check and call until hand *number* of the session, counted from 1, is over."""
    is_played = f"({IS_OVER}) && {ROWS}.length === {number}"
    while not browser.evaluate(is_played):
        browser.wait_for(f"({MAY_ACT}) || ({is_played})")
        browser.press("c")
