"""Resampled ranks: against theory where the truth is known, and what must hold of any
distribution.
"""

from __future__ import annotations

from itertools import combinations
from math import erf, sqrt

import numpy as np
import pytest

from acpcbot.tournaments.round_robin import MatchResult, stack_results
from acpcbot.tournaments.standings import rank_distributions, resampled_means


def normal_match(entrants: tuple[int, int], mean: float, num_deals: int, seed: int) -> MatchResult:
    """Deals with exactly this mean and the standard deviation 100, that of a sample."""
    deals = np.random.default_rng(seed).normal(size=num_deals)
    deals = mean + 100.0 * (deals - deals.mean()) / deals.std()
    return MatchResult.from_hands(entrants, np.stack([deals, -deals], axis=1)[:, None])


@pytest.mark.parametrize("num_deals", [100, 5000])
def test_resampled_means_have_the_mean_and_the_error_of_the_match(num_deals: int) -> None:
    """Caught: blocks weighted wrongly, an error too small or too large by the root of the
    block's size.
    """
    match = normal_match((0, 1), 7.0, num_deals, seed=4)
    means = resampled_means(match, 4000, np.random.default_rng(1))
    error = 100.0 / num_deals**0.5
    assert means[:, 0] == pytest.approx(-means[:, 1])
    assert means[:, 0].mean() == pytest.approx(7.0, abs=4 * error / 4000**0.5)
    # The blocks give the error to about one part in sqrt(2 * 256), the resamples to one in sqrt(2 *
    # 4000).
    assert means[:, 0].std() == pytest.approx(error, rel=0.12)


def test_two_deals_are_drawn_in_all_four_ways() -> None:
    match = MatchResult.from_hands((0, 1), np.array([[[1.0, -1.0]], [[3.0, -3.0]]]))
    means = resampled_means(match, 4000, np.random.default_rng(2))[:, 0]
    shares = {mean: (means == mean).mean() for mean in (1.0, 2.0, 3.0)}
    assert sum(shares.values()) == 1.0
    assert shares == {
        1.0: pytest.approx(0.25, abs=0.04),
        2.0: pytest.approx(0.5, abs=0.04),
        3.0: pytest.approx(0.25, abs=0.04),
    }


def test_the_probability_of_the_first_rank_is_the_normal_distributions() -> None:
    """A lead of one standard error: the leader wins a replay 84 times in a hundred."""
    match = normal_match((0, 1), 5.0, 400, seed=1)
    robin, _, _ = stack_results([match])
    expected = 0.5 * (1 + erf(1 / sqrt(2)))
    for distribution in rank_distributions([match], robin, 4000, seed=3):
        assert distribution.probabilities[0, 0] == pytest.approx(expected, abs=0.04)
        assert distribution.probabilities[1, 1] == pytest.approx(expected, abs=0.04)
        assert (distribution.lowest.tolist(), distribution.highest.tolist()) == ([1, 1], [2, 2])


def test_matches_are_resampled_independently() -> None:
    """A beats B and C by the same deals: if both matches were drawn alike, B and C would always
    be tied.
    """
    deals = np.random.default_rng(8).normal(size=(50, 1)) * np.array([[1.0, -1.0]])
    results = [
        MatchResult.from_hands((0, 1), deals[:, None] + np.array([9.0, -9.0])),
        MatchResult.from_hands((0, 2), deals[:, None] + np.array([9.0, -9.0])),
        MatchResult.from_hands((1, 2), np.zeros((50, 1, 2))),
    ]
    robin, _, _ = stack_results(results)
    total, _ = rank_distributions(results, robin, 1000, seed=0)
    assert total.probabilities[1, 1] == pytest.approx(0.5, abs=0.06)
    assert total.probabilities[1, 2] == pytest.approx(0.5, abs=0.06)


def test_probabilities_are_some_and_the_same_seed_gives_the_same() -> None:
    results = [
        normal_match(pair, 3.0 * number, 60, seed=number)
        for number, pair in enumerate(combinations(range(4), 2))
    ]
    robin, _, _ = stack_results(results)
    first, again, other = (rank_distributions(results, robin, 300, seed) for seed in (1, 1, 2))
    for one, two, three in zip(first, again, other, strict=True):
        assert one.probabilities.sum(axis=1) == pytest.approx(np.ones(4))
        assert one.probabilities.sum(axis=0) == pytest.approx(np.ones(4))
        assert (one.lowest <= one.highest).all()
        assert (one.probabilities == two.probabilities).all()
        assert (one.probabilities != three.probabilities).any()


def test_a_match_that_has_not_begun_leaves_no_trace() -> None:
    nothing = [MatchResult.from_hands(pair, np.zeros((0, 1, 2))) for pair in ((0, 2), (1, 2))]
    results = [normal_match((0, 1), 500.0, 50, seed=1), *nothing]
    robin, _, _ = stack_results(results)
    total, _ = rank_distributions(results, robin, 50, seed=1)
    assert total.probabilities.tolist() == [[1, 0, 0], [0, 0, 1], [0, 1, 0]]
