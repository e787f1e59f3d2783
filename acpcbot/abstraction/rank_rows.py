"""The strengths without a flush that a board's missing cards and an opponent's two make, once for all of them.

Two cards to come and two of an opponent are four ranks whose order does not matter, so a flop has 1,820
strengths to be looked up and not 8,281. They stand in *rows*, uint16 [row, rank]: a row for every three
ranks, in falling order, and in it the strength with each fourth up to the highest of them. A card that
does not come is of rank 13. A row has three places more than there are ranks: what is looked up with
a card that does not come is written there, and read by nobody.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Number
from acpcbot.cards.hand_keys import CARD_KEYS
from acpcbot.cards.strength import rank_strength
from acpcbot.jit import kernel

Rows: TypeAlias = NDArray[np.uint16]
RowPlaces: TypeAlias = NDArray[np.uint64]
# A number in a kernel: what numba makes of numpy's numbers is beyond mypy.

ZERO, ONE, TWO = (np.uint64(number) for number in range(3))
NUM_RANKS = NO_RANK = np.uint64(13)
NUM_ROWS, ROW_LENGTH = 560, 16


@kernel
def fill_rows(key: Number, num_missing: Number, rows: Rows) -> None:
    """The strengths of hands with a board of *key*, of which so many cards are missing, up to two."""
    # Each loop goes through ranks in falling order, or has nothing but the card that does not come.
    for first in range(ZERO if num_missing == TWO else NO_RANK, NUM_RANKS if num_missing == TWO else NO_RANK + ONE):
        of_first = _threes_below(first)
        last = first if num_missing == TWO else NUM_RANKS - ONE
        for second in range(ZERO if num_missing else NO_RANK, last + ONE if num_missing else NO_RANK + ONE):
            of_both = of_first + _pairs_below(second)
            board_key = key + CARD_KEYS[first << TWO] + CARD_KEYS[second << TWO]
            for high in range(min(second + ONE, NUM_RANKS)):
                high_key, pairs = board_key + CARD_KEYS[high << TWO], _pairs_below(high)
                for low in range(high + ONE):
                    value = rank_strength(high_key + CARD_KEYS[low << TWO])
                    rows[of_both + high, low] = value
                    rows[of_both + low, high] = value
                    rows[of_first + pairs + low, second] = value


@kernel
def fill_places(first: Number, second: Number, places: RowPlaces) -> None:
    """The row of every third rank, [rank], beside two that come in either order."""
    most, least = max(first, second), min(first, second)
    of_most = _threes_below(most)
    # A part for each place that the rank can have among the three.
    for rank in range(min(least + ONE, NUM_RANKS)):
        places[rank] = of_most + _pairs_below(least) + rank
    for rank in range(least + ONE, min(most + ONE, NUM_RANKS)):
        places[rank] = of_most + _pairs_below(rank) + least
    for rank in range(most + ONE, NUM_RANKS):
        places[rank] = _threes_below(rank) + _pairs_below(most) + least


@kernel
def _threes_below(rank: Number) -> Number:
    """In how many ways three ranks are all below *rank*, in falling order."""
    return rank * (rank + ONE) * (rank + TWO) // np.uint64(6)


@kernel
def _pairs_below(rank: Number) -> Number:
    return rank * (rank + ONE) >> ONE
