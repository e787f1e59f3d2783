"""The nearest centroid, against a search through all of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from acpcbot.abstraction.kmeans import Centroids, Points

POWERS = pytest.mark.parametrize("power", [1, 2])


def slow_costs(points: Points, centroids: Points, power: int) -> NDArray[np.int64]:
    """The cost of every point to every centroid, [point, centroid]."""
    differences = np.abs(points[:, None].astype(np.int64) - centroids[None].astype(np.int64))
    costs: NDArray[np.int64] = (differences**power).sum(axis=2)
    return costs


def random_points(
    generator: np.random.Generator, num_points: int, num_dimensions: int, greatest: int
) -> Points:
    return generator.integers(0, greatest, (num_points, num_dimensions), np.uint16, endpoint=True)


@POWERS
@pytest.mark.parametrize(
    ("num_dimensions", "num_centroids"), [(1, 200), (8, 100), (48, 300), (33, 1)]
)
@pytest.mark.parametrize("greatest", [2, 1081, 65_535])
def test_the_nearest_centroid_is_that_of_a_search_through_all(
    power: int, num_dimensions: int, num_centroids: int, greatest: int
) -> None:
    """Catches a search that ends too early, ties that go to the higher number, and sums that
    overflow.
    """
    generator = np.random.default_rng(1)
    points = random_points(generator, 150, num_dimensions, greatest)
    centroids = Centroids.of(
        random_points(generator, num_centroids, num_dimensions, greatest), power
    )
    expected = slow_costs(points, centroids.points, power)
    labels, costs = centroids.assign(points)
    assert np.array_equal(labels, expected.argmin(axis=1))
    assert np.array_equal(costs, expected.min(axis=1))


@POWERS
@given(st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=2, max_size=20))
def test_ties_go_to_the_lowest_number_wherever_the_search_begins(
    power: int, rows: list[list[int]]
) -> None:
    """Catches a tie that depends on the direction of the search."""
    point, *others = np.array(rows, np.uint16)
    centroids = Centroids.of(np.array(others), power)
    labels, _ = centroids.assign(point[None])
    assert labels[0] == slow_costs(point[None], centroids.points, power).argmin()


def test_centroids_are_in_rising_order_of_their_sums() -> None:
    """Catches buckets numbered in the order in which they were drawn."""
    points = np.array([[9, 9], [0, 1], [5, 0]], np.uint16)
    assert Centroids.of(points, 1).points.tolist() == [[0, 1], [5, 0], [9, 9]]
