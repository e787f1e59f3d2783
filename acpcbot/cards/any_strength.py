"""The showdown strength of any one to ten cards, by arithmetic on sets of ranks.

The best poker hand of at most five of the cards counts: any number of them may be hole
cards, suits never break ties, and A-5 is the lowest straight. Fewer than five cards make
the usual classes too, except straights and flushes. Strengths compare hands of the same
number of cards; bigger is better, equal is a tie. These functions are plain Python for a few
hands; ``any_strength_kernel`` is the same for kernels.

A strength is ``class << 26 | main << 13 | kickers``, where main and kickers are sets of
ranks (bit number = rank): of two sets of one size, the one with the higher ranks is the
bigger number. Hands of five to seven cards have a faster way, ``strength.py``.
"""

from __future__ import annotations

from collections.abc import Sequence

from acpcbot.jit import shared

MAX_CARDS = 10

PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH = range(1, 9)
ALL_RANKS = 0x1FFF
# Four counters of four bits, one a suit. They begin at three, so that the fifth card sets the top
# bit.
NO_SUITED_CARDS = 0x3333
FIVE_SUITED_CARDS = 0x8888


def strength(cards: Sequence[int]) -> int:
    """Return the showdown strength of one to ten different *cards*, among hands of as many cards.

    >>> strength([0, 1, 51]) > strength([43, 47, 51])
    True
    """
    assert 1 <= len(cards) <= MAX_CARDS
    return strength_of_first(cards, len(cards))


@shared
def _highest(ranks: int) -> int:
    """Return the highest of *ranks* as a set; the empty set of the empty one."""
    # Fill all places below the highest bit in four doublings (thirteen ranks fit in sixteen bits),
    # then take away all but the top one.
    ranks |= ranks >> 1
    ranks |= ranks >> 2
    ranks |= ranks >> 4
    ranks |= ranks >> 8
    return ranks ^ (ranks >> 1)


@shared
def _without_lowest(ranks: int, number: int) -> int:
    """Return *ranks* without the *number* lowest ones."""
    for _ in range(number):
        ranks &= ranks - 1  # clears the lowest bit; the empty set stays empty
    return ranks


@shared
def _best_straight(ranks: int) -> int:
    """Return the best straight in *ranks* as one bit, its lowest card's place; 0 without one."""
    # Fourteen places, the ace below the two as well: place 0 is A-5. Bit n of *pairs* says that
    # places n and n + 1 are held; with n + 2, n + 3 and n + 4 these are five in a row.
    with_low_ace = ranks << 1 | ranks >> 12
    pairs = with_low_ace & with_low_ace >> 1
    return _highest(pairs & pairs >> 2 & with_low_ace >> 4)


@shared
def _suited_strength(ranks: int, count: int) -> int:
    """Return the strength of the flush or straight flush in *count* *ranks* of one suit."""
    straight = _best_straight(ranks)
    if straight:
        return STRAIGHT_FLUSH << 26 | straight << 13
    return FLUSH << 26 | _without_lowest(ranks, count - 5)


@shared
def _unsuited_strength(ranks: int, pairs: int, trips: int, quads: int, count: int) -> int:
    """Return the strength of *count* cards but for flushes.

    *ranks*, *pairs*, *trips* and *quads* are the sets of ranks held at least once, twice, three
    and four times.
    """
    # From the best class to the worst: the first that fits counts. Kickers fill up to five cards,
    # so the lowest count - 5 ranks go; of fewer than five cards, none.
    if quads:
        main = _highest(quads)
        return QUADS << 26 | main << 13 | _highest(ranks ^ main)
    # Trips are pairs too: without the main rank, what is left of the pairs may be a second set of
    # trips, which counts as a pair in a full house.
    main = _highest(trips)
    second = _highest(pairs ^ main)
    if main and second:
        return FULL_HOUSE << 26 | main << 13 | second
    straight = _best_straight(ranks)
    if straight:
        return STRAIGHT << 26 | straight << 13
    if main:
        return TRIPS << 26 | main << 13 | _without_lowest(ranks ^ main, count - 5)
    if pairs == 0:
        return _without_lowest(ranks, count - 5)
    # No trips: *second* is the highest pair. A third pair can only be a kicker.
    third = _highest(pairs ^ second)
    if third:
        both = second | third
        return TWO_PAIR << 26 | both << 13 | _highest(ranks ^ both)
    return PAIR << 26 | second << 13 | _without_lowest(ranks ^ second, count - 5)


@shared
def strength_of_first(cards: Sequence[int], count: int) -> int:
    """Return ``strength`` of the first *count* of *cards*."""
    # Four sets count the ranks like a carry chain: a rank that is held already moves up one set.
    # Suits have sixteen bits each in one number, and a counter of four bits each in another.
    ranks = pairs = trips = quads = 0
    ranks_by_suit, suit_counts = 0, NO_SUITED_CARDS
    for place in range(count):
        card = int(cards[place])  # kernels read bytes
        suit, rank = card & 3, 1 << (card >> 2)
        quads |= trips & rank
        trips |= pairs & rank
        pairs |= ranks & rank
        ranks |= rank
        ranks_by_suit |= rank << 16 * suit
        suit_counts += 1 << 4 * suit
    best = _unsuited_strength(ranks, pairs, trips, quads, count)
    # Of ten cards two suits can make a flush, and quads or a full house can lie beside it: so all
    # are compared.
    if suit_counts & FIVE_SUITED_CARDS:
        for suit in range(4):
            num_suited = (suit_counts >> 4 * suit & 15) - 3
            if num_suited >= 5:
                best = max(
                    best, _suited_strength(ranks_by_suit >> 16 * suit & ALL_RANKS, num_suited)
                )
    return best
