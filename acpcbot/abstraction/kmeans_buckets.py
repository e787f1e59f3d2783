"""Buckets of similar hands by k-means: the nearest of some centroids, by rising mean strength.

On flops and turns hands are histograms of strength (``histograms.py``), and on rivers strengths,
against all opponents or against clusters of them (``opponent_clusters.py``). Centroids come from a
sample of hands, each hand on each board as likely as any other. They are the same for the same seed
on any machine, since everything is in whole numbers. Centroids and tables are kept on disk.

At the table one hand is looked at alone, in a hundredth of the time of all hands: the kernels at
the end make its point, uint16 [1, dimension], with the same numbers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.buckets import Arrays, Buckets, Spec, bucket_type
from acpcbot.abstraction.canonical_boards import PERMUTATION_BITS, Places, canonical_boards
from acpcbot.abstraction.equity import MAX_STRENGTH
from acpcbot.abstraction.histograms import NUM_BINS, NUM_THRESHOLDS, StrengthHistograms
from acpcbot.abstraction.kmeans import Centroids, Points, cluster
from acpcbot.abstraction.opponent_clusters import (
    FULL_STRENGTH,
    NUM_OPPONENT_CLUSTERS,
    Clusters,
    OpponentStrengths,
    one_cluster,
    preflop_clusters,
)
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
from acpcbot.abstraction.table_cache import cached_table, code_of
from acpcbot.arrays import Number, Uints64
from acpcbot.cards.combos import NUM_COMBOS, all_combos
from acpcbot.cards.deck import NUM_CARDS, format_cards
from acpcbot.cards.hand_keys import CARD_KEYS, FIVE_SUITED, START_KEYS, SUIT_SHIFT
from acpcbot.cards.strength import FLUSH_STRENGTHS, Cards, rank_strength
from acpcbot.errors import BadCards
from acpcbot.jit import kernel
from acpcbot.random_kernels import RandomState, below, seed_state
from acpcbot.worker_threads import Progress, for_row_chunks

Rows = NDArray[np.int64]

KMEANS = "kmeans"
OCHS = "ochs"
NUM_SAMPLES = 300_000
DEFAULT_SEED = 1
EIGHT = np.uint64(8)

# The modules whose code decides over tables, given centroids, and over centroids.
_TABLE_SOURCES = (
    "acpcbot.abstraction.canonical_boards",
    "acpcbot.abstraction.equity",
    "acpcbot.abstraction.histograms",
    "acpcbot.abstraction.kmeans",
    "acpcbot.abstraction.opponent_clusters",
)
_CENTROID_SOURCES = (*_TABLE_SOURCES, "acpcbot.abstraction.kmeans_buckets")


def table_boards(board_size: int) -> Cards:
    """Return the boards of a table's rows: all canonical ones."""
    return canonical_boards(board_size).boards


@dataclass(frozen=True, slots=True, eq=False)
class KMeansBuckets:
    """Hands of three to five board cards by the nearest of some centroids."""

    kind: str
    """``KMEANS``, or ``OCHS`` with strengths against clusters of opponents."""
    features: HandFeatures
    centroids: Centroids

    @classmethod
    def restore(cls, spec: Mapping[str, object], arrays: Arrays) -> KMeansBuckets:
        """Return the bucketing that was saved.

        Raises ValueError for *arrays* that do not fit each other.
        """
        board_size = int(str(spec["board_size"]))
        features: HandFeatures
        if board_size == 5:
            features = OpponentStrengths(np.array(arrays["opponent_clusters"]))
        else:
            features = StrengthHistograms(board_size)
        points = np.array(arrays["centroids"], np.uint16)
        if points.ndim != 2 or not len(points) or points.shape[1] != features.num_dimensions:
            raise ValueError(
                f"centroids of shape {points.shape}: expected [any, {features.num_dimensions}]"
            )
        return cls(str(spec["kind"]), features, Centroids.of(points, features.power))

    @property
    def board_size(self) -> int:
        return self.features.board_size

    @property
    def num_buckets(self) -> int:
        return len(self.centroids)

    def bucket(self, hole_cards: Sequence[int], board: Sequence[int]) -> int:
        if len(board) != self.board_size:
            raise BadCards(
                format_cards([*hole_cards, *board]),
                f"not two hole cards and {self.board_size} others",
            )
        if isinstance(self.features, OpponentStrengths):
            point = hand_opponent_strengths(hole_cards, board, self.features.clusters)
        else:
            point = hand_histogram(hole_cards, board)
        # One type of label whatever the number of buckets: the kernel is compiled for each.
        label = np.empty(1, np.uint16)
        self.centroids.fill_nearest(point, label, np.empty(1, np.int64))
        return int(label[0])

    def board_buckets(self, board: Sequence[int]) -> Buckets:
        return self._nearest(self._points(board))

    def fill_table(self, on_progress: Progress | None = None) -> Buckets:
        recipe = _recipe(self.arrays(), _TABLE_SOURCES)
        name = f"{self.kind}_{self.board_size}_{hashlib.sha256(recipe).hexdigest()[:16]}"
        return cached_table(name, recipe, lambda: self.make_table(on_progress))

    def make_table(self, on_progress: Progress | None = None) -> Buckets:
        """Return what ``fill_table`` does, without the cache."""
        boards = table_boards(self.board_size)
        table = np.empty((len(boards), NUM_COMBOS), bucket_type(self.num_buckets))

        def fill_rows(start: int, end: int) -> None:
            points, costs = self._empty_points(), np.empty(NUM_COMBOS, np.int64)
            for row in range(start, end):
                self.features.fill(boards[row].copy(), points)
                self.centroids.fill_nearest(points, table[row], costs)

        for_row_chunks(fill_rows, len(boards), on_progress)
        return table

    def spec(self) -> Spec:
        return {"kind": self.kind, "board_size": self.board_size}

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {"centroids": self.centroids.points, **self.features.arrays()}

    def _points(self, board: Sequence[int]) -> Points:
        points = self._empty_points()
        self.features.fill(np.array(board, np.uint8), points)
        return points

    def _empty_points(self) -> Points:
        return np.empty((NUM_COMBOS, self.features.num_dimensions), np.uint16)

    def _nearest(self, points: Points) -> Buckets:
        buckets = np.empty(len(points), bucket_type(self.num_buckets))
        self.centroids.fill_nearest(points, buckets, np.empty(len(points), np.int64))
        return buckets


def kmeans_buckets(
    board_size: int,
    num_buckets: int,
    *,
    seed: int = DEFAULT_SEED,
    on_progress: Progress | None = None,
) -> KMeansBuckets:
    """Return buckets by k-means over histograms of strength, or on rivers over strengths."""
    features = (
        OpponentStrengths(one_cluster()) if board_size == 5 else StrengthHistograms(board_size)
    )
    return _learnt(KMEANS, features, num_buckets, seed, on_progress)


def ochs_buckets(
    num_buckets: int, *, seed: int = DEFAULT_SEED, on_progress: Progress | None = None
) -> KMeansBuckets:
    """Return river buckets by k-means over strengths against eight clusters of opponents."""
    recipe = _recipe({}, _CENTROID_SOURCES)
    clusters = cached_table(
        "opponent_clusters",
        recipe,
        lambda: preflop_clusters(NUM_OPPONENT_CLUSTERS, on_progress=on_progress),
    )
    return _learnt(OCHS, OpponentStrengths(np.array(clusters)), num_buckets, seed, on_progress)


def _learnt(
    kind: str, features: HandFeatures, num_buckets: int, seed: int, on_progress: Progress | None
) -> KMeansBuckets:
    """Return the bucketing with the centroids of a sample of hands."""

    def learn() -> Points:
        points = sample_points(features, NUM_SAMPLES, seed=seed, on_progress=on_progress)
        return cluster(
            points, num_buckets, power=features.power, seed=seed, on_progress=on_progress
        ).centroids.points

    name = f"{kind}_centroids_{features.board_size}_{num_buckets}_{seed}_{NUM_SAMPLES}"
    centroids = cached_table(name, _recipe(features.arrays(), _CENTROID_SOURCES), learn)
    return KMeansBuckets(kind, features, Centroids.of(np.array(centroids), features.power))


def _recipe(arrays: Arrays, sources: Sequence[str]) -> bytes:
    """Return the recipe of a table that depends on *arrays* and the code of *sources*."""
    return b"".join([*[arrays[name].tobytes() for name in sorted(arrays)], code_of(*sources)])


class HandFeatures(Protocol):
    """A description of the hands of one street as points for k-means.

    Points are the same for hands that only suits tell apart.
    """

    @property
    def board_size(self) -> int:
        """The number of board cards of the street."""

    @property
    def num_dimensions(self) -> int:
        """The number of dimensions of points."""

    @property
    def power(self) -> int:
        """The power of the costs between points; see ``kmeans.py``."""

    def fill(self, board: Cards, points: Points) -> None:
        """Write the point of every combo on *board* into *points* [combo, dimension].

        Those that the board blocks get any point.
        """

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays that were chosen, by names that suit files."""


def sample_points(
    features: HandFeatures, num_hands: int, *, seed: int, on_progress: Progress | None = None
) -> Points:
    """Return the points of *num_hands* random hands, board by board."""
    rows, combos = draw_hands(features.board_size, num_hands, seed=seed)
    boards = canonical_boards(features.board_size).boards
    different, starts = np.unique(rows, return_index=True)
    ends = [*starts[1:].tolist(), num_hands]
    points = np.empty((num_hands, features.num_dimensions), np.uint16)

    def fill_boards(start: int, end: int) -> None:
        all_points = np.empty((NUM_COMBOS, features.num_dimensions), np.uint16)
        for place in range(start, end):
            features.fill(boards[different[place]].copy(), all_points)
            points[starts[place] : ends[place]] = all_points[combos[starts[place] : ends[place]]]

    for_row_chunks(fill_boards, len(different), on_progress)
    return points


def draw_hands(board_size: int, num_hands: int, *, seed: int) -> tuple[Rows, Rows]:
    """Return the canonical boards of random hands, ascending, and their combos."""
    places, boards = canonical_boards(board_size).places, canonical_boards(board_size).boards
    rows, combos = np.empty(num_hands, np.int64), np.empty(num_hands, np.int64)
    _draw_hands(places, boards, all_combos(), seed_state(seed), rows, combos)
    order = np.argsort(rows, kind="stable")
    return rows[order], combos[order]


@kernel
def _draw_hands(
    places: Places,
    boards: Cards,
    all_pairs: Cards,
    random_state: RandomState,
    rows: Rows,
    combos: Rows,
) -> None:
    """Draw a board from all that there are, and a combo that it does not block, by trial."""
    for hand in range(len(rows)):
        # Places of all boards are drawn from, so that a canonical board is as likely as all that
        # it stands for.
        row = np.int64(places[below(random_state, len(places))] >> PERMUTATION_BITS)
        is_blocked = True
        while is_blocked:
            combo = np.int64(below(random_state, NUM_COMBOS))
            is_blocked = False
            for card in boards[row]:
                is_blocked |= card == all_pairs[combo, 0] or card == all_pairs[combo, 1]
        rows[hand], combos[hand] = row, combo


def hand_histogram(hole_cards: Sequence[int], board: Sequence[int]) -> Points:
    """Return the number of run-outs of *board* in which the hand reaches each threshold.

    *board* has three or four cards. Raises BadCards unless all cards are different.
    """
    point = np.empty((1, NUM_THRESHOLDS), np.uint16)
    _fill_histogram(*hand_masks(hole_cards, board), point)
    return point


def hand_opponent_strengths(
    hole_cards: Sequence[int], river: Sequence[int], clusters: Clusters
) -> Points:
    """Return the hand's strength on *river* against each of *clusters* of classes of hole cards.

    Raises BadCards unless the cards are two and five others.
    """
    point = np.empty((1, int(clusters.max()) + 1), np.uint16)
    _fill_opponent_strengths(*hand_masks(hole_cards, river), clusters, point)
    return point


@kernel
def _fill_histogram(hole_cards: int, board: int, point: Points) -> None:
    strengths, counts = np.empty(MAX_GROUPS, np.int64), np.empty(MAX_GROUPS, np.int64)
    bins = np.zeros(NUM_BINS, np.int64)
    for group in range(fill_run_outs(hole_cards, board, strengths, counts)):
        bins[strengths[group] * NUM_BINS // (MAX_STRENGTH + 1)] += counts[group]
    # From counts of bins to counts of all run-outs at or above each threshold.
    reached = 0
    for threshold in range(NUM_THRESHOLDS - 1, -1, -1):
        reached += bins[threshold + 1]
        point[0, threshold] = reached


@kernel
def _fill_opponent_strengths(
    hole_cards: int, river: int, clusters: Clusters, point: Points
) -> None:
    """Write the strength of one hand against each cluster into *point*.

    Half the wins that could be had where a cluster has no hand left.
    """
    # All 990 opponents one by one: keys add up card by card, so the higher card's part is added
    # once for all lower ones, and *suits* [suit] holds the ranks of the river and the opponent.
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
                # Only a flush asks for the ranks of a suit: one hand in many.
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
        point[0, number] = (
            won[number] * FULL_STRENGTH // most[number] if most[number] else FULL_STRENGTH // 2
        )


@kernel
def _value(key: Number, suits: Uints64) -> Number:
    """Return the showdown strength of seven cards, by their *key* and the ranks of each suit."""
    if key & FIVE_SUITED:
        for suit in range(NO_SUIT):
            if key >> (np.uint64(SUIT_SHIFT) + suit * FOUR) & EIGHT:
                return np.uint64(FLUSH_STRENGTHS[suits[suit]])
    return np.uint64(rank_strength(key))


@kernel
def _hand_class(high: Number, low: Number) -> Number:
    """Return the hand's class in ``Lossless169``, by its higher and its lower card."""
    if high & THREE == low & THREE:
        return NUM_RANKS * (high >> TWO) + (low >> TWO)
    return NUM_RANKS * (low >> TWO) + (high >> TWO)
