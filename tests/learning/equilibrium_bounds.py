"""Bounds of the NashConv that learners reach, and the iterations or episodes that it takes them.

A learner that claims an equilibrium has a line here for every game that it claims it in.
Arbitrary policies exceed the bounds, and so does the learner itself after a hundredth of its
budget: so a learner that stops learning, or learns the wrong thing, fails.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from acpcbot.abstraction.card_abstraction import SmallGameDeals
from acpcbot.arrays import Floats
from acpcbot.learning.external_sampling import ExternalSamplingLearner
from acpcbot.learning.outcome_sampling import OutcomeSamplingLearner, OutcomeSamplingSettings
from acpcbot.learning.sampling import Learner, SamplingSolver
from acpcbot.learning.uct import UCTLearner, UCTSettings
from acpcbot.learning.vector_cfr import VectorCFR
from acpcbot.regret_matching import CFR, CFR_PLUS, DCFR, LINEAR_CFR, DiscountSettings
from acpcbot.trees.public_tree import AbstractGame
from tests.support.games import KUHN, LEDUC, LEDUC_NOLIMIT
from tests.support.menu_games import MenuSmallGame
from tests.support.small_games import KUHN_3P, SmallGame

SEED = 1


@dataclass(frozen=True, slots=True)
class EquilibriumBound:
    """The most NashConv, in big blinds, that a learner's policy in *game* has after *budget*."""

    learner: str
    game: str
    learn: Callable[[Any, int], Floats]
    """From a game and a budget to a policy [slot]."""
    budget: int
    """Iterations or episodes."""
    bound: float

    def __str__(self) -> str:
        return f"{self.learner} in {self.game}"


def by_vector_cfr(settings: DiscountSettings) -> Callable[[SmallGame, int], Floats]:
    """The average strategy of vector CFR with *settings*."""

    def learn(small: SmallGame, budget: int) -> Floats:
        solver = VectorCFR(small.game, small.rows, small.weights, settings)
        solver.step(budget)
        return solver.average_strategy()

    return learn


def by_sampling(make_learner: Callable[[Any], Learner]) -> Callable[[Any, int], Floats]:
    """The average strategy of a learner that is fed with random deals, by one thread."""

    def learn(small: SmallGame | MenuSmallGame, budget: int) -> Floats:
        source = SmallGameDeals(small.definition, small.abstraction)
        solver = SamplingSolver(make_learner(small.game), source, seed=SEED)
        solver.step(budget)
        return solver.learner.average_strategy().astype(float)

    return learn


def alternating_outcome_sampling(game: AbstractGame) -> OutcomeSamplingLearner:
    return OutcomeSamplingLearner(game, OutcomeSamplingSettings(alternating=True))


def smooth_uct_for_kuhn(game: AbstractGame) -> UCTLearner:
    return UCTLearner(game, UCTSettings(exploration=1.75, d=0.001))


def smooth_uct_for_leduc(game: AbstractGame) -> UCTLearner:
    return UCTLearner(game, UCTSettings(exploration=18, d=0.002))


BOUNDS = (
    EquilibriumBound("cfr", KUHN, by_vector_cfr(CFR), budget=100_000, bound=1e-4),
    EquilibriumBound("cfr+", KUHN, by_vector_cfr(CFR_PLUS), budget=100_000, bound=2e-5),
    EquilibriumBound("linear cfr", KUHN, by_vector_cfr(LINEAR_CFR), budget=100_000, bound=1e-5),
    EquilibriumBound("dcfr", KUHN, by_vector_cfr(DCFR), budget=300_000, bound=1e-5),
    EquilibriumBound("cfr", LEDUC, by_vector_cfr(CFR), budget=10_000, bound=1.5e-2),
    EquilibriumBound("cfr+", LEDUC, by_vector_cfr(CFR_PLUS), budget=40_000, bound=1e-5),
    EquilibriumBound("linear cfr", LEDUC, by_vector_cfr(LINEAR_CFR), budget=10_000, bound=7e-3),
    EquilibriumBound("dcfr", LEDUC, by_vector_cfr(DCFR), budget=40_000, bound=1e-5),
    # Of games for three little is proved, but in this one these reach an equilibrium.
    EquilibriumBound("cfr", KUHN_3P, by_vector_cfr(CFR), budget=30_000, bound=5e-4),
    EquilibriumBound("cfr+", KUHN_3P, by_vector_cfr(CFR_PLUS), budget=30_000, bound=1e-6),
    EquilibriumBound("linear cfr", KUHN_3P, by_vector_cfr(LINEAR_CFR), budget=100_000, bound=2e-6),
    EquilibriumBound("dcfr", KUHN_3P, by_vector_cfr(DCFR), budget=30_000, bound=1e-7),
    EquilibriumBound(
        "external sampling",
        KUHN,
        by_sampling(ExternalSamplingLearner),
        budget=1_000_000,
        bound=3e-3,
    ),
    EquilibriumBound(
        "external sampling",
        LEDUC,
        by_sampling(ExternalSamplingLearner),
        budget=3_000_000,
        bound=2.5e-2,
    ),
    EquilibriumBound(
        "external sampling",
        LEDUC_NOLIMIT,
        by_sampling(ExternalSamplingLearner),
        3_000_000,
        bound=2.5e-2,
    ),
    EquilibriumBound(
        "external sampling",
        KUHN_3P,
        by_sampling(ExternalSamplingLearner),
        budget=1_000_000,
        bound=8e-3,
    ),
    *[
        EquilibriumBound(
            f"{name} outcome sampling", game, by_sampling(learner), budget=budget, bound=bound
        )
        for name, learner in (
            ("parallel", OutcomeSamplingLearner),
            ("alternating", alternating_outcome_sampling),
        )
        for game, budget, bound in (
            (KUHN, 1_000_000, 2e-2),
            (LEDUC, 3_000_000, 0.18),
            (KUHN_3P, 1_000_000, 3e-2),
        )
    ],
    # That Smooth UCT converges is not proved; the paper finds that it comes close.
    EquilibriumBound(
        "smooth uct", KUHN, by_sampling(smooth_uct_for_kuhn), budget=4_000_000, bound=6e-3
    ),
    EquilibriumBound(
        "smooth uct", LEDUC, by_sampling(smooth_uct_for_leduc), budget=8_000_000, bound=0.15
    ),
)
