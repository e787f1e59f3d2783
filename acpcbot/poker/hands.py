"""All hands that one player of a game may hold, numbered.

The hand of cards a > b > ... stands before that of A > B > ... if it has the lower first
card that differs; with two cards from the whole deck these are the numbers of
``cards/combos.py``. Arrays are built once, shared, and read-only.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Uints64
from acpcbot.cards.any_strength import strength
from acpcbot.cards.deck import mask_of
from acpcbot.poker.definition import GameDefinition

Hands = NDArray[np.uint8]


@cache
def all_hands(definition: GameDefinition) -> Hands:
    """The hole cards of every hand from the game's deck, uint8 [hand, card], the highest card
    first.
    """
    falling = sorted(definition.deck, reverse=True)
    hands = np.array(sorted(combinations(falling, definition.num_hole_cards)), np.uint8)
    hands.flags.writeable = False
    return hands


@cache
def hand_masks(definition: GameDefinition) -> Uints64:
    """The cards of every hand as bits, uint64 [hand]."""
    bits = np.uint64(1) << all_hands(definition).astype(np.uint64)
    masks: Uints64 = np.bitwise_or.reduce(bits, axis=1)
    masks.flags.writeable = False
    return masks


def hand_number(definition: GameDefinition, cards: Sequence[int]) -> int:
    """The number of the hand that *cards* make, in any order.

    >>> from acpcbot.poker.shipped import shipped_definition
    >>> hand_number(shipped_definition("holdem.limit.2p.reverse_blinds"), [50, 51])
    1325
    """
    return _numbers(definition)[mask_of(cards)]


def hand_numbers(definition: GameDefinition, hands: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """The numbers of *hands* [hand, card], the cards of each in any order."""
    known = hand_masks(definition)
    in_order = np.argsort(known)
    masks = np.bitwise_or.reduce(np.uint64(1) << hands.astype(np.uint64), axis=1)
    numbers: NDArray[np.int64] = in_order[np.searchsorted(known[in_order], masks)]
    return numbers


def hands_without(definition: GameDefinition, cards: Sequence[int]) -> NDArray[np.bool_]:
    """Which hands hold none of *cards*, [hand]."""
    free: NDArray[np.bool_] = hand_masks(definition) & np.uint64(mask_of(cards)) == 0
    return free


def hand_strengths(definition: GameDefinition, board: Sequence[int]) -> NDArray[np.int64]:
    """The strength of every hand on the whole *board*, [hand].

    Of those that it blocks some number.
    """
    if definition.num_hole_cards == 2 and len(definition.deck) == 52 and 3 <= len(board) <= 5:
        from acpcbot.cards.strength import (
            board_strengths,
        )  # compiled code, which few who ask for hands need

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
