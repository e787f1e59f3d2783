"""What is expected of a deal to the board: means over all ways to deal it.

A hand leaves only those ways possible that have none of its cards, each as likely as any
other. Where values are the same for all hands, sums over what is left beside a hand, or
beside a way, are found by inclusion and exclusion: all, without what holds the one card
or the other, and again what holds both, which was taken away twice. That is for hands of
one or two cards.

Ways are uint8 [way, card], values float64 [way, hand], or [way, 1] where the same for all hands.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats, Uints64
from acpcbot.cards.deck import NUM_CARDS, mask_of
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import all_hands, hand_masks

Ways = NDArray[np.uint8]


def deal_ways(definition: GameDefinition, dead: tuple[int, ...], num_cards: int) -> Ways:
    """All ways to deal so many cards from those of the deck that are not *dead*, ascending."""
    ways, masks = _whole_deck_ways(definition, num_cards)
    left: Ways = ways[masks & np.uint64(mask_of(dead)) == 0]
    return left


@cache
def _whole_deck_ways(definition: GameDefinition, num_cards: int) -> tuple[Ways, Uints64]:
    """The ways when no card is dead, and their cards as bits, uint64 [way]."""
    ways = list(combinations(sorted(definition.deck), num_cards))
    found = np.array(ways, np.uint8).reshape(len(ways), num_cards)
    return found, _masks(found)


def mean_after_deal(definition: GameDefinition, reach: Floats, ways: Ways, values: Floats) -> float:
    """The mean over ways and hands together, hands weighted by *reach* [hand]."""
    if values.shape[1] == 1:
        left = reach_beside(definition, reach, ways)
        # Summed and not multiplied as a matrix: threads that wait for each other cost more than so
        # few numbers.
        return float((left * values[:, 0]).sum() / left.sum())
    free = _are_apart(definition, ways) * reach
    return float((free * values).sum() / free.sum())


def means_after_deal(definition: GameDefinition, ways: Ways, values: Floats) -> Floats:
    """The mean over the ways that each hand leaves, [hand]; 0 if it leaves none."""
    if values.shape[1] == 1:
        both = np.stack([values[:, 0], np.ones(len(ways))])
        sums, counts = (ways_beside(definition, ways, weights) for weights in both)
    else:
        free = _are_apart(definition, ways)
        sums, counts = (free * values).sum(axis=0), free.sum(axis=0)
    return sums / np.maximum(counts, 1)


def reach_beside(definition: GameDefinition, reach: Floats, ways: Ways) -> Floats:
    """The sum of *reach* [hand] over the hands that have no card of each way, [way]."""
    return _beside(all_hands(definition), reach, ways)


def ways_beside(definition: GameDefinition, ways: Ways, weights: Floats) -> Floats:
    """The sum of *weights* [way] over the ways that have no card of each hand, [hand]."""
    return _beside(ways, weights, all_hands(definition))


def _beside(sets: Ways, weights: Floats, others: Ways) -> Floats:
    """The sum of *weights* [set] over the sets of cards [set, card] that have none in common
    with each of *others*.
    """
    if min(sets.shape[1], others.shape[1]) > 2:
        return np.array(
            [weights[np.bitwise_and(_masks(sets), mask) == 0].sum() for mask in _masks(others)]
        )
    holding = np.bincount(sets.ravel(), np.repeat(weights, sets.shape[1]), NUM_CARDS)
    left: Floats = weights.sum() - holding[others].sum(axis=1)
    if min(sets.shape[1], others.shape[1]) == 2:
        pairs = np.zeros((NUM_CARDS, NUM_CARDS))
        for first, second in combinations(range(sets.shape[1]), 2):
            places = sets[:, first].astype(np.int64) * NUM_CARDS + sets[:, second]
            pairs += np.bincount(places, weights, NUM_CARDS**2).reshape(NUM_CARDS, NUM_CARDS)
        pairs += pairs.T
        for first, second in combinations(range(others.shape[1]), 2):
            left += pairs[others[:, first], others[:, second]]
    return left


def _are_apart(definition: GameDefinition, ways: Ways) -> NDArray[np.bool_]:
    """Whether a way has none of a hand's cards, [way, hand]."""
    apart: NDArray[np.bool_] = _masks(ways)[:, None] & hand_masks(definition) == 0
    return apart


def _masks(sets: Ways) -> Uints64:
    """The cards of every set as bits, uint64 [set]."""
    masks: Uints64 = np.bitwise_or.reduce(np.uint64(1) << sets.astype(np.uint64), axis=1)
    return masks
