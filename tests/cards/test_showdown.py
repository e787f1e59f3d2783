"""Hands compared by a dealer: the tables read in plain Python rank as the kernels and as the
rules do.
"""

from __future__ import annotations

from itertools import combinations, islice
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpcbot.cards.any_strength import MAX_CARDS, strength
from acpcbot.cards.any_strength_kernel import any_strength
from acpcbot.cards.deck import NUM_CARDS
from acpcbot.cards.hand_keys import CARD_KEYS, START_KEYS
from acpcbot.cards.showdown import _tables, showdown_strength
from acpcbot.cards.strength import FLUSH_STRENGTHS, RANK_STRENGTHS, ROW_OFFSETS, strengths

TABLE_COUNTS = (5, 6, 7)
OTHER_COUNTS = tuple(count for count in range(1, MAX_CARDS + 1) if count not in TABLE_COUNTS)
hands = st.lists(st.integers(0, NUM_CARDS - 1), min_size=1, max_size=MAX_CARDS, unique=True)


@pytest.mark.parametrize("step", [61, pytest.param(7, marks=pytest.mark.slow)])
def test_hands_of_five_cards_all_over_the_deck_are_the_kernels(step: int) -> None:
    hands_of_five = np.array(
        list(islice(combinations(range(NUM_CARDS), 5), 0, None, step)), np.uint8
    )
    assert [showdown_strength(hand) for hand in hands_of_five.tolist()] == strengths(
        hands_of_five
    ).tolist()


@pytest.mark.parametrize("count", TABLE_COUNTS)
def test_hands_of_the_tables_are_the_kernels(count: int) -> None:
    random = Random(count)
    dealt = np.array([random.sample(range(NUM_CARDS), count) for _ in range(10_000)], np.uint8)
    assert [showdown_strength(hand) for hand in dealt.tolist()] == strengths(dealt).tolist()


@pytest.mark.parametrize("count", TABLE_COUNTS)
@pytest.mark.parametrize("suit", range(4))
def test_every_flush_is_the_kernels(count: int, suit: int) -> None:
    """A random deal shows few of them."""
    dealt = np.array(
        [[4 * rank + suit for rank in ranks] for ranks in combinations(range(13), count)], np.uint8
    )
    assert [showdown_strength(hand) for hand in dealt.tolist()] == strengths(dealt).tolist()


@pytest.mark.parametrize("count", OTHER_COUNTS)
def test_other_numbers_of_cards_are_ranked_as_by_the_kernel(count: int) -> None:
    random = Random(count)
    for _ in range(3_000):
        hand = random.sample(range(NUM_CARDS), count)
        assert showdown_strength(hand) == any_strength(np.array(hand, np.uint8), count)


@given(hands)
def test_the_rules_are_one_text_for_python_and_kernels(hand: list[int]) -> None:
    assert strength(hand) == any_strength(np.array(hand, np.uint8), len(hand))


@given(hands, st.randoms())
def test_the_order_of_the_cards_does_not_matter(hand: list[int], random: Random) -> None:
    assert showdown_strength(random.sample(hand, len(hand))) == showdown_strength(hand)


def test_the_tables_are_read_as_numpy_reads_them() -> None:
    flushes, others, offsets = _tables()
    assert (list(flushes), list(others), list(offsets)) == (
        FLUSH_STRENGTHS.tolist(),
        RANK_STRENGTHS.tolist(),
        ROW_OFFSETS.tolist(),
    )


def test_keys_for_kernels_are_those_for_python() -> None:
    from acpcbot.cards import hand_sums

    assert CARD_KEYS[:NUM_CARDS].tolist() == list(hand_sums.CARD_KEYS)
    assert START_KEYS.tolist() == list(hand_sums.START_KEYS)
