"""Hand keys: sums of one number a card, by which hands of five to seven cards are looked up.

A key is 48 bits. The lower 32 tell the ranks of the hand and the number of its cards: they
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

from acpcbot.arrays import Uints64
from acpcbot.cards import hand_sums as sums
from acpcbot.cards.hand_sums import KEY_LIMIT, MAX_CARDS, MIN_CARDS, RANK_KEYS, ROW_BITS, SUIT_SHIFT

__all__ = [
    "CARD_KEYS",
    "FIVE_SUITED",
    "KEY_LIMIT",
    "MAX_CARDS",
    "MIN_CARDS",
    "RANK_KEYS",
    "ROW_BITS",
    "SET_KEYS",
    "START_KEYS",
    "SUIT_SHIFT",
]


def _card_keys() -> Uints64:
    keys = np.zeros(256, np.uint64)
    keys[:52] = sums.CARD_KEYS
    return keys


def _set_keys() -> Uints64:
    held = np.arange(16)[:, None] >> np.arange(4) & 1
    return CARD_KEYS[:52].reshape(13, 4) @ held.T.astype(np.uint64)


CARD_KEYS = _card_keys()
SET_KEYS = _set_keys()
START_KEYS = np.array(sums.START_KEYS, np.uint64)
FIVE_SUITED = np.uint64(sums.FIVE_SUITED)
