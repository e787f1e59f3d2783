"""The nearest of many centroids to a point, found exactly and in whole numbers.

Points are uint16 [point, dimension]. How far two of them are apart is a *cost*: the sum of
the differences in every dimension, each to the *power* of 1 or 2. Between cumulative
histograms the former is the earth mover's distance; the latter is the squared Euclidean
distance.

The sums of two points over all dimensions differ by no more than their cost allows. So
centroids are kept in rising order of their sums, the search begins among those whose sums
are like the point's, and ends where sums alone rule out the rest: after some 30 of 1,000
centroids for histograms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.row_chunks import for_row_chunks
from acpcbot.arrays import Ints, Number
from acpcbot.jit import kernel

Points: TypeAlias = NDArray[np.uint16]
# A number in a kernel: what numba makes of numpy's numbers is beyond mypy.

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
        """The centroids at *points*, put into the order of their sums."""
        sums = points.sum(axis=1, dtype=np.int64)
        order = np.argsort(sums, kind="stable")
        return cls(points[order], sums[order], power)

    def __len__(self) -> int:
        return len(self.points)

    def fill_nearest(self, points: Points, labels: NDArray[Any], costs: Ints) -> None:
        """The number of the centroid nearest to every point, the lowest of equals, into *labels*, and the cost."""
        _fill_nearest(points, self.points, self.sums, self.power, labels, costs)

    def assign(self, points: Points) -> tuple[NDArray[np.uint16], Ints]:
        """``fill_nearest`` by threads, into new arrays [point]."""
        labels, costs = np.empty(len(points), np.uint16), np.empty(len(points), np.int64)
        for_row_chunks(
            lambda start, end: self.fill_nearest(points[start:end], labels[start:end], costs[start:end]), len(points)
        )
        return labels, costs


@kernel(inline=True)
def cost_between(points: Points, place: Number, others: Points, other: Number, power: int) -> Number:
    """How far the point at *place* of *points* is from that at *other* of *others*; both places unsigned."""
    # A loop of its own for each power, and this choice inlined, is ten times as fast as one function.
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
    """The sums of points at *cost* are no further apart than this, rounded up.

    For squares: n numbers whose squares add up to c add up to no more than the root of n * c.
    """
    return cost if power == 1 else np.int64(np.sqrt(np.float64(cost) * num_dimensions)) + 1


@kernel
def _fill_nearest(points: Points, centroids: Points, sums: Ints, power: int, labels: NDArray[Any], costs: Ints) -> None:
    for place in range(np.uint64(len(points))):
        labels[place], costs[place] = _nearest(points, place, centroids, sums, power)


@kernel
def _nearest(points: Points, place: Number, centroids: Points, sums: Ints, power: int) -> tuple[Number, Number]:
    """The number of the nearest centroid and its cost; the search goes up and then down from sums like the point's."""
    num_dimensions, total = points.shape[1], np.int64(0)
    for dimension in range(np.uint64(num_dimensions)):
        total += np.int64(points[place, dimension])
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
        if cost <= best:
            label, best, limit = candidate, cost, greatest_gap(cost, num_dimensions, power)
    return label, best


@kernel
def _first_not_below(sums: Ints, total: Number) -> Number:
    """The place of the first of the rising *sums* that is *total* or more; numpy's own search compiles for a second."""
    start, end = np.uint64(0), np.uint64(len(sums))
    while start < end:
        middle = (start + end) >> np.uint64(1)
        if sums[middle] < total:
            start = middle + np.uint64(1)
        else:
            end = middle
    return start
