"""k-means: costs fall, planted clusters are found, and a seed decides all."""

from __future__ import annotations

import numpy as np
import pytest

from acpcbot.abstraction.kmeans import (
    MAX_ITERATIONS,
    Centroids,
    Clustering,
    Points,
    cluster,
    clusterings,
    improved,
)

POWERS = pytest.mark.parametrize("power", [1, 2])


def random_points(num_points: int, num_dimensions: int) -> Points:
    return np.random.default_rng(1).integers(0, 1000, (num_points, num_dimensions), np.uint16)


def assigned(points: Points, centroids: list[list[int]], power: int) -> Clustering:
    placed = Centroids.of(np.array(centroids, np.uint16), power)
    return Clustering(placed, *placed.assign(points))


@POWERS
def test_costs_fall_with_every_step_and_are_those_of_the_assignment(power: int) -> None:
    """Catches middles that are not the best, and an improvement that is claimed but not there."""
    points, costs = random_points(2000, 6), []
    for step in clusterings(points, 40, power=power, seed=1):
        differences = np.abs(points.astype(np.int64) - step.centroids.points[step.labels])
        assert step.cost == (differences**power).sum()
        costs.append(step.cost)
    assert len(costs) > 5
    assert (np.diff(costs) < 0).all()
    assert costs[-1] < 0.9 * costs[0]


@POWERS
def test_an_improvement_is_none_the_worse_even_at_the_end(power: int) -> None:
    """Catches steps that are only stopped in time.

    Means are rounded, by up to a half in every dimension.
    """
    points = random_points(500, 5)
    *_, last = clusterings(points, 20, power=power, seed=2)
    rounding = 0 if power == 1 else points.size / 4
    assert last.cost <= improved(points, last).cost <= last.cost + rounding


@POWERS
def test_planted_clusters_are_found(power: int) -> None:
    """Catches first centroids that crowd into one cluster, where later steps leave them."""
    generator = np.random.default_rng(3)
    centers = generator.permutation(np.arange(30))[:, None] * 2000 + np.array([0, 300, 700, 100])
    labels = np.repeat(np.arange(30), 50)
    points = (centers[labels] + generator.integers(0, 20, (1500, 4))).astype(np.uint16)
    found = cluster(points, 30, power=power, seed=1)
    assert len(set(zip(labels.tolist(), found.labels.tolist(), strict=True))) == 30
    assert len(set(found.labels.tolist())) == 30


@pytest.mark.parametrize(("power", "middle"), [(1, [3, 10]), (2, [28, 15])])
def test_the_middle_is_the_median_for_differences_and_the_mean_for_squares(
    power: int, middle: list[int]
) -> None:
    """Catches the one in the place of the other, and means that are cut and not rounded."""
    points = np.array([[1, 10], [2, 10], [3, 30], [5, 20], [127, 5]], np.uint16)
    assert improved(points, assigned(points, [[0, 0]], power)).centroids.points.tolist() == [middle]


@POWERS
def test_a_centroid_without_points_begins_anew_where_costs_are_highest(power: int) -> None:
    """Catches buckets that stay empty for ever."""
    points = np.array([[0, 0], [1, 1], [2, 2], [900, 900]], np.uint16)
    lame = assigned(points, [[1, 1], [5000, 5000], [6000, 6000]], power)
    assert set(lame.labels.tolist()) == {0}
    after = improved(points, lame)
    assert [900, 900] in after.centroids.points.tolist()
    assert set(improved(points, after).labels.tolist()) == {0, 1, 2}


@POWERS
def test_as_many_clusters_as_different_points_cost_nothing(power: int) -> None:
    """Catches a first centroid drawn twice while other points have none."""
    different = random_points(60, 3)
    assert cluster(np.repeat(different, 4, axis=0), 60, power=power, seed=1).cost == 0


def test_there_may_be_fewer_points_than_clusters() -> None:
    """Catches a search for a further point where there is none."""
    found = cluster(random_points(5, 3), 9, power=1, seed=1)
    assert (len(found.centroids), found.cost) == (9, 0)


def test_first_centroids_are_drawn_in_proportion_to_costs() -> None:
    """Catches draws that favour the farthest points, or take all points alike."""
    points = np.array([[0]] * 50 + [[30]] * 5 + [[300]], np.uint16)
    seconds = [drawn_with_zero(points, seed) for seed in range(400)]
    # Beside a first centroid at 0, the five at 30 cost half of what the one at 300 costs.
    drawn = [second for second in seconds if second]
    share = drawn.count(300) / len(drawn)
    assert share == pytest.approx(300 / 450, abs=5 * np.sqrt(2 / 9 / len(drawn)))


def drawn_with_zero(points: Points, seed: int) -> int:
    """The second of two first centroids if the first one is at 0, or else 0."""
    low, high = next(clusterings(points, 2, power=1, seed=seed)).centroids.points[:, 0].tolist()
    return high if low == 0 else 0


def test_a_seed_decides_all_and_another_decides_otherwise() -> None:
    """Catches threads that leave a trace, and a seed that is not used."""
    points = random_points(3000, 8)
    first, again, other = (
        cluster(points, 30, power=1, seed=seed).centroids.points for seed in (1, 1, 2)
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_progress_is_told_to_its_end() -> None:
    """Catches a line that stands at a third for ever because costs fell no further."""
    told: list[tuple[int, int]] = []
    cluster(
        random_points(50, 2),
        5,
        power=1,
        seed=1,
        on_progress=lambda done, total: told.append((done, total)),
    )
    assert 1 < len(told) <= MAX_ITERATIONS + 1
    assert told[-1] == (MAX_ITERATIONS, MAX_ITERATIONS)
