"""Equities of hands that are checked down, against counting boards one by one."""

from __future__ import annotations

from itertools import combinations

import pytest

from acpcbot.cards.combos import NUM_COMBOS, combo_cards, parse_combo
from acpcbot.cards.deck import parse_cards
from acpcbot.cards.strength import strength7
from acpcbot.evaluation.checkdown import hand_equities


@pytest.mark.parametrize(
    ("own", "board"), [("AsKs", "QsJs2d"), ("7c2d", "7h7s2c"), ("AsKs", "QsJs2d3c"), ("9c9d", "AhKh2s2d4c")]
)
@pytest.mark.parametrize("other", ["AcKc", "9h9s", "Ts3s"])
def test_no_board_and_no_tie_is_counted_wrongly(own: str, board: str, other: str) -> None:
    cards = parse_cards(own), parse_cards(other)
    known = parse_cards(board)
    rest = [card for card in range(52) if card not in (*cards[0], *cards[1], *known)]
    points = []
    for way in combinations(rest, 5 - len(known)):
        first, second = (strength7(*hand, *known, *way) for hand in cards)
        points.append((first > second) + 0.5 * (first == second))
    found = hand_equities(cards[0], known)
    assert found[parse_combo(other)] == pytest.approx(sum(points) / len(points), abs=1e-5)


def test_hands_that_cannot_be_held_win_and_lose_nothing() -> None:
    own, board = parse_cards("AsKs"), parse_cards("QsJs2d")
    found = hand_equities(own, board)
    for combo in range(NUM_COMBOS):
        if set(combo_cards(combo)) & {*own, *board}:
            assert found[combo] == 0


def test_before_the_flop_a_pair_of_aces_is_as_good_as_everybody_knows() -> None:
    """0.8171 against KK of other suits, 0.7754 against 7-6 suited, by going through all boards."""
    found = hand_equities(parse_cards("AsAh"), ())
    assert found[parse_combo("KdKc")] == pytest.approx(0.8195, abs=0.01)
    assert found[parse_combo("7d6d")] == pytest.approx(0.771, abs=0.012)
