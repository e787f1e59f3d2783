"""The solver's page in a real browser: ranges are painted, a river is solved, and every number that
is shown is the one of the solver in Python.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from acpcbot.cards.deck import parse_cards
from acpcbot.cards.range_notation import parse_range
from acpcbot.poker.spots import holdem_spot
from acpcbot.reports.hand_grid import word_fills
from acpcbot.reports.solution import solution_json
from acpcbot.reports.solved_study import decision_study
from acpcbot.subgames.game import make_range_game
from acpcbot.subgames.solution import (
    Decision,
    Solution,
    class_rows,
    place_after,
    read_solution,
    root_place,
)
from acpcbot.subgames.solver import Progress, RangeCFR
from acpcbot.trees.bet_menu import parse_menu
from acpcbot.web.server import static_files
from tests.support.axe import needs_axe, serious_faults
from tests.support.chromium import BrowserPage, needs_chromium
from tests.support.games import LEDUC
from tests.support.page_looks import (
    CELLS,
    THEMES,
    WIDTHS_PX,
    check_looks,
    middle,
    set_screen,
    tap,
)
from tests.support.study_page import is_near, press_switch, shown_study
from tests.web.test_table_in_browser import table

pytestmark = needs_chromium

BOARD, BETS = "KsTd9h4s2c", "0.5,1,all-in;1,all-in"
IS_MEASURED = "document.querySelector('#size').innerText.includes('decisions')"
NUM_SOLUTIONS = "document.querySelectorAll('#shown option').length"
ACTIONS = """[...document.querySelectorAll('#decision .action-list li')].map((item) =>
    item.querySelector('.fill-item').innerText)"""
FILLS = """[...document.querySelectorAll('#decision .action-list i')].map((one) =>
    one.className.replace('fill-', ''))"""
STEPS = "[...document.querySelectorAll('.line-so-far li')].map((one) => one.innerText)"
LABELS = """Object.fromEntries([...document.querySelectorAll('#decision .hand-grid .cell')].map(
    (cell) => [cell.dataset.hand, cell.getAttribute('aria-label')]))"""
SELECTED = """[...document.querySelectorAll('#%s .cell[aria-selected=true]')].map((cell) =>
    cell.dataset.hand)"""
MOST_PAGE_BYTES = 400_000
LOOKS = (("Strategy", 390, "dark"), ("Value", 1280, "light"), ("Equity", 390, "light"))
"""The kinds of numbers, the width of the screen and the theme in which they are looked at."""


@contextmanager
def solver_page(browser: BrowserPage, folder: Path) -> Iterator[str]:
    """The page, open at 1,280 pixels, when it has measured the spot that it begins with."""
    with table(browser, folder, "call", "--game", LEDUC) as address:
        set_screen(browser, 1280, "light")
        browser.open_address(f"{address}solver")
        browser.wait_for(IS_MEASURED)
        yield f"{address}solver"


def fill(browser: BrowserPage, selector: str, text: str) -> None:
    """Write *text* into a field as a person does."""
    browser.evaluate(
        f"""(field => {{ field.value = {json.dumps(text)};
        field.dispatchEvent(new Event("input", {{ bubbles: true }})); }})
        (document.querySelector({json.dumps(selector)}))"""
    )


def choose(browser: BrowserPage, selector: str, value: str) -> None:
    browser.evaluate(
        f"""(field => {{ field.value = {json.dumps(value)};
        field.dispatchEvent(new Event("change", {{ bubbles: true }})); }})
        (document.querySelector({json.dumps(selector)}))"""
    )


def click_text(browser: BrowserPage, place: str, text: str) -> None:
    """Click the button in *place* whose text begins so."""
    browser.evaluate(
        f"""[...document.querySelectorAll({json.dumps(place + " button")})].find((one) =>
        one.innerText.trim().startsWith({json.dumps(text)})).click()"""
    )


def solve(browser: BrowserPage, num_solutions: int = 1) -> None:
    browser.click("#solve")
    browser.wait_for(f"{NUM_SOLUTIONS} === {num_solutions}")


def act(browser: BrowserPage, action: str, num_steps: int) -> None:
    """Choose an action, and wait for the decision behind it, after so many steps."""
    click_text(browser, "#decision .action-list", action)
    browser.wait_for(f"({STEPS}).length === {num_steps}")


def drag(browser: BrowserPage, *selectors: str) -> None:
    """Move the pressed mouse over these elements."""
    for number, selector in enumerate(selectors):
        if number == 0:
            x, y = middle(browser, selector)
            mouse(browser, "mousePressed", x, y)
        else:
            x, y = browser.evaluate(
                f"""(box => [box.x + box.width / 2, box.y + box.height / 2])
                (document.querySelector({json.dumps(selector)}).getBoundingClientRect())"""
            )
            mouse(browser, "mouseMoved", x, y)
    mouse(browser, "mouseReleased", x, y)


def mouse(browser: BrowserPage, kind: str, x: float, y: float) -> None:
    browser.call(
        "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1
    )


def solution_of(spot: dict[str, str], num_iterations: int, *words: str) -> Solution:
    """The solution in this process, after as many iterations as the page's."""
    board = parse_cards(spot["board"])
    ranges = np.stack([parse_range(spot["range1"]), parse_range(spot["range2"])])
    game = make_range_game(holdem_spot(len(board), 100, 400), board, parse_menu(BETS), ranges)
    solver = RangeCFR(game)
    solver.step(num_iterations)
    progress = Progress(num_iterations, 0.0, solver.exploitability())
    place = place_after(game, words) if words else root_place(game)
    return read_solution(solver, progress, place)


def iterations(browser: BrowserPage) -> int:
    return int(browser.text("#summary").partition(" ")[0].replace(",", ""))


def number(text: str) -> float:
    """A number as the page writes it."""
    plain = text.replace("−", "-").replace("±", "").replace(",", "").removesuffix("%").strip()
    return float(plain) if plain != "–" else float("nan")


def complaints(browser: BrowserPage) -> list[dict[str, Any]]:
    """Everything said on the console, but for requests that the server refuses with a reason."""
    refused = "Failed to load resource: the server responded with a status of 400 (Bad Request)"
    return [one for one in browser.complaints() if one.get("entry", {}).get("text") != refused]


def test_ranges_are_painted_and_every_number_is_the_solvers_own(
    browser: BrowserPage, tmp_path: Path
) -> None:
    """Catches a stroke that misses cells, a range that is not the one that is shown, and a number
    of another seat, hand or decision.
    """
    with solver_page(browser, tmp_path):
        paint(browser)
        spot = {
            "board": BOARD,
            "range1": browser.evaluate("document.querySelector('#range1-text').value"),
            "range2": browser.evaluate("document.querySelector('#range2-text').value"),
        }
        assert spot["range1"] == "AA,AKs,AQs,AJs:0.5,KK,QQ,JJ"
        browser.wait_for(IS_MEASURED)
        solve(browser)
        count = iterations(browser)
        found = solution_of(spot, count)
        assert found.exploitability_percent <= 0.5
        said = browser.text("#summary")
        assert f"exploitable for {found.exploitability_percent:.2g} % of the pot" in said
        wins = said.partition("Seat 1 wins ")[2].partition(" chips")[0]
        assert number(wins) == pytest.approx(found.values_chips[0], abs=0.0051)
        check_decision(browser, found.decisions[0])
        act(browser, "check", num_steps=2)
        act(browser, "bet 50", num_steps=3)
        assert browser.evaluate(STEPS) == ["start", "Seat 1 check", "Seat 2 bet 50"]
        after = solution_of(spot, count, "check", "bet 50").decisions[0]
        check_decision(browser, after)
        press_switch(browser, "#decision", "Seat 2")
        check_hands(browser, after, 1)
        press_switch(browser, "#decision", "Equity")
        check_hands(browser, after, 1)
        assert complaints(browser) == []


def paint(browser: BrowserPage) -> None:
    """Paint the first range by mouse, finger and keyboard, and write the second one."""
    cell = "#range1 .cell[data-hand='%s']"
    click_text(browser, "#range1", "None")
    assert browser.evaluate(SELECTED % "range1") == []
    drag(browser, cell % "AA", cell % "AKs", cell % "AQs")
    assert browser.evaluate(SELECTED % "range1") == ["AA", "AKs", "AQs"]
    tap(browser, cell % "KK")
    tap(browser, cell % "72o")
    tap(browser, cell % "72o")
    browser.evaluate(f"document.querySelector({json.dumps(cell % 'KK')}).focus()")
    for key in ("ArrowDown", "ArrowRight", " "):
        browser.press(key)
    for key in ("ArrowDown", "ArrowRight", "Enter"):
        browser.press(key)
    fill(browser, "#range1-weight", "50")
    drag(browser, cell % "AJs")
    label = browser.evaluate(
        f"document.querySelector({json.dumps(cell % 'AJs')}).getAttribute('aria-label')"
    )
    assert label == "AJs: weight 50 %"
    fill(browser, "#range2-text", "TT+,AKx")
    browser.wait_for("!document.querySelector('#range2 .fault').hidden")
    assert "expected hands like TT+" in browser.text("#range2 .fault")
    fill(browser, "#range2-text", "99-JJ,AKo,T9s,87s:0.5,AhQd:0.25,KcQc")
    browser.wait_for(f"({SELECTED % 'range2'}).length === 8")
    assert browser.evaluate("document.querySelector('#range2 .fault').hidden")
    assert set(browser.evaluate(SELECTED % "range2")) == {
        "AKo",
        "AQo",
        "KQs",
        "JJ",
        "TT",
        "T9s",
        "99",
        "87s",
    }


def check_decision(browser: BrowserPage, decision: Decision) -> None:
    """Check the actions, every cell of the grid and every hand of the actor."""
    for text, word, share in zip(
        browser.evaluate(ACTIONS), decision.choices, decision.frequencies, strict=True
    ):
        assert text.startswith(f"{word} ")
        if "under" not in text:
            shown = number(text.removeprefix(word))
            assert shown == pytest.approx(100 * share, abs=0.51)
    assert browser.evaluate(FILLS) == word_fills(decision.choices)
    labels, rows = browser.evaluate(LABELS), class_rows(decision)
    assert len(labels) == 169
    for name, label in labels.items():
        if name not in rows:
            assert label == f"{name}: not in the range"
            continue
        row = rows[name]
        facts = label.removeprefix(f"{name}: held ").split(", ")
        assert number(facts[0]) == pytest.approx(100 * row.weight, abs=0.0051)
        assert number(facts[1].removeprefix("EV ")) == pytest.approx(row.ev_chips, abs=0.0051)
    grid = browser.evaluate(CELLS.replace('".hand-grid', '"#decision .hand-grid'))
    for name, row in rows.items():
        shares = [share for _, share in grid[name]["fills"]]
        for probability in row.probabilities:
            if shares and shares[0] == pytest.approx(probability, abs=0.01):
                shares.pop(0)
            else:  # too small to be drawn
                assert probability < 0.01
        assert not shares
    check_hands(browser, decision, decision.seat)


def check_hands(browser: BrowserPage, decision: Decision, seat: int) -> None:
    """Open each class of hands that *seat* may hold, and check each hand's row."""
    study = decision_study(decision)
    (shown,) = [one for one in study["ranges"] if one["name"] == f"Seat {seat + 1}"]
    found: dict[str, list[str]] = {}
    for name in browser.evaluate(LABELS):
        focus = f"#decision .cell[data-hand='{name}']"
        browser.evaluate(f"document.querySelector({json.dumps(focus)}).focus()")
        listed = shown_study(browser, "#decision")
        actions = list(decision.choices) if seat == decision.seat else []
        assert listed["heads"] in ([], ["hand", "held", "equity", "value", *actions])
        found |= listed["hands"]
    assert found
    assert set(found) == set(shown["hands"])
    for place, hand in enumerate(shown["hands"]):
        held, equity, value, *cells = found[hand]
        row = shown["rows"][place]
        assert is_near(held, row[0])
        assert is_near(equity, row[1])
        assert is_near(value, row[2], is_share=False)
        for action, cell in enumerate(cells):
            share, _, chips = cell.rpartition(" ")
            assert is_near(share, study["probabilities"][place][action])
            assert is_near(chips, study["actionValues"][place][action], is_share=False)


def test_later_boards_are_reached_by_choosing_the_next_card(
    browser: BrowserPage, tmp_path: Path
) -> None:
    """Catches a card that lies on the board already, a street of another board, and a way back
    that is lost.
    """
    with solver_page(browser, tmp_path):
        browser.click("#board-cards [data-card='2c']")
        assert browser.evaluate("document.querySelector('#board').value") == "KsTd9h4s"
        fill(browser, "#range1-text", "AA,KQs,76s")
        fill(browser, "#range2-text", "99,ATs,QJs")
        fill(browser, "#bets", BETS)
        solve(browser)
        act(browser, "check", num_steps=2)
        click_text(browser, "#decision .action-list", "check")
        dead = "[...document.querySelectorAll('.next-cards button:disabled')].map((b) => b.dataset.card)"
        assert sorted(browser.evaluate(dead)) == sorted(["Ks", "Td", "9h", "4s"])
        browser.click(".next-cards [data-card='Ah']")
        browser.wait_for(f"({STEPS}).length === 4")
        spot = {"board": "KsTd9h4s", "range1": "AA,KQs,76s", "range2": "99,ATs,QJs"}
        river = solution_of(spot, iterations(browser), "check", "check", "Ah").decisions[0]
        check_decision(browser, river)
        click_text(browser, ".line-so-far", "start")
        browser.wait_for(f"({STEPS}).length === 1")
        assert browser.text("#decision h3") == "Seat 1 to act"
        assert complaints(browser) == []


def test_solutions_are_exported_loaded_and_compared(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches a file that is not the one of ``acpcbot solve``, one that cannot be read again, and
    differences of the wrong sign or cell.
    """
    with solver_page(browser, tmp_path):
        fill(browser, "#range1-text", "AA,KQs,76s,QJs")
        fill(browser, "#range2-text", "99,ATs,KJs")
        solve(browser)
        spot = {"board": BOARD, "range1": "AA,KQs,76s,QJs", "range2": "99,ATs,KJs"}
        first = solution_of(spot, iterations(browser))
        text = exported(browser)
        label = f"hold'em, board {BOARD}, pot 100, stacks 400, bets {BETS}"
        assert text == solution_json(first, label)
        load(browser, "again.json", text)
        browser.wait_for(f"{NUM_SOLUTIONS} === 2")
        assert exported(browser) == text
        check_file_study(browser, first.decisions[0])
        choose(browser, "#compared", "0")
        browser.wait_for("document.querySelector('.differences') !== null")
        assert set(differences(browser)) == {0.0}
        fill(browser, "#range2-text", "99,ATs")
        solve(browser, 3)
        second = solution_of({**spot, "range2": "99,ATs"}, iterations(browser))
        one, other = (class_rows(found.decisions[0]) for found in (second, first))
        changes = {
            name: 50 * np.abs(row.probabilities - other[name].probabilities).sum()
            for name, row in one.items()
        }
        assert differences(browser) == pytest.approx(list(changes.values()), abs=0.51)
        press_switch(browser, "#decision", "Value")
        gains = [row.ev_chips - other[name].ev_chips for name, row in one.items()]
        assert max(map(abs, gains)) > 1
        assert differences(browser) == pytest.approx(gains, abs=0.0051)
        press_switch(browser, "#decision", "Seat 2")
        mine, theirs = (
            decision_study(found.decisions[0])["ranges"][1]["classes"] for found in (second, first)
        )
        expected = [row[2] - theirs[name][2] for name, row in mine.items() if name in theirs]
        assert sorted(differences(browser)) == pytest.approx(sorted(expected), abs=0.0051)
        for broken, reason in BROKEN.items():
            load(browser, "broken.json", broken)
            browser.wait_for(f"document.querySelector('#trouble').innerText.includes('{reason}')")
        assert browser.evaluate(NUM_SOLUTIONS) == 3
        assert complaints(browser) == []


BROKEN = {
    "{": "expected a file that acpcbot solve --format json wrote, found no JSON",
    "null": "of format 1, found format undefined",
    '{"format": 1, "decisions": []}': "found no decisions",
    '{"format": 1, "decisions": [{"after": [], "hands": ["AsAh"]}]}': "do not fit together",
}


def differences(browser: BrowserPage) -> list[float]:
    """The numbers of the grid of differences, for the hands that both solutions hold."""
    labels = browser.evaluate(
        """[...document.querySelectorAll('.differences .cell')].map((cell) =>
            cell.getAttribute('aria-label')).filter((label) => !label.includes('not in both'))"""
    )
    texts = [label.partition(": ")[2].removeprefix("played otherwise ") for label in labels]
    return [number(text.removeprefix("value ").partition(":")[0]) for text in texts]


def check_file_study(browser: BrowserPage, decision: Decision) -> None:
    """Check that a decision of a file has the numbers of the solution, and says what it lacks."""
    shown = shown_study(browser, "#decision")
    study = decision_study(decision)
    (mine, _) = study["ranges"]
    assert shown["hands"]
    for hand, (held, equity, value, *shares) in shown["hands"].items():
        place = mine["hands"].index(hand)
        assert is_near(held, mine["rows"][place][0])
        assert is_near(equity, mine["rows"][place][1])
        assert is_near(value, mine["rows"][place][2], is_share=False)
        for share, expected in zip(shares, study["probabilities"][place], strict=True):
            assert is_near(share, round(expected, 6))
    assert "A file does not hold the values of single actions." in browser.text("#decision")


def exported(browser: BrowserPage) -> str:
    """The text of the file that the button writes."""
    browser.evaluate(
        """window.kept ??= (make => { URL.createObjectURL = (blob) => {
            window.exportedText = blob.text(); return make.call(URL, blob); }; return true;
        })(URL.createObjectURL)"""
    )
    browser.click("#export")
    found: str = browser.evaluate("window.exportedText")
    return found


def load(browser: BrowserPage, name: str, text: str) -> None:
    """Choose a file as a person does."""
    browser.evaluate(
        f"""(field => {{
            const files = new DataTransfer();
            files.items.add(new File([{json.dumps(text)}], {json.dumps(name)}));
            field.files = files.files;
            field.dispatchEvent(new Event("change"));
        }})(document.querySelector("#load"))"""
    )


def test_a_reload_finds_the_spot_that_is_being_solved(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches a page that forgets its job, one that cannot stop it, and a spot that is refused
    without its reason.
    """
    with solver_page(browser, tmp_path) as address:
        fill(browser, "#board", "KsTd9h4s")
        fill(browser, "#target", "0.001")
        browser.click("#solve")
        browser.wait_for("document.querySelector('#effort').innerText.includes('iterations')")
        browser.open_address(address)
        browser.wait_for("!document.querySelector('#stop').hidden")
        assert browser.evaluate("document.querySelector('#board').value") == "KsTd9h4s"
        assert browser.evaluate("document.querySelector('#solve').disabled")
        assert browser.text("#phase").startswith("Solving. hold'em, board KsTd9h4s")
        browser.click("#stop")
        browser.wait_for(f"{NUM_SOLUTIONS} === 1")
        assert browser.text("#phase").startswith("Stopped.")
        assert iterations(browser) > 0
        browser.open_address(address)
        browser.wait_for(f"{NUM_SOLUTIONS} === 1")
        browser.evaluate("document.querySelector('#setup').open = true")
        fill(browser, "#pot", "101")
        browser.wait_for("document.querySelector('#size').innerText.includes('half from each')")
        browser.click("#solve")
        browser.wait_for("document.querySelector('#phase').innerText.startsWith('Failed')")
        assert "a pot of 101 cannot have come half from each" in browser.text("#phase")
        assert complaints(browser) == []
        assert all(url.startswith(address.removesuffix("solver")) for url in browser.requests())


@needs_axe
def test_no_serious_fault_of_accessibility_is_found(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches roles, names, orders of headings and contrasts that assistive programs suffer from,
    and what cannot be read on some screen.
    """
    with solver_page(browser, tmp_path):
        solve(browser)
        fill(browser, "#bets", "0.75,all-in;all-in")
        browser.evaluate("document.querySelector('#setup').open = true")
        solve(browser, 2)
        choose(browser, "#compared", "0")
        browser.wait_for("document.querySelector('.differences') !== null")
        browser.evaluate("document.querySelector('#setup').open = true")
        faults: dict[str, Any] = {}
        for kind, width, theme in LOOKS:
            press_switch(browser, "#decision", kind)
            set_screen(browser, width, theme)
            browser.wait_for(f"window.innerWidth === {width}")
            check_looks(browser, width, "#solution")
            faults[f"{kind}, {theme}"] = serious_faults(browser)
        for width in WIDTHS_PX:
            for theme in THEMES:
                set_screen(browser, width, theme)
                browser.wait_for(f"window.innerWidth === {width}")
                check_looks(browser, width, "main")
        assert {place: found for place, found in faults.items() if found} == {}


def test_each_seat_has_a_stack_and_the_smaller_one_counts(
    browser: BrowserPage, tmp_path: Path
) -> None:
    """Catches a stack of the wrong seat, an all-in of more than can be won, and unequal stacks that
    a reload forgets.
    """
    with solver_page(browser, tmp_path) as address:
        assert browser.text("#stacks-help") == ""
        fill(browser, "#stack2", "130")
        assert "neither seat can lose more than 130" in browser.text("#stacks-help")
        fill(browser, "#bets", "all-in")
        fill(browser, "#range1-text", "QsJs,5h3h")
        fill(browser, "#range2-text", "AA")
        solve(browser)
        assert "stacks 400 and 130 (effective 130)" in browser.text("#phase")
        act(browser, "all-in", num_steps=2)
        assert "pot 230 · 130 to call" in browser.text("#decision")
        browser.open_address(address)
        browser.wait_for(f"{NUM_SOLUTIONS} === 1")
        values = "['stack1', 'stack2'].map((id) => document.querySelector(`#${id}`).value)"
        assert browser.evaluate(values) == ["400", "130"]
        assert complaints(browser) == []


def test_a_forgotten_solution_is_still_shown_as_far_as_it_was_read(
    browser: BrowserPage, tmp_path: Path
) -> None:
    """Catches decisions that cannot be opened any more once the server has solved other spots."""
    with solver_page(browser, tmp_path):
        fill(browser, "#range2-text", "99,ATs")
        fill(browser, "#bets", "all-in")
        for number in range(3):
            fill(browser, "#range1-text", ["AA,KQs", "AA", "KK"][number])
            solve(browser, number + 1)
        choose(browser, "#shown", "0")
        browser.wait_for("document.querySelector('#shown').value === '0'")
        act(browser, "check", num_steps=2)
        found = browser.text("#decision")
        assert "Seat 2 to act" in found
        assert "A file does not hold the values of single actions." in found
        assert complaints(browser) == []


def test_the_page_is_small() -> None:
    """Catches a page that grows without bound."""
    files = static_files()
    names = [name for name in files if name.startswith("solver") and not name.endswith(".d.ts")]
    shared = ["fills.css", "hand_grid.css", "hand_grid.js", "study_view.css", "study_view.js"]
    shared += ["table.css", "dom.js"]
    assert sum(len(files[name]) for name in names + shared) < MOST_PAGE_BYTES
