"""The number of beaten hands, against the strengths of all combos, and the memory for it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acpcbot.cards.beaten_hands import Standing, standing
from acpcbot.cards.combos import combo_index, combos_without
from acpcbot.cards.deck import NUM_CARDS, deck_cards, mask_of, parse_cards
from acpcbot.cards.strength import board_strengths

FULL_DECK = deck_cards(4, 13)
ALL_CARDS = (1 << NUM_CARDS) - 1


def by_combos(own: Sequence[int], board: Sequence[int], deck: Sequence[int]) -> Standing:
    """The same from the strength of every combo."""
    strengths = board_strengths(board)
    rivals = strengths[combos_without(ALL_CARDS ^ mask_of(deck) | mask_of(own) | mask_of(board))]
    mine = strengths[combo_index(*own)]
    return Standing(
        int(np.count_nonzero(rivals < mine)), int(np.count_nonzero(rivals == mine)), len(rivals)
    )


@settings(max_examples=200)
@given(
    cards=st.lists(st.sampled_from(FULL_DECK), min_size=7, max_size=7, unique=True),
    size=st.integers(3, 5),
)
def test_any_board_agrees_with_all_combos(cards: list[int], size: int) -> None:
    own, board = cards[:2], cards[2 : 2 + size]
    assert standing(own, board, FULL_DECK) == by_combos(own, board, FULL_DECK)


@settings(max_examples=200)
@given(
    suited=st.lists(st.integers(0, 12), min_size=5, max_size=5, unique=True),
    others=st.lists(
        st.sampled_from([card for card in range(52) if card & 3]),
        min_size=4,
        max_size=4,
        unique=True,
    ),
    num_suited=st.integers(3, 5),
    size=st.integers(3, 5),
    own_suited=st.integers(0, 2),
)
def test_boards_with_three_to_five_of_a_suit_agree_with_all_combos(
    suited: list[int], others: list[int], num_suited: int, size: int, own_suited: int
) -> None:
    """Would catch hands with a flush that are counted twice, or by their ranks."""
    clubs = [4 * rank for rank in suited]
    board = [*clubs[: min(num_suited, size)], *others][:size]
    held_clubs = [card for card in clubs if card not in board][:own_suited]
    own = [*held_clubs, *[card for card in others if card not in board]][:2]
    assert standing(own, board, FULL_DECK) == by_combos(own, board, FULL_DECK)


@pytest.mark.parametrize(
    "deck", [deck_cards(2, 8), deck_cards(4, 6), deck_cards(1, 13), deck_cards(3, 9)]
)
@pytest.mark.parametrize("size", [3, 4, 5])
def test_small_decks_agree_with_all_combos(deck: tuple[int, ...], size: int) -> None:
    """Would catch opponents dealt cards that the small deck does not have."""
    for start in range(len(deck) - 2 - size):
        own, board = deck[start : start + 2], deck[start + 2 : start + 2 + size]
        assert standing(own, board, deck) == by_combos(own, board, deck)


def test_the_share_counts_ties_by_half() -> None:
    assert standing(parse_cards("2c3d"), parse_cards("AsKsQsJsTs"), FULL_DECK) == Standing(
        0, 990, 990
    )
    assert Standing(1, 2, 8).share == 0.25


def test_neither_arrays_nor_a_compiler_are_loaded() -> None:
    """Would catch an import that makes every rule player's start a second longer."""
    code = (
        "import sys; from acpcbot.cards.beaten_hands import standing; standing((0, 5), (10, 15, 20), range(52));"
        "print(*{'numpy', 'numba'} & set(sys.modules))"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []
