"""What the end of a hand is worth to each hand that a player may hold, against a range.

Vectors are over the hands of one board (``trees/board_tree.py``), and values are
counterfactual: summed over all hands that the opponent can hold beside one's own, each as
often as it gets there. Both kernels take one walk along the hands: of the opponent's
hands, those that hold one of my cards are taken off by a sum for every card.

Source: Johanson, Waugh, Bowling & Zinkevich (2011), Accelerating best response calculation
in large extensive games, section 3.2.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import AnyArray
from acpcbot.jit import kernel

# Vectors of float64 or float32.
Cards = NDArray[np.uint16]

ZERO, ONE = np.uint64(0), np.uint64(1)


@kernel
def fold_values(
    reach: AnyArray, cards: Cards, chips: float, card_sums: AnyArray, values: AnyArray
) -> None:
    """*values* [hand] where one side gives up and *chips* are won (or lost, below zero)
    whatever is held.

    *card_sums* is scratch for a number for every card.
    """
    card_sums[:] = 0
    total = 0.0
    for hand in range(np.uint64(len(reach))):
        weight = reach[hand]
        total += weight
        card_sums[np.uint64(cards[hand, ZERO])] += weight
        card_sums[np.uint64(cards[hand, ONE])] += weight
    for hand in range(np.uint64(len(reach))):
        blocked = (
            card_sums[np.uint64(cards[hand, ZERO])]
            + card_sums[np.uint64(cards[hand, ONE])]
            - reach[hand]
        )
        values[hand] = chips * (total - blocked)


@kernel
def showdown_values(
    reach: AnyArray,
    cards: Cards,
    ranks: NDArray[np.int32],
    chips: float,
    card_sums: AnyArray,
    values: AnyArray,
) -> None:
    """*values* [hand] of a showdown for *chips* each; *ranks* [hand] rise, and equal ones are ties.

    What is weaker is counted on the way, before and after the hands that tie: the former are
    won from, and all that the latter leave over is lost to.
    """
    num_hands = np.uint64(len(reach))
    card_sums[:] = 0
    total, start = 0.0, ZERO
    while start < num_hands:
        rank, end = ranks[start], start
        while end < num_hands and ranks[end] == rank:
            blocked = card_sums[np.uint64(cards[end, ZERO])] + card_sums[np.uint64(cards[end, ONE])]
            values[end] = total - blocked
            end += ONE
        for hand in range(start, end):
            weight = reach[hand]
            total += weight
            card_sums[np.uint64(cards[hand, ZERO])] += weight
            card_sums[np.uint64(cards[hand, ONE])] += weight
        for hand in range(start, end):
            blocked = (
                card_sums[np.uint64(cards[hand, ZERO])] + card_sums[np.uint64(cards[hand, ONE])]
            )
            values[hand] += total - blocked
        start = end
    for hand in range(num_hands):
        blocked = card_sums[np.uint64(cards[hand, ZERO])] + card_sums[np.uint64(cards[hand, ONE])]
        values[hand] = chips * (values[hand] - (total - blocked))
