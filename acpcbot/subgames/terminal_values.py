"""Values of the ends of a hand against a range, for every hand at once.

``fold_values`` and ``showdown_values`` are the two kinds of ends, ``fold_lanes`` and
``showdown_lanes`` value eight of one kind at once. Folds need sums of reaches, which are those of
``sum_lanes``, or are left by showdowns with the same reaches.

Vectors are over the hands of one board (``trees/board_tree.py``), and values are counterfactual:
summed over all hands that the opponent can hold beside one's own, each weighted by its reach.
All kernels take time linear in the number of hands. Of the opponent's hands, those that share a
card with one's own are subtracted by inclusion and exclusion: a sum for each of the two cards,
less the one hand that holds both.

Source: Johanson, Waugh, Bowling & Zinkevich (2011), Accelerating best response calculation
in large extensive games, section 3.2.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import AnyArray, Floats, Number
from acpcbot.jit import kernel
from acpcbot.lanes import NUM_LANES, load_lanes, no_lanes, store_lanes
from acpcbot.subgames.vectors import clear_vector

# Vectors of float64 or float32.
Cards = NDArray[np.uint16]

ZERO, ONE = np.uint64(0), np.uint64(1)
LANES = np.uint64(NUM_LANES)


@kernel
def fold_values(
    reach: AnyArray, cards: Cards, chips: float, card_sums: AnyArray, values: AnyArray
) -> None:
    """Fill *values* [hand] where one side folds and *chips* are won, or lost if negative.

    *card_sums* is scratch, a number for every card.
    """
    # value(h) = chips * sum of reach(o) over the hands o that share no card with h
    #          = chips * (total - sums of h's two cards + reach(h)),
    # for the hand h itself holds both cards and is in both sums. A hand of one card names a second
    # card that no other hand has, which makes the same formula right for it.
    clear_vector(card_sums)
    # Indices are unsigned: numba then leaves out the test for negative ones at each access. Two
    # thirds of all reaches are exactly 0 after some iterations, in stretches that the branch
    # predictor knows: leaving them out took 1.7 microseconds for 1,081 hands instead of 2.6.
    for hand in range(np.uint64(len(reach))):
        weight = reach[hand]
        if weight != 0:
            card_sums[np.uint64(cards[hand, ZERO])] += weight
            card_sums[np.uint64(cards[hand, ONE])] += weight
    # Every hand is in two sums. Adding up hands instead is a chain of additions, each of which
    # waits for the one before.
    total = 0.0
    for card in range(len(card_sums)):
        total += card_sums[card]
    total *= 0.5
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
    ranks: NDArray[np.uint16],
    chips: float,
    card_sums: AnyArray,
    values: AnyArray,
) -> None:
    """Fill *values* [hand] of a showdown for *chips* each.

    *ranks* [hand] are in rising order, equal ones are ties. *card_sums* is scratch, a number for
    every card.
    """
    # On a full board the hands are sorted by strength, so that one walk serves: when a group of
    # ties is reached, the sums hold all weaker hands. One's value is chips times (weaker hands
    # that share no card, less stronger ones). The first is written down before the group is added;
    # what remains after it was added is, against the totals at the end, all that is stronger.
    # Ties appear in neither. Between groups that anybody holds the sums stay as they are, so that
    # such a stretch is written down at once, whatever ties it has. For 1,081 hands of which two
    # thirds had no reach, in microseconds: 2.6; without stretches 3.0; without leaving out zeros
    # 3.6; a walk up and another one down 4.6. Adding each weight twice, between which the mean of
    # both sums could be read at once, took 2.9 and with all hands 4.6 instead of 3.5.
    num_hands = np.uint64(len(reach))
    clear_vector(card_sums)
    total, start = 0.0, ZERO
    while start < num_hands:
        end = start
        while end < num_hands and reach[end] == 0:
            end += ONE
        if end == num_hands and start == ZERO:
            clear_vector(values)
            return
        # The stretch ends where the ties of the next hand with reach begin.
        while start < end < num_hands and ranks[end - ONE] == ranks[end]:
            end -= ONE
        for hand in range(start, end):
            blocked = (
                card_sums[np.uint64(cards[hand, ZERO])] + card_sums[np.uint64(cards[hand, ONE])]
            )
            # Weaker, and weaker or tied.
            values[hand] = 2 * (total - blocked)
        if end == num_hands:
            break
        start, rank = end, ranks[end]
        while end < num_hands and ranks[end] == rank:
            blocked = card_sums[np.uint64(cards[end, ZERO])] + card_sums[np.uint64(cards[end, ONE])]
            # Weaker than h. A hand is not yet in the sums itself, so nothing is subtracted twice.
            values[end] = total - blocked
            end += ONE
        for hand in range(start, end):
            weight = reach[hand]
            if weight != 0:
                total += weight
                card_sums[np.uint64(cards[hand, ZERO])] += weight
                card_sums[np.uint64(cards[hand, ONE])] += weight
        for hand in range(start, end):
            blocked = (
                card_sums[np.uint64(cards[hand, ZERO])] + card_sums[np.uint64(cards[hand, ONE])]
            )
            # Weaker or tied; the hand itself is in both of its cards' sums here, and again
            # below, so that the two slips cancel.
            values[hand] += total - blocked
        start = end
    # With a = weaker, b = weaker or tied and c = all: value = a - (c - b) = (a + b) - c.
    for hand in range(num_hands):
        blocked = card_sums[np.uint64(cards[hand, ZERO])] + card_sums[np.uint64(cards[hand, ONE])]
        values[hand] = chips * (values[hand] - (total - blocked))


@kernel
def sum_lanes(reaches: AnyArray, cards: Cards, card_sums: Floats) -> Any:
    """Return the totals of eight vectors, and fill *card_sums* [card, lane] with those by card.

    *reaches* are [hand, lane]; both are flat.
    """
    # A lane is an end, so that each step of the loop is one instruction for eight ends.
    clear_vector(card_sums)
    total = no_lanes()
    for hand in range(np.uint64(len(cards))):
        reach = load_lanes(reaches, hand * LANES)
        total = total + reach
        add_to_cards(cards, hand, reach, card_sums)
    return total


@kernel
def fold_lanes(
    reaches: AnyArray, cards: Cards, chips: Floats, card_sums: Floats, total: Any, values: AnyArray
) -> None:
    """Fill *values* [hand, lane] of eight folds for *chips* [lane], as ``fold_values`` does one.

    *total* and *card_sums* [card, lane] are the sums of *reaches* [hand, lane]; arrays are flat.
    """
    # With sum_lanes: 4 microseconds, and 1.5 for turning vectors, where one end takes 1.8 to 2.2.
    won = load_lanes(chips, ZERO)
    for hand in range(np.uint64(len(cards))):
        free = unblocked(total, cards, hand, card_sums)
        store_lanes(values, hand * LANES, won * (free + load_lanes(reaches, hand * LANES)))


@kernel
def showdown_lanes(
    reaches: AnyArray,
    cards: Cards,
    ranks: NDArray[np.uint16],
    chips: Floats,
    card_sums: Floats,
    values: AnyArray,
) -> Any:
    """Fill *values* [hand, lane] of eight showdowns, as ``showdown_values`` does one.

    *reaches* are [hand, lane], *chips* [lane] for each side; *ranks* [hand] are in rising order.
    Arrays over lanes are flat. Totals are returned and *card_sums* filled as by ``sum_lanes``, to
    the last bit, since reaches are added in the same order.
    """
    # The same walk: weaker, then weaker or tied, less all. Leaving out hands without reach in all
    # eight gained a seventh where they were many, and lost nothing else; in practice the eight are
    # rarely without reach together. For 1,081 hands 6.2 microseconds, and 1.5 for turning vectors,
    # where one showdown takes 2.6 to 4.8.
    num_hands = np.uint64(len(ranks))
    clear_vector(card_sums)
    total, start = no_lanes(), ZERO
    while start < num_hands:
        rank, end = ranks[start], start
        while end < num_hands and ranks[end] == rank:
            store_lanes(values, end * LANES, unblocked(total, cards, end, card_sums))
            end += ONE
        for hand in range(start, end):
            reach = load_lanes(reaches, hand * LANES)
            total = total + reach
            add_to_cards(cards, hand, reach, card_sums)
        for hand in range(start, end):
            beaten = unblocked(total, cards, hand, card_sums)
            store_lanes(values, hand * LANES, load_lanes(values, hand * LANES) + beaten)
        start = end
    won = load_lanes(chips, ZERO)
    for hand in range(num_hands):
        free = unblocked(total, cards, hand, card_sums)
        store_lanes(values, hand * LANES, won * (load_lanes(values, hand * LANES) - free))
    return total


@kernel(inline=True)
def add_to_cards(cards: Cards, hand: Number, reach: Any, card_sums: Floats) -> None:
    """Add the *reach* of a hand, eight lanes, to the sums of both of its cards."""
    for place in (ZERO, ONE):
        card = np.uint64(cards[hand, place]) * LANES
        store_lanes(card_sums, card, load_lanes(card_sums, card) + reach)


@kernel(inline=True)
def unblocked(total: Any, cards: Cards, hand: Number, card_sums: Floats) -> Any:
    """Return *total* less the sums of both cards of a hand, eight lanes."""
    return (
        total
        - load_lanes(card_sums, np.uint64(cards[hand, ZERO]) * LANES)
        - load_lanes(card_sums, np.uint64(cards[hand, ONE]) * LANES)
    )
