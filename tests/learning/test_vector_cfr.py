"""Vector CFR against OpenSpiel's solvers iteration by iteration, and by the laws of regret."""

from __future__ import annotations

from math import inf, nan, sqrt
from random import Random

import numpy as np
import pytest

from acpcbot.arrays import Floats
from acpcbot.errors import UsageError
from acpcbot.evaluation.exploitability.small_games import best_response_values
from acpcbot.learning.vector_cfr import VectorCFR
from acpcbot.regret_matching import CFR, CFR_PLUS, DCFR, LINEAR_CFR, DiscountSettings
from acpcbot.trees.public_tree import LIMIT_INFO, AbstractGame, info_street
from tests.support.games import KUHN, LEDUC
from tests.support.openspiel_policies import from_spiel, spiel_game
from tests.support.small_games import KUHN_3P, SmallGame, shipped_small_game, uniform_policy

PRESETS = {"cfr": CFR, "cfr+": CFR_PLUS, "linear": LINEAR_CFR, "dcfr": DCFR}
LEDUC_VALUE = -0.0856064241


def learner(small: SmallGame, settings: DiscountSettings = DCFR) -> VectorCFR:
    return VectorCFR(small.game, small.rows, small.weights, settings)


def learnt(small: SmallGame, settings: DiscountSettings, num_iterations: int) -> VectorCFR:
    solver = learner(small, settings)
    solver.step(num_iterations)
    return solver


# CFR+ is not compared in Kuhn poker: there two regrets cancel in its second iteration, and what
# rounding leaves of them decides between two strategies.
@pytest.mark.parametrize(
    ("solver", "settings", "name", "num_iterations"),
    [
        ("CFRSolver", CFR, KUHN, 1),
        ("CFRSolver", CFR, KUHN, 2),
        ("CFRSolver", CFR, KUHN, 50),
        ("CFRSolver", CFR, KUHN_3P, 30),
        ("CFRSolver", CFR, LEDUC, 12),
        ("CFRPlusSolver", CFR_PLUS, KUHN_3P, 1),
        ("CFRPlusSolver", CFR_PLUS, KUHN_3P, 30),
        ("CFRPlusSolver", CFR_PLUS, LEDUC, 12),
    ],
)
def test_iterations_do_not_stray_from_openspiels(
    solver: str, settings: DiscountSettings, name: str, num_iterations: int
) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    theirs = getattr(pyspiel, solver)(spiel_game(name))
    for _ in range(num_iterations):
        theirs.evaluate_and_update_policy()
    ours = learnt(shipped_small_game(name), settings, num_iterations)
    average, current = (
        theirs.average_policy().get_state_policy,
        theirs.current_policy().get_state_policy,
    )
    assert ours.average_strategy() == pytest.approx(from_spiel(name, average), abs=1e-9)
    assert ours.current_strategy() == pytest.approx(from_spiel(name, current), abs=1e-9)


@pytest.mark.parametrize(
    ("name", "num_iterations"), [(KUHN, 1), (KUHN, 2), (KUHN, 40), (KUHN_3P, 10)]
)
@pytest.mark.parametrize(("solver", "settings"), [("LCFRSolver", LINEAR_CFR), ("DCFRSolver", DCFR)])
def test_discounts_are_not_applied_to_another_iteration_or_sum(
    solver: str, settings: DiscountSettings, name: str, num_iterations: int
) -> None:
    discounted_cfr = pytest.importorskip("open_spiel.python.algorithms.discounted_cfr")
    theirs = getattr(discounted_cfr, solver)(spiel_game(name))
    for _ in range(num_iterations):
        theirs.evaluate_and_update_policy()
    ours = learnt(shipped_small_game(name), settings, num_iterations).average_strategy()
    average = theirs.average_policy().to_dict()
    assert ours == pytest.approx(from_spiel(name, average.__getitem__), abs=1e-9)


def test_the_value_of_kuhn_and_its_family_of_equilibria_are_not_missed() -> None:
    small = shipped_small_game(KUHN)
    policy = learnt(small, DCFR, 20_000).average_strategy()
    queen, king, ace = (policy[small.slots(0, bucket)][1] for bucket in range(3))
    king_call = policy[small.slots(2, 1)][1]
    assert small.respond(policy).policy_values == pytest.approx((-1 / 18, 1 / 18), abs=1e-4)
    assert 0 <= queen <= 1 / 3 + 1e-3
    assert (ace, king, king_call) == pytest.approx((3 * queen, 0, queen + 1 / 3), abs=2e-3)


def test_the_value_of_leduc_is_not_missed() -> None:
    small = shipped_small_game(LEDUC)
    response = small.respond(learnt(small, DCFR, 5_000).average_strategy())
    assert response.policy_values == pytest.approx((LEDUC_VALUE, -LEDUC_VALUE), abs=1e-4)
    # Nobody can win more than the value by force, or do with less: it lies between these.
    assert -response.values[1] <= LEDUC_VALUE <= response.values[0]


@pytest.mark.parametrize("settings", PRESETS.values(), ids=PRESETS)
@pytest.mark.parametrize("name", [KUHN, LEDUC, KUHN_3P])
def test_a_run_in_pieces_or_from_a_checkpoint_does_not_end_elsewhere(
    name: str, settings: DiscountSettings
) -> None:
    small = shipped_small_game(name)
    whole, pieces = learnt(small, settings, 60), learnt(small, settings, 1)
    pieces.step(0)
    pieces.step(36)
    restored = learner(small, settings)
    for key, array in restored.arrays.items():
        array[:] = pieces.arrays[key]
    restored.step(23)
    for key, array in restored.arrays.items():
        assert (array == whole.arrays[key]).all(), key


def test_regrets_are_no_larger_than_theory_allows_and_bound_the_gains() -> None:
    small = shipped_small_game(LEDUC)
    for num_iterations in (16, 64, 256, 1024):
        solver = learnt(small, CFR, num_iterations)
        seat_regrets = positive_regrets(small, solver.arrays["regret_sum"]) / num_iterations
        # Theorem 4 of Zinkevich et al.: the payoffs of Leduc lie within 13 chips either side.
        assert seat_regrets <= 2 * 13 * small.game.layout.num_infosets * sqrt(3 / num_iterations)
        assert small.respond(solver.average_strategy()).nash_conv <= seat_regrets


def test_average_regret_falls_as_the_root_of_time_and_not_more_slowly() -> None:
    small = shipped_small_game(LEDUC)
    regrets = [
        positive_regrets(small, learnt(small, CFR, count).arrays["regret_sum"]) / count
        for count in (64, 1024, 16_384)
    ]
    assert regrets[1] < regrets[0] / 3
    assert regrets[2] < regrets[1] / 3


def positive_regrets(small: SmallGame, regret_sum: Floats) -> float:
    """The largest positive regret of each information set, summed over all of them."""
    return sum(float(regret_sum[slots].max(initial=0)) for slots in infosets(small))


def infosets(small: SmallGame) -> list[slice]:
    streets = [info_street(info) for info in small.game.tree.nodes[:, LIMIT_INFO].tolist()]
    return [
        small.slots(node, bucket)
        for node, street in enumerate(streets)
        for bucket in range(small.game.num_buckets[street])
    ]


@pytest.mark.parametrize("settings", PRESETS.values(), ids=PRESETS)
def test_strategies_are_probabilities_before_and_after_learning(settings: DiscountSettings) -> None:
    small = shipped_small_game(LEDUC)
    solver = learner(small, settings)
    assert (solver.average_strategy() == uniform_policy(small)).all()
    assert (solver.current_strategy() == uniform_policy(small)).all()
    solver.step(100)
    for policy in (solver.average_strategy(), solver.current_strategy()):
        assert policy.min() >= 0
        assert [policy[slots].sum() for slots in infosets(small)] == pytest.approx(
            [1] * 288, abs=1e-12
        )


def test_deals_in_another_order_or_not_merged_teach_the_same() -> None:
    small = shipped_small_game(LEDUC)
    order = Random(1).sample(range(len(small.rows)), len(small.rows))
    rows, weights = np.repeat(small.rows[order], 2, axis=0), np.repeat(small.weights[order] / 2, 2)
    apart = VectorCFR(small.game, rows, weights, LINEAR_CFR)
    apart.step(20)
    merged = learnt(small, LINEAR_CFR, 20)
    assert np.abs(apart.average_strategy() - merged.average_strategy()).max() < 1e-9


def test_hands_that_share_a_bucket_do_not_play_apart() -> None:
    small = shipped_small_game(KUHN)
    rows = np.column_stack([np.zeros_like(small.rows[:, :2]), small.rows[:, 2]])
    solver = VectorCFR(AbstractGame(small.game.tree, (1,)), rows, small.weights, CFR_PLUS)
    solver.step(1000)
    # Without cards a showdown is won half of the time: folding to a bet is the only mistake.
    response = best_response_values(solver.game, rows, small.weights, solver.average_strategy())
    assert response.nash_conv < 1e-3
    assert response.policy_values == pytest.approx((0, 0), abs=1e-3)


@pytest.mark.parametrize(
    ("alpha", "beta", "gamma"),
    [(nan, 0, 2), (1.5, nan, 2), (1.5, 0, -1), (1.5, 0, inf), (1.5, 0, nan)],
)
def test_numbers_that_are_no_discount_are_refused(alpha: float, beta: float, gamma: float) -> None:
    with pytest.raises(UsageError, match="no discounts"):
        DiscountSettings(alpha, beta, gamma)


def test_large_exponents_do_not_overflow() -> None:
    small = shipped_small_game(KUHN)
    policy = learnt(small, DiscountSettings(1e4, -1e4, 1), 1000).average_strategy()
    assert small.respond(policy).nash_conv < 1e-2
