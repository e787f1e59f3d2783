"""Numbers of the hands on flops, one for all that differ only in the names of suits.

Of a flop and its changes of suits the one that comes first, cards ascending, is canonical. Flops
are of ten *patterns*: which of their ranks are equal, and the suits of the canonical one. Numbers
go pattern by pattern, in it flop by flop, and on a flop through the classes of combos that the
changes of suits which leave it alone turn into one another. Combos that the flop blocks have
numbers too.

All is made when first asked for, in some milliseconds of plain Python: no kernel, and nothing kept
on disk.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from math import comb
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Ints
from acpcbot.cards.combos import all_combos
from acpcbot.cards.deck import NUM_CARDS, NUM_RANKS, NUM_SUITS, format_cards
from acpcbot.errors import BadCards

Flop: TypeAlias = tuple[int, int, int]
Change: TypeAlias = tuple[int, ...]
"""The suit that each suit becomes."""

DISTINCT, LOW_PAIR, HIGH_PAIR, TRIPS = range(4)
FLOP_SIZE = 3
# One flop of each shape, its ranks as low as can be; the order of cards of other ranks is the same.
_RANKS = ((0, 1, 2), (0, 0, 1), (0, 1, 1), (0, 0, 0))
_FLOPS_OF_SHAPE = (comb(NUM_RANKS, 3), comb(NUM_RANKS, 2), comb(NUM_RANKS, 2), NUM_RANKS)
_TWO_BELOW = tuple([comb(rank, 2) for rank in range(NUM_RANKS)])
_THREE_BELOW = tuple([comb(rank, 3) for rank in range(NUM_RANKS)])


@dataclass(frozen=True, slots=True, eq=False)
class _Suits:
    """The numbering for the suits of a flop.

    ``start`` is the first number of the flop's pattern.
    """

    start: int
    num_classes: int
    changed: tuple[int, ...]
    """The card that the change to the canonical flop makes of each card."""
    class_of: Sequence[int]
    """The class of the changed combo, [combo]."""


@dataclass(frozen=True, slots=True)
class _Numbering:
    """*suits* by shape and the suits of the ascending cards, as a number of six bits."""

    suits: tuple[tuple[_Suits | None, ...], ...]
    count: int


def num_flop_hands() -> int:
    """Return the number of all numbers."""
    return _numbering().count


def flop_hand_number(hole_cards: Sequence[int], flop: Sequence[int]) -> int:
    """Return the number of one hand; raises BadCards unless it is two cards and three others.

    >>> flop_hand_number((51, 50), (0, 5, 10)) == flop_hand_number((48, 49), (3, 6, 9))
    True
    """
    if len(hole_cards) != 2 or len(flop) != FLOP_SIZE or len({*hole_cards, *flop}) != FLOP_SIZE + 2:
        raise BadCards(format_cards([*hole_cards, *flop]), "not two hole cards and three others")
    suits, start = _place(flop)
    first, second = suits.changed[hole_cards[0]], suits.changed[hole_cards[1]]
    # The combo's number, in the place of a call of ``combo_index``.
    combo = (
        (first * (first - 1) >> 1) + second
        if first > second
        else (second * (second - 1) >> 1) + first
    )
    return start + suits.class_of[combo]


def flop_numbers(flop: Sequence[int]) -> Ints:
    """Return the number of every combo on *flop*, [combo]."""
    suits, start = _place(flop)
    cards = np.array(suits.changed)[all_combos()]
    return start + np.array(suits.class_of)[_combos(cards)]


def _place(flop: Sequence[int]) -> tuple[_Suits, int]:
    """Return the numbering for the suits of *flop*, and the first of its numbers."""
    low, middle, high = sorted(flop)
    first, second, third = low >> 2, middle >> 2, high >> 2
    if first < second < third:
        shape, number = DISTINCT, _THREE_BELOW[third] + _TWO_BELOW[second] + first
    elif first == third:
        shape, number = TRIPS, first
    else:
        shape, number = LOW_PAIR if first == second else HIGH_PAIR, _TWO_BELOW[third] + first
    suits = _numbering().suits[shape][(low & 3) << 4 | (middle & 3) << 2 | high & 3]
    assert suits is not None, flop
    return suits, suits.start + number * suits.num_classes


@cache
def _numbering() -> _Numbering:
    """Return all patterns, in the order in which their canonical suits come."""
    changes = list(permutations(range(NUM_SUITS)))
    classes: dict[tuple[Change, ...], tuple[Sequence[int], int]] = {}
    starts: dict[Flop, tuple[int, int, Sequence[int]]] = {}
    found, count = [], 0
    for ranks, num_flops in zip(_RANKS, _FLOPS_OF_SHAPE, strict=True):
        starts.clear()
        of_shape: list[_Suits | None] = []
        for code in range(NUM_SUITS**FLOP_SIZE):
            flop = _cards(ranks, (code >> 4, code >> 2 & 3, code & 3))
            if not flop[0] < flop[1] < flop[2]:
                # One card twice, or a pair's suits in the other order.
                of_shape.append(None)
                continue
            images = [_changed(flop, change) for change in changes]
            canonical = min(images)
            if canonical not in starts:
                group = tuple(
                    [change for change in changes if _changed(canonical, change) == canonical]
                )
                if group not in classes:
                    classes[group] = _classes(group)
                class_of, num_classes = classes[group]
                starts[canonical] = count, num_classes, class_of
                count += num_flops * num_classes
            start, num_classes, class_of = starts[canonical]
            change = changes[images.index(canonical)]
            changed = tuple([card & ~3 | change[card & 3] for card in range(NUM_CARDS)])
            of_shape.append(_Suits(start, num_classes, changed, class_of))
        found.append(tuple(of_shape))
    return _Numbering(tuple(found), count)


def _cards(ranks: Sequence[int], suits: Sequence[int]) -> Flop:
    first, second, third = [rank << 2 | suit for rank, suit in zip(ranks, suits, strict=True)]
    return first, second, third


def _changed(flop: Flop, change: Change) -> Flop:
    first, second, third = sorted([card & ~3 | change[card & 3] for card in flop])
    return first, second, third


def _classes(group: tuple[Change, ...]) -> tuple[Sequence[int], int]:
    """Return the class of each combo under the changes of *group*, [combo], and their number."""
    cards = all_combos()
    images = [_combos(cards & 0xFC | np.array(change, np.uint8)[cards & 3]) for change in group]
    firsts, class_of = np.unique(np.min(images, axis=0), return_inverse=True)
    return tuple(class_of.tolist()), len(firsts)


def _combos(cards: NDArray[np.integer]) -> Ints:
    """Return the numbers of combos, [combo, 2] in either order."""
    wide = cards.astype(np.int64)
    high, low = wide.max(axis=1), wide.min(axis=1)
    combos: Ints = (high * (high - 1) >> 1) + low
    return combos
