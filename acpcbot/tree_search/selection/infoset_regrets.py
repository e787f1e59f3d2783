"""Regret matching on sampled payoffs at information sets.

``sums`` [slot, 2] are an action's cumulative regret and its sum in the mean strategy.

Source: Lisy (2014), Alternative selection functions for information set Monte Carlo tree search.
"""

from __future__ import annotations

from typing import NamedTuple

from acpcbot.arrays import Floats
from acpcbot.random_kernels import RandomState
from acpcbot.tree_search.selection.policy import FIRST, SECOND, draw_action, match_regrets


class InfosetRegrets(NamedTuple):
    """Regret matching that samples with an *exploration*, which the mean strategy leaves out."""

    exploration: float

    def select_action(
        self, sums: Floats, first: int, count: int, strategy: Floats, random_state: RandomState
    ) -> int:
        match_regrets(sums, first, count, strategy, 0)
        for action in range(count):
            sums[first + action, SECOND] += strategy[action]
        return draw_action(strategy, 0, count, self.exploration, random_state)

    def probability(self, strategy: Floats, count: int, action: int) -> float:
        return float(self.exploration / count + (1.0 - self.exploration) * strategy[action])

    def add_payoff(
        self, sums: Floats, first: int, count: int, action: int, probability: float, payoff: float
    ) -> None:
        # The payoff over its probability estimates that of the action, 0 that of all others, and
        # the payoff itself that of the strategy.
        for other in range(count):
            sums[first + other, FIRST] -= payoff
        sums[first + action, FIRST] += payoff / probability
