"""Every page at three widths in both themes: nothing sticks out, text can be read, axe-core finds no
serious fault, and the page loads nothing from elsewhere; ``./dev screenshots`` keeps the pictures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from tests.reports.pages import open_report
from tests.reports.test_grid_in_browser import DRAWN, write_report, write_spot
from tests.support.axe import SOURCE, serious_faults
from tests.support.chromium import BrowserPage, needs_chromium
from tests.support.games import LEDUC, LIMIT_2P, NOLIMIT_2P, NOLIMIT_3P, NOLIMIT_6P
from tests.support.page_looks import DEVICE_WIDTHS_PX, LEAST_TEXT_PX, THEMES, set_screen, texts_of
from tests.web.test_solver_in_browser import solve, solver_page
from tests.web.test_table_in_browser import IN_LOBBY, MAY_ACT, click_through, sit_down, table
from tests.web.test_watching_in_browser import RECORDED, open_watch

pytestmark = needs_chromium

MOST_BYTES = 400_000
# Of a page and of its styles, scripts and pictures, without data: those in the page and what comes by
# the socket or is fetched.
PAGE_BYTES = """[...performance.getEntriesByType("navigation"),
    ...performance.getEntriesByType("resource").filter(({ initiatorType }) =>
        initiatorType !== "fetch" && initiatorType !== "xmlhttprequest")]
    .reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0)
    - [...document.querySelectorAll("script[type='application/json']")]
    .reduce((sum, { text }) => sum + new TextEncoder().encode(text).length, 0)"""
LEAST_PICTURE = 5_000
"""Bytes of a picture; that of an empty page has some 3,000."""
Scene = Callable[[BrowserPage, Path], Iterator[None]]


def lobby(browser: BrowserPage, folder: Path) -> Iterator[None]:
    with table(browser, folder) as address:
        browser.open_address(address)
        browser.wait_for(IN_LOBBY)
        yield


def heads_up(browser: BrowserPage, folder: Path) -> Iterator[None]:
    with table(browser, folder, "call", "--game", NOLIMIT_2P) as address:
        sit_down(browser, address)
        browser.wait_for(MAY_ACT)
        browser.press("c")
        browser.wait_for(MAY_ACT)
        yield


def six_players(browser: BrowserPage, folder: Path) -> Iterator[None]:
    with table(browser, folder, "tight", "--game", NOLIMIT_6P) as address:
        sit_down(browser, address)
        click_through(browser, 2, Random(3))
        browser.press(" ")
        browser.wait_for(MAY_ACT)
        yield


def judged_hand(browser: BrowserPage, folder: Path) -> Iterator[None]:
    strategy = f"strategies/{LIMIT_2P}/external_sampling"
    with table(browser, folder, strategy, "--game", LIMIT_2P) as address:
        sit_down(browser, address)
        click_through(browser, 1, Random(2))
        browser.wait_for("document.querySelector('#after .judged li') !== null")
        yield


def costs(browser: BrowserPage, folder: Path) -> Iterator[None]:
    with table(browser, folder, "strategies/leduc.limit.2p/dcfr", "--game", LEDUC) as address:
        sit_down(browser, address)
        click_through(browser, 6, Random(5))
        browser.wait_for("!document.querySelector('#show-costs').hidden")
        browser.wait_for(
            "document.querySelector('#costs-total').textContent.includes(' in 6 hands')"
        )
        browser.click("#show-costs")
        yield


def drill(browser: BrowserPage, folder: Path) -> Iterator[None]:
    with contextmanager(costs)(browser, folder):
        browser.click("#drill-all")
        browser.wait_for("!document.querySelector('#drill').hidden")
        yield


def watching(browser: BrowserPage, folder: Path) -> Iterator[None]:
    with table(browser, folder, "call", "--game", NOLIMIT_3P, "--watch", RECORDED) as address:
        open_watch(browser, address)
        yield


def solver(browser: BrowserPage, folder: Path) -> Iterator[None]:
    with solver_page(browser, folder):
        solve(browser)
        yield


def report(browser: BrowserPage, folder: Path) -> Iterator[None]:
    open_report(browser, write_report(folder))
    yield


def solved_spot(browser: BrowserPage, folder: Path) -> Iterator[None]:
    browser.open(write_spot(folder))
    browser.wait_for(DRAWN)
    yield


SCENES: tuple[Scene, ...] = (
    lobby,
    heads_up,
    six_players,
    judged_hand,
    costs,
    drill,
    watching,
    solver,
    report,
    solved_spot,
)


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_a_page_is_whole_on_every_screen(
    browser: BrowserPage, tmp_path: Path, request: pytest.FixtureRequest, scene: Scene
) -> None:
    """Catches what sticks out, small and pale text, and what assistive programs suffer from."""
    kept = request.config.getoption("--screenshots")
    pictures = Path(kept) if kept else tmp_path / "pictures"
    pictures.mkdir(parents=True, exist_ok=True)
    with contextmanager(scene)(browser, tmp_path):
        for width in DEVICE_WIDTHS_PX:
            for theme in THEMES:
                set_screen(browser, width, theme)
                browser.wait_for(f"window.innerWidth === {width}")
                small = [one for one in texts_of(browser, "body") if one["size"] < LEAST_TEXT_PX]
                assert not small, small
                assert browser.evaluate("document.documentElement.scrollWidth") <= width
                if SOURCE.exists():
                    assert serious_faults(browser) == []
                path = pictures / f"{scene.__name__}_{width}_{theme}.png"
                browser.whole_picture(path)
                assert path.stat().st_size > LEAST_PICTURE
        assert browser.complaints() == []
        own = browser.evaluate("location.href").partition("#")[0].rpartition("/")[0]
        assert all(url.startswith((own, "data:", "blob:")) for url in browser.requests())
        assert browser.evaluate(PAGE_BYTES) < MOST_BYTES
