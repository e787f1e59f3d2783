"""Buckets of hands that are alike, by k-means: the nearest of some centroids, in rising order of mean strength.

On flops and turns hands are histograms of strength (``histograms.py``), and on rivers
strengths, against all opponents or against clusters of them (``opponent_clusters.py``).
Centroids come from a sample of hands, and are the same for the same seed on any machine,
since everything is in whole numbers. Centroids and tables are kept on disk.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.buckets import Arrays, Buckets, Spec, bucket_type
from acpcbot.abstraction.canonical_boards import canonical_boards
from acpcbot.abstraction.clustering import cluster
from acpcbot.abstraction.hand_points import hand_histogram, hand_opponent_strengths
from acpcbot.abstraction.hand_samples import HandFeatures, sample_points
from acpcbot.abstraction.histograms import StrengthHistograms
from acpcbot.abstraction.nearest import Centroids, Points
from acpcbot.abstraction.opponent_clusters import (
    NUM_OPPONENT_CLUSTERS,
    OpponentStrengths,
    one_cluster,
    preflop_clusters,
)
from acpcbot.abstraction.row_chunks import Progress, for_row_chunks
from acpcbot.abstraction.table_cache import cached_table
from acpcbot.cards.combos import NUM_COMBOS
from acpcbot.cards.deck import format_cards
from acpcbot.errors import BadCards

KMEANS = "kmeans"
OCHS = "ochs"
NUM_SAMPLES = 300_000
DEFAULT_SEED = 1

# The modules whose text decides over tables, given centroids, and over centroids.
_TABLE_SOURCES = ("canonical_boards", "equity", "histograms", "nearest", "opponent_clusters")
_CENTROID_SOURCES = (*_TABLE_SOURCES, "clustering", "hand_samples")


@dataclass(frozen=True, slots=True, eq=False)
class KMeansBuckets:
    """Hands of three to five board cards by the nearest of some centroids."""

    kind: str
    """``KMEANS``, or ``OCHS`` if rivers are told apart by clusters of opponents."""
    features: HandFeatures
    centroids: Centroids

    @classmethod
    def restore(cls, spec: Mapping[str, object], arrays: Arrays) -> KMeansBuckets:
        """The bucketing that was saved; raises ValueError for *arrays* that do not fit each other."""
        board_size = int(str(spec["board_size"]))
        features: HandFeatures
        if board_size == 5:
            features = OpponentStrengths(np.array(arrays["opponent_clusters"]))
        else:
            features = StrengthHistograms(board_size)
        points = np.array(arrays["centroids"], np.uint16)
        if points.ndim != 2 or not len(points) or points.shape[1] != features.num_dimensions:
            raise ValueError(f"centroids of shape {points.shape} for points of {features.num_dimensions} dimensions")
        return cls(str(spec["kind"]), features, Centroids.of(points, features.power))

    @property
    def board_size(self) -> int:
        return self.features.board_size

    @property
    def num_buckets(self) -> int:
        return len(self.centroids)

    def bucket(self, hole_cards: Sequence[int], board: Sequence[int]) -> int:
        if len(board) != self.board_size:
            raise BadCards(format_cards([*hole_cards, *board]), f"not two hole cards and {self.board_size} others")
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
        """``fill_table`` without the cache."""
        boards = canonical_boards(self.board_size).boards
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
    board_size: int, num_buckets: int, *, seed: int = DEFAULT_SEED, on_progress: Progress | None = None
) -> KMeansBuckets:
    """Buckets by k-means over histograms of strength, or on rivers over strengths."""
    features = OpponentStrengths(one_cluster()) if board_size == 5 else StrengthHistograms(board_size)
    return _learnt(KMEANS, features, num_buckets, seed, on_progress)


def ochs_buckets(num_buckets: int, *, seed: int = DEFAULT_SEED, on_progress: Progress | None = None) -> KMeansBuckets:
    """River buckets by k-means over strengths against eight clusters of opponents."""
    recipe = _recipe({}, _CENTROID_SOURCES)
    clusters = cached_table(
        "opponent_clusters", recipe, lambda: preflop_clusters(NUM_OPPONENT_CLUSTERS, on_progress=on_progress)
    )
    return _learnt(OCHS, OpponentStrengths(np.array(clusters)), num_buckets, seed, on_progress)


def _learnt(
    kind: str, features: HandFeatures, num_buckets: int, seed: int, on_progress: Progress | None
) -> KMeansBuckets:
    """The bucketing with the centroids of a sample of hands."""

    def learn() -> Points:
        points = sample_points(features, NUM_SAMPLES, seed=seed, on_progress=on_progress)
        return cluster(points, num_buckets, power=features.power, seed=seed, on_progress=on_progress).centroids.points

    name = f"{kind}_centroids_{features.board_size}_{num_buckets}_{seed}_{NUM_SAMPLES}"
    centroids = cached_table(name, _recipe(features.arrays(), _CENTROID_SOURCES), learn)
    return KMeansBuckets(kind, features, Centroids.of(np.array(centroids), features.power))


def _recipe(arrays: Arrays, sources: Sequence[str]) -> bytes:
    """What a table depends on: *arrays*, and the texts of modules of this folder."""
    texts = [Path(__file__).with_name(f"{name}.py").read_bytes() for name in sources]
    return b"".join([*[arrays[name].tobytes() for name in sorted(arrays)], *texts])
