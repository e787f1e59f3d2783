"""The distance to the known equilibria of Kuhn poker."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from acpcbot.abstraction.small_games import ExactAbstraction, all_deals, merge_deals
from acpcbot.errors import UsageError
from acpcbot.evaluation.best_response import best_response_values
from acpcbot.evaluation.kuhn_distance import LARGEST_ALPHA, closest_alpha, equilibrium, mean_squared_distance
from acpcbot.solvers.abstract_game import AbstractGame
from acpcbot.trees.public_tree import build_tree
from tests.support.games import KUHN, LEDUC, definition_of

ALPHAS = np.linspace(0, LARGEST_ALPHA, 7)


def game_of(name: str) -> AbstractGame:
    definition = definition_of(name)
    return AbstractGame(build_tree(definition), ExactAbstraction(definition).num_buckets)


@pytest.fixture(scope="module")
def kuhn() -> AbstractGame:
    return game_of(KUHN)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_every_member_of_the_family_is_an_equilibrium(kuhn: AbstractGame, alpha: float) -> None:
    """A seat, a card or a branch mixed up gives a policy that can be exploited."""
    definition = definition_of(KUHN)
    deals = merge_deals(all_deals(definition, ExactAbstraction(definition)))
    best = best_response_values(kuhn, *deals, equilibrium(kuhn, alpha))
    assert best.nash_conv == pytest.approx(0, abs=1e-12)
    assert best.policy_values == pytest.approx((-1 / 18, 1 / 18))


@pytest.mark.parametrize("alpha", ALPHAS)
def test_an_equilibrium_is_at_no_distance(kuhn: AbstractGame, alpha: float) -> None:
    assert closest_alpha(kuhn, equilibrium(kuhn, alpha)) == pytest.approx(alpha)
    assert mean_squared_distance(kuhn, equilibrium(kuhn, alpha)) == pytest.approx(0, abs=1e-30)


def test_no_member_of_the_family_is_closer_than_the_closest(kuhn: AbstractGame) -> None:
    """A minimum left unclipped, or one that forgets a slope, would be beaten by some alpha of a fine grid."""
    random = np.random.default_rng(1)
    for _ in range(20):
        policy = kuhn.normalised(random.random(kuhn.layout.num_slots) ** 4)
        # Both probabilities of an information set are off by the same amount.
        grid = [np.mean((policy - equilibrium(kuhn, alpha)) ** 2) for alpha in np.linspace(0, LARGEST_ALPHA, 201)]
        found = mean_squared_distance(kuhn, policy)
        assert found <= min(grid) + 1e-15
        assert found == pytest.approx(min(grid), abs=1e-6)


def test_the_uniform_policy_is_where_arithmetic_by_hand_puts_it(kuhn: AbstractGame) -> None:
    half, third = Fraction(1, 2), Fraction(1, 3)
    alpha = (half + 3 * half + half - third) / 11
    zero, one = Fraction(0), Fraction(1)
    first = [alpha, zero, 3 * alpha, zero, alpha + third, one]
    second = [third, zero, one, zero, third, one]
    expected = sum((half - probability) ** 2 for probability in first + second) / 12
    uniform = np.full(kuhn.layout.num_slots, 0.5)
    assert closest_alpha(kuhn, uniform) == pytest.approx(float(alpha))
    assert mean_squared_distance(kuhn, uniform) == pytest.approx(float(expected))
    assert float(expected) > 0.1


def test_one_wrong_probability_counts_as_one_of_twelve(kuhn: AbstractGame) -> None:
    """The second player's probabilities do not move alpha, so the distance is the error's square over twelve."""
    policy = equilibrium(kuhn, 0.2)
    calls = np.isclose(policy, 1 / 3)
    assert calls.sum() == 2
    policy[calls] += [0.3, 0]
    policy[np.flatnonzero(calls) - 1] -= [0.3, 0]
    assert mean_squared_distance(kuhn, policy) == pytest.approx(0.3**2 / 12)


def test_other_games_are_refused() -> None:
    leduc = game_of(LEDUC)
    with pytest.raises(UsageError, match="Kuhn"):
        mean_squared_distance(leduc, np.zeros(leduc.layout.num_slots))
