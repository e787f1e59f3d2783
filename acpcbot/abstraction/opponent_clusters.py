"""A river hand's strength against each of some clusters of opponents, in 0..10,000.

The clusters are of the 169 classes of hole cards, alike in their histograms of strength on the
river. On a river, a hand's strength against a cluster is its share of wins, ties counting half,
among the cluster's hands that share no card with it or with the board; half if there are none. Two
hands of one strength may differ in this: one beats the better hands that opponents play, say by
holding cards of theirs, and another the worse ones. Against one cluster that holds all hands it is
the strength itself.

Hands are uint16 [combo, cluster], zeros for combos that the board blocks.

Source: Johanson, Burch, Valenzano & Bowling (2013), Evaluating state-space abstractions in
extensive-form games, "opponent cluster hand strength"
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.buckets import Lossless169
from acpcbot.abstraction.canonical_boards import canonical_boards
from acpcbot.abstraction.equity import MAX_STRENGTH, fill_river_strengths
from acpcbot.abstraction.histograms import NUM_BINS
from acpcbot.abstraction.kmeans import Points, cluster
from acpcbot.arrays import Ints, Number
from acpcbot.cards.combos import NUM_COMBOS, all_combos
from acpcbot.cards.strength import Cards, fill_board_strengths
from acpcbot.jit import kernel
from acpcbot.worker_threads import Progress, for_row_chunks

NUM_OPPONENT_CLUSTERS = 8
NUM_STARTS = 20
FULL_STRENGTH = 10_000
NUM_CLASSES = Lossless169.num_buckets

Clusters = NDArray[np.uint8]
# [cards 0..51 and all together, cluster]: opponents' hands with a card, and all of them.
Counts = NDArray[np.uint16]
_ALL = 52


class OpponentStrengths:
    """River hands as points for k-means; *clusters* are uint8 [class of hole cards]."""

    power = 2
    board_size = 5

    def __init__(self, clusters: Clusters) -> None:
        if clusters.shape != (NUM_CLASSES,):
            raise ValueError(f"clusters of {clusters.shape} classes instead of {NUM_CLASSES}")
        self.clusters = clusters.astype(np.uint8)
        self.num_dimensions = int(clusters.max()) + 1
        self._cluster_of_combo = self.clusters[Lossless169().board_buckets()]
        # A copy that is not read-only: kernels are compiled once for each of the two.
        self._combos = all_combos().copy()

    def fill(self, board: Cards, points: Points) -> None:
        """Write the point of every combo on *board* into *points*."""
        fill_opponent_strengths(board, self._cluster_of_combo, self._combos, points)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the clusters."""
        return {"opponent_clusters": self.clusters}


def one_cluster() -> Clusters:
    """Return one cluster of all classes of hole cards."""
    return np.zeros(NUM_CLASSES, np.uint8)


def preflop_clusters(num_clusters: int, on_progress: Progress | None = None) -> Clusters:
    """Return the cluster of every class of hole cards, by rising strength.

    It is the best of some runs of k-means.
    """
    histograms = preflop_histograms(on_progress)
    # Every class counts by its combos.
    points = histograms[Lossless169().board_buckets()]
    runs = [cluster(points, num_clusters, power=1, seed=seed) for seed in range(NUM_STARTS)]
    labels, _ = min(runs, key=lambda run: run.cost).centroids.assign(histograms)
    return labels.astype(np.uint8)


def preflop_histograms(on_progress: Progress | None = None) -> Points:
    """Return how often, of 10,000 times, each class of hole cards reaches each threshold on rivers.

    The counts are [class, threshold].
    """
    rivers, classes, parts = canonical_boards(5), Lossless169().board_buckets(), []

    def count_rows(start: int, end: int) -> None:
        part = np.zeros((NUM_CLASSES, NUM_BINS), np.int64)
        _count_bins(rivers.boards[start:end], rivers.weights[start:end], classes, part)
        parts.append(part)

    for_row_chunks(count_rows, len(rivers), on_progress)
    at_least = np.cumsum(np.sum(parts, axis=0)[:, ::-1], axis=1)[:, ::-1]
    shares: Points = (at_least[:, 1:] * FULL_STRENGTH // at_least[:, :1]).astype(np.uint16)
    return shares


@kernel
def _count_bins(boards: Cards, weights: Ints, classes: Clusters, counts: Ints) -> None:
    """Add the hands of each class that end in each bin of strengths to *counts* [class, bin]."""
    strengths = np.empty(NUM_COMBOS, np.uint16)
    for row in range(len(boards)):
        fill_river_strengths(boards[row], strengths)
        for combo in range(NUM_COMBOS):
            if strengths[combo] <= MAX_STRENGTH:
                place = np.int64(strengths[combo]) * NUM_BINS // (MAX_STRENGTH + 1)
                counts[classes[combo], place] += weights[row]


@kernel
def fill_opponent_strengths(
    river: Cards, clusters: Clusters, combos: Cards, points: Points
) -> None:
    """Write the strength of every combo on *river* against each cluster into *points*.

    These are [combo, cluster]; *clusters* are by combo.
    """
    # As in ``fill_river_strengths``, all hands of one showdown class are dealt with at once:
    # each is told how many opponents are weaker before they join the count, and how many
    # are no stronger after. The counters are uint16 [card or all, cluster]: with eight clusters
    # those of one card share a cache line.
    classes = np.empty(NUM_COMBOS, np.uint16)
    fill_board_strengths(river, classes)
    order = np.argsort(classes)
    counts = np.zeros((_ALL + 1, points.shape[1]), np.uint16)
    points[:] = 0
    first = 0
    while first < NUM_COMBOS:
        end = first
        while end < NUM_COMBOS and classes[order[end]] == classes[order[first]]:
            end += 1
        if classes[order[first]]:
            _add_opponents(order[first:end], counts, combos, points)
            _count_opponents(order[first:end], counts, clusters, combos)
            _add_opponents(order[first:end], counts, combos, points)
        first = end
    _scale(classes, counts, clusters, combos, points)


@kernel
def _count_opponents(hands: Ints, counts: Counts, clusters: Clusters, combos: Cards) -> None:
    for hand in hands:
        cluster_of_hand = np.uint64(clusters[hand])
        counts[np.uint64(combos[hand, 0]), cluster_of_hand] += np.uint16(1)
        counts[np.uint64(combos[hand, 1]), cluster_of_hand] += np.uint16(1)
        counts[np.uint64(_ALL), cluster_of_hand] += np.uint16(1)


@kernel
def _add_opponents(hands: Ints, counts: Counts, combos: Cards, points: Points) -> None:
    """Add to every hand's points the counted opponents that share no card with it."""
    # The hand itself, once counted, has both its cards, and is subtracted once too often.
    for hand in hands:
        high, low = np.uint64(combos[hand, 0]), np.uint64(combos[hand, 1])
        for cluster_number in range(np.uint64(counts.shape[1])):
            points[hand, cluster_number] += _disjoint(counts, high, low, cluster_number)


@kernel
def _disjoint(counts: Counts, high: Number, low: Number, cluster_number: Number) -> Number:
    return (
        counts[np.uint64(_ALL), cluster_number]
        - counts[high, cluster_number]
        - counts[low, cluster_number]
    )


@kernel
def _scale(
    classes: Points, counts: Counts, clusters: Clusters, combos: Cards, points: Points
) -> None:
    """Turn points into shares of the largest that could be had."""
    for combo in range(np.uint64(NUM_COMBOS)):
        if classes[combo]:
            high, low = np.uint64(combos[combo, 0]), np.uint64(combos[combo, 1])
            for number in range(np.uint64(counts.shape[1])):
                # The hand itself was subtracted once from both.
                itself = np.uint16(number == clusters[combo])
                won = np.uint32(np.uint16(points[combo, number] + itself))
                most = np.uint32(2) * np.uint32(
                    np.uint16(_disjoint(counts, high, low, number) + itself)
                )
                points[combo, number] = (
                    won * np.uint32(FULL_STRENGTH) // most if most else FULL_STRENGTH // 2
                )
