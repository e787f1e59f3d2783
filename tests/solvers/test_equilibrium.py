"""Every learner that claims an equilibrium keeps its promise, and the promise is worth something."""

from __future__ import annotations

import pytest

from tests.solvers.equilibrium_bounds import BOUNDS, EquilibriumBound
from tests.support.small_games import shipped_small_game, silly_policies


@pytest.mark.parametrize("promise", BOUNDS, ids=str)
def test_a_learner_does_not_miss_its_equilibrium(promise: EquilibriumBound) -> None:
    small = shipped_small_game(promise.game)
    assert small.respond(promise.learn(small, promise.budget)).nash_conv <= promise.bound


@pytest.mark.parametrize("promise", BOUNDS, ids=str)
def test_a_learner_that_hardly_learns_would_be_found_out(promise: EquilibriumBound) -> None:
    small = shipped_small_game(promise.game)
    assert small.respond(promise.learn(small, promise.budget // 100)).nash_conv > promise.bound


@pytest.mark.parametrize("promise", BOUNDS, ids=str)
def test_silly_policies_would_be_found_out(promise: EquilibriumBound) -> None:
    small = shipped_small_game(promise.game)
    for name, policy in silly_policies(small).items():
        assert small.respond(policy).nash_conv > 2 * promise.bound, name
