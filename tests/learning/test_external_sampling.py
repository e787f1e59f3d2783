"""External sampling: the kernels against a plain recursion, what they sample against what is
exact, and settings.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from acpcbot.abstraction.card_abstraction import SmallGameDeals
from acpcbot.errors import UsageError
from acpcbot.learning.external_sampling import (
    ExternalSamplingLearner,
    ExternalSamplingSettings,
    most_visits,
)
from acpcbot.learning.sampling import SamplingSolver
from acpcbot.learning.tree_formats import tree_arrays
from acpcbot.random_kernels import seed_state
from acpcbot.trees.public_tree import LIMIT_INFO, action_kind, info_kinds, info_street, num_actions
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


def learner_of(small: SmallGame, **settings: Any) -> ExternalSamplingLearner:
    return ExternalSamplingLearner(small.game, ExternalSamplingSettings(**settings))


def walked(
    small: SmallGame, deals: Deals, *, seed: int = 1, cut: int = 0, **settings: Any
) -> ExternalSamplingLearner:
    learner, state = learner_of(small, **settings), seed_state(seed)
    for pool in (deals[:cut], deals[cut:]):
        learner.walk(pool, state)
    return learner


class PlainExternalSampling(PlainLearner):
    """The recursion of the paper. The others' actions are drawn beforehand, in the order of the
    kernel's list.
    """

    def iterate(
        self, deal: list[int], floor: float, prune_below: float | None, prune_share: float
    ) -> None:
        prunes = prune_below is not None and prune_share > 0 and self.draw() < prune_share
        self.floor, self.threshold = (
            floor,
            prune_below if prunes and prune_below is not None else -np.inf,
        )
        for traverser in range(self.num_seats):
            drawn = self.drawn_actions(deal, traverser)
            self.value(0, deal, traverser, drawn)

    def drawn_actions(self, deal: list[int], traverser: int) -> dict[int, int]:
        drawn: dict[int, int] = {}
        waiting = deque([0])
        while waiting:
            node = waiting.popleft()
            while node >= 0 and self.actor(node)[0] != traverser:
                drawn[node] = choose(self.draw(), self.strategy(node, deal))
                node = self.children(node)[drawn[node]]
            if node >= 0:
                waiting.extend(self.children(node)[action] for action in self.tried(node, deal))
        return drawn

    def tried(self, node: int, deal: list[int]) -> list[int]:
        children, regrets = self.children(node), self.regrets[self.slots(node, deal)]
        prunes = self.actor(node)[1] < self.last_street and max(regrets) > 0
        return [
            action
            for action, child in enumerate(children)
            if not (prunes and child >= 0 and regrets[action] < self.threshold)
        ]

    def value(self, node: int, deal: list[int], traverser: int, drawn: dict[int, int]) -> float:
        if node < 0:
            return self.payoffs(node, deal)[traverser]
        slots, strategy = self.slots(node, deal), self.strategy(node, deal)
        if self.actor(node)[0] != traverser:
            self.averages[slots] += strategy
            return self.value(self.children(node)[drawn[node]], deal, traverser, drawn)
        tried = self.tried(node, deal)
        values = {
            action: self.value(self.children(node)[action], deal, traverser, drawn)
            for action in tried
        }
        mean = sum(strategy[action] * value for action, value in values.items())
        for action, value in values.items():
            slot = slots.start + action
            self.regrets[slot] = max(self.regrets[slot] + value - mean, self.floor)
        return float(mean)


@pytest.mark.parametrize("name", [KUHN, LEDUC, KUHN_3P])
@pytest.mark.parametrize(
    "settings",
    [{}, {"regret_floor": 0.0}, {"regret_floor": -9.0, "prune_below": -3.0, "prune_share": 0.5}],
    ids=["plain", "floor", "pruning"],
)
def test_two_sweeps_do_what_the_papers_recursion_does(name: str, settings: dict[str, Any]) -> None:
    small = shipped_small_game(name)
    deals = random_pool(small, 400, seed=2)
    learner = walked(small, deals, seed=5, **settings)
    twin = PlainExternalSampling(small, np.zeros((small.game.layout.num_slots, 2)), 5)
    for deal in deals.tolist():
        twin.iterate(
            deal,
            settings.get("regret_floor", -np.inf),
            settings.get("prune_below"),
            settings.get("prune_share", 0.0),
        )
    assert np.abs(learner.sums[:, 0] - twin.regrets).max() < 1e-9
    assert np.abs(learner.sums[:, 1] - twin.averages).max() < 1e-9
    assert twin.averages.any()


def test_a_node_with_a_single_action_spoils_no_neighbour() -> None:
    small = small_game_with_single_actions()
    deals = random_pool(small, 300, seed=2)
    twin = PlainExternalSampling(small, np.zeros((small.game.layout.num_slots, 2)), 5)
    for deal in deals.tolist():
        twin.iterate(deal, -np.inf, None, 0.0)
    learner = walked(small, deals, seed=5)
    assert np.abs(learner.sums - np.stack([twin.regrets, twin.averages], axis=1)).max() < 1e-9


@pytest.mark.parametrize("name", [KUHN, LEDUC, KUHN_3P])
def test_sampled_regrets_and_averages_are_right_in_the_mean(name: str) -> None:
    small, num_batches, batch = shipped_small_game(name), 200, 500
    policy = mixed_policy(small)
    # Regrets so large that what is learnt here changes no strategy.
    start = np.stack([policy * 1e10, np.zeros_like(policy)], axis=1)
    learner, state = learner_of(small), seed_state(4)
    increments = np.zeros((num_batches, *start.shape))
    for number in range(num_batches):
        learner.sums[:] = start
        learner.walk(random_pool(small, batch, seed=number), state)
        increments[number] = (learner.sums - start) / batch
    mean, error = increments.mean(axis=0), increments.std(axis=0) / num_batches**0.5
    regrets, averages = exact_sums(small, policy)
    assert (np.abs(mean[:, 0] - regrets) < 5 * error[:, 0] + 1e-6).all()
    # With a third seat averages are weighted with its reach as well.
    if small.game.tree.num_seats == 2:
        assert (np.abs(mean[:, 1] - averages) < 5 * error[:, 1] + 1e-6).all()


@pytest.mark.parametrize(
    ("name", "settings", "budget", "bound"),
    [
        (KUHN, {}, 200_000, 0.01),
        (LEDUC, {}, 400_000, 0.06),
        (LEDUC, {"storage": "float32"}, 400_000, 0.06),
        (LEDUC, {"discount_until": 0}, 400_000, 0.06),
        (LEDUC, {"alpha": 1.5, "beta": 0.5, "gamma": 2.0}, 400_000, 0.08),
        (LEDUC, {"prune_below": -100.0, "regret_floor": -110.0}, 400_000, 0.08),
        (KUHN_3P, {}, 200_000, 0.02),
    ],
)
def test_external_sampling_comes_close_to_equilibrium(
    name: str, settings: dict[str, Any], budget: int, bound: float
) -> None:
    small = shipped_small_game(name)
    learner = learner_of(small, **{"discount_interval": 1 << 14, **settings})
    state = seed_state(6)
    for done in range(0, budget, 1 << 14):
        learner.walk(random_pool(small, 1 << 14, seed=done), state)
        learner.settle(done + (1 << 14))
        if done == 0:
            early = learner.average_strategy()
    assert small.respond(learner.average_strategy()).nash_conv < bound
    assert small.respond(early).nash_conv > bound
    assert small.respond(uniform_policy(small)).nash_conv > bound


def test_the_same_seed_gives_the_same_and_another_gives_something_else() -> None:
    small = shipped_small_game(LEDUC)
    deals = random_pool(small, 1000, seed=1)
    first, second, other = (walked(small, deals, seed=seed).sums for seed in (1, 1, 2))
    assert np.array_equal(first, second)
    assert not np.array_equal(first, other)


def test_threads_that_share_the_arrays_learn_what_one_would() -> None:
    small = shipped_small_game(LEDUC)
    source = SmallGameDeals(small.definition, small.abstraction)
    learner = learner_of(small)
    SamplingSolver(learner, source, seed=6, num_threads=2).step(500_000)
    assert small.respond(learner.average_strategy()).nash_conv < 0.06


@pytest.mark.parametrize("cut", [1, 17, 999])
def test_a_cut_pool_of_deals_teaches_the_same(cut: int) -> None:
    small = shipped_small_game(LEDUC)
    deals = random_pool(small, 1000, seed=1)
    settings: dict[str, Any] = {"prune_below": -2.0}
    assert np.array_equal(
        walked(small, deals, **settings).sums, walked(small, deals, cut=cut, **settings).sums
    )


def test_a_learner_goes_on_from_saved_arrays() -> None:
    small = shipped_small_game(LEDUC)
    deals, state = random_pool(small, 4000, seed=1), seed_state(1)
    whole = learner_of(small, discount_interval=1000)
    for start in range(0, 4000, 1000):
        if start == 2000:
            resumed, resumed_state = learner_of(small, discount_interval=1000), state.copy()
            for name, array in resumed.arrays.items():
                array[...] = whole.arrays[name]
        whole.walk(deals[start : start + 1000], state)
        whole.settle(start + 1000)
    for start in (2000, 3000):
        resumed.walk(deals[start : start + 1000], resumed_state)
        resumed.settle(start + 1000)
    assert np.array_equal(whole.sums, resumed.sums)


ROOT, FACING_A_RAISE, LAST_STREET = "", "r", "cc"
CALLS = {"f": -1000.0, "c": 1.0, "r": -1000.0}
RAISES = {"f": -1000.0, "c": -1000.0, "r": 1.0}
NOTHING = {"f": -1000.0, "c": -1000.0, "r": -1000.0}
PRUNING = {"prune_below": -500.0, "prune_share": 1.0}


def learnt(preflop: str, regrets: dict[str, float], **settings: Any) -> set[str]:
    """For which actions after *preflop* anything is learnt in Leduc, if all information sets
    begin with *regrets*.
    """
    small = shipped_small_game(LEDUC)
    learner = learner_of(small, **settings)
    for node, record in enumerate(small.game.tree.nodes):
        for slots in infosets(small, node):
            learner.sums[slots, 0] = [regrets[letter] for letter in legal(record)]
    before = learner.sums[:, 0].copy()
    learner.walk(np.tile(small.rows, (40, 1)), seed_state(3))
    node = 0
    for letter in preflop:
        node = int(small.game.tree.nodes[node, legal(small.game.tree.nodes[node]).index(letter)])
    changed = np.any(
        [(learner.sums[:, 0] != before)[slots] for slots in infosets(small, node)], axis=0
    )
    return {
        letter
        for letter, has in zip(legal(small.game.tree.nodes[node]), changed, strict=True)
        if has
    }


def infosets(small: SmallGame, node: int) -> list[slice]:
    street = info_street(small.game.tree.nodes[node, LIMIT_INFO])
    return [small.slots(node, bucket) for bucket in range(small.game.num_buckets[street])]


def legal(record: NDArray[np.int32]) -> str:
    kinds = info_kinds(record[LIMIT_INFO])
    return "".join("fcr"[action_kind(kinds, action)] for action in range(num_actions(kinds)))


@pytest.mark.parametrize(
    "settings",
    [{}, {"prune_below": -500.0, "prune_share": 0.0}, {"prune_below": -2000.0, "prune_share": 1.0}],
)
def test_without_pruning_no_action_is_skipped(settings: dict[str, float]) -> None:
    assert "r" in learnt(ROOT, CALLS, **settings)


def test_pruning_skips_actions_of_very_low_regret() -> None:
    assert "r" not in learnt(ROOT, CALLS, **PRUNING)
    assert "c" not in learnt(FACING_A_RAISE, RAISES, **PRUNING)


def test_pruning_skips_only_in_its_share_of_the_iterations() -> None:
    assert "r" in learnt(ROOT, CALLS, prune_below=-500.0, prune_share=0.5)


def test_pruning_spares_the_last_street() -> None:
    assert "r" in learnt(LAST_STREET, CALLS, **PRUNING)


def test_pruning_spares_actions_that_end_the_hand() -> None:
    assert "f" in learnt(FACING_A_RAISE, RAISES, **PRUNING)


def test_pruning_spares_all_where_nothing_is_better() -> None:
    assert learnt(ROOT, NOTHING, **PRUNING) == {"c", "r"}


def test_linear_weighting_gives_period_t_the_weight_t() -> None:
    small, interval, num_periods = shipped_small_game(LEDUC), 500, 7
    learner, state = (
        learner_of(small, discount_interval=interval, discount_until=10**9),
        seed_state(1),
    )
    weighted = np.zeros_like(learner.sums)
    for period in range(1, num_periods + 1):
        before = learner.sums.copy()
        learner.walk(random_pool(small, interval, seed=period), state)
        weighted += period * (learner.sums - before)
        learner.settle(period * interval)
    assert learner.sums == pytest.approx(weighted / (num_periods + 1), abs=1e-9)


def test_each_exponent_discounts_its_own_sums() -> None:
    small = shipped_small_game(KUHN)
    learner = learner_of(small, alpha=1.5, beta=0.0, gamma=2.0, discount_interval=10)
    learner.sums[:, 0] = np.where(np.arange(len(learner.sums)) % 2, 8.0, -8.0)
    learner.sums[:, 1] = 9.0
    learner.arrays["num_settled"][0] = 10
    learner.settle(20)
    assert learner.sums[:, 0].max() == pytest.approx(8 * 2**1.5 / (2**1.5 + 1))
    assert learner.sums[:, 0].min() == -4
    assert learner.sums[:, 1] == pytest.approx(9 * (2 / 3) ** 2)


def test_periods_settled_at_once_count_like_periods_settled_one_by_one() -> None:
    small = shipped_small_game(KUHN)
    deals = random_pool(small, 100, seed=1)
    at_once, one_by_one = (
        walked(small, deals, discount_interval=10, gamma=2.0, beta=0.5) for _ in range(2)
    )
    at_once.settle(100)
    for num_done in range(5, 105, 5):
        one_by_one.settle(num_done)
    assert at_once.sums == pytest.approx(one_by_one.sums)


def test_nothing_is_discounted_after_the_limit() -> None:
    small = shipped_small_game(KUHN)
    deals = random_pool(small, 100, seed=1)
    for limit, settled in ((0, 0), (29, 20), (30, 30)):
        limited, other = (
            walked(small, deals, discount_interval=10, discount_until=until)
            for until in (limit, 10**9)
        )
        limited.settle(100)
        other.settle(settled)
        assert np.array_equal(limited.sums, other.sums)


def test_room_for_visits_is_neither_short_nor_wasted() -> None:
    tree, (nodes, actions, _) = tree_arrays(shipped_small_game(KUHN).game)
    # Seat 0: the root and its two actions, and two more where it checks and faces a bet.
    assert most_visits(tree, nodes, actions, 0) == 5
    # Seat 1: either action of seat 0 leads to the first visit, and on to two more.
    assert most_visits(tree, nodes, actions, 1) == 3


@pytest.mark.parametrize(
    "settings",
    [
        {"alpha": np.inf},
        {"gamma": np.nan},
        {"discount_interval": 0},
        {"discount_until": -1},
        {"regret_floor": 1.0},
        {"prune_below": 1.0},
        {"prune_share": 1.5},
        {"storage": "float16"},
    ],
    ids=str,
)
def test_settings_that_mean_nothing_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=next(iter(settings.values())).__str__()):
        ExternalSamplingSettings(**settings)
