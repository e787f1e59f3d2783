"""One hand at the table as a point for k-means: what ``histograms.py`` and ``opponent_clusters.py`` make of all hands.

The numbers are the same; looking at one hand alone takes a hundredth of the time. Points are
uint16 [1, dimension], ready to be looked up. Two hole cards and others are wanted, all
different: else BadCards is raised.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from acpcbot.abstraction.equity import MAX_STRENGTH
from acpcbot.abstraction.histograms import NUM_BINS, NUM_THRESHOLDS
from acpcbot.abstraction.nearest import Points
from acpcbot.abstraction.opponent_clusters import FULL_STRENGTH, Clusters
from acpcbot.abstraction.run_outs import (
    FOUR,
    MAX_GROUPS,
    NO_SUIT,
    NUM_RANKS,
    ONE,
    THREE,
    TWO,
    fill_run_outs,
    hand_masks,
    split_suits,
)
from acpcbot.arrays import Number, Uints64
from acpcbot.cards.deck import NUM_CARDS
from acpcbot.cards.hand_keys import CARD_KEYS, FIVE_SUITED, START_KEYS, SUIT_SHIFT
from acpcbot.cards.strength import FLUSH_STRENGTHS, rank_strength
from acpcbot.jit import kernel

EIGHT = np.uint64(8)


def hand_histogram(hole_cards: Sequence[int], board: Sequence[int]) -> Points:
    """In how many run-outs of a board of three or four cards the hand reaches each threshold."""
    point = np.empty((1, NUM_THRESHOLDS), np.uint16)
    _fill_histogram(*hand_masks(hole_cards, board), point)
    return point


def hand_opponent_strengths(hole_cards: Sequence[int], river: Sequence[int], clusters: Clusters) -> Points:
    """The hand's strength on *river* against each of the *clusters* of classes of hole cards."""
    point = np.empty((1, int(clusters.max()) + 1), np.uint16)
    _fill_opponent_strengths(*hand_masks(hole_cards, river), clusters, point)
    return point


@kernel
def _fill_histogram(hole_cards: int, board: int, point: Points) -> None:
    strengths, counts = np.empty(MAX_GROUPS, np.int64), np.empty(MAX_GROUPS, np.int64)
    bins = np.zeros(NUM_BINS, np.int64)
    for group in range(fill_run_outs(hole_cards, board, strengths, counts)):
        bins[strengths[group] * NUM_BINS // (MAX_STRENGTH + 1)] += counts[group]
    reached = 0
    for threshold in range(NUM_THRESHOLDS - 1, -1, -1):
        reached += bins[threshold + 1]
        point[0, threshold] = reached


@kernel
def _fill_opponent_strengths(hole_cards: int, river: int, clusters: Clusters, point: Points) -> None:
    """Compare the hand to all others; half the wins that could be had where a cluster has no hand left."""
    dead = np.uint64(hole_cards | river)
    suits = np.empty(5, np.uint64)
    own_key, _ = split_suits(dead, suits)
    mine: Number = _value(START_KEYS[7] + own_key, suits)
    river_key, _ = split_suits(np.uint64(river), suits)
    won, most = np.zeros(point.shape[1], np.int64), np.zeros(point.shape[1], np.int64)
    for high in range(np.uint64(NUM_CARDS)):
        if dead >> high & ONE:
            continue
        high_key = START_KEYS[7] + river_key + CARD_KEYS[high]
        suits[high & THREE] |= ONE << (high >> TWO)
        for low in range(high):
            if dead >> low & ONE:
                continue
            key = high_key + CARD_KEYS[low]
            if key & FIVE_SUITED:
                suits[low & THREE] |= ONE << (low >> TWO)
                value = _value(key, suits)
                suits[low & THREE] &= ~(ONE << (low >> TWO))
            else:
                value = np.uint64(rank_strength(key))
            met = np.uint64(clusters[_hand_class(high, low)])
            won[met] += np.int64(value < mine) + np.int64(value <= mine)
            most[met] += 2
        suits[high & THREE] &= ~(ONE << (high >> TWO))
    for number in range(np.uint64(len(won))):
        point[0, number] = won[number] * FULL_STRENGTH // most[number] if most[number] else FULL_STRENGTH // 2


@kernel
def _value(key: Number, suits: Uints64) -> Number:
    """The showdown strength of seven cards, by their *key* and the ranks of each suit."""
    if key & FIVE_SUITED:
        for suit in range(NO_SUIT):
            if key >> (np.uint64(SUIT_SHIFT) + suit * FOUR) & EIGHT:
                return np.uint64(FLUSH_STRENGTHS[suits[suit]])
    return np.uint64(rank_strength(key))


@kernel
def _hand_class(high: Number, low: Number) -> Number:
    """The number of the hand's class in ``Lossless169``, by its higher and its lower card."""
    if high & THREE == low & THREE:
        return NUM_RANKS * (high >> TWO) + (low >> TWO)
    return NUM_RANKS * (low >> TWO) + (high >> TWO)
