"""The kernels that sampling learners share: regret matching, sums and sampling."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpcbot.regret_matching import add_regrets, add_strategy, empty_sums, matched_strategy, sampled

# Weights far apart make sums round.
WEIGHTS = st.one_of(st.just(0.0), st.floats(0, 1), st.floats(1e-20, 1e-10), st.floats(1e10, 1e20))
DRAWS = st.one_of(st.floats(0, 1, exclude_max=True), st.just(1 - 2**-53))


@pytest.mark.parametrize(
    ("regrets", "expected"),
    [
        ([3, -1, 1], [0.75, 0, 0.25]),
        ([-3, -1, -2], [1 / 3, 1 / 3, 1 / 3]),
        ([0, 0], [0.5, 0.5, 0]),
        ([-1, 5], [0, 1, 0]),
        ([-7], [1, 0, 0]),
    ],
)
def test_the_strategy_is_the_positive_regrets_share_or_else_uniform(
    regrets: list[float], expected: list[float]
) -> None:
    sums = empty_sums(len(regrets) + 2)
    # The neighbour's regrets must not be taken for this information set's.
    sums[:, 0] = [*regrets, 100, 100]
    assert matched_strategy(sums, np.uint64(0), np.uint64(len(regrets))) == pytest.approx(expected)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_adding_touches_no_slot_of_the_neighbours(count: int) -> None:
    sums = empty_sums(5)
    add_regrets(sums, np.uint64(1), np.uint64(count), (1.0, 2.0, 3.0), -np.inf)
    add_strategy(sums, np.uint64(1), np.uint64(count), (0.5, 0.25, 0.25), 2.0)
    present = [float(action < count) for action in range(3)]
    assert sums[:, 0].tolist() == [0, *np.multiply(present, [1, 2, 3]), 0]
    assert sums[:, 1].tolist() == [0, *np.multiply(present, [1, 0.5, 0.5]), 0]


def test_no_regret_falls_below_its_floor() -> None:
    sums = empty_sums(3)
    add_regrets(sums, np.uint64(0), np.uint64(3), (-5.0, 5.0, -2.0), -3.0)
    assert sums[:, 0].tolist() == [-3, 5, -2]


@given(DRAWS, st.tuples(WEIGHTS, WEIGHTS, WEIGHTS).filter(any))
def test_an_action_without_probability_is_never_sampled(
    draw: float, weights: tuple[float, float, float]
) -> None:
    total = weights[0] + weights[1] + weights[2]
    strategy = (weights[0] / total, weights[1] / total, weights[2] / total)
    if any(strategy):
        assert strategy[int(sampled(draw, strategy))] > 0


@given(DRAWS, st.tuples(st.floats(0.01, 1), st.floats(0.01, 1), st.floats(0.01, 1)))
def test_each_action_has_its_share_of_the_draws(
    draw: float, weights: tuple[float, float, float]
) -> None:
    strategy = np.array(weights) / sum(weights)
    ends = np.cumsum(strategy)
    if np.abs(ends - draw).min() > 1e-9:
        assert sampled(draw, tuple(strategy.tolist())) == np.searchsorted(ends, draw)
