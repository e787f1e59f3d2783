"""The page as text: one file, nothing from outside, what is embedded, and that its pieces
cannot be broken out of.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from acpcbot.reports.betting_facts import STREET_CODE
from acpcbot.reports.betting_replay import KINDS
from acpcbot.reports.hands import HandTable
from acpcbot.reports.markup import element, escaped
from acpcbot.reports.packed_columns import packed_columns
from acpcbot.reports.page import NUM_WITHOUT_SCRIPT, report_page
from acpcbot.reports.page_data import hand_link, needs_line
from acpcbot.reports.plots import range_plot, range_scale, ticks
from acpcbot.reports.summary import NUM_POTS, Winnings, summarise
from tests.protocol.log_making import match_log
from tests.reports.logs import NOLIMIT_HEADER, table_of
from tests.reports.pages import ADDRESS, Tags
from tests.support.games import (
    ALL_GAMES,
    KUHN,
    LEDUC,
    LIMIT_2P,
    NOLIMIT_2P,
    NOLIMIT_6P,
    NOLIMIT_10P,
)


def page_of(table: HandTable, num_hands: int = 1000) -> str:
    return report_page(summarise(table), table, num_hands)


def columns_of(page: str) -> dict[str, Any]:
    """Return the columns of a page, as its script has them."""
    return unpacked(embedded(page)["packed"])


def unpacked(packed: Any) -> dict[str, Any]:
    whole = gzip.decompress(base64.b64decode(packed["bytes"]))
    found = {}
    for name, (kind, start, length, are_steps) in packed["arrays"].items():
        column = np.frombuffer(whole, f"<{kind}", length, start)
        found[name] = np.cumsum(column, dtype=np.int64) if are_steps else column
    return found


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


def test_a_page_of_many_players_is_small_without_its_data(tmp_path: Path) -> None:
    """Catches drawings of every player, of which a tournament has dozens."""
    table = table_of(tmp_path, match_log(NOLIMIT_10P, 300), NOLIMIT_10P)
    page = page_of(table)
    data = json.dumps(embedded(page))
    assert len(page) - len(data) < 400_000
    assert f"only {NUM_WITHOUT_SCRIPT} of 10 players" in page


def test_nothing_in_the_page_leads_outside(tmp_path: Path) -> None:
    """Catches an address that a browser would fetch."""
    page = page_of(table_of(tmp_path, match_log(NOLIMIT_6P), NOLIMIT_6P))
    assert {address.split("=")[0] for address in ADDRESS.findall(page)} <= {"#hand", "data:,"}
    assert "http" not in re.sub(r"http-equiv|http://www.w3.org/2000/svg", "", page)


def test_names_cannot_break_out_of_text_or_data(tmp_path: Path) -> None:
    """Catches markup in a name, in a table or in the script's data."""
    evil = "</script><img src=x onerror=alert(1)>"
    lines = [NOLIMIT_HEADER, f"STATE:0:r300f:QcKc|4d2h:-100|100:A|{evil}"]
    page = page_of(table_of(tmp_path, lines))
    assert "<img" not in page
    assert page.count("</script>") == 2
    assert embedded(page)["players"][1] == evil


def test_a_long_match_is_replayed_in_part_and_says_so(tmp_path: Path) -> None:
    """Catches a page of hundreds of megabytes, and a big pot that cannot be opened."""
    table = table_of(tmp_path, match_log(NOLIMIT_6P, 60), NOLIMIT_6P)
    page = page_of(table, 5)
    numbers = columns_of(page)["replayed"].tolist()
    pots = [pot.hand for pot in summarise(table).pots]
    assert numbers == sorted({*range(5), *pots})
    assert f"{len(numbers)} of 60 hands can be replayed" in page
    assert len(numbers) <= 5 + NUM_POTS
    assert "hands can be replayed" not in page_of(table, 60)


@pytest.mark.parametrize(
    ("game_name", "hand", "steps"),
    [
        (
            NOLIMIT_2P,
            "cr300c/cr600c/cc/r1200f:7hTh|4d5s/2c3c8d/Ks/Kd:600|-600",
            "1c100 0r300 1c300 / 0k300 1b600 0c600 / 0k600 1k600 / 0b1200 1f600",
        ),
        (
            NOLIMIT_2P,
            "r20000c///:5d5c|9hQd/8dAs8s/4h/6d:20000|-20000",
            "1r20000 0c20000 / / /",
        ),
        (LIMIT_2P, "rrf:5d5c|9hQd:20|-20", "1r20 0r30 1f20"),
        (LEDUC, "rrc/cc:Ks|Qs/Qh:-5|5", "0b3 1r5 0c5 / 0k5 1k5"),
        (KUHN, "crf:Ks|Qs:-1|1", "0k1 1b2 0f1"),
    ],
)
def test_steps_say_who_did_what_and_what_lies_in_the_pot(
    game_name: str, hand: str, steps: str, tmp_path: Path
) -> None:
    """Catches a seat, a size or a word that the replayer would show wrongly."""
    columns = columns_of(page_of(table_of(tmp_path, [f"STATE:0:{hand}:A|B"], game_name)))
    found = [
        "/" if code == STREET_CODE else f"{code // KINDS}{'fkcbr'[code % KINDS]}{spent}"
        for code, spent in zip(columns["code"].tolist(), columns["spent"].tolist(), strict=True)
    ]
    assert " ".join(found) == steps


def test_hands_with_the_same_betting_share_their_steps(tmp_path: Path) -> None:
    """Catches steps of another hand, and a page that has all of them again."""
    hands = ["rrf:5d5c|9hQd:20|-20", "rf:5d5c|9hQd:-10|10", "rrf:2d5c|9hQd:20|-20"]
    lines = [f"STATE:{number}:{hand}:A|B" for number, hand in enumerate(hands)]
    columns = columns_of(page_of(table_of(tmp_path, lines, LIMIT_2P)))
    assert columns["betting"].tolist() == [0, 1, 0]
    assert columns["ends"].tolist() == [3, 5]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([0, 255], "u1"),
        ([-1, 127], "i1"),
        ([0, 65536], "u4"),
        ([-1, 70000], "i4"),
        ([1.5, np.nan], "f4"),
        ([1 / 3], "f8"),
        ([2.0**40], "f4"),
        ([2.0**40 + 1], "f8"),
        ([], "u1"),
    ],
)
def test_columns_come_back_as_they_were(values: list[float], kind: str) -> None:
    """Catches a type that is too small, and columns that begin at another's end."""
    column = np.array(values)
    packed = packed_columns({"one": np.arange(3), "two": column, "three": np.arange(3)}, ["three"])
    assert packed["arrays"]["two"][0] == kind
    found = unpacked(packed)
    np.testing.assert_array_equal(found["two"], column)
    assert found["one"].tolist() == found["three"].tolist() == [0, 1, 2]


def test_a_hand_that_its_number_does_not_tell_is_linked_by_its_line(tmp_path: Path) -> None:
    """Catches a link to the first of two hands with one number."""
    lines = [NOLIMIT_HEADER, *["STATE:0:r300f:QcKc|4d2h:-100|100:A|B"] * 2]
    table = table_of(tmp_path, lines)
    assert needs_line(table)
    assert hand_link(table, 1, by_line=True) == "#hand=0&hand-line=3"
    assert hand_link(table, 1, by_line=False) == "#hand=0"


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
