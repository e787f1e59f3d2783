"""Latin hypercube samples: one point in each part of each dimension, and laws of their means."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from acpcbot.arrays import Floats
from acpcbot.evaluation.decisions.latin_hypercube import latin_hypercube

NUM_POINTS = 20
NUM_SAMPLES = 4000


def means(function: Callable[[Floats], Floats]) -> Floats:
    """Return the mean of *function* over the points of each of many samples, [sample]."""
    generator = np.random.default_rng(4)
    samples = [latin_hypercube(NUM_POINTS, 3, generator) for _ in range(NUM_SAMPLES)]
    return np.array([function(points).mean() for points in samples])


@pytest.mark.parametrize("num_points", [1, 2, 3, 1000])
def test_every_part_of_every_dimension_has_one_point(num_points: int) -> None:
    """Catches parts that are drawn with replacement, and points that are rounded to 1."""
    points = latin_hypercube(num_points, 5, np.random.default_rng(1))
    assert points.shape == (num_points, 5)
    assert points.max() < 1.0
    for column in points.T:
        assert sorted((column * num_points).astype(int).tolist()) == list(range(num_points))


def test_dimensions_are_independent_in_each_point() -> None:
    """Catches dimensions that share an order: pairs of parts are then never met, or always."""
    generator = np.random.default_rng(2)
    points = np.concatenate([latin_hypercube(4, 2, generator) for _ in range(4000)])
    met = np.bincount((points * 4).astype(np.int64) @ np.array([4, 1]), minlength=16)
    # 1,000 are expected in each of 16 cells, and the standard deviation is below 31.
    assert met.min() > 870
    assert met.max() < 1130


def test_sums_of_single_dimensions_are_nearly_exact() -> None:
    """Catches points drawn independently, whose mean has a variance of 1 / (4 NUM_POINTS).

    Within a part of a dimension the variance is 1 / (12 n^2), so that of the mean of the sum of
    three is 3 / (12 n^3).
    """
    found = means(lambda points: points.sum(axis=1))
    assert found.mean() == pytest.approx(1.5, abs=4 * np.sqrt(1 / (4 * 20**3 * NUM_SAMPLES)))
    assert found.var() == pytest.approx(1 / (4 * NUM_POINTS**3), rel=0.1)


def test_products_keep_the_variance_of_independent_points() -> None:
    """Catches a dimension that follows another one, which biases means of products.

    Signs of two dimensions, multiplied, have mean 0 and no part that a single dimension explains:
    the variance is at most n / (n - 1) times that of independent points (Owen 1997), and here, by
    counting permutations, it is exactly that.
    """
    found = means(lambda points: np.sign(points[:, 0] - 0.5) * np.sign(points[:, 1] - 0.5))
    exact = 1 / (NUM_POINTS - 1)
    assert found.mean() == pytest.approx(0.0, abs=4 * np.sqrt(exact / NUM_SAMPLES))
    assert found.var() == pytest.approx(exact, rel=0.1)
