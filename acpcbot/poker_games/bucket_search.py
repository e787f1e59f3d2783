"""Cards that complete a hand to given buckets: a search for one witness.

A bucket does not say which cards are in it, so a card may be dealt on the way to a sequence of
buckets if some cards of the rest of the deck complete it. The search tries cards slot by slot and
leaves a branch with the first bucket that differs. On the last street it is a look-up for each
card; it takes longer the more cards are still to come and the rarer the buckets are.
"""

from __future__ import annotations

import numpy as np

from acpcbot.arrays import Ints
from acpcbot.jit import shared
from acpcbot.poker_games.card_views import CardView

ANY_BUCKET = -1


@shared
def can_complete(
    view: CardView,
    hand: Ints,
    num_known: int,
    num_hole_cards: int,
    ends: Ints,
    wanted: Ints,
    deck: int,
) -> bool:
    """Return whether cards of *deck*, a set, complete *hand* to the buckets *wanted* [street].

    ANY_BUCKET stands for a street whose bucket does not matter.
    The first *num_known* cards of *hand* are known, hole cards before the board; the others are
    scratch. *ends* [street] are the sizes of the board.
    """
    size = num_hole_cards + ends[len(wanted) - 1]
    if not _fits(view, hand, num_known, num_hole_cards, ends, wanted):
        return False
    # untried[slot]: the cards that have not been tried there, as a set.
    untried = np.zeros(size + 1, np.int64)
    slot, left = num_known, deck
    untried[slot] = left
    while slot < size:
        if untried[slot] == 0:
            if slot == num_known:
                return False
            slot -= 1
            left |= 1 << hand[slot]
            continue
        card = _lowest(untried[slot])
        untried[slot] &= untried[slot] - 1
        hand[slot] = card
        if _fits(view, hand, slot + 1, num_hole_cards, ends, wanted):
            left ^= 1 << card
            slot += 1
            # Cards that come together are tried in one order only, the ascending one.
            is_same_group = _group(slot, num_hole_cards, ends) == _group(
                slot - 1, num_hole_cards, ends
            )
            untried[slot] = left & ~((2 << card) - 1) if is_same_group else left
    return True


@shared
def _fits(
    view: CardView, hand: Ints, num_known: int, num_hole_cards: int, ends: Ints, wanted: Ints
) -> bool:
    """Return whether the streets that so many cards complete have the buckets *wanted*."""
    for street in range(len(wanted)):
        if num_hole_cards + ends[street] == num_known and wanted[street] != ANY_BUCKET:
            bucket = view.bucket(street, hand[:num_hole_cards], hand[num_hole_cards:num_known])
            if bucket != wanted[street]:
                return False
    return True


@shared
def _group(slot: int, num_hole_cards: int, ends: Ints) -> int:
    """Return the number of the group of cards, dealt together, that *slot* is in."""
    if slot < num_hole_cards:
        return -1
    street = 0
    while street < len(ends) - 1 and slot - num_hole_cards >= ends[street]:
        street += 1
    return street


@shared
def _lowest(cards: int) -> int:
    card, left = 0, int(cards)
    while left & 1 == 0:
        left >>= 1
        card += 1
    return card
