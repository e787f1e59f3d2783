"""k-means: few centroids for many points, such that the points' costs are low.

Points are uint16 [point, dimension]. The distance of two points is a *cost*: the sum of the
differences in every dimension, each to the *power* of 1 or 2. Between cumulative histograms the
former is the earth mover's distance; the latter is the squared Euclidean distance. All costs are
whole numbers, so results are exact and the same on any machine.

The first centroids are points, each drawn in proportion to its cost so far (k-means++). Then two
steps take turns: every point goes to the nearest centroid, and every centroid to the middle of its
points. The middle is what makes their cost lowest: dimension by dimension the median if costs are
sums of differences, the mean, rounded, if they are sums of squares. A centroid that has lost all
its points begins anew at a point of the highest cost. This ends when costs fall no more.

The nearest centroid is found exactly. The sums of two points over all dimensions differ by no more
than their cost allows. So centroids are kept in rising order of their sums, the search begins among
those whose sums are like the point's, and ends where sums alone rule out the rest: after some 30 of
1,000 centroids for histograms.

Sources: Arthur & Vassilvitskii (2007), k-means++: the advantages of careful seeding; Lloyd (1982),
Least squares quantization in PCM, https://doi.org/10.1109/TIT.1982.1056489
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Ints, Number
from acpcbot.jit import kernel
from acpcbot.random_kernels import RandomState, below, seed_state, unit
from acpcbot.worker_threads import Progress, for_row_chunks

Points: TypeAlias = NDArray[np.uint16]

MAX_ITERATIONS = 30
# More than any gap and any cost.
FAR = 1 << 62


@dataclass(frozen=True, slots=True, eq=False)
class Centroids:
    """Points that others are assigned to, and the power of their costs; see ``of``."""

    points: Points
    sums: Ints
    """Over all dimensions, [centroid], not falling."""
    power: int

    @classmethod
    def of(cls, points: Points, power: int) -> Centroids:
        """Return the centroids at *points*, put into the order of their sums."""
        sums = points.sum(axis=1, dtype=np.int64)
        order = np.argsort(sums, kind="stable")
        return cls(points[order], sums[order], power)

    def __len__(self) -> int:
        return len(self.points)

    def fill_nearest(self, points: Points, labels: NDArray[Any], costs: Ints) -> None:
        """Write the nearest centroid of every point, the lowest of equals, and its cost.

        They go into *labels* and *costs* [point].
        """
        _fill_nearest(points, self.points, self.sums, self.power, labels, costs)

    def assign(self, points: Points) -> tuple[NDArray[np.uint16], Ints]:
        """``fill_nearest`` by threads, into new arrays [point]."""
        labels, costs = np.empty(len(points), np.uint16), np.empty(len(points), np.int64)
        for_row_chunks(
            lambda start, end: self.fill_nearest(
                points[start:end], labels[start:end], costs[start:end]
            ),
            len(points),
        )
        return labels, costs


@kernel(inline=True)
def cost_between(
    points: Points, place: Number, others: Points, other: Number, power: int
) -> Number:
    """Return the cost between the point at *place* of *points* and that at *other* of *others*.

    Both places are unsigned.
    """
    # A loop of its own for each power, and this choice inlined, is ten times as fast as one
    # function.
    if power == 1:
        return _sum_of_differences(points, place, others, other)
    return _sum_of_squares(points, place, others, other)


@kernel
def _sum_of_differences(points: Points, place: Number, others: Points, other: Number) -> Number:
    cost = np.int64(0)
    for dimension in range(np.uint64(points.shape[1])):
        cost += abs(np.int32(points[place, dimension]) - np.int32(others[other, dimension]))
    return cost


@kernel
def _sum_of_squares(points: Points, place: Number, others: Points, other: Number) -> Number:
    cost = np.int64(0)
    for dimension in range(np.uint64(points.shape[1])):
        difference = np.int64(points[place, dimension]) - np.int64(others[other, dimension])
        cost += difference * difference
    return cost


@kernel
def greatest_gap(cost: Number, num_dimensions: int, power: int) -> Number:
    """Return a bound on the difference of the sums of two points at *cost*, rounded up.

    For squares: n numbers whose squares add up to c add up to no more than the root of n * c.
    """
    return cost if power == 1 else np.int64(np.sqrt(np.float64(cost) * num_dimensions)) + 1


@kernel
def _fill_nearest(
    points: Points, centroids: Points, sums: Ints, power: int, labels: NDArray[Any], costs: Ints
) -> None:
    for place in range(np.uint64(len(points))):
        labels[place], costs[place] = _nearest(points, place, centroids, sums, power)


@kernel
def _nearest(
    points: Points, place: Number, centroids: Points, sums: Ints, power: int
) -> tuple[Number, Number]:
    """Return the number of the nearest centroid and its cost."""
    num_dimensions, total = points.shape[1], np.int64(0)
    for dimension in range(np.uint64(num_dimensions)):
        total += np.int64(points[place, dimension])
    # Up and then down from sums like the point's. *limit* falls with the best cost so far, and
    # the first centroid beyond it ends the search in that direction.
    start: Number = _first_not_below(sums, total)
    label, best, limit = start, np.int64(FAR), np.int64(FAR)
    candidate = start
    while candidate < np.uint64(len(sums)) and sums[candidate] - total <= limit:
        cost = cost_between(points, place, centroids, candidate, power)
        if cost < best:
            label, best, limit = candidate, cost, greatest_gap(cost, num_dimensions, power)
        candidate += np.uint64(1)
    candidate = start
    while candidate > np.uint64(0) and total - sums[candidate - np.uint64(1)] <= limit:
        candidate -= np.uint64(1)
        cost = cost_between(points, place, centroids, candidate, power)
        # Of equals the lowest number: downwards an equal cost wins.
        if cost <= best:
            label, best, limit = candidate, cost, greatest_gap(cost, num_dimensions, power)
    return label, best


@kernel
def _first_not_below(sums: Ints, total: Number) -> Number:
    """Return the place of the first of the rising *sums* that is *total* or more."""
    # Written out, because numpy's own search takes a second to compile.
    start, end = np.uint64(0), np.uint64(len(sums))
    while start < end:
        middle = (start + end) >> np.uint64(1)
        if sums[middle] < total:
            start = middle + np.uint64(1)
        else:
            end = middle
    return start


class Clustering(NamedTuple):
    """Points assigned to centroids."""

    centroids: Centroids
    labels: NDArray[np.uint16]
    """The centroid of every point, [point]."""
    costs: Ints
    """The cost between every point and its centroid, [point]."""

    @property
    def cost(self) -> int:
        """The cost of all points together."""
        return int(self.costs.sum())


def cluster(
    points: Points, num_clusters: int, *, power: int, seed: int, on_progress: Progress | None = None
) -> Clustering:
    """Return the clustering of *points* after up to 30 iterations; the same for the same *seed*."""
    steps = clusterings(points, num_clusters, power=power, seed=seed)
    result = next(steps)
    for number, better in enumerate(islice(steps, MAX_ITERATIONS), 1):
        result = better
        if on_progress is not None:
            on_progress(number, MAX_ITERATIONS)
    if on_progress is not None:
        # It may have ended early.
        on_progress(MAX_ITERATIONS, MAX_ITERATIONS)
    return result


def clusterings(
    points: Points, num_clusters: int, *, power: int, seed: int
) -> Iterator[Clustering]:
    """Yield the clustering by the first centroids, and then better and better ones."""
    clustering = _assigned(
        points, Centroids.of(points[_first_members(points, num_clusters, power, seed)], power)
    )
    yield clustering
    while clustering.cost and (better := improved(points, clustering)).cost < clustering.cost:
        clustering = better
        yield clustering


def improved(points: Points, clustering: Clustering) -> Clustering:
    """Return the clustering by the middles of the clusters of *clustering*.

    No worse but for the rounding of means.
    """
    return _assigned(points, Centroids.of(_middles(points, clustering), clustering.centroids.power))


def _assigned(points: Points, centroids: Centroids) -> Clustering:
    return Clustering(centroids, *centroids.assign(points))


def _first_members(points: Points, num_clusters: int, power: int, seed: int) -> Ints:
    chosen = np.empty(num_clusters, np.int64)
    _choose(points, points.sum(axis=1, dtype=np.int64), power, seed_state(seed), chosen)
    return chosen


def _middles(points: Points, clustering: Clustering) -> Points:
    """Return the middle of each cluster, and for empty ones points of the highest costs."""
    _, labels, costs = clustering
    num_clusters, power = len(clustering.centroids), clustering.centroids.power
    members = np.argsort(labels, kind="stable")
    ends = np.searchsorted(labels[members], np.arange(num_clusters + 1))
    middles = np.empty((num_clusters, points.shape[1]), np.uint16)
    for_row_chunks(
        lambda start, end: _fill_middles(points, members, ends, power, middles, start, end),
        num_clusters,
    )
    is_empty = np.diff(ends) == 0
    middles[is_empty] = points[np.argsort(-costs, kind="stable")[: is_empty.sum()]]
    return middles


@kernel
def _choose(
    points: Points, sums: Ints, power: int, random_state: RandomState, chosen: Ints
) -> None:
    """Draw the points of the first centroids into *chosen*."""
    costs = np.full(len(points), FAR)
    member = np.int64(below(random_state, len(points)))
    for number in range(len(chosen)):
        chosen[number] = member
        total = _lower_costs(points, sums, power, member, costs)
        member = _member_at(np.int64(unit(random_state) * total), costs)


@kernel
def _lower_costs(points: Points, sums: Ints, power: int, member: Number, costs: Ints) -> Number:
    """Lower the costs of all points to which a centroid at point *member* is the nearest.

    Returns the sum of all costs.
    """
    # Most points keep their cost, and the difference of two sums tells so without a look at the
    # dimensions.
    total = np.int64(0)
    for place in range(np.uint64(len(points))):
        if abs(sums[place] - sums[member]) <= greatest_gap(costs[place], points.shape[1], power):
            costs[place] = min(
                costs[place], cost_between(points, place, points, np.uint64(member), power)
            )
        total += costs[place]
    return total


@kernel
def _member_at(mark: Number, costs: Ints) -> Number:
    """Return the point in whose part of the costs, laid end to end, *mark* lies."""
    for place in range(len(costs)):
        mark -= costs[place]
        if mark < 0:
            return place
    # All costs are zero: there is no other point left.
    return 0


@kernel
def _fill_middles(
    points: Points, members: Ints, ends: Ints, power: int, middles: Points, start: int, end: int
) -> None:
    """Write the middles of the clusters from *start* to *end*.

    Their points are *members* from their place in *ends* on.
    """
    for number in range(start, end):
        count = ends[number + 1] - ends[number]
        values = np.empty(count, np.int64)
        # One dimension at a time: its values are gathered, as the median needs them together.
        for dimension in range(points.shape[1] if count else 0):
            for place in range(count):
                values[place] = points[members[ends[number] + place], dimension]
            if power == 1:
                middles[number, dimension] = np.partition(values, (count - 1) // 2)[
                    (count - 1) // 2
                ]
            else:
                middles[number, dimension] = (values.sum() + count // 2) // count
