"""Intervals beside textbook formulas, exact limits for rare events, and samples that show
nothing.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from acpcbot.matches.intervals import (
    MIN_EFFECTIVE_SAMPLES,
    central_sums,
    degrees_of_freedom,
    half_widths,
    interval,
    root_mean_square,
    student_95,
)

NUM_HANDS = 3000


@pytest.fixture(scope="module")
def stats() -> Any:
    """The quantiles and probabilities of scipy, whose import takes a second of every worker
    that collects tests.
    """
    from scipy import stats

    return stats


def rare_events(num_events: int, hand_rms: float) -> float:
    """The upper limit, in events, after *num_events* of one chip in 3,000 hands where a hand
    brings *hand_rms*.
    """
    chips = np.zeros(NUM_HANDS)
    chips[:num_events] = 1.0
    found = interval(chips - chips.mean(), np.arange(NUM_HANDS), hand_rms)
    return num_events + found.half_width * NUM_HANDS


def test_students_t_is_that_of_the_tables(stats: Any) -> None:
    """Catches a wrong term of the expansion; scipy has the exact quantile."""
    degrees = np.array([2, 2.5, 3, 4, 7.3, 20, 1e6])
    assert student_95(degrees) == pytest.approx(stats.t.ppf(0.975, degrees), rel=0.003)
    assert student_95(1) == pytest.approx(stats.t.ppf(0.975, 1), rel=0.06)


def test_a_normal_sample_has_the_textbook_interval(stats: Any) -> None:
    """Catches wrong denominators: the hand added and skewness change next to nothing here."""
    chips = np.random.default_rng(1).normal(3, 20, NUM_HANDS)
    found = interval(chips - chips.mean(), np.arange(NUM_HANDS), root_mean_square(chips))
    error = chips.std(ddof=1) / np.sqrt(NUM_HANDS)
    assert found.half_width == pytest.approx(stats.t.ppf(0.975, NUM_HANDS - 1) * error, rel=0.002)
    assert found.num_effective == pytest.approx(NUM_HANDS / 3, rel=0.1)


@pytest.mark.parametrize("count", [2, 3, 10, 300])
def test_samples_without_skewness_have_the_usual_degrees_of_freedom(count: int) -> None:
    assert degrees_of_freedom(count, 0.0) == pytest.approx(count - 1)


def test_rounding_leaves_no_more_skewness_than_a_sample_can_have() -> None:
    """Caught: less than one degree of freedom, where the quantile of t is beyond its expansion."""
    assert degrees_of_freedom(1000, 1e6) == degrees_of_freedom(1000, 1.0) > 1.5


def test_skewed_samples_hold_the_truth_more_often_than_students_interval(stats: Any) -> None:
    """Catches skewness that is not corrected: Student's interval of 20 exponential values holds
    it in 92 of 100.
    """
    values = np.random.default_rng(6).exponential(size=(10_000, 20))
    residuals = values - values.mean(axis=1, keepdims=True)
    squares, cubes = (residuals**2).sum(axis=1), (residuals**3).sum(axis=1)
    off = np.abs(values.mean(axis=1) - 1)
    student = stats.t.ppf(0.975, 19) * np.sqrt(20 / 19 * squares) / 20
    ours = half_widths(squares, cubes, 20, 20, 1.0)
    assert (off <= student).mean() < 0.925
    assert 0.935 < (off <= ours).mean() < 0.955


def test_long_tails_on_both_sides_need_no_wider_interval() -> None:
    """Catches degrees of freedom that kurtosis takes: where both tails are long, Student's
    interval holds enough.
    """
    values = np.random.default_rng(7).standard_t(3, size=(10_000, 40))
    residuals = values - values.mean(axis=1, keepdims=True)
    squares, cubes = (residuals**2).sum(axis=1), (residuals**3).sum(axis=1)
    held = np.abs(values.mean(axis=1)) <= half_widths(squares, cubes, 40, 40, 0.0)
    assert 0.945 < held.mean() < 0.97


def test_a_sample_that_shows_nothing_is_as_wide_as_the_rule_of_three() -> None:
    """Caught: 0.0 +- 0.0 for a match in which no mistake came up. The rule has 3.7 of 97.5 %,
    and 1 chip a hand.
    """
    assert rare_events(0, 1.0) == pytest.approx(-np.log(0.025))


def test_events_of_any_frequency_are_held_by_their_exact_probabilities(stats: Any) -> None:
    """Caught: a normal interval, which holds the truth in 5 % where 0.05 events are expected,
    in 63 % at one.
    """
    frequencies = np.linspace(0.05, 40, 800)
    counts = np.arange(150)
    chances = stats.poisson.pmf(counts, frequencies[:, None])
    limits = np.array([rare_events(count, 1.0) for count in counts.tolist()])
    held = (chances * (np.abs(counts - frequencies[:, None]) <= limits - counts)).sum(axis=1)
    assert held.min() > 0.92
    assert 0.95 < held[frequencies > 6].mean() < 0.96
    # Less than an event: an interval that reaches far enough for those unseen is never too short.
    assert held[frequencies < 1].min() > 0.999


def test_rounding_noise_is_no_spread() -> None:
    """Caught: 1835906589966084.2 x the hands, where half an interval was 1e-13."""
    noise = np.random.default_rng(2).normal(0, 1e-13, 300)
    found = interval(noise - noise.mean(), np.arange(300), 3.5)
    assert found.num_effective == pytest.approx(1)
    assert found.num_effective < MIN_EFFECTIVE_SAMPLES
    assert found.half_width == pytest.approx(-np.log(0.025) * 3.5 / 300)


def test_hands_of_one_sample_are_summed_before_anything_is_squared() -> None:
    residuals = np.random.default_rng(3).normal(size=300)
    residuals -= residuals.mean()
    paired = interval(residuals, np.arange(300) // 2, 1.0)
    pairs = residuals.reshape(-1, 2).sum(axis=1)
    squares, cubes = (pairs**2).sum(), (pairs**3).sum()
    assert paired.half_width == pytest.approx(float(half_widths(squares, cubes, 150, 300, 1.0)))
    assert interval(
        np.repeat(residuals, 2), np.repeat(np.arange(300), 2), 0.0
    ).half_width == pytest.approx(interval(residuals, np.arange(300), 0.0).half_width)


def test_a_single_sample_says_nothing_and_hands_without_chips_all() -> None:
    assert interval(np.zeros(4), np.zeros(4, np.int64), 1.0).half_width == np.inf
    assert interval(np.zeros(4), np.arange(4), 0.0).half_width == 0


def test_the_larger_the_hands_the_wider_and_never_narrower_than_without() -> None:
    chips = np.random.default_rng(4).normal(size=100)
    residuals = chips - chips.mean()
    widths = [interval(residuals, np.arange(100), rms).half_width for rms in (0.0, 1.0, 2.0, 10.0)]
    assert all(narrow < wide for narrow, wide in pairwise(widths))


def test_sums_about_zero_become_those_about_the_mean() -> None:
    """Catches a binomial coefficient, and rounding that leaves less than nothing where all
    samples are alike.
    """
    chips = np.random.default_rng(5).normal(3, 2, (500, 2)) ** 2
    found = central_sums(np.stack([(chips**power).sum(axis=0) for power in (1, 2, 3)]), 500)
    residuals = chips - chips.mean(axis=0)
    assert found[0] == pytest.approx((residuals**2).sum(axis=0))
    assert found[1] == pytest.approx((residuals**3).sum(axis=0))
    alike = np.full((500, 1), 0.1)
    squares, cubes = central_sums(
        np.stack([(alike**power).sum(axis=0) for power in (1, 2, 3)]), 500
    )
    assert 0 <= squares < 1e-9
    assert abs(cubes) < 1e-9
    assert half_widths(squares, cubes, 500, 500, 0.0) < 1e-6
