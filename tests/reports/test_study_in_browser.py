"""The study of solved decisions in a real browser: every number that it shows is the solver's."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from acpcbot.cards.deck import format_cards
from acpcbot.poker.hands import all_hands
from acpcbot.reports.solution import solution_page
from acpcbot.subgames.equities import Equities, range_equities
from acpcbot.subgames.solution import Decision
from tests.reports.test_grid_in_browser import spot, write_spot
from tests.reports.test_solution import leduc, river
from tests.support.axe import needs_axe, serious_faults
from tests.support.chromium import BrowserPage, needs_chromium
from tests.support.page_looks import CELLS, THEMES, check_looks, set_screen, tap
from tests.support.study_page import choose_class, is_near, press_switch, shown_study

pytestmark = needs_chromium

CLASSES = ("AA", "A5s", "KQo", "44", "QTs", "AJo", "TT")


def class_of(hand: str) -> str:
    kind = "" if hand[0] == hand[2] else "s" if hand[1] == hand[3] else "o"
    return hand[0] + hand[2] + kind


@cache
def equities_of(number: int) -> Equities:
    decision = spot().decisions[number]
    reaches = np.zeros((2, len(all_hands(spot().game.definition))))
    reaches[:, decision.hands] = decision.reaches
    return range_equities(
        spot().game.definition, decision.place.board, reaches, np.random.default_rng(1)
    )


def held_in(decision: Decision, seat: int, name: str) -> NDArray[np.int64]:
    """Return the places of the hands of a class that *seat* may hold."""
    texts = hand_texts(decision)
    own = [class_of(text) == name for text in texts]
    return np.flatnonzero(np.array(own) & (decision.weights[seat] > 0))


def hand_texts(decision: Decision) -> list[str]:
    cards = all_hands(decision.place.betting.game.definition)[decision.hands]
    return [format_cards(hand) for hand in cards.tolist()]


@pytest.mark.parametrize("number", [0, 1, 2, 9])
def test_hands_of_a_class_have_the_solvers_numbers(
    browser: BrowserPage, tmp_path: Path, number: int
) -> None:
    """Catches a row of another hand, a column of another action, the other player's numbers, and
    hands of a class that are missing.
    """
    decision, equities = spot().decisions[number], equities_of(number)
    browser.open(write_spot(tmp_path))
    browser.evaluate(f"location.hash = '#d{number}'")
    scope, texts, num_hands = f"#d{number}", hand_texts(decision), 0
    browser.wait_for(f"document.querySelector('{scope} .study-view') !== null")
    for seat in (decision.seat, 1 - decision.seat):
        press_switch(browser, scope, f"Seat {seat + 1}")
        for name in CLASSES:
            choose_class(browser, scope, name)
            places = held_in(decision, seat, name)
            shown = shown_study(browser, scope)
            assert shown["title"].startswith(f"Seat {seat + 1}: {name}, {len(places)} hand")
            assert list(shown["hands"]) == [texts[place] for place in places]
            num_hands += len(places)
            if not len(places):
                continue
            actions = list(decision.choices) if seat == decision.seat else []
            assert shown["heads"] == ["hand", "held", "equity", "value", *actions]
            for place in places.tolist():
                held, equity, value, *cells = shown["hands"][texts[place]]
                assert is_near(held, decision.weights[seat, place])
                assert is_near(equity, equities.shares[seat, decision.hands[place]])
                assert is_near(value, decision.ev_chips[seat, place], is_share=False)
                for action, cell in enumerate(cells):
                    share, _, chips = cell.rpartition(" ")
                    assert is_near(share, decision.probabilities[place, action])
                    expected = decision.action_ev_chips[place, action]
                    assert is_near(chips, expected, is_share=False)
    assert num_hands > 20
    assert browser.complaints() == []


@pytest.mark.parametrize("number", [0, 1])
def test_cells_have_the_means_of_their_hands(
    browser: BrowserPage, tmp_path: Path, number: int
) -> None:
    """Catches heights of the other range, and equities and values of another class."""
    decision, shares = spot().decisions[number], equities_of(number).shares
    browser.open(write_spot(tmp_path))
    browser.evaluate(f"location.hash = '#d{number}'")
    scope = f"#d{number}"
    browser.wait_for(f"document.querySelector('{scope} .study-view') !== null")
    texts = hand_texts(decision)
    for seat in (decision.seat, 1 - decision.seat):
        press_switch(browser, scope, f"Seat {seat + 1}")
        weights = decision.weights[seat]
        means = {
            name: weights[[class_of(text) == name for text in texts]].mean()
            for name in {class_of(text) for text in texts}
        }
        for view in ("Range", "Equity", "Value"):
            press_switch(browser, scope, view)
            cells = browser.evaluate(CELLS)
            for name, cell in cells.items():
                mean = means.get(name, 0.0)
                expected = mean / max(means.values())
                assert cell["height"] == pytest.approx(expected, abs=0.06)
                if not mean:
                    assert cell["label"] == f"{name}: not in the range"
                    continue
                places = held_in(decision, seat, name)
                own = weights[places] / weights[places].sum()
                held, equity, value = cell["label"].removeprefix(f"{name}: ").split(", ", 2)
                assert is_near(held.removeprefix("each hand held "), mean)
                found = float(own @ shares[seat, decision.hands[places]])
                assert is_near(equity.removeprefix("equity "), found)
                chips = float(own @ decision.ev_chips[seat, places])
                assert is_near(value.removeprefix("value "), chips, is_share=False)


def test_a_choice_stays_from_decision_to_decision(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches a reader who has to choose the view and the hand anew at each step."""
    browser.open(write_spot(tmp_path))
    press_switch(browser, "#d0", "Equity")
    choose_class(browser, "#d0", "TT")
    browser.click("#d0 .actions a")
    browser.wait_for("document.querySelector('#d1 .study-view') !== null")
    shown = shown_study(browser, "#d1")
    assert shown["pressed"] == ["Equity", "Seat 2 (to act)"]
    assert shown["title"].startswith("Seat 2: TT")
    press_switch(browser, "#d1", "Seat 1")
    press_switch(browser, "#d1", "Strategy")
    assert shown_study(browser, "#d1")["pressed"] == ["Strategy", "Seat 2 (to act)"]
    browser.click("#d1 nav a")
    browser.wait_for("document.querySelector('#d0 .study-view') !== null")
    assert browser.evaluate("location.hash") == "#d0"


def test_switches_and_hands_are_there_by_keys_and_finger(
    browser: BrowserPage, tmp_path: Path
) -> None:
    """Catches a switch that loses the focus when it is pressed, and hands that only a mouse gets."""
    set_screen(browser, 390, "light")
    browser.open(write_spot(tmp_path))
    browser.evaluate("document.querySelectorAll('.study-switches button')[1].focus()")
    # A key that presses a button comes with its text, as from a keyboard.
    for kind in ("keyDown", "keyUp"):
        browser.call("Input.dispatchKeyEvent", type=kind, key="Enter", text="\r")
    assert browser.evaluate("document.activeElement.innerText") == "Range"
    assert shown_study(browser, "#d0")["pressed"] == ["Range", "Seat 1 (to act)"]
    tap(browser, "[data-hand=TT]")
    browser.wait_for("document.querySelector('.study-title').innerText.includes('TT')")
    browser.press("ArrowUp")
    browser.wait_for("document.querySelector('.study-title').innerText.includes('JTs')")
    assert "None of them is in the range." in browser.text(".study-hands")
    assert browser.evaluate("document.documentElement.scrollWidth") <= 390


def test_games_without_a_grid_list_all_hands(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches a grid that the game does not have, and hands or values that are left out."""
    path = tmp_path / "leduc.html"
    path.write_text(solution_page(leduc(), "Leduc"), encoding="utf-8")
    browser.open(path)
    decision = leduc().decisions[0]
    shown = shown_study(browser, "#d0")
    assert not browser.evaluate("document.querySelector('.hand-grid') !== null")
    assert list(shown["hands"]) == hand_texts(decision)
    for place, cells in enumerate(shown["hands"].values()):
        assert is_near(cells[0], decision.weights[0, place])
        assert is_near(cells[2], decision.ev_chips[0, place], is_share=False)
        assert is_near(cells[3], decision.probabilities[place, 0])


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("view", ["Range", "Equity", "Value"])
def test_every_view_can_be_read(
    browser: BrowserPage, tmp_path: Path, view: str, theme: str
) -> None:
    """Catches pale or small text on the fills of ranges, equities and values."""
    for width in (390, 768, 1280):
        set_screen(browser, width, theme)
        browser.open(write_all_hands(tmp_path))
        press_switch(browser, "#d0", view)
        check_looks(browser, width)
    assert browser.complaints() == []


@needs_axe
@pytest.mark.parametrize("theme", THEMES)
def test_no_serious_fault_of_accessibility_is_found(
    browser: BrowserPage, tmp_path: Path, theme: str
) -> None:
    """Catches roles and names that assistive programs suffer from, in every view."""
    set_screen(browser, 390, theme)
    browser.open(write_all_hands(tmp_path))
    found: dict[str, Any] = {}
    for view in ("Strategy", "Range", "Equity", "Value"):
        press_switch(browser, "#d0", view)
        found[view] = serious_faults(browser)
    assert {view: faults for view, faults in found.items() if faults} == {}


def write_all_hands(folder: Path) -> Path:
    path = folder / "river.html"
    path.write_text(solution_page(river(), "a river"), encoding="utf-8")
    return path
