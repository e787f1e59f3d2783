"""Time for buckets by k-means, for one hand's bucket, and distances to the centroids."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from random import Random
from typing import TypeVar

import numpy as np

from acpcbot.abstraction.canonical_boards import canonical_boards
from acpcbot.abstraction.histograms import StrengthHistograms
from acpcbot.abstraction.kmeans import Centroids, cluster
from acpcbot.abstraction.kmeans_buckets import (
    KMEANS,
    NUM_SAMPLES,
    OCHS,
    HandFeatures,
    KMeansBuckets,
    sample_points,
)
from acpcbot.abstraction.opponent_clusters import (
    NUM_OPPONENT_CLUSTERS,
    OpponentStrengths,
    preflop_clusters,
)
from benchmarks.figure import Figure, seconds

# Minutes, and a gigabyte of memory.
ONLY_BY_NAME = True
SEED = 1
NUM_HANDS = 20
TARGETS_MS = {3: 50, 4: 2, 5: 2}

T = TypeVar("T")


def figures() -> Iterator[Figure]:
    for size in (3, 4, 5):
        canonical_boards(size)
    warm_up()
    clusters, took = timed(lambda: preflop_clusters(NUM_OPPONENT_CLUSTERS))
    yield figure("eight clusters of the 169 hands before the flop", took)
    yield from street(KMEANS, "flop", StrengthHistograms(3), 1000)
    yield from street(KMEANS, "turn", StrengthHistograms(4), 1000)
    for num_buckets in (500, 1000):
        yield from street(OCHS, "river", OpponentStrengths(clusters), num_buckets)


def warm_up() -> None:
    """Compile everything, if that is still to be done."""
    for features in (
        StrengthHistograms(3),
        OpponentStrengths((np.arange(169) % 8).astype(np.uint8)),
    ):
        points = sample_points(features, 50, seed=SEED)
        centroids = cluster(points, 5, power=features.power, seed=SEED).centroids
        KMeansBuckets(KMEANS, features, centroids).board_buckets(range(features.board_size))


def street(kind: str, name: str, features: HandFeatures, num_buckets: int) -> Iterator[Figure]:
    points, took = timed(lambda: sample_points(features, NUM_SAMPLES, seed=SEED))
    yield figure(f"{name}, {kind}: sample of {NUM_SAMPLES:,} hands", took)
    found, took = timed(lambda: cluster(points, num_buckets, power=features.power, seed=SEED))
    yield figure(f"{name}, {kind}: {num_buckets} clusters of the sample", took)
    bucketing = KMeansBuckets(kind, features, found.centroids)
    _, took = timed(bucketing.make_table)
    yield figure(f"{name}, {kind}: bucket of every hand, {num_buckets} buckets", took)
    yield bucket(name, bucketing)
    yield distance(name, features, found.centroids)


def bucket(name: str, bucketing: KMeansBuckets) -> Figure:
    random = Random(SEED)
    hands = [random.sample(range(52), 2 + bucketing.board_size) for _ in range(NUM_HANDS)]
    value = (
        seconds(lambda: [bucketing.bucket(hand[:2], hand[2:]) for hand in hands]) / NUM_HANDS * 1e3
    )
    target = TARGETS_MS[bucketing.board_size]
    label = f"bucket of one hand, {name}, {bucketing.kind}"
    return Figure(name=label, value=value, unit="ms", target=target, higher_is_better=False)


def distance(name: str, features: HandFeatures, centroids: Centroids) -> Figure:
    """Of hands that k-means did not see."""
    others = sample_points(features, NUM_SAMPLES // 3, seed=SEED + 1)
    value = float(centroids.assign(others)[1].mean())
    unit = "work" if features.power == 1 else "square"
    label = f"{name}: mean cost of other hands, {len(centroids)} buckets"
    return Figure(name=label, value=value, unit=unit, higher_is_better=False)


def timed(work: Callable[[], T]) -> tuple[T, tuple[float, float]]:
    """Return the result of *work*, and its wall time and CPU time."""
    wall_s, cpu_s = time.perf_counter(), time.process_time()
    result = work()
    return result, (time.perf_counter() - wall_s, time.process_time() - cpu_s)


def figure(name: str, took: tuple[float, float]) -> Figure:
    wall_s, cpu_s = took
    return Figure(
        name=name, value=wall_s, unit="s", note=f"{cpu_s:.1f} s of CPU", higher_is_better=False
    )
