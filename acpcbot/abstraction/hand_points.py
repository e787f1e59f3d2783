"""One hand at the table as a point for k-means: what ``histograms.py`` and ``opponent_clusters.py`` make of all hands.

The numbers are the same; looking at one hand alone takes a hundredth of the time. Points are
uint16 [1, dimension], ready to be looked up. Two hole cards and others are wanted, all
different: else BadCards is raised.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.buckets import Lossless169
from acpcbot.abstraction.equity import MAX_STRENGTH
from acpcbot.abstraction.histograms import NUM_BINS, NUM_THRESHOLDS
from acpcbot.abstraction.nearest import Points, Word
from acpcbot.abstraction.opponent_clusters import FULL_STRENGTH, Clusters
from acpcbot.abstraction.run_outs import MAX_GROUPS, fill_run_outs, hand_masks
from acpcbot.cards.combos import NUM_COMBOS, combo_masks
from acpcbot.cards.strength import Cards, fill_board_strengths
from acpcbot.jit import kernel


def hand_histogram(hole_cards: Sequence[int], board: Sequence[int]) -> Points:
    """In how many run-outs of a board of three or four cards the hand reaches each threshold."""
    point = np.empty((1, NUM_THRESHOLDS), np.uint16)
    _fill_histogram(*hand_masks(hole_cards, board), point)
    return point


def hand_opponent_strengths(hole_cards: Sequence[int], river: Sequence[int], clusters: Clusters) -> Points:
    """The hand's strength on *river* against each of the *clusters* of classes of hole cards."""
    own, _ = hand_masks(hole_cards, river)
    point = np.empty((1, int(clusters.max()) + 1), np.uint16)
    _fill_opponent_strengths(own, np.array(river, np.uint8), clusters, *_opponents(), point)
    return point


@cache
def _opponents() -> tuple[NDArray[np.uint8], NDArray[np.uint64]]:
    """The class of hole cards and the mask of every combo, [combo]."""
    # Copies that are not read-only: kernels are compiled once for each of the two.
    return Lossless169().board_buckets(), combo_masks().copy()


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
def _fill_opponent_strengths(
    hole_cards: int,
    river: Cards,
    clusters: Clusters,
    classes: NDArray[np.uint8],
    masks: NDArray[np.uint64],
    point: Points,
) -> None:
    """Compare the hand to all others; half the wins that could be had where a cluster has no hand left."""
    values = np.empty(NUM_COMBOS, np.uint16)
    fill_board_strengths(river, values)
    own: Word = np.uint64(hole_cards)
    mine: Word = np.uint16(0)
    for combo in range(np.uint64(NUM_COMBOS)):
        if masks[combo] == own:
            mine = values[combo]
    won, most = np.zeros(point.shape[1], np.int64), np.zeros(point.shape[1], np.int64)
    for combo in range(np.uint64(NUM_COMBOS)):
        value = values[combo]
        if value and not masks[combo] & own:
            met = np.uint64(clusters[classes[combo]])
            won[met] += np.int64(value < mine) + np.int64(value <= mine)
            most[met] += 2
    for number in range(np.uint64(len(won))):
        point[0, number] = won[number] * FULL_STRENGTH // most[number] if most[number] else FULL_STRENGTH // 2
