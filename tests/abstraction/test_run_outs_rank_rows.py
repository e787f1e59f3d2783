"""Rows of strengths against the strengths themselves."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from acpcbot.abstraction.run_outs import (
    NO_RANK,
    NUM_RANKS,
    NUM_ROWS,
    ROW_LENGTH,
    fill_places,
    fill_rows,
)
from acpcbot.cards.hand_keys import CARD_KEYS, START_KEYS
from acpcbot.cards.strength import rank_strength

NO = int(NO_RANK)


@pytest.mark.parametrize("num_missing", [0, 1, 2])
def test_a_row_has_the_strengths_of_its_three_ranks_with_every_fourth(num_missing: int) -> None:
    """Catches rows that lie on each other, ranks in another order, and places that a missing
    card spoils.
    """
    lying = Random(num_missing).choices(range(13), k=5 - num_missing)
    key = START_KEYS[7] + np.sum([CARD_KEYS[4 * rank] for rank in lying], dtype=np.uint64)
    rows, places = np.zeros((NUM_ROWS, ROW_LENGTH), np.uint16), np.zeros(NUM_RANKS, np.uint64)
    fill_rows(key, np.uint64(num_missing), rows)
    ranks = range(13)
    coming = {
        0: [(NO, NO)],
        1: [(rank, NO) for rank in ranks],
        2: [(one, other) for one in ranks for other in ranks],
    }
    for pair in coming[num_missing]:
        fill_places(np.uint64(pair[0]), np.uint64(pair[1]), places)
        pair_key = key + np.sum([CARD_KEYS[4 * rank] for rank in pair], dtype=np.uint64)
        for high in ranks:
            lows = range(high + 1)
            found = rows[places[high], lows].tolist()
            assert found == [
                rank_strength(pair_key + CARD_KEYS[4 * high] + CARD_KEYS[4 * low]) for low in lows
            ], pair
