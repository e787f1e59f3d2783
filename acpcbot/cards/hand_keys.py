"""Hands as sums: what each card adds to the key by which a hand of five to seven is looked up.

A key is 48 bits. The lower 32 tell the ranks of the hand, and how many cards it has: they
are a start for that number plus one of ``RANK_KEYS`` for each card, and every choice of
five, six or seven ranks has a sum of its own. The upper 16 count the cards of each suit in
four bits, from three upwards, so that the fifth card of a suit sets one of ``FIVE_SUITED``.

``CARD_KEYS`` uint64 [256] has a place for every uint8, the cards first; ``SET_KEYS`` uint64
[13, 16] adds up the cards of a rank by the set of their suits; ``START_KEYS`` uint64 [8] is
by the number of cards. Impossible hands have keys too, all of them below ``KEY_LIMIT``, so
that no lookup leaves its table. These few sums are made at import, as constants of kernels.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

MIN_CARDS, MAX_CARDS = 5, 7
# From rank to rank the smallest number that keeps the sums of seven ranks apart, at most four of a kind.
RANK_KEYS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
SUIT_SHIFT = 32
# The lookup splits the lower half of a key into a row and a place in it.
ROW_BITS = 10

_NONE_SUITED = 0x3333
_FIVE_SUITED = 0x8888


def _card_keys() -> NDArray[np.uint64]:
    keys = np.zeros(256, np.uint64)
    for card in range(52):
        keys[card] = RANK_KEYS[card >> 2] + (1 << (SUIT_SHIFT + 4 * (card & 3)))
    return keys


def _set_keys() -> NDArray[np.uint64]:
    held = np.arange(16)[:, None] >> np.arange(4) & 1
    return CARD_KEYS[:52].reshape(13, 4) @ held.T.astype(np.uint64)


def _start_keys() -> tuple[NDArray[np.uint64], int]:
    """The key of no cards for each number of cards to come, and the end of all rank sums."""
    keys = np.zeros(MAX_CARDS + 1, np.uint64)
    start = 0
    for count in range(MAX_CARDS, MIN_CARDS - 1, -1):
        keys[count] = start + (_NONE_SUITED << SUIT_SHIFT)
        rows = (count * RANK_KEYS[-1] >> ROW_BITS) + 1
        start += rows << ROW_BITS
    return keys, start


CARD_KEYS = _card_keys()
SET_KEYS = _set_keys()
START_KEYS, KEY_LIMIT = _start_keys()
FIVE_SUITED = np.uint64(_FIVE_SUITED << SUIT_SHIFT)
