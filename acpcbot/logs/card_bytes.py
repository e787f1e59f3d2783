"""Rank and suit by byte for cards in a log: [byte], -1 for a byte that is no rank or no suit.

The tables are not in ``replay.py``, because reports need them without the compiled reader.
"""

from __future__ import annotations

import numpy as np

from acpcbot.cards.deck import RANKS, SUITS

RANK_OF_BYTE = np.array([RANKS.find(chr(byte)) for byte in range(256)], np.int64)
SUIT_OF_BYTE = np.array([SUITS.find(chr(byte)) for byte in range(256)], np.int64)
