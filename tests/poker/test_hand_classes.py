"""Classes of hole cards: every cell of the chart has the hands that are counted for it."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from acpcbot.cards.combos import all_combos
from acpcbot.cards.deck import RANKS, parse_cards
from acpcbot.poker.hand_classes import (
    NUM_CELLS,
    chart_cell,
    class_name,
    class_numbers,
    has_chart,
    num_classes,
)
from tests.support.games import ALL_GAMES, KUHN, LEDUC, LIMIT_2P, NOLIMIT_6P, definition_of


def test_pairs_have_six_hands_suited_classes_four_and_offsuit_ones_twelve() -> None:
    """Catches a suit or a rank that is read from the wrong bits: every class's count is known."""
    counts = Counter(class_numbers(all_combos()).tolist())
    assert sorted(counts) == list(range(NUM_CELLS))
    for number, count in counts.items():
        name = class_name(number, 2)
        assert count == {"s": 4, "o": 12}.get(name[2:], 6), name


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("AsKs", "AKs"),
        ("KsAs", "AKs"),
        ("2cAd", "A2o"),
        ("7d7h", "77"),
        ("Q", "Q"),
        ("2c9dTh", "T high"),
    ],
)
def test_the_order_of_the_cards_does_not_matter(cards: str, name: str) -> None:
    hand = np.array(parse_cards(cards if len(cards) > 1 else f"{cards}s"), np.uint8)
    number = int(class_numbers(hand))
    assert class_name(number, len(hand)) == name
    assert number < num_classes(len(hand))


def test_a_cell_is_suited_where_its_row_is_the_higher_rank() -> None:
    """Catches a chart that is turned around."""
    ace, king = RANKS.index("A"), RANKS.index("K")
    cells = [(ace, king), (king, ace), (king, king)]
    assert [class_name(chart_cell(row=row, column=column), 2) for row, column in cells] == [
        "AKs",
        "AKo",
        "KK",
    ]


def test_only_games_with_two_cards_from_whole_suits_have_a_chart() -> None:
    assert all(has_chart(definition_of(name)) for name in (LIMIT_2P, NOLIMIT_6P))
    assert not any(has_chart(definition_of(name)) for name in (KUHN, LEDUC))
    assert all(
        definition_of(name).num_hole_cards == 2
        for name in ALL_GAMES
        if has_chart(definition_of(name))
    )
