"""Outcome sampling Monte Carlo CFR, for any number of seats: an episode is one hand played out.

A seat that learns plays its strategy by regret matching with probability 1 - epsilon and
any action otherwise; what it learns is divided by the probability with which it was
sampled, so that regrets are unbiased. In parallel all seats learn from every episode.
Alternating, the seats take turns: the one whose turn it is explores and learns, the others
play their strategies.

Strategies are averaged by stochastic weights: at a visit a strategy is added to its sums
with its owner's reach over the probability of the visit. In parallel this happens at all
visits; alternating, only at those of seats whose turn it is not, since there the
probability holds no exploration of their own and the weights vary far less. This
converged best in Leduc: with own visits as well it was the same, by own visits alone the
NashConv was five times as high, and optimistic averaging, by the number of episodes since
the last visit, gave the same for more memory.

Sources: Lanctot, Waugh, Zinkevich & Bowling (2009), Monte Carlo sampling for regret
minimization in extensive games; Lanctot (2013), Monte Carlo sampling and regret
minimization for equilibrium computation and decision-making in large extensive form games
(parallel and alternating).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.errors import UsageError
from acpcbot.solvers.abstract_game import AbstractGame
from acpcbot.solvers.learner import Deals, RandomState
from acpcbot.solvers.outcome_sampling_kernels import run_episodes
from acpcbot.solvers.regret_sums import STRATEGY, empty_sums


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeSamplingSettings:
    """How much a seat that learns explores, and whether one seat learns from an episode or all do."""

    epsilon: float = 0.5
    alternating: bool = False

    def __post_init__(self) -> None:
        if not 0 < self.epsilon <= 1:
            raise UsageError(f"epsilon {self.epsilon} explores nothing", "epsilon is above 0, at most 1")


class OutcomeSamplingLearner:
    """Outcome sampling on *game*; ``sums`` [slot, 2] are regrets and strategy sums."""

    round_length = 1 << 18

    def __init__(self, game: AbstractGame, settings: OutcomeSamplingSettings | None = None) -> None:
        self.game, self.settings = game, settings or OutcomeSamplingSettings()
        self.sums = empty_sums(game.layout.num_slots)

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """``sums`` [slot, 2]."""
        return {"sums": self.sums}

    def walk(self, deals: Deals, random_state: RandomState) -> None:
        """An episode a deal; alternating seats take turns from the first deal of the pool on."""
        tree, layout, settings = self.game.tree, self.game.layout, self.settings
        run_episodes(
            tree.nodes,
            layout.row_starts,
            layout.row_widths,
            tree.payoffs,
            deals,
            self.sums,
            float(settings.epsilon),
            bool(settings.alternating),
            random_state,
        )

    def settle(self, num_done: int) -> None:
        """Nothing: every episode is complete in itself."""

    def average_strategy(self) -> NDArray[np.float64]:
        """The strategy that converges, [slot]; uniform where an information set was never met."""
        return self.game.normalised(self.sums[:, STRATEGY])
