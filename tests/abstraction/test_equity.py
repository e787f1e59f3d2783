"""Strengths and totals against slow enumerations, against known values and against each other."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acpcbot.abstraction.equity import (
    BLOCKED_STRENGTH,
    BLOCKED_TOTAL,
    DENOMINATORS,
    board_totals,
    expected_square,
    fill_river_strengths,
    total,
)
from acpcbot.cards.any_strength import strength
from acpcbot.cards.combos import NUM_COMBOS, all_combos, combo_index, combo_masks, combos_without
from acpcbot.cards.deck import mask_of, parse_cards
from acpcbot.cards.strength import board_strengths
from acpcbot.errors import BadCards

RIVERS = ["AsKsQsJsTs", "2c2d2h2s3c", "KsTd9h4s2c", "AhKh8h5h2h", "7c7d8s8h9c", "QdJd9c8c3h"]


def river_strengths(river: list[int]) -> list[int]:
    strengths = np.empty(NUM_COMBOS, np.uint16)
    fill_river_strengths(np.array(river, np.uint8), strengths)
    return strengths.tolist()


def slow_strength(hole_cards: list[int], river: list[int]) -> int:
    """By an evaluator without tables, one opponent's hand after the other."""
    own = strength([*hole_cards, *river])
    rest = sorted(set(range(52)) - {*hole_cards, *river})
    others = [strength([*pair, *river]) for pair in combinations(rest, 2)]
    assert len(others) == 990
    return 2 * sum(own > other for other in others) + sum(own == other for other in others)


def slow_total(hole_cards: list[int], board: list[int]) -> int:
    """By numpy, river after river."""
    result = 0
    for missing in combinations(sorted(set(range(52)) - {*hole_cards, *board}), 5 - len(board)):
        values = board_strengths([*board, *missing]).astype(int)
        own = values[combo_index(*hole_cards)]
        others = values[combos_without(mask_of([*hole_cards, *board, *missing]))]
        result += int(2 * (others < own).sum() + (others == own).sum()) ** 2
    return result


@pytest.mark.parametrize("text", RIVERS)
def test_river_strengths_are_those_of_a_slow_count(text: str) -> None:
    """Catches cards that are not removed, removed twice, and ties that are counted as wins."""
    river = list(parse_cards(text))
    strengths = river_strengths(river)
    for combo in combos_without(mask_of(river))[::180].tolist():
        assert strengths[combo] == slow_strength(all_combos()[combo].tolist(), river)


@pytest.mark.parametrize("text", RIVERS)
def test_hands_win_from_each_other_what_they_lose(text: str) -> None:
    """Catches a total of strengths that could not be: half of all pairs of hands, two points
    for each.
    """
    strengths = [
        number for number in river_strengths(list(parse_cards(text))) if number != BLOCKED_STRENGTH
    ]
    assert sum(strengths) == 1081 * 990


def test_totals_are_those_of_a_slow_enumeration() -> None:
    """Catches rivers that are left out or counted twice."""
    cards = list(parse_cards("8c7cKs9c6h4d2d"))
    for size in (3, 4, 5):
        hole_cards, board = cards[:2], cards[2 : 2 + size]
        expected = slow_total(hole_cards, board)
        assert total(hole_cards, board) == expected
        assert board_totals(board)[combo_index(*hole_cards)] == expected


@settings(max_examples=15)
@given(
    st.lists(st.integers(0, 51), min_size=7, max_size=7, unique=True), st.sampled_from([3, 4, 5])
)
def test_one_hand_and_all_hands_are_computed_alike(cards: list[int], size: int) -> None:
    """Catches play that asks for another bucket than training learnt."""
    hole_cards, board = cards[:2], cards[2 : 2 + size]
    assert total(hole_cards, board) == total(hole_cards[::-1], board[::-1])
    assert total(hole_cards, board) == board_totals(board)[combo_index(*hole_cards)]


@pytest.mark.parametrize("text", ["KsTd9h", "AsKsQs", "KsTd9h4s", "7c7d7h7s"])
def test_a_total_is_the_sum_over_the_next_card(text: str) -> None:
    """Catches denominators and totals that belong to different numbers of rivers."""
    board = list(parse_cards(text))
    totals = board_totals(board)
    sums = np.zeros(NUM_COMBOS, np.uint64)
    for card in set(range(52)) - set(board):
        after = board_totals([*board, card])
        sums += np.where(after == BLOCKED_TOTAL, 0, after).astype(np.uint64)
    possible = totals != BLOCKED_TOTAL
    # Two orders of turn and river lead to every pair.
    assert np.array_equal(
        sums[possible], totals[possible].astype(np.uint64) * (2 if len(board) == 3 else 1)
    )


@pytest.mark.parametrize("text", ["KsTd9h", "KsTd9h4s", "KsTd9h4s2c"])
def test_exactly_the_blocked_combos_have_the_marker(text: str) -> None:
    """Catches combos with a card of the board that look like hands, and hands that look blocked."""
    board = parse_cards(text)
    blocked = combo_masks() & np.uint64(mask_of(board)) != 0
    assert np.array_equal(board_totals(board) == BLOCKED_TOTAL, blocked)


def test_a_hand_that_nothing_beats_is_worth_one() -> None:
    """Catches denominators that are too big, and an overflow of 32 bits."""
    for board in ("QsJsTs", "QsJsTs2c", "QsJsTs2c2d"):
        hole_cards, cards = parse_cards("AsKs"), parse_cards(board)
        assert total(hole_cards, cards) == DENOMINATORS[len(cards)] < BLOCKED_TOTAL
        assert expected_square(hole_cards, cards) == 1


def test_a_hand_that_ties_with_all_is_worth_a_quarter() -> None:
    """Catches ties that count as nothing."""
    assert expected_square(parse_cards("2c3d"), parse_cards("AsKsQsJsTs")) == 0.25


@pytest.mark.parametrize(
    ("hole_cards", "board"), [("AsKs", "AsQd2c"), ("AsKs", "QdQs"), ("AsKs", ""), ("As", "QdQs2c")]
)
def test_strengths_refuse_cards_that_cannot_be_together(hole_cards: str, board: str) -> None:
    """Catches a card that is there twice, and boards that are too short."""
    with pytest.raises(BadCards):
        total(parse_cards(hole_cards), parse_cards(board))
