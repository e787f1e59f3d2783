"""Names for what a seat was dealt: cells of the starting-hand chart, ranks in games with one card, and coarse groups.

A class is ranks from the highest down, with ``s`` or ``o`` behind two cards of different ranks. Groups are for
two cards of a full deck alone; elsewhere the class is the group. Hands of more than two cards are told apart by
their highest rank alone.
"""

from __future__ import annotations

import numpy as np

from acpcbot.cards.deck import NUM_RANKS, RANKS
from acpcbot.poker.definition import GameDefinition
from acpcbot.reports.hands import HandTable, Ints

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
PAIR_SIZE = 2


def has_chart(definition: GameDefinition) -> bool:
    """Whether hands fill the chart of 169 classes."""
    return definition.num_hole_cards == PAIR_SIZE and definition.num_ranks == NUM_RANKS and definition.num_suits > 1


def class_numbers(table: HandTable) -> Ints:
    """[hand, seat] the class, a number for ``class_name``."""
    cards = np.sort(table.hole_cards.astype(np.int64), axis=2)[:, :, ::-1]
    ranks, suits = cards >> 2, cards & 3
    high, low = ranks[:, :, 0], ranks[:, :, min(1, ranks.shape[2] - 1)]
    if ranks.shape[2] != PAIR_SIZE:
        return high
    is_suited = suits[:, :, 0] == suits[:, :, 1]
    numbers: Ints = np.where(is_suited, high * NUM_RANKS + low, low * NUM_RANKS + high)
    return numbers


def class_name(number: int, num_hole_cards: int) -> str:
    """The class with this *number*.

    >>> class_name(12 * 13 + 11, 2), class_name(11 * 13 + 12, 2), class_name(0, 2), class_name(12, 1)
    ('AKs', 'AKo', '22', 'A')
    """
    if num_hole_cards == 1:
        return RANKS[number]
    if num_hole_cards != PAIR_SIZE:
        return f"{RANKS[number]} high"
    first, second = divmod(number, NUM_RANKS)
    kind = "" if first == second else "s" if first > second else "o"
    return f"{RANKS[max(first, second)]}{RANKS[min(first, second)]}{kind}"


def group_numbers(classes: Ints) -> Ints:
    """The group in ``GROUPS`` of each chart class."""
    group_of = np.array([_group(*divmod(number, NUM_RANKS)) for number in range(NUM_RANKS * NUM_RANKS)])
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
