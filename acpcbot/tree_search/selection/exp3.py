"""Exp3: exponential weights on estimated sums of rewards.

``sums`` [slot, 2] are an action's estimated sum of rewards and its visits. Rewards should be from 0
to 1, or the learning rate, which follows from the exploration, means little.

Source: Lanctot, Lisy & Winands (2013), section 3.2, equations 3 and 4; Auer, Cesa-Bianchi, Freund &
Schapire (1995), Gambling in a rigged casino.
"""

from __future__ import annotations

from math import exp
from typing import NamedTuple

from acpcbot.arrays import AnyArray, Floats, Number
from acpcbot.random_kernels import RandomState
from acpcbot.tree_search.selection.policy import FIRST, SECOND, Visit, draw_action, normalise


class Exp3(NamedTuple):
    """Exp3 with the *exploration* gamma, whose samples are removed from the final strategy."""

    exploration: float

    def fills_matrix(self) -> bool:
        return True

    def prepare(self, sums: Floats, first: int, count: int, strategies: Floats, start: int) -> None:
        # Equation 3, with the exponents relative to the largest, so that none overflows.
        most = sums[first, FIRST]
        for action in range(1, count):
            most = max(most, sums[first + action, FIRST])
        rate = self.exploration / count
        for action in range(count):
            strategies[start + action] = exp(rate * (sums[first + action, FIRST] - most))
        normalise(strategies, start, count)
        for action in range(count):
            strategies[start + action] = (1.0 - self.exploration) * strategies[
                start + action
            ] + rate

    def choose(
        self,
        sums: Floats,
        first: int,
        count: int,
        num_visits: int,
        strategies: Floats,
        start: int,
        explores: Number,
        random_state: RandomState,
    ) -> int:
        # The strategy holds the exploration already.
        return draw_action(strategies, start, count, 0.0, random_state)

    def sampling(
        self, strategies: Floats, start: int, count: int, action: int
    ) -> tuple[float, float]:
        return 1.0, 1.0

    def update(
        self,
        visit: Visit,
        sums: Floats,
        cells: AnyArray,
        strategies: Floats,
        own: int,
        others: int,
        values: Floats,
    ) -> None:
        # While the matrix fills, actions come in turn and not from the strategy; as in the paper
        # the update divides by the strategy all the same.
        slot = visit.own_slot + visit.own_action
        sums[slot, FIRST] += visit.reward / strategies[own + visit.own_action]
        sums[slot, SECOND] += 1.0

    def final(self, sums: Floats, first: int, count: int, strategies: Floats, start: int) -> None:
        # Equation 4: the visits that exploration alone would have made are taken out.
        visits = 0.0
        for action in range(count):
            visits += sums[first + action, SECOND]
        explored = self.exploration / count * visits
        for action in range(count):
            strategies[start + action] = max(0.0, sums[first + action, SECOND] - explored)
        normalise(strategies, start, count)
