"""Filters of a report's page in a real browser: what the page counts over the hands that are left
is what Python computes of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest

from acpcbot.arrays import Flags, Floats
from acpcbot.reports.duplicates import deal_numbers
from acpcbot.reports.groupings import groupings
from acpcbot.reports.hands import HandTable, read_hands
from acpcbot.reports.page import report_page
from acpcbot.reports.statistics import definitions, measures, statistics
from acpcbot.reports.summary import (
    Winnings,
    bankroll_curve,
    grouped_winnings,
    summarise,
    winnings,
)
from acpcbot.reports.tables import chips_text, mean_text, rate_text
from tests.protocol.log_making import match_log
from tests.reports.logs import write_log
from tests.reports.pages import open_report
from tests.support.chromium import BrowserPage, browser_page, needs_chromium
from tests.support.games import ALL_GAMES, LEDUC, LIMIT_2P, NOLIMIT_6P, definition_of

pytestmark = needs_chromium

SECTION = ".player:not([hidden])"
RATES = f"""[...document.querySelectorAll('{SECTION} .rates tbody tr')].map((row) =>
    [...row.cells].slice(0, 3).map((cell) => cell.textContent))"""
# By the title of a grouping: the cells with text of each row.
GROUPS = f"""Object.fromEntries([...document.querySelectorAll('{SECTION} .group')].map((block) =>
    [block.querySelector('h3').textContent.replace('By ', ''),
     [...block.querySelectorAll('tbody tr')].map((row) =>
        [...row.cells].slice(0, -1).map((cell) => cell.textContent))]))"""
GRID = f"""Object.fromEntries([...document.querySelectorAll('{SECTION} .cell')].map((cell) =>
    [cell.dataset.hand, cell.getAttribute('aria-label')]))"""
LISTED = """[...document.querySelectorAll('#rows tbody tr')].map((row) => Number(row.dataset.at))"""
DAY_S = 86_400
MONDAY_S = 1_700_438_400
"""The Unix time of 2023-11-20, 0:00 UTC."""
ROUNDING = 0.0501
"""Of one decimal: sums of floating-point numbers depend on their order."""

Mask = Callable[[HandTable, int], Flags]


@dataclass(frozen=True)
class Filter:
    """Words of an address, the player whose hands they choose, and the hands in plain numpy."""

    words: dict[str, str]
    player: str
    hands: Mask

    @property
    def address(self) -> str:
        """The fragment that chooses these hands."""
        return "#" + urlencode(self.words | {"player": self.player})


def sits(table: HandTable, player: int) -> Flags:
    found: Flags = (table.player == player).any(axis=1)
    return found


def seat_of(table: HandTable, player: int) -> Any:
    return (table.player == player).argmax(axis=1)


def reached(table: HandTable, player: int) -> Any:
    """The street on which the player's hand ended, by hand."""
    return table.facts.reached[np.arange(table.num_hands), seat_of(table, player)]


def pot_bb(table: HandTable) -> Any:
    return table.pot_chips / table.unit_chips


SIX_HANDED = [
    Filter({}, "Alice", sits),
    Filter({}, "Dan", sits),
    Filter({"position": "2 BB"}, "Bob", lambda table, bob: seat_of(table, bob) == 1),
    Filter({"street": "turn"}, "Cara", lambda table, cara: reached(table, cara) == 2),
    Filter({"street": "flop+"}, "Cara", lambda table, cara: reached(table, cara) >= 1),
    Filter(
        {"pot": "12-400"}, "Eve", lambda table, _: (pot_bb(table) >= 12) & (pot_bb(table) < 400)
    ),
    Filter({"pot": "300-"}, "Eve", lambda table, _: pot_bb(table) >= 300),
    Filter(
        {"since": "2023-11-21", "until": "2023-11-22"},
        "Finn",
        lambda table, _: (
            (table.unix_time >= MONDAY_S + DAY_S) & (table.unix_time < MONDAY_S + 3 * DAY_S)
        ),
    ),
    Filter(
        {"position": "6 BTN", "street": "river", "pot": "-900", "since": "2023-11-21"},
        "Alice",
        lambda table, alice: (
            (seat_of(table, alice) == 5)
            & (reached(table, alice) == 3)
            & (pot_bb(table) < 900)
            & (table.unix_time >= MONDAY_S + DAY_S)
        ),
    ),
    Filter({"pot": "5000-"}, "Alice", lambda table, _: np.zeros(table.num_hands, np.bool_)),
]
TWO_HANDED = [
    Filter({}, "Bob", sits),
    Filter(
        {"street": "flop+", "log": "1.log"},
        "Bob",
        lambda table, bob: (reached(table, bob) >= 1) & (table.source == 1),
    ),
    Filter({"position": "1 BB"}, "Alice", lambda table, alice: seat_of(table, alice) == 0),
    Filter({"pot": "4-8"}, "Alice", lambda table, _: (pot_bb(table) >= 4) & (pot_bb(table) < 8)),
    Filter(
        {"opponent": "Cara"}, "Alice", lambda table, _: sits(table, table.players.index("Cara"))
    ),
]


@dataclass(frozen=True)
class Shown:
    """A page that is open, and its hands."""

    browser: BrowserPage
    table: HandTable
    path: Path
    further: dict[str, Floats]

    def open(self, address: str) -> None:
        """Open the page at *address* as from another page."""
        open_report(self.browser, self.path, address)


def timed(lines: list[str]) -> list[str]:
    """Hands with times, five a day; every seventh has none."""
    found, number = [], 0
    for line in lines:
        if line.startswith("STATE"):
            if number % 7:
                line += f" # {MONDAY_S + number * DAY_S // 100}"
            number += 1
        found.append(line)
    return found


def shown(browser: BrowserPage, folder: Path, logs: list[list[str]], game_name: str) -> Shown:
    paths = [write_log(folder, lines, f"{place}.log") for place, lines in enumerate(logs)]
    table = read_hands(paths, definition_of(game_name))
    half = table.chips / 2
    half[::3] = np.nan
    further = {"half": half}
    path = folder / "page.html"
    path.write_text(
        report_page(summary_with(table, further), table, further=further), encoding="utf-8"
    )
    return Shown(browser, table, path, further)


def summary_with(table: HandTable, further: dict[str, Floats]) -> Any:
    """Return the summary with *further* [hand, seat], which ``summarise`` takes by player."""
    by_player = {}
    for name, values in further.items():
        column = np.full((table.num_hands, len(table.players)), np.nan)
        np.put_along_axis(column, table.player, values, axis=1)
        by_player[name] = column
    return summarise(table, extra_columns=by_player)


@pytest.fixture(scope="module")
def own_browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserPage]:
    with browser_page(tmp_path_factory.mktemp("profile")) as page:
        yield page


@pytest.fixture(scope="module")
def six(own_browser: BrowserPage, tmp_path_factory: pytest.TempPathFactory) -> Shown:
    folder = tmp_path_factory.mktemp("six")
    return shown(own_browser, folder, [timed(match_log(NOLIMIT_6P, 400))], NOLIMIT_6P)


@pytest.fixture(scope="module")
def two(own_browser: BrowserPage, tmp_path_factory: pytest.TempPathFactory) -> Shown:
    """A duplicate match, and another one of one log against another player."""
    logs = [
        match_log(LIMIT_2P, 150),
        match_log(LIMIT_2P, 150, names=("Bob", "Alice")),
        match_log(LIMIT_2P, 50, seed=5, names=("Alice", "Cara")),
    ]
    return shown(own_browser, tmp_path_factory.mktemp("two"), logs, LIMIT_2P)


@pytest.mark.parametrize("wanted", SIX_HANDED, ids=lambda one: one.address)
def test_six_players_are_counted_as_python_counts(six: Shown, wanted: Filter) -> None:
    """Catches a filter that leaves other hands, and a statistic that is summed wrongly."""
    check(six, wanted)


@pytest.mark.parametrize("wanted", TWO_HANDED, ids=lambda one: one.address)
def test_a_duplicate_match_is_counted_as_python_counts(two: Shown, wanted: Filter) -> None:
    """Catches intervals over hands instead of deals, and hands of another log."""
    check(two, wanted)


@pytest.mark.parametrize("game_name", ALL_GAMES)
def test_any_game_is_counted_as_python_counts(
    own_browser: BrowserPage, tmp_path: Path, game_name: str
) -> None:
    """Catches a game of one street, of one card, without blinds or with ten players that the script
    counts otherwise, and a hand of it that cannot be replayed to its end.
    """
    page = shown(own_browser, tmp_path, [match_log(game_name, 60)], game_name)
    check(page, Filter({}, "Bob", sits))
    own_browser.press("End")
    won = [text for text in own_browser.text("#seats").split("\n") if re.match("[+−±]", text)]
    assert len(won) == page.table.definition.num_players
    assert own_browser.complaints() == []


def test_the_last_street_of_a_game_without_a_chart_is_chosen(
    own_browser: BrowserPage, tmp_path: Path
) -> None:
    """Catches streets that are numbered otherwise where there are two."""
    page = shown(own_browser, tmp_path, [match_log(LEDUC, 200)], LEDUC)
    check(
        page, Filter({"street": "flop"}, "Alice", lambda table, alice: reached(table, alice) == 1)
    )


def check(page: Shown, wanted: Filter) -> None:
    """Compare statistics, groups, grid, curve and list with those of Python."""
    table, player = page.table, page.table.players.index(wanted.player)
    hands = wanted.hands(table, player) & sits(table, player)
    page.open(wanted.address)
    check_rates(page, hands, player)
    check_groups(page, hands, player)
    check_curve(page, hands, player)
    assert page.browser.evaluate(LISTED) == np.flatnonzero(hands)[:100].tolist()
    assert page.browser.complaints() == []


def check_rates(page: Shown, hands: Flags, player: int) -> None:
    expected = [
        [rate.name, rate_text(rate), f"{rate.count:,}/{rate.chances:,}" if rate.chances else "–"]
        for rate in statistics(page.table.chosen(hands), player)
    ]
    assert page.browser.evaluate(RATES) == expected


def check_groups(page: Shown, hands: Flags, player: int) -> None:
    table, found = page.table, page.browser.evaluate(GROUPS)
    rows = (table.player == player) & hands[:, None]
    cells = page.browser.evaluate(GRID)
    results = {"chips": table.chips, **page.further}
    deal = np.broadcast_to(deal_numbers(table)[:, None], rows.shape)[rows]
    for way in groupings(table):
        numbers = way.number[rows]
        columns = [
            grouped_winnings(values[rows], deal, numbers, table.unit_chips, table.chips[rows])
            if len(numbers)
            else {}
            for values in results.values()
        ]
        if way.title == "hand" and cells:
            expected = {way.labels[number]: one for number, one in columns[0].items()}
            check_grid(cells, expected)
            continue
        assert [row[0] for row in found[way.title]] == [way.labels[one] for one in columns[0]]
        for row, number in zip(found[way.title], columns[0], strict=True):
            assert row[1] == f"{columns[0][number].num_hands:,}"
            assert numbers_in(row[2]) == pytest.approx(
                numbers_in(chips_text(columns[0][number].chips)), abs=0.0101
            )
            for text, column in zip(row[3:], columns, strict=True):
                assert alike(text, column[number]), (way.title, row)


def check_grid(cells: dict[str, str], expected: dict[str, Winnings]) -> None:
    assert {name for name, text in cells.items() if "not dealt" not in text} == set(expected)
    for name, found in expected.items():
        head, _, mean = cells[name].removesuffix(" mbb/hand").partition(" hand")
        assert head == f"{name}: {found.num_hands:,}"
        mean = mean.removeprefix("s").removeprefix(", ")
        assert alike(mean, found)


def check_curve(page: Shown, hands: Flags, player: int) -> None:
    """Compare the height at the right end, which the title of the plot tells."""
    rows = (page.table.player == player) & hands[:, None]
    chips, deal = page.table.chips[rows], np.repeat(deal_numbers(page.table), rows.sum(axis=1))
    title = page.browser.evaluate(f"document.querySelector('{SECTION} .curves title').textContent")
    if not len(chips):
        return
    curve = bankroll_curve(chips, deal, chips)
    won = numbers_in(title.rpartition(":")[2])[0]
    assert won == pytest.approx(curve.chips[-1] / page.table.unit_chips, abs=0.0101)
    lead = page.browser.text(f"{SECTION} .won-over")
    expected = winnings(chips, deal, page.table.unit_chips, chips)
    assert alike(lead.partition(" mbb")[0], expected)
    assert lead.endswith(f" over {len(chips):,} hand" + "s" * (len(chips) != 1))


def alike(text: str, found: Winnings) -> bool:
    """Return whether *text* is a mean with its interval, but for rounding."""
    one, other = numbers_in(text), numbers_in(mean_text(found))
    return len(one) == len(other) and all(
        abs(a - b) <= 2 * ROUNDING for a, b in zip(one, other, strict=True)
    )


def numbers_in(text: str) -> list[float]:
    return [float(one.replace(",", "")) for one in re.findall(r"[-+]?[\d,]*\.?\d+", text)]


def test_without_a_filter_the_page_says_what_it_said_without_a_script(six: Shown) -> None:
    """Catches a script and a program that write one number in two ways."""
    table = summary_with(six.table, six.further)
    for player in table.players[:2]:
        six.open("#" + urlencode({"player": player.name}))
        for title, groups in player.groups.items():
            if title == "hand":
                continue
            shown_rows = six.browser.evaluate(GROUPS)[title]
            assert [row[:3] for row in shown_rows] == [
                [label, f"{found['chips'].num_hands:,}", chips_text(found["chips"].chips)]
                for label, found in groups.items()
            ]


def test_controls_choose_what_addresses_choose(six: Shown) -> None:
    """Catches a control that nothing listens to, and an address that does not follow."""
    six.open("")
    for name, value in (
        ("player", str(six.table.players.index("Bob"))),
        ("opponent", str(six.table.players.index("Eve"))),
        ("position", "3"),
        ("street", "1-3"),
        ("pot-from", "2.5"),
        ("pot-to", "800"),
        ("since", "2023-11-20"),
        ("until", "2023-11-22"),
    ):
        choose(six.browser, name, value)
    words = {
        "player": "Bob",
        "opponent": "Eve",
        "position": "4 HJ",
        "street": "flop+",
        "pot": "2.5-800",
        "since": "2023-11-20",
        "until": "2023-11-22",
    }
    assert six.browser.evaluate("location.hash") == "#" + urlencode(words)
    before = six.browser.evaluate(RATES)
    six.open("#" + urlencode(words))
    assert six.browser.evaluate(RATES) == before
    assert six.browser.evaluate("document.querySelector('#pot-from').value") == "2.5"
    six.browser.click("#clear")
    assert six.browser.evaluate("location.hash") == "#player=Bob"
    assert six.browser.text("#chosen") == "all 400 hands"


def choose(browser: BrowserPage, name: str, value: str) -> None:
    """Give a control of the filter a value, as a reader does."""
    browser.evaluate(
        f"{{ const box = document.getElementById({name!r}); box.value = {value!r};"
        " box.dispatchEvent(new Event('change', { bubbles: true })); }"
    )


def test_an_address_that_names_nothing_is_the_whole_page(six: Shown) -> None:
    """Catches a link of another report that leaves an empty or a broken page."""
    six.open("#player=Nobody&position=9&street=late&pot=x&since=soon&behind=a:b&hand=9999&curve=Q")
    assert six.browser.text("#chosen") == "all 400 hands"
    assert six.browser.complaints() == []


def test_every_number_of_a_statistic_leads_to_its_hands(six: Shown) -> None:
    """Catches a number whose hands are others, or of which there are others as many."""
    table, bob = six.table, six.table.players.index("Bob")
    rows = (table.player == bob) & (pot_bb(table) >= 100)[:, None]
    columns = measures(table)
    six.open("#player=Bob&pot=100-")
    links = f"document.querySelectorAll('{SECTION} .rates tbody a')"
    texts = six.browser.evaluate(f"[...{links}].map((link) => link.textContent)")
    parts = [
        (each.name, measure)
        for each in definitions(4)
        for measure in (each.count, each.chances)
        if columns[measure][rows].sum()
    ]
    assert len(texts) == len(parts) > 20
    for place, (name, measure) in enumerate(parts):
        assert texts[place] == f"{int(columns[measure][rows].sum(dtype=int)):,}"
        six.browser.evaluate(f"{links}[{place}].click()")
        counted = ((columns[measure] > 0) & rows).any(axis=1)
        assert six.browser.evaluate(LISTED) == np.flatnonzero(counted)[:100].tolist(), name
        assert six.browser.text("#behind").startswith(f"Hands: {name}, ")
    assert six.browser.evaluate("document.activeElement.id") == "behind"


def test_every_cell_and_group_leads_to_its_hands(six: Shown) -> None:
    """Catches a cell or a row whose hands are others."""
    table, cara = six.table, six.table.players.index("Cara")
    rows = (table.player == cara) & (reached(table, cara) >= 1)[:, None]
    six.open("#player=Cara&street=flop%2B")
    for place, way in enumerate(groupings(table)):
        numbers = np.where(rows, way.number, -1).max(axis=1)
        for number in np.unique(numbers[numbers >= 0])[:25].tolist():
            name = way.labels[number]
            links = f"[...document.querySelectorAll('{SECTION} .group')][{place}]"
            links += ".querySelectorAll('a')"
            names = "(link.dataset.hand ?? link.textContent)"
            six.browser.evaluate(f"[...{links}].find((link) => {names} === '{name}').click()")
            assert six.browser.evaluate(LISTED) == np.flatnonzero(numbers == number)[:100].tolist()
            title = name if way.title == "hand" else f"{way.title} {name}"
            assert six.browser.text("#behind") == f"Hands: {title}"
    six.browser.click("#all")
    assert six.browser.text("#behind") == "Hands"
    assert six.browser.evaluate("location.hash") == "#player=Cara&street=flop%2B"
