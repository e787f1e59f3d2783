"""Coarse groups of the classes in the starting-hand chart, for two cards of a full deck."""

from __future__ import annotations

import numpy as np

from acpcbot.arrays import Ints
from acpcbot.cards.deck import NUM_RANKS, RANKS
from acpcbot.poker.hand_classes import NUM_CELLS

GROUPS = (
    "pairs AA-TT",
    "pairs 99-22",
    "suited aces",
    "suited K-T",
    "suited neighbours",
    "suited others",
    "offsuit aces",
    "offsuit K-T",
    "offsuit others",
)
_TEN, _ACE = RANKS.index("T"), RANKS.index("A")


def group_numbers(classes: Ints) -> Ints:
    """The group in ``GROUPS`` of each chart class."""
    group_of = np.array([_group(*divmod(number, NUM_RANKS)) for number in range(NUM_CELLS)])
    numbers: Ints = group_of[classes]
    return numbers


def _group(first: int, second: int) -> int:
    high, low = max(first, second), min(first, second)
    if first == second:
        return 0 if high >= _TEN else 1
    if first < second:
        return 6 if high == _ACE else 7 if low >= _TEN else 8
    if high == _ACE:
        return 2
    if low >= _TEN:
        return 3
    return 4 if high - low == 1 else 5
