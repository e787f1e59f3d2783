"""The showdown strength of hands of five, six or seven cards, by table.

A strength is a class of equal hands, from 1 (7-5-4-3-2 in mixed suits) to 7,462 (a royal
flush), on one scale for five, six and seven cards; 0 stands for an impossible hand. The
rules are those of ``any_strength``, with which the tables are made (``make_tables.py``).

Cards add up to a key (``hand_keys.py``). If its upper half shows five cards of a suit, the
strength is looked up by the set of that suit's ranks; if not, by the lower half of the key.

Three tables are constants of the kernels, loaded at import:

* ``FLUSH_STRENGTHS`` uint16 [8192], by a set of ranks;
* ``ROW_OFFSETS`` uint32 [row] and ``RANK_STRENGTHS`` uint16: the place of a key is the key plus
  its row's offset, where a row is 1,024 keys (``ROW_BITS``).

Kernels work in unsigned numbers throughout, and read the tables as constants of this
module: checks for negative places, or tables as arguments, would slow them several times
over. Numbers that are no cards yield a meaningless strength, but are never looked up outside a
table.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Bytes, Number, Uints16, Uints32
from acpcbot.cards.combos import NUM_COMBOS, combo_index
from acpcbot.cards.deck import format_cards
from acpcbot.cards.hand_keys import (
    CARD_KEYS,
    FIVE_SUITED,
    MAX_CARDS,
    MIN_CARDS,
    ROW_BITS,
    SET_KEYS,
    START_KEYS,
    SUIT_SHIFT,
)
from acpcbot.errors import BadCards
from acpcbot.jit import kernel

Cards = Bytes
Strengths = Uints16

CLASS_NAMES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)
BEST_OF_CLASS = (1277, 4137, 4995, 5853, 5863, 7140, 7296, 7452, 7462)


def _load(name: str) -> NDArray[Any]:
    table: NDArray[Any] = np.load(Path(__file__).with_name(f"{name}.npy"), allow_pickle=False)
    return table


FLUSH_STRENGTHS: Strengths = _load("flush_strengths")
RANK_STRENGTHS: Strengths = _load("rank_strengths")
ROW_OFFSETS: Uints32 = _load("row_offsets")


def strength_class(value: int) -> str:
    """Return the name of the hand class of strength *value*.

    >>> strength_class(1), strength_class(7462)
    ('high card', 'straight flush')
    """
    return CLASS_NAMES[bisect_left(BEST_OF_CLASS, value)]


def strengths(cards: Cards) -> Strengths:
    """Return the strength of every row of *cards*, uint8 [hand, 5 to 7], as uint16 [hand]."""
    assert cards.dtype == np.uint8
    assert MIN_CARDS <= cards.shape[1] <= MAX_CARDS
    values = np.empty(len(cards), np.uint16)
    fill_strengths(cards, values)
    return values


def board_strengths(board: Sequence[int]) -> Strengths:
    """Return the strength of every combo on a *board* of three to five cards, uint16 [combo].

    It is 0 for combos that share a card with the board.
    """
    if not MIN_CARDS - 2 <= len(set(board)) == len(board) <= MAX_CARDS - 2:
        raise BadCards(format_cards(board), "not three to five different cards")
    values = np.empty(NUM_COMBOS, np.uint16)
    fill_board_strengths(np.array(board, np.uint8), values)
    return values


@kernel
def strength7(c0: int, c1: int, c2: int, c3: int, c4: int, c5: int, c6: int) -> int:
    """Return the strength of seven different cards, for Python and for kernels."""
    # A tuple has a constant length, so the compiler can unroll both loops over it.
    # A tuple has a constant length, so the compiler can unroll both loops over it.
    cards = (c0, c1, c2, c3, c4, c5, c6)
    key = START_KEYS[7]
    for card in cards:
        key += CARD_KEYS[np.uint8(card)]
    return int(_flush_strength(key, cards) if key & FIVE_SUITED else rank_strength(key))


@kernel
def mask_strength(mask: int) -> int:
    """Return the strength of the five to seven cards in *mask*, for Python and for kernels."""
    cards = np.uint64(mask)
    key = np.uint64(0)
    # A card is 4 * rank + suit, so four neighbouring bits are the suits of one rank: thirteen
    # lookups add up a hand of any size, and no bit has to be searched.
    for rank in range(np.uint64(13)):
        key += SET_KEYS[rank, cards >> (rank << 2) & np.uint64(15)]
    # The product adds up the four counters of four bits in the highest of them.
    count = (key >> SUIT_SHIFT) * np.uint64(0x1111) >> 12 & np.uint64(7)
    key += START_KEYS[count]
    if key & FIVE_SUITED:
        return int(FLUSH_STRENGTHS[_ranks_of_suit(cards, _flush_suit(key))])
    return int(rank_strength(key))


@kernel
def fill_strengths(cards: Cards, values: Strengths) -> None:
    """Fill *values* with ``strengths`` of *cards*."""
    # All numbers are uint64: with signed ones numba adds a check for negative places to every
    # lookup.
    num_cards = np.uint64(cards.shape[1])
    # A loop of constant length and two branches that never change run twice as fast as one open
    # loop.
    six, seven = num_cards > np.uint64(5), num_cards > np.uint64(6)
    start = START_KEYS[num_cards]
    for hand in range(np.uint64(cards.shape[0])):
        key = start
        for place in range(np.uint64(5)):
            key += CARD_KEYS[cards[hand, place]]
        if six:
            key += CARD_KEYS[cards[hand, np.uint64(5)]]
        if seven:
            key += CARD_KEYS[cards[hand, np.uint64(6)]]
        # One addition a card and one or two lookups. The branch is foreseeable: few hands have
        # five cards of a suit.
        # One addition a card and one or two lookups. The branch is foreseeable: few hands have
        # five cards of a suit.
        if key & FIVE_SUITED:
            values[hand] = _flush_strength(key, cards[hand])
        else:
            values[hand] = rank_strength(key)


@kernel
def fill_board_strengths(board: Cards, values: Strengths) -> None:
    """Fill *values* with ``board_strengths`` of *board*."""
    # Three passes, each over a part of the combos: all by ranks, as if nobody had a flush; then
    # the few that have one; then 0 for those that hold a card of the board.
    key = START_KEYS[np.uint64(len(board) + 2)]
    mask = np.uint64(0)
    for card in board:
        key += CARD_KEYS[card]
        mask |= np.uint64(1) << np.uint64(card)
    _fill_by_ranks(key, values)
    for suit in range(np.uint64(4)):
        # Counters of suits start at three (see the key's layout). With three cards of a suit on
        # the board two hole cards can make a flush; at most one suit has so many.
        # Counters of suits start at three (see the key's layout). With three cards of a suit on
        # the board two hole cards can make a flush; at most one suit has so many.
        num_suited = (key >> SUIT_SHIFT >> (suit << 2) & np.uint64(15)) - np.uint64(3)
        if num_suited >= np.uint64(3):
            _fill_flushes(suit, np.uint64(5) - num_suited, _ranks_of_suit(mask, suit), values)
    for card in board:
        _block(np.uint64(card), values)


@kernel
def _fill_by_ranks(key: Number, values: Strengths) -> None:
    """Fill *values* with the strength of every combo by its ranks alone.

    *key* is that of the board. The 91 pairs of ranks are looked up, and copied to their combos.
    """
    # The combos of a card as the higher one lie together, by the lower one. So *row* holds the
    # strengths beside one high rank, by the other card, and is copied once for each of its suits.
    lowest: Number = np.uint64(0)
    row = np.empty(52, np.uint16)
    for high in range(np.uint64(13)):
        high_key = key + CARD_KEYS[high << 2]
        for low in range(high + np.uint64(1)):
            value = rank_strength(high_key + CARD_KEYS[low << 2])
            for suit in range(np.uint64(4)):
                row[(low << 2) + suit] = value
        for suit in range(np.uint64(4)):
            card = (high << 2) + suit
            start = combo_index(card, lowest)
            for other in range(card):
                values[start + other] = row[other]


@kernel
def _fill_flushes(suit: Number, missing: Number, board_ranks: Number, values: Strengths) -> None:
    """Overwrite *values* of the combos that make a flush in *suit*.

    *missing* (0 to 2) is the number of hole cards of the suit that a flush needs.
    """
    # With five cards of the suit on the board everybody has a flush; better ones come below.
    if missing == np.uint64(0):
        values[:] = FLUSH_STRENGTHS[board_ranks]
    # Ranks that lie on the board are visited too: such combos hold a card of the board and are set
    # to 0 afterwards, so nothing is asked here.
    for high in range(np.uint64(13)):
        card = (high << 2) + suit
        ranks = board_ranks | np.uint64(1) << high
        for low in range(high):
            other = (low << 2) + suit
            values[combo_index(card, other)] = FLUSH_STRENGTHS[ranks | np.uint64(1) << low]
        # One card of the suit is enough: the other hole card is any of the other suits.
        # One card of the suit is enough: the other hole card is any of the other suits.
        if missing < np.uint64(2):
            for other in range(np.uint64(52)):
                if other & np.uint64(3) != suit:
                    values[combo_index(card, other)] = FLUSH_STRENGTHS[ranks]


@kernel
def _block(card: Number, values: Strengths) -> None:
    """Set *values* of every combo with *card* to 0."""
    # As the higher card its combos lie together, as the lower one each in another row.
    for other in range(card):
        values[combo_index(card, other)] = 0
    for other in range(card + np.uint64(1), np.uint64(52)):
        values[combo_index(card, other)] = 0


@kernel
def rank_strength(key: Number) -> Number:
    """Return the strength of a hand without a flush, by its *key*."""
    # Row displacement: sparse rows of keys are laid over each other in one table, so that it stays
    # small. Places are taken modulo 2**32: the offsets of rows that were moved down wrap.
    ranks = np.uint32(key)
    return RANK_STRENGTHS[np.uint32(ranks + ROW_OFFSETS[ranks >> ROW_BITS])]


@kernel
def _flush_strength(key: Number, cards: Any) -> Number:
    """Return the strength of a hand with a flush, by its *key* and its *cards*."""
    suit = _flush_suit(key)
    ranks = np.uint64(0)
    for card in cards:
        if np.uint64(card) & np.uint64(3) == suit:
            ranks |= np.uint64(1) << (np.uint64(card) >> 2)
    # The mask keeps numbers that are no cards within the table.
    # The mask keeps numbers that are no cards within the table.
    return FLUSH_STRENGTHS[ranks & np.uint64(0x1FFF)]


@kernel
def _flush_suit(key: Number) -> Number:
    """Return the suit of which there are five cards, by the *key* of a hand."""
    # One bit is left, at place 4 * suit. Multiplying by it shifts the hexadecimal digits of 0x123
    # by *suit* places: the fourth digit is then 0, 1, 2 or 3, the suit. No loop, no branch.
    flush = (key & FIVE_SUITED) >> SUIT_SHIFT + 3
    return flush * np.uint64(0x123) >> 12 & np.uint64(3)


@kernel
def _ranks_of_suit(mask: Number, suit: Number) -> Number:
    """Return the set of ranks that *mask* holds in *suit*."""
    # Every fourth bit of the mask, gathered into thirteen.
    ranks = np.uint64(0)
    for rank in range(np.uint64(13)):
        ranks |= (mask >> ((rank << 2) + suit) & np.uint64(1)) << rank
    return ranks
