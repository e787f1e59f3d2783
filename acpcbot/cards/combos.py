"""The 1,326 combos: numbered pairs of hole cards.

The combo of cards a > b has the number ``a * (a - 1) / 2 + b``; arrays over all combos
are in this order, and ``[combo, 2]`` has the higher card first. Arrays are built once,
shared, and read-only. Text that is no combo raises ``BadCards``.
"""

from __future__ import annotations

from functools import cache
from math import isqrt

import numpy as np

from acpcbot.arrays import Bytes, Ints, Uints64
from acpcbot.cards.deck import NUM_CARDS, format_cards, parse_cards
from acpcbot.errors import BadCards
from acpcbot.jit import shared

NUM_COMBOS = NUM_CARDS * (NUM_CARDS - 1) // 2


@shared
def combo_index(card: int, other: int) -> int:
    """Return the number of the combo of two different cards, in either order.

    In kernels for cards of any one type.

    >>> combo_index(1, 0), combo_index(50, 51)
    (0, 1325)
    """
    high, low = max(card, other), min(card, other)
    # No number but in the shift: with one, numba would make unsigned cards signed.
    return (high * high - high >> 1) + low


def combo_cards(index: int) -> tuple[int, int]:
    """Return the cards of combo number *index*, the higher first.

    >>> combo_cards(1325)
    (51, 50)
    """
    high = (1 + isqrt(8 * index + 1)) // 2
    return high, index - high * (high - 1) // 2


def parse_combo(text: str) -> int:
    """Return the number of the combo that *text* names, like ``AsKd``."""
    cards = parse_cards(text)
    if len(cards) != 2:
        raise BadCards(text, "not two cards")
    return combo_index(*cards)


def format_combo(index: int) -> str:
    """Return the cards of combo number *index* as text, the higher first."""
    return format_cards(combo_cards(index))


@cache
def all_combos() -> Bytes:
    """Return the cards of every combo, uint8 [combo, 2]."""
    cards = np.array([combo_cards(index) for index in range(NUM_COMBOS)], np.uint8)
    cards.flags.writeable = False
    return cards


@cache
def combo_masks() -> Uints64:
    """Return the mask of every combo, uint64 [combo]."""
    bits = np.uint64(1) << all_combos().astype(np.uint64)
    masks = bits[:, 0] | bits[:, 1]
    masks.flags.writeable = False
    return masks


def combos_without(mask: int) -> Ints:
    """Return the numbers of all combos that hold no card of *mask*, ascending.

    >>> len(combos_without(0b11111))
    1081
    """
    return np.flatnonzero(combo_masks() & np.uint64(mask) == 0)
