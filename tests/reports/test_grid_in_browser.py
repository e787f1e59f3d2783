"""The grid of hands in a real browser, on the pages of a solved game and of a report: legible on
every fill, sizes told apart, and its numbers by mouse, finger and keyboard.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import cbrt, dist
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from acpcbot.cards.deck import parse_cards
from acpcbot.cards.range_notation import parse_range
from acpcbot.poker.spots import holdem_spot
from acpcbot.reports.page import report_page
from acpcbot.reports.solution import solution_page
from acpcbot.reports.solved_study import decision_study
from acpcbot.reports.summary import summarise
from acpcbot.subgames.game import make_range_game
from acpcbot.subgames.solution import Solution, read_solution, root_place
from acpcbot.subgames.solver import Progress, RangeCFR
from acpcbot.trees.bet_menu import parse_menu
from tests.protocol.log_making import match_log
from tests.reports.logs import table_of
from tests.reports.pages import open_report
from tests.support.axe import needs_axe, serious_faults
from tests.support.chromium import BrowserPage, needs_chromium
from tests.support.games import NOLIMIT_2P
from tests.support.page_looks import (
    CELLS,
    THEMES,
    WIDTHS_PX,
    check_looks,
    point_at,
    set_screen,
    tap,
)

pytestmark = needs_chromium

SIZES = "0.25,0.5,0.75,1,2,all-in;1,all-in"
LARGEST_PAGE = 400_000
LEAST_DIFFERENCE = 0.02
"""Of two colours in OKLab, whose unit is white against black; a person sees about this much."""
LOOK = ".hand-grid .look"
DRAWN = "document.querySelector('.hand-grid') !== null"
FOCUSED = "document.activeElement.dataset.hand"


@cache
def spot() -> Solution:
    """A river with six sizes, and ranges with hands that are held more rarely than others."""
    texts = ("22+,A2s+,K9s+,QTs:0.25,AJo+:0.1", "22+,A2s+,KTo+")
    game = make_range_game(
        holdem_spot(5, 100, 400),
        parse_cards("KsTd9h4s2c"),
        parse_menu(SIZES),
        np.stack([parse_range(text) for text in texts]),
    )
    solver = RangeCFR(game)
    solver.step(20)
    return read_solution(solver, Progress(20, 0.0, solver.exploitability()), root_place(game))


def write_spot(folder: Path) -> Path:
    path = folder / "spot.html"
    path.write_text(solution_page(spot(), "a spot"), encoding="utf-8")
    return path


def write_report(folder: Path) -> Path:
    table = table_of(folder, match_log(NOLIMIT_2P, num_hands=300), NOLIMIT_2P)
    path = folder / "report.html"
    path.write_text(report_page(summarise(table), table), encoding="utf-8")
    return path


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("width", WIDTHS_PX)
@pytest.mark.parametrize("write", [write_spot, write_report])
def test_text_can_be_read_on_every_screen(
    browser: BrowserPage, tmp_path: Path, write: Any, width: int, theme: str
) -> None:
    """Catches dark text on a dark fill, text below 12 pixels, labels that are cut off, a page that
    scrolls sideways, a script or style that the page's policy stops, and a request.
    """
    path = write(tmp_path)
    set_screen(browser, width, theme)
    browser.open(path)
    browser.wait_for(DRAWN)
    check_looks(browser, width)
    assert browser.complaints() == []
    assert {url for url in browser.requests() if not url.startswith("data:")} == {path.as_uri()}


@needs_axe
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("write", [write_spot, write_report])
def test_no_serious_fault_of_accessibility_is_found(
    browser: BrowserPage, tmp_path: Path, write: Any, width: int, theme: str
) -> None:
    """Catches roles, names, orders of headings and contrasts that assistive programs suffer from."""
    set_screen(browser, width, theme)
    browser.open(write(tmp_path))
    browser.wait_for(DRAWN)
    faults = serious_faults(browser)
    assert faults == []


@pytest.mark.parametrize("theme", THEMES)
def test_colours_of_actions_are_told_apart(
    browser: BrowserPage, tmp_path: Path, theme: str
) -> None:
    """Catches two sizes of one colour, all-in like a bet, and a legend of other colours."""
    set_screen(browser, 1280, theme)
    browser.open(write_spot(tmp_path))
    rows = "[...document.querySelectorAll('#d0 .actions tbody tr')]"
    shown = browser.evaluate(
        f"{rows}.map((row) => [row.querySelector('a').innerText,"
        " getComputedStyle(row.querySelector('.sample')).backgroundColor])"
    )
    assert [word for word, _ in shown] == list(spot().decisions[0].choices)
    assert shown[-1][0] == "all-in"
    for (_, one), (_, other) in combinations(shown, 2):
        assert dist(oklab(one), oklab(other)) > LEAST_DIFFERENCE
    painted = {colour for cell in browser.evaluate(CELLS).values() for colour, _ in cell["fills"]}
    assert painted <= {colour for _, colour in shown}


def oklab(colour: str) -> tuple[float, float, float]:
    """Return a colour as ``rgb(1, 2, 3)`` in OKLab."""
    parts = [int(part) / 255 for part in colour.removeprefix("rgb(").rstrip(")").split(",")]
    red, green, blue = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    long = cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    middle = cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    short = cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def test_heights_are_relative_to_the_largest_reach(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches a grid that is empty on late streets, and colours of other shares than the data."""
    set_screen(browser, 1280, "light")
    browser.open(write_spot(tmp_path))
    grid, cells = decision_study(spot().decisions[0])["strategy"], browser.evaluate(CELLS)
    assert len(cells) == 169
    most = max(reach for reach, *_ in grid["rows"].values())
    for name, cell in cells.items():
        reach, *shares = grid["rows"].get(name, [0.0])
        assert cell["height"] == pytest.approx(reach / most, abs=0.06)
        assert [share for _, share in cell["fills"]] == pytest.approx(
            [share for share in shares if share > 0], abs=0.01
        )
    assert max(cell["height"] for cell in cells.values()) == pytest.approx(1)
    assert min(cell["height"] for cell in cells.values()) == 0


def test_a_mouse_a_finger_and_keys_read_cells(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches numbers that only a mouse gets, keys that lead to another cell or out of the grid,
    and a cell that a screen reader cannot tell.
    """
    set_screen(browser, 390, "light")
    browser.open(write_spot(tmp_path))
    point_at(browser, "[data-hand=A5s]")
    assert browser.text(LOOK).startswith("A5s")
    tap(browser, "[data-hand=QTs]")
    browser.wait_for(f"{FOCUSED} === 'QTs'")
    assert browser.text(LOOK).startswith("QTs")
    moves = [
        ("ArrowLeft", "QJs"),
        ("ArrowUp", "KJs"),
        ("ArrowDown", "QJs"),
        ("ArrowDown", "JJ"),
        ("ArrowRight", "JTs"),
        ("Home", "AJo"),
        ("ArrowLeft", "AJo"),
        ("PageDown", "A2o"),
        ("ArrowDown", "A2o"),
        ("End", "22"),
        ("ArrowRight", "22"),
        ("PageUp", "A2s"),
    ]
    for key, hand in moves:
        browser.press(key)
        assert (key, browser.evaluate(FOCUSED)) == (key, hand)
    assert browser.text(LOOK).startswith("A2s")
    grid = decision_study(spot().decisions[0])["strategy"]
    cells = browser.evaluate(CELLS)
    for name, cell in cells.items():
        if name not in grid["rows"]:
            assert cell["label"] == f"{name}: not in the range"
            continue
        assert cell["label"].startswith(f"{name}: held ")
        for action in grid["actions"]:
            assert f", {action['text']} " in cell["label"]
    stops = "document.querySelectorAll('#d0 .cell[tabindex=\"0\"]').length"
    assert browser.evaluate(stops) == 1


def test_keys_in_the_grid_leave_the_replayer_alone(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches an arrow key that moves both in the grid and through a hand."""
    set_screen(browser, 1280, "light")
    open_report(browser, write_report(tmp_path))
    before = browser.text("#caption")
    browser.evaluate("document.querySelector('[data-hand=AKs]').focus()")
    browser.press("ArrowRight")
    assert (browser.evaluate(FOCUSED), browser.text("#caption")) == ("AQs", before)
    assert "mbb/hand" in browser.text(LOOK) or "not dealt" in browser.text(LOOK)


def test_grids_are_drawn_when_they_are_shown(browser: BrowserPage, tmp_path: Path) -> None:
    """Catches a decision without its grid, and a page that draws all of them at once."""
    browser.open(write_spot(tmp_path))
    grids = "[...document.querySelectorAll('.hand-grid')].map((one) => one.closest('section').id)"
    assert browser.evaluate(grids) == ["d0"]
    browser.click("#d0 .actions a")
    browser.wait_for(f"{grids}[0] === 'd1'")
    assert browser.evaluate(grids) == ["d1"]
    browser.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert len(browser.evaluate(grids)) == len(spot().decisions)
    browser.evaluate("dispatchEvent(new Event('afterprint'))")
    assert browser.evaluate(grids) == ["d1"]


@pytest.mark.parametrize("write", [write_spot, write_report])
def test_pages_are_small_without_their_data(tmp_path: Path, write: Any) -> None:
    page = write(tmp_path).read_text(encoding="utf-8")
    data = page.partition('type="application/json">')[2].partition("</script>")[0]
    assert len(page) - len(data) < LARGEST_PAGE
