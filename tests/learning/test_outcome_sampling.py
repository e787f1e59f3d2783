"""Outcome sampling: the kernel against the paper's formulas, what it samples against what is
exact, and convergence.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
import pytest

from acpcbot.errors import UsageError
from acpcbot.learning.outcome_sampling import OutcomeSamplingLearner, OutcomeSamplingSettings
from acpcbot.random_kernels import seed_state
from tests.support.games import KUHN, LEDUC
from tests.support.plain_sampling import (
    Deals,
    PlainLearner,
    choose,
    exact_sums,
    mixed_policy,
    random_pool,
    small_game_with_single_actions,
)
from tests.support.small_games import KUHN_3P, SmallGame, shipped_small_game, uniform_policy


def learner_of(small: SmallGame, **settings: Any) -> OutcomeSamplingLearner:
    return OutcomeSamplingLearner(small.game, OutcomeSamplingSettings(**settings))


def walked(
    small: SmallGame, deals: Deals, *, seed: int = 1, cut: int = 0, **settings: Any
) -> OutcomeSamplingLearner:
    learner, state = learner_of(small, **settings), seed_state(seed)
    for pool in (deals[:cut], deals[cut:]):
        learner.walk(pool, state)
    return learner


class PlainOutcomeSampling(PlainLearner):
    """An episode as a list, and for each of its visits the products of the paper, written out."""

    def play(self, deal: list[int], learners: set[int], averaged: set[int], epsilon: float) -> None:
        path, node = [], 0
        while node >= 0:
            seat, slots, strategy = (
                self.actor(node)[0],
                self.slots(node, deal),
                self.strategy(node, deal),
            )
            exploration = epsilon if seat in learners else 0.0
            sampling = exploration / len(strategy) + (1 - exploration) * strategy
            action = choose(self.draw(), sampling)
            path.append(
                (seat, slots, strategy, action, float(strategy[action]), float(sampling[action]))
            )
            node = self.children(node)[action]
        payoffs = self.payoffs(node, deal)
        for place, (seat, slots, strategy, action, _, _) in enumerate(path):
            if seat in averaged:
                own = prod(p for other, *_, p, _ in path[:place] if other == seat)
                self.averages[slots] += own * strategy / prod(q for *_, q in path[:place])
            if seat in learners:
                others = prod(p for other, *_, p, _ in path if other != seat)
                own = prod(p for other, *_, p, _ in path[place + 1 :] if other == seat)
                weight = payoffs[seat] * others * own / prod(q for *_, q in path)
                self.regrets[slots] -= weight * strategy[action]
                self.regrets[slots.start + action] += weight


def plainly_walked(
    small: SmallGame, deals: Deals, seed: int, epsilon: float, alternating: bool
) -> PlainLearner:
    twin = PlainOutcomeSampling(small, np.zeros((small.game.layout.num_slots, 2)), seed)
    seats = set(range(twin.num_seats))
    for episode, deal in enumerate(deals.tolist()):
        learners = {episode % twin.num_seats} if alternating else seats
        twin.play(deal, learners, seats - learners if alternating else seats, epsilon)
    return twin


@pytest.mark.parametrize("alternating", [False, True])
@pytest.mark.parametrize("name", [KUHN, LEDUC, KUHN_3P, "one choice"])
def test_weights_kept_along_the_path_are_the_papers_products(name: str, alternating: bool) -> None:
    small = small_game_with_single_actions() if name == "one choice" else shipped_small_game(name)
    deals = random_pool(small, 1000, seed=2)
    learner = walked(small, deals, seed=5, epsilon=0.3, alternating=alternating)
    twin = plainly_walked(small, deals, 5, 0.3, alternating)
    assert learner.sums[:, 0] == pytest.approx(twin.regrets, rel=1e-9, abs=1e-9)
    assert learner.sums[:, 1] == pytest.approx(twin.averages, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("alternating", [False, True])
@pytest.mark.parametrize("name", [KUHN, LEDUC, KUHN_3P])
def test_sampled_regrets_and_averages_are_right_in_the_mean(name: str, alternating: bool) -> None:
    small, num_batches, batch = shipped_small_game(name), 200, 6000
    policy = mixed_policy(small)
    # Regrets so large that what is learnt here changes no strategy.
    start = np.stack([policy * 1e10, np.zeros_like(policy)], axis=1)
    learner, state = learner_of(small, alternating=alternating), seed_state(4)
    increments = np.zeros((num_batches, *start.shape))
    for number in range(num_batches):
        learner.sums[:] = start
        learner.walk(random_pool(small, batch, seed=number), state)
        increments[number] = (learner.sums - start) / batch
    mean, error = increments.mean(axis=0), increments.std(axis=0) / num_batches**0.5
    regrets, averages = exact_sums(small, policy)
    num_seats = small.game.tree.num_seats
    learnt, averaged = (1 / num_seats, 1 - 1 / num_seats) if alternating else (1, 1)
    assert (np.abs(mean[:, 0] - learnt * regrets) < 5 * error[:, 0] + 1e-6).all()
    assert (np.abs(mean[:, 1] - averaged * averages) < 5 * error[:, 1] + 1e-6).all()


@pytest.mark.parametrize(
    ("name", "alternating", "budget", "bound"),
    [
        (KUHN, False, 1_000_000, 0.02),
        (KUHN, True, 1_000_000, 0.02),
        # In test_equilibrium.py a smaller budget has a smaller bound; here it is learnt in two
        # walks.
        *[
            pytest.param(LEDUC, way, 4_000_000, 0.2, marks=pytest.mark.slow)
            for way in (False, True)
        ],
        (KUHN_3P, False, 1_000_000, 0.05),
        (KUHN_3P, True, 1_000_000, 0.05),
    ],
)
def test_outcome_sampling_comes_close_to_equilibrium(
    name: str, alternating: bool, budget: int, bound: float
) -> None:
    small = shipped_small_game(name)
    learner, state = learner_of(small, alternating=alternating), seed_state(6)
    learner.walk(random_pool(small, budget // 100, seed=1), state)
    early = learner.average_strategy()
    learner.walk(random_pool(small, budget - budget // 100, seed=2), state)
    assert small.respond(learner.average_strategy()).nash_conv < bound
    assert small.respond(early).nash_conv > bound
    assert small.respond(uniform_policy(small)).nash_conv > bound


@pytest.mark.parametrize("alternating", [False, True])
def test_the_same_seed_gives_the_same_and_another_gives_something_else(alternating: bool) -> None:
    small = shipped_small_game(LEDUC)
    deals = random_pool(small, 1000, seed=1)
    first, second, other = (
        walked(small, deals, seed=seed, alternating=alternating).sums for seed in (1, 1, 2)
    )
    assert np.array_equal(first, second)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("alternating", [False, True])
@pytest.mark.parametrize("name", [LEDUC, KUHN_3P])
def test_pools_may_be_cut_where_a_turn_of_all_seats_ends(name: str, alternating: bool) -> None:
    small = shipped_small_game(name)
    deals = random_pool(small, 1000, seed=1)
    whole = walked(small, deals, alternating=alternating)
    for cut in (6, 600):
        assert np.array_equal(
            walked(small, deals, cut=cut, alternating=alternating).sums, whole.sums
        )


def test_alternating_learns_for_one_seat_and_averages_the_other() -> None:
    small = shipped_small_game(KUHN)
    sums = walked(small, small.rows[:1], alternating=True).sums
    plain = PlainLearner(small, sums)
    own = np.zeros(len(sums), bool)
    for node in range(len(small.game.tree.nodes)):
        for bucket in range(small.game.num_buckets[0]):
            own[small.slots(node, bucket)] = plain.actor(node)[0] == 0
    assert sums[own, 0].any()
    assert not sums[own, 1].any()
    assert sums[~own, 1].any()
    assert not sums[~own, 0].any()


@pytest.mark.parametrize("epsilon", [0.0, -0.1, 1.1, np.nan])
def test_exploration_that_is_none_is_refused(epsilon: float) -> None:
    with pytest.raises(UsageError, match="epsilon"):
        OutcomeSamplingSettings(epsilon=epsilon)
