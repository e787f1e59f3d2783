"""The evaluator's tables and the sums that lead into them."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import pytest

from acpcbot.cards.hand_keys import (
    CARD_KEYS,
    FIVE_SUITED,
    KEY_LIMIT,
    RANK_KEYS,
    SET_KEYS,
    START_KEYS,
)
from acpcbot.cards.make_tables import FOLDER, hand_key, make_tables, rank_multisets


@pytest.mark.slow
def test_the_shipped_tables_are_those_that_the_script_makes() -> None:
    # Bug: the script or the rules changed, the shipped tables did not.
    for name, table in make_tables().items():
        shipped = np.load(FOLDER / f"{name}.npy")
        assert shipped.dtype == table.dtype
        assert np.array_equal(shipped, table)


def test_every_choice_of_ranks_has_a_sum_of_its_own() -> None:
    # Bug: a digit of a rank key is wrong and two hands share a place in the table.
    hands = list(rank_multisets())
    assert len(hands) == 6175 + 18395 + 49205
    assert len({hand_key(ranks) for ranks in hands}) == len(hands)


def test_even_impossible_hands_stay_inside_the_tables() -> None:
    # Bug: a lookup of five cards of a rank reads memory that is not ours.
    row_offsets, rank_strengths = (
        np.load(FOLDER / "row_offsets.npy"),
        np.load(FOLDER / "rank_strengths.npy"),
    )
    assert len(row_offsets) << 10 == KEY_LIMIT
    assert max(hand_key((12,) * count) for count in (5, 6, 7)) < KEY_LIMIT
    keys = np.arange(KEY_LIMIT, dtype=np.uint32)
    assert (keys + np.repeat(row_offsets, 1 << 10)).max() < len(rank_strengths)


def test_flushes_show_in_the_suit_counters() -> None:
    # Bug: counters that spill into the next suit, or miss the fifth card.
    for counts in combinations_with_replacement(range(8), 4):
        if 5 <= sum(counts) <= 7:
            suits = [suit for suit, count in enumerate(counts) for _ in range(count)]
            key = START_KEYS[len(suits)] + CARD_KEYS[suits].sum()
            assert (key & FIVE_SUITED != 0) == (max(counts) >= 5)


def test_sets_of_suits_add_up_their_cards() -> None:
    # Bug: the bits of a set read in the wrong order.
    for rank in range(13):
        for suits in range(16):
            cards = [4 * rank + suit for suit in range(4) if suits >> suit & 1]
            assert SET_KEYS[rank, suits] == CARD_KEYS[cards].sum()
    assert tuple(CARD_KEYS[0:52:4] & np.uint64(0xFFFFFFFF)) == RANK_KEYS
