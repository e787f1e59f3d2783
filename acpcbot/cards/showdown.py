"""The showdown strength of one hand in plain Python, for a dealer that compares a few.

Five to seven cards are looked up in the tables of ``strength.py``, which are read as they
lie beside this module; other numbers of cards are ranked by ``any_strength.py``. No kernel is
compiled, and numpy is not imported.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from acpcbot.cards.any_strength import strength_of_first
from acpcbot.cards.hand_sums import (
    CARD_KEYS,
    FIVE_SUITED,
    MAX_CARDS,
    MIN_CARDS,
    ROW_BITS,
    START_KEYS,
    SUIT_SHIFT,
)

_LOW_HALF = (1 << SUIT_SHIFT) - 1
_MAGIC = b"\x93NUMPY\x01\x00"
_HEADER_LENGTH = slice(8, 10)
_HEADER = 10


def showdown_strength(cards: Sequence[int]) -> int:
    """Return the showdown strength of one to ten different *cards*, among hands of as many cards.

    Bigger is better, equal is a tie.

    >>> showdown_strength([0, 1, 51]) > showdown_strength([43, 47, 51])
    True
    """
    count = len(cards)
    if not MIN_CARDS <= count <= MAX_CARDS:
        return strength_of_first(cards, count)
    key = START_KEYS[count]
    for card in cards:
        key += CARD_KEYS[card]
    return flush_strength(_flush_ranks(key, cards)) if key & FIVE_SUITED else rank_strength(key)


def rank_strength(key: int) -> int:
    """Return the strength of five to seven cards without a flush by their *key*."""
    _, others, offsets = _tables()
    ranks = key & _LOW_HALF
    return others[ranks + offsets[ranks >> ROW_BITS] & _LOW_HALF]


def flush_strength(ranks: int) -> int:
    """Return the strength of a flush, by the set of its five to seven *ranks*."""
    return _tables()[0][ranks]


def _flush_ranks(key: int, cards: Sequence[int]) -> int:
    """Return the set of ranks that *cards* hold in the suit of which there are five."""
    suit = ((key & FIVE_SUITED) >> SUIT_SHIFT).bit_length() // 4 - 1
    ranks = 0
    for card in cards:
        if card & 3 == suit:
            ranks |= 1 << (card >> 2)
    return ranks


@cache
def _tables() -> tuple[array[int], array[int], array[int]]:
    """Return the strengths of flushes, those of other hands, and the row offsets into these."""
    return _read("flush_strengths", "H"), _read("rank_strengths", "H"), _read("row_offsets", "I")


def _read(name: str, code: str) -> array[int]:
    """Return the table *name*: an ``.npy`` file of one dimension, little-endian and unsigned."""
    data = Path(__file__).with_name(f"{name}.npy").read_bytes()
    table = array(code)
    start = _HEADER + int.from_bytes(data[_HEADER_LENGTH], "little")
    assert data.startswith(_MAGIC)
    assert f"'descr': '<u{table.itemsize}'".encode() in data[:start]
    table.frombytes(data[start:])
    if sys.byteorder == "big":
        table.byteswap()
    return table
