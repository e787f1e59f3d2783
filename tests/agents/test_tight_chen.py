"""Chen's points against the published examples and the rules' own symmetry."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpcbot.agents.tight import chen_points
from acpcbot.cards.combos import NUM_COMBOS, combo_cards
from acpcbot.cards.deck import parse_cards


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("AsAd", 20),
        ("KsKd", 16),
        ("TsTd", 10),
        ("5s5d", 5),
        ("2s2d", 5),
        ("AsKs", 12),
        ("AsKd", 10),
        ("KsQs", 10),
        ("JsTs", 9),
        ("9s8s", 8),
        ("Ks9s", 6),
        ("7s5s", 6),
        ("Qs9d", 5),
        ("As2d", 5),
        ("Ts2d", 0),
        ("7s2d", -1),
    ],
)
def test_points_are_the_published_ones(cards: str, points: int) -> None:
    assert chen_points(*parse_cards(cards)) == points


@given(combo=st.integers(0, NUM_COMBOS - 1), shift=st.integers(1, 3))
def test_neither_the_order_of_the_cards_nor_the_names_of_the_suits_matter(
    combo: int, shift: int
) -> None:
    high, low = combo_cards(combo)
    renamed = [card & ~3 | (card + shift) & 3 for card in (low, high)]
    assert chen_points(*renamed) == chen_points(high, low)


def test_no_combo_lies_outside_the_two_ends() -> None:
    points = [chen_points(*combo_cards(combo)) for combo in range(NUM_COMBOS)]
    assert (min(points), max(points)) == (-1, 20)
