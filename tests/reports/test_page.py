"""The page as text: one file, nothing from outside, what is embedded, and that its pieces
cannot be broken out of.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from acpcbot.reports.hands import HandTable
from acpcbot.reports.markup import element, escaped
from acpcbot.reports.page import report_page
from acpcbot.reports.plots import range_plot, range_scale, ticks
from acpcbot.reports.replay import steps_text
from acpcbot.reports.summary import NUM_POTS, Winnings, summarise
from tests.protocol.log_making import match_log
from tests.reports.logs import NOLIMIT_HEADER, table_of
from tests.reports.pages import ADDRESS, Tags
from tests.support.games import ALL_GAMES, KUHN, LEDUC, LIMIT_2P, NOLIMIT_2P, NOLIMIT_6P, rules_of


def page_of(table: HandTable, num_hands: int = 1000) -> str:
    return report_page(summarise(table), table, num_hands)


def embedded(page: str) -> Any:
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])


@pytest.mark.parametrize("game_name", ALL_GAMES)
def test_the_page_of_any_game_is_whole(game_name: str, tmp_path: Path) -> None:
    """Catches a game with one street, without blinds or with ten players that breaks a table or
    a plot.
    """
    page = page_of(table_of(tmp_path, match_log(game_name), game_name))
    tags = Tags()
    tags.feed(page)
    assert (tags.open, tags.faults) == ([], [])
    assert not re.search(
        r"\b(nan|inf|None)\b",
        re.sub(r"<style>.*?</style>|<script.*?</script>", "", page, flags=re.DOTALL),
    )


def test_nothing_in_the_page_leads_outside(tmp_path: Path) -> None:
    """Catches an address that a browser would fetch."""
    page = page_of(table_of(tmp_path, match_log(NOLIMIT_6P), NOLIMIT_6P))
    assert {address.split("-")[0] for address in ADDRESS.findall(page)} <= {"#hand", "data:,"}
    assert "http" not in re.sub(r"http-equiv", "", page)


def test_names_cannot_break_out_of_text_or_data(tmp_path: Path) -> None:
    """Catches markup in a name, in a table or in the script's data."""
    evil = "</script><img src=x onerror=alert(1)>"
    lines = [NOLIMIT_HEADER, f"STATE:0:r300f:QcKc|4d2h:-100|100:A|{evil}"]
    page = page_of(table_of(tmp_path, lines))
    assert "<img" not in page
    assert page.count("</script>") == 2
    assert embedded(page)["players"][1] == evil


def test_a_long_match_is_embedded_in_part_and_says_so(tmp_path: Path) -> None:
    """Catches a page of hundreds of megabytes, and a big pot that cannot be opened."""
    table = table_of(tmp_path, match_log(NOLIMIT_6P, 60), NOLIMIT_6P)
    page = page_of(table, 5)
    numbers = [hand[0] for hand in embedded(page)["hands"]]
    pots = [pot.hand for pot in summarise(table).pots]
    assert numbers == sorted({*range(5), *pots})
    assert f"{len(numbers)} of 60 hands are on this page" in page
    assert len(numbers) <= 5 + NUM_POTS
    assert "All 60 hands are on this page." in page_of(table, 60)


@pytest.mark.parametrize(
    ("game_name", "betting", "steps"),
    [
        (
            NOLIMIT_2P,
            "cr300c/cr600c/cc/r1200f",
            "1c100 0r300 1c300 / 0k300 1b600 0c600 / 0k600 1k600 / 0b1200 1f600",
        ),
        (NOLIMIT_2P, "r20000c///", "1r20000 0c20000 / / /"),
        (LIMIT_2P, "rrf", "1r20 0r30 1f20"),
        (LEDUC, "rrc/cc", "0b3 1r5 0c5 / 0k5 1k5"),
        (KUHN, "crf", "0k1 1b2 0f1"),
    ],
)
def test_steps_say_who_did_what_and_what_lies_in_the_pot(
    game_name: str, betting: str, steps: str
) -> None:
    """Catches a seat, a size or a word that the replayer would show wrongly."""
    assert steps_text(rules_of(game_name), betting) == steps


def test_text_and_attributes_are_escaped() -> None:
    """Catches a quote that ends an attribute."""
    assert element("a", escaped("<b>&"), title='"><script>') == (
        '<a title="&quot;&gt;&lt;script&gt;">&lt;b&gt;&amp;</a>'
    )


@pytest.mark.parametrize(
    ("low", "high"), [(-7.3, 23.1), (0.0, 0.004), (-1e6, 2e6), (0.0, 1.0), (3.0, 3.0)]
)
def test_ticks_are_a_few_round_numbers_within_the_bounds(low: float, high: float) -> None:
    """Catches an axis without a number or with hundreds of them."""
    found = ticks(low, high)
    assert 1 <= len(found) <= 11
    assert all(low - 1e-9 <= tick <= high + 1e-9 for tick in found)


def test_intervals_are_drawn_on_one_scale_with_zero_in_it() -> None:
    """Catches dots outside the picture, and a scale of each row's own."""
    rows = [
        Winnings(10, 50.0, 500.0, 100.0),
        Winnings(10, -5.0, -50.0, 900.0),
        Winnings(1, 5.0, 500.0, float("inf")),
    ]
    scale = range_scale(rows)
    places = [
        float(place)
        for row in rows
        for place in re.findall(r'(?:cx|x1|x2)="([\d.]+)"', range_plot(row, scale))
    ]
    assert min(places) >= 0
    assert max(places) <= 160
    assert scale(-950) < scale(0) < scale(600)
