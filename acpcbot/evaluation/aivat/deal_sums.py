"""Expectations over the deals of a street: means of values over all cards that may come.

A hand is compatible only with the deals that hold none of its cards; those are equally likely.
Where values are the same for all hands, the sums that remain beside a hand, or beside a deal, come
by inclusion and exclusion: the total, less what holds the one card or the other, plus what holds
both and was subtracted twice. That works for hands of one or two cards, and needs one pass over the
deals instead of one a hand.

Deals are uint8 [deal, card]; values float64 [deal, hand], or [deal, 1] if equal for all hands.
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

Deals = NDArray[np.uint8]


def possible_deals(definition: GameDefinition, dead: tuple[int, ...], num_cards: int) -> Deals:
    """Return all sets of *num_cards* cards of the deck that are not *dead*, ascending."""
    deals, masks = _whole_deck_deals(definition, num_cards)
    left: Deals = deals[masks & np.uint64(mask_of(dead)) == 0]
    return left


@cache
def _whole_deck_deals(definition: GameDefinition, num_cards: int) -> tuple[Deals, Uints64]:
    """Return the deals when no card is dead, and their cards as bits, uint64 [deal]."""
    deals = list(combinations(sorted(definition.deck), num_cards))
    found = np.array(deals, np.uint8).reshape(len(deals), num_cards)
    return found, _masks(found)


def mean_after_deal(
    definition: GameDefinition, reach: Floats, deals: Deals, values: Floats
) -> float:
    """Return the mean over deals and hands together, hands weighted by *reach* [hand]."""
    if values.shape[1] == 1:
        left = sum_reach_without(definition, reach, deals)
        # Summed and not multiplied as a matrix: threads that wait for each other cost more than so
        # few numbers.
        return float((left * values[:, 0]).sum() / left.sum())
    free = _are_disjoint(definition, deals) * reach
    return float((free * values).sum() / free.sum())


def means_after_deal(definition: GameDefinition, deals: Deals, values: Floats) -> Floats:
    """Return the mean over the deals compatible with each hand, [hand]; 0 if there is none."""
    if values.shape[1] == 1:
        both = np.stack([values[:, 0], np.ones(len(deals))])
        sums, counts = (sum_deals_without(definition, deals, weights) for weights in both)
    else:
        free = _are_disjoint(definition, deals)
        sums, counts = (free * values).sum(axis=0), free.sum(axis=0)
    return sums / np.maximum(counts, 1)


def sum_reach_without(definition: GameDefinition, reach: Floats, deals: Deals) -> Floats:
    """Return the sum of *reach* [hand] over the hands that have no card of each deal, [deal]."""
    return _sum_disjoint(all_hands(definition), reach, deals)


def sum_deals_without(definition: GameDefinition, deals: Deals, weights: Floats) -> Floats:
    """Return the sum of *weights* [deal] over the deals that have no card of each hand, [hand]."""
    return _sum_disjoint(deals, weights, all_hands(definition))


def _sum_disjoint(sets: Deals, weights: Floats, others: Deals) -> Floats:
    """Return the sum of *weights* over the *sets* disjoint from each of *others*, [other]."""
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


def _are_disjoint(definition: GameDefinition, deals: Deals) -> NDArray[np.bool_]:
    """Return True where a deal has none of a hand's cards, [deal, hand]."""
    apart: NDArray[np.bool_] = _masks(deals)[:, None] & hand_masks(definition) == 0
    return apart


def _masks(sets: Deals) -> Uints64:
    """Return the cards of every set as bits, uint64 [set]."""
    masks: Uints64 = np.bitwise_or.reduce(np.uint64(1) << sets.astype(np.uint64), axis=1)
    return masks
