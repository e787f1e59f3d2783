"""Intervals beside textbook formulas, exact limits for rare events, and samples that show nothing."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from acpcbot.matches.intervals import (
    LEAST_TELLING,
    central_sums,
    degrees_of_freedom,
    half_widths,
    interval,
    root_mean_square,
    student_95,
)

NUM_HANDS = 3000


def rare_events(num_events: int, hand_rms: float) -> float:
    """The upper limit, in events, after *num_events* of one chip in 3,000 hands where a hand brings *hand_rms*."""
    chips = np.zeros(NUM_HANDS)
    chips[:num_events] = 1.0
    found = interval(chips - chips.mean(), np.arange(NUM_HANDS), hand_rms)
    return num_events + found.half_width * NUM_HANDS


def test_students_t_is_that_of_the_tables() -> None:
    """Catches a wrong term of the expansion; scipy has the exact quantile."""
    degrees = np.array([2, 2.5, 3, 4, 7.3, 20, 1e6])
    assert student_95(degrees) == pytest.approx(stats.t.ppf(0.975, degrees), rel=0.003)
    assert student_95(1) == pytest.approx(stats.t.ppf(0.975, 1), rel=0.06)


def test_a_normal_sample_has_the_textbook_interval() -> None:
    """Catches wrong denominators: the two hands added and the fourth moment change next to nothing here."""
    chips = np.random.default_rng(1).normal(3, 20, NUM_HANDS)
    found = interval(chips - chips.mean(), np.arange(NUM_HANDS), root_mean_square(chips))
    error = chips.std(ddof=1) / np.sqrt(NUM_HANDS)
    assert found.half_width == pytest.approx(stats.t.ppf(0.975, NUM_HANDS - 1) * error, rel=0.002)
    assert found.num_telling == pytest.approx(NUM_HANDS / 3, rel=0.1)


@pytest.mark.parametrize("count", [2, 3, 10, 300])
def test_the_kurtosis_of_normal_samples_brings_the_usual_degrees_of_freedom(count: int) -> None:
    assert degrees_of_freedom(count, count / 3) == pytest.approx(count - 1)
    assert degrees_of_freedom(count, count) == count - 1  # a coin that is tossed


def test_a_sample_that_shows_nothing_is_as_wide_as_the_rule_of_three() -> None:
    """Caught: 0.0 +- 0.0 for a match in which no mistake came up. The rule has 3.7 of 97.5 %, and 1 chip a hand."""
    rule = -np.log(0.025)
    assert rule < rare_events(0, 1.0) < 1.1 * rule


@pytest.mark.parametrize("num_events", [1, 2, 3, 5, 10, 20, 50])
def test_few_events_have_about_the_limit_that_counts_of_rare_events_have(num_events: int) -> None:
    """Caught: a normal interval, whose limit is 1.3 to 2.6 events short of Garwood's exact one up to ten of them."""
    exact = stats.chi2.ppf(0.975, 2 * num_events + 2) / 2
    assert rare_events(num_events, 1.0) == pytest.approx(exact, rel=0.17)
    assert rare_events(num_events, 1.0) > num_events + 1.96 * np.sqrt(num_events)


def test_rounding_noise_is_no_spread() -> None:
    """Caught: 1835906589966084.2 x the hands, where half an interval was 1e-13."""
    noise = np.random.default_rng(2).normal(0, 1e-13, 300)
    found = interval(noise - noise.mean(), np.arange(300), 3.5)
    assert found.num_telling == pytest.approx(2)
    assert found.num_telling < LEAST_TELLING
    assert found.half_width == pytest.approx(3.9 * 3.5 / 300, rel=0.02)


def test_hands_of_one_sample_are_summed_before_anything_is_squared() -> None:
    residuals = np.random.default_rng(3).normal(size=300)
    residuals -= residuals.mean()
    paired = interval(residuals, np.arange(300) // 2, 1.0)
    pairs = residuals.reshape(-1, 2).sum(axis=1)
    squares, fourths = (pairs**2).sum(), (pairs**4).sum()
    assert paired.half_width == pytest.approx(half_widths(squares, fourths, 150, 300, 1.0))
    assert interval(np.repeat(residuals, 2), np.repeat(np.arange(300), 2), 0.0).half_width == pytest.approx(
        interval(residuals, np.arange(300), 0.0).half_width
    )


def test_a_single_sample_says_nothing_and_hands_without_chips_all() -> None:
    assert interval(np.zeros(4), np.zeros(4, np.int64), 1.0).half_width == np.inf
    assert interval(np.zeros(4), np.arange(4), 0.0).half_width == 0


def test_the_larger_the_hands_the_wider_and_never_narrower_than_without() -> None:
    chips = np.random.default_rng(4).normal(size=100)
    residuals = chips - chips.mean()
    widths = [interval(residuals, np.arange(100), rms).half_width for rms in (0.0, 1.0, 2.0, 10.0)]
    assert all(narrow < wide for narrow, wide in pairwise(widths))


def test_sums_about_zero_become_those_about_the_mean() -> None:
    """Catches a binomial coefficient, and rounding that leaves less than nothing where all samples are alike."""
    chips = np.random.default_rng(5).normal(3, 2, (500, 2))
    found = central_sums(np.stack([(chips**power).sum(axis=0) for power in (1, 2, 3, 4)]), 500)
    residuals = chips - chips.mean(axis=0)
    assert found[0] == pytest.approx((residuals**2).sum(axis=0))
    assert found[1] == pytest.approx((residuals**4).sum(axis=0))
    alike = np.full((500, 1), 0.1)
    squares, fourths = central_sums(np.stack([(alike**power).sum(axis=0) for power in (1, 2, 3, 4)]), 500)
    assert 0 <= squares < 1e-9
    assert 0 <= fourths < 1e-9
