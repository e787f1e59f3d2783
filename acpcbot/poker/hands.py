"""The numbered hands of hole cards that one player of a game may hold.

The hand of cards a > b > ... comes before that of A > B > ... if its first card that differs is
the lower one; with two cards from the whole deck these are the numbers of
``cards/combos.py``. Arrays are built once, shared, and read-only.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Bytes, Flags, Ints, Uints64
from acpcbot.cards.any_strength import strength
from acpcbot.cards.deck import mask_of
from acpcbot.poker.definition import GameDefinition

Hands = Bytes


@cache
def all_hands(definition: GameDefinition) -> Hands:
    """Return the hole cards of every hand, highest card first, uint8 [hand, card], read-only."""
    falling = sorted(definition.deck, reverse=True)
    hands = np.array(sorted(combinations(falling, definition.num_hole_cards)), np.uint8)
    hands.flags.writeable = False
    return hands


@cache
def hand_masks(definition: GameDefinition) -> Uints64:
    """Return the cards of every hand as bits, uint64 [hand]."""
    bits = np.uint64(1) << all_hands(definition).astype(np.uint64)
    masks: Uints64 = np.bitwise_or.reduce(bits, axis=1)
    masks.flags.writeable = False
    return masks


def hand_number(definition: GameDefinition, cards: Sequence[int]) -> int:
    """Return the number of the hand that *cards* make, in any order.

    >>> from acpcbot.poker.shipped import shipped_definition
    >>> hand_number(shipped_definition("holdem.limit.2p.reverse_blinds"), [50, 51])
    1325
    """
    return _numbers(definition)[mask_of(cards)]


def hand_numbers(definition: GameDefinition, hands: NDArray[np.integer[Any]]) -> Ints:
    """Return the numbers of *hands* [hand, card], the cards of each in any order."""
    known = hand_masks(definition)
    in_order = np.argsort(known)
    masks = np.bitwise_or.reduce(np.uint64(1) << hands.astype(np.uint64), axis=1)
    numbers: Ints = in_order[np.searchsorted(known[in_order], masks)]
    return numbers


def hands_without(definition: GameDefinition, cards: Sequence[int]) -> Flags:
    """Return flags of the hands that hold none of *cards*, bool [hand]."""
    free: Flags = hand_masks(definition) & np.uint64(mask_of(cards)) == 0
    return free


def hand_strengths(definition: GameDefinition, board: Sequence[int]) -> Ints:
    """Return the strength of every hand on the whole *board*, int64 [hand].

    Hands that share a card with the board have no meaningful strength.
    """
    if definition.num_hole_cards == 2 and len(definition.deck) == 52 and 3 <= len(board) <= 5:
        # Imported here: compiled code, which few callers of this module need.
        from acpcbot.cards.strength import board_strengths

        return board_strengths(board).astype(np.int64)
    free = hands_without(definition, board)
    hands = all_hands(definition).tolist()
    return np.array(
        [
            strength((*hand, *board)) if is_free else 0
            for hand, is_free in zip(hands, free, strict=True)
        ]
    )


@cache
def _numbers(definition: GameDefinition) -> dict[int, int]:
    return {mask: number for number, mask in enumerate(hand_masks(definition).tolist())}
