"""Ranges of hands, against means taken hand by hand; and their text, for strategies that are
easy to know.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from rich.text import Text

from acpcbot.agents.hand_range import Range, actions_text, chart_lines, hand_range, list_lines
from acpcbot.cards.deck import RANKS, parse_cards
from acpcbot.poker.actions import CALLING, FOLDING, LIMIT_RAISING, Action, raising
from acpcbot.poker.betting import BettingState
from acpcbot.poker.hand_classes import has_chart
from acpcbot.strategies.policy import PlaySettings
from acpcbot.strategies.public_play import SnapshotStrategy
from tests.strategies.random_snapshots import KUHN_3P, saved
from tests.support.games import KUHN, LEDUC, LIMIT_2P, rules_of

ALL_ACTIONS = (FOLDING, CALLING, LIMIT_RAISING)


def range_of(strategy: SnapshotStrategy, betting: BettingState, board: Sequence[int]) -> Range:
    return hand_range(betting.game.definition, strategy.table(betting, board), board)


@pytest.mark.parametrize(
    ("betting", "board", "classes"),
    [
        ("", "", ["AA", "AKs", "AKo", "72o", "22"]),
        ("cc/", "AcAdAh", ["AKs", "KK", "32s"]),
        ("cc/r", "2c7dTh", ["AA", "A2s", "A2o", "T7s", "77"]),
        ("cc/cc/cc/", "2c7dThJh4d", ["QQ", "JTs", "42o"]),
    ],
)
@pytest.mark.parametrize("text", ["average", "purified"])
def test_a_class_is_the_mean_of_the_hands_that_the_board_leaves(
    betting: str, board: str, classes: list[str], text: str, tmp_path: Path
) -> None:
    """The slow way: each hand's bucket by itself, as a player finds it."""
    snapshot, cards = saved(tmp_path / "x", LIMIT_2P), parse_cards(board)
    state = rules_of(LIMIT_2P).parse(betting)
    place = snapshot.place(state)
    found = range_of(SnapshotStrategy(snapshot, PlaySettings(text)), state, cards)
    for name in classes:
        wanted = [
            hand
            for hand in combinations(set(range(52)) - set(cards), 2)
            if {RANKS[card >> 2] for card in hand} == set(name[:2])
            and (len(name) == 2 or (hand[0] & 3 == hand[1] & 3) == (name[2] == "s"))
        ]
        rows = [
            snapshot.probabilities(place, snapshot.bucket(place, hand, cards), PlaySettings(text))
            for hand in wanted
        ]
        assert found[name] == pytest.approx(np.mean(rows, axis=0))


@pytest.mark.parametrize(("board", "num_classes"), [("", 169), ("2c7dTh", 169), ("AcAdAh", 168)])
def test_every_class_is_there_unless_the_board_blocks_it(
    board: str, num_classes: int, tmp_path: Path
) -> None:
    snapshot = saved(tmp_path / "x", LIMIT_2P)
    state = rules_of(LIMIT_2P).parse("cc/" if board else "")
    found = range_of(SnapshotStrategy(snapshot), state, parse_cards(board))
    assert len(found) == num_classes
    assert has_chart(snapshot.definition)
    assert all(row.sum() == pytest.approx(1) for row in found.values())


@pytest.mark.parametrize(
    ("game", "betting", "board", "classes"),
    [(KUHN, "", "", "AKQ"), (KUHN_3P, "r", "", "AKQJ"), (LEDUC, "cc/", "Kh", "AKQ")],
)
def test_small_games_have_a_class_for_each_rank(
    game: str, betting: str, board: str, classes: str, tmp_path: Path
) -> None:
    snapshot = saved(tmp_path / "x", game)
    state = rules_of(game).parse(betting)
    place = snapshot.place(state)
    found = range_of(SnapshotStrategy(snapshot), state, parse_cards(board))
    assert not has_chart(snapshot.definition)
    assert "".join(found) == classes
    for name, row in found.items():
        own = parse_cards(f"{name}s")
        assert (
            row.tolist()
            == snapshot.probabilities(
                place, snapshot.bucket(place, own, parse_cards(board))
            ).tolist()
        )


# Text


def lines(texts: list[Text]) -> list[str]:
    return [text.plain for text in texts]


def test_the_chart_has_suited_hands_above_the_diagonal_and_the_rest_below() -> None:
    """Would catch a chart that is turned around."""
    bold, meek, shy = (
        np.array([0.0, 0.0, 1.0]),
        np.array([0.0, 1.0, 0.0]),
        np.array([0.5, 0.25, 0.25]),
    )
    words, heads, *rows = lines(
        list(chart_lines({"AKs": bold, "AKo": meek, "22": shy}, ALL_ACTIONS))
    )
    assert words == "raise/call in per cent, else fold"
    assert heads.split() == list(reversed(RANKS))
    assert rows[0].split() == ["A", "-", "100/0", *["-"] * 11]
    assert rows[1].split() == ["K", "0/100", *["-"] * 12]
    assert rows[12].split() == ["2", *["-"] * 12, "25/25"]


def test_the_chart_fits_a_terminal_of_eighty_columns() -> None:
    row = np.array([0.0, 0.0, 1.0])
    found = {high + low + mark: row for high in RANKS for low in RANKS for mark in ("", "s", "o")}
    texts = lines(list(chart_lines(found, ALL_ACTIONS)))
    assert max(map(len, texts)) < 80
    assert all(text == text.rstrip() for text in texts)


@pytest.mark.parametrize(
    ("actions", "row", "words", "cell"),
    [
        ((CALLING, LIMIT_RAISING), [0.25, 0.75], "raise in per cent, else call", "75"),
        ((FOLDING, CALLING), [0.25, 0.75], "call in per cent, else fold", "75"),
        ((CALLING,), [1.0], "call in per cent", "100"),
        (
            (CALLING, raising(300), raising(900)),
            [0.25, 0.5, 0.25],
            "raise in per cent, else call",
            "75",
        ),
    ],
)
def test_the_chart_says_what_its_cells_say(
    actions: tuple[Action, ...], row: list[float], words: str, cell: str
) -> None:
    texts = lines(list(chart_lines({"AA": np.array(row)}, actions)))
    assert texts[0] == words
    assert texts[2].split()[1] == cell


def test_colours_say_the_likeliest_action_again() -> None:
    found = {"AA": np.array([0.2, 0.3, 0.5]), "KK": np.array([0.4, 0.3, 0.3])}
    texts = list(chart_lines(found, ALL_ACTIONS))
    styles = [str(text.spans[0].style) for text in texts if text.spans]
    assert ["red" in styles[0], "blue" in styles[1]] == [True, True]


def test_a_list_has_a_line_for_each_class() -> None:
    found = {"A": np.array([0.0, 1.0]), "K": np.array([0.25, 0.75])}
    actions = (FOLDING, CALLING)
    assert lines(list(list_lines(found, actions))) == [
        "A  fold 0.0000  call 1.0000",
        "K  fold 0.2500  call 0.7500",
    ]
    assert actions_text(np.array([1 / 3, 2 / 3]), actions) == "fold 0.3333  call 0.6667"
    assert (
        actions_text(np.array([0.25, 0.75]), (CALLING, raising(250)))
        == "call 0.2500  raise 250 0.7500"
    )
