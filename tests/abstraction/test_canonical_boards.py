"""Canonical boards: how many there are, what they stand for, and that a place keeps the hand
what it is.
"""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpcbot.abstraction.canonical_boards import (
    BOARD_SIZES,
    PERMUTATION_BITS,
    PERMUTATION_MASK,
    SUIT_CHANGES,
    canonical_boards,
    combo_under,
    place_of,
)
from acpcbot.abstraction.equity import board_totals
from acpcbot.cards.combos import combo_cards, combo_index
from acpcbot.cards.isomorphism import SuitIsomorphism

COUNTS = {0: 1, 3: 1755, 4: 16_432, 5: 134_459}

boards = st.sampled_from([3, 4, 5]).flatmap(
    lambda size: st.lists(st.integers(0, 51), min_size=size, max_size=size, unique=True)
)


def changed(cards: list[int], permutation: int) -> list[int]:
    return [card & ~3 | int(SUIT_CHANGES[permutation, card & 3]) for card in cards]


def place(board: list[int]) -> tuple[int, int]:
    found = place_of(np.array(board, np.uint8))
    return found >> PERMUTATION_BITS, found & PERMUTATION_MASK


@pytest.mark.parametrize("size", BOARD_SIZES)
def test_there_are_as_many_as_are_known_and_together_they_stand_for_all_boards(size: int) -> None:
    """Catches two numbers for one board, and boards that are forgotten."""
    found = canonical_boards(size)
    assert len(found) == COUNTS[size]
    assert found.weights.sum() == len(found.places) == comb(52, size)


@pytest.mark.parametrize("size", [3, 4])
def test_canonical_boards_are_the_classes_of_the_other_numbering(size: int) -> None:
    """Catches boards that only look alike: the suit isomorphism by Waugh's method has to agree."""
    numbering = SuitIsomorphism((size,))
    all_boards = np.array(
        sorted(combinations(range(52), size), key=lambda cards: cards[::-1]), np.uint8
    )
    numbers, ours = numbering.indices(all_boards), canonical_boards(size).places >> PERMUTATION_BITS
    assert len(np.unique(np.stack([numbers, ours]), axis=1).T) == numbering.size == COUNTS[size]


@given(boards, st.permutations(range(5)), st.integers(0, 23))
def test_neither_order_nor_suits_change_the_canonical_board(
    board: list[int], order: list[int], change: int
) -> None:
    """Catches a place that depends on the order of the cards, and classes that are too small."""
    mixed = [board[slot] for slot in order if slot < len(board)]
    assert place(mixed) == place(board)
    assert place(changed(board, change))[0] == place(board)[0]


@given(boards)
def test_the_permutation_of_a_place_leads_to_the_canonical_board(board: list[int]) -> None:
    """Catches a permutation that leads the other way."""
    canonical, permutation = place(board)
    assert (
        sorted(changed(board, permutation))
        == canonical_boards(len(board)).boards[canonical].tolist()
    )


@given(st.integers(0, 1325), st.integers(0, 23))
def test_combos_change_like_their_cards(combo: int, permutation: int) -> None:
    """Catches combos that are changed the other way than boards."""
    assert combo_under()[permutation, combo] == combo_index(
        *changed(list(combo_cards(combo)), permutation)
    )


@pytest.mark.parametrize("board", [[0, 5, 10, 15], [51, 3, 20, 7, 40], [50, 13, 30, 29]])
def test_a_hand_is_worth_as_much_at_its_place(board: list[int]) -> None:
    """Catches a place where another hand lies."""
    canonical, permutation = place(board)
    there = board_totals(canonical_boards(len(board)).boards[canonical].tolist())
    assert np.array_equal(there[combo_under()[permutation]], board_totals(board))


def test_no_board_has_the_place_zero() -> None:
    """Catches a preflop table that is looked up outside of its only row."""
    assert place([]) == (0, 0)
