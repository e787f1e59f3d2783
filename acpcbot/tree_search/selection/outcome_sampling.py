"""Online outcome sampling for simultaneous moves: sampled counterfactual regrets.

Seats take turns to explore. The exploring one samples by its strategy mixed with the uniform one
and gathers regrets, of the other the average strategy grows. Actions that were not sampled count
as 0, which leaves the regrets unbiased; so the matrix of a decision is not filled first, for that
would not be sampling with known probabilities. ``sums`` [slot, 2] are an action's cumulative regret
and its sum in the average strategy.

Sources: Lanctot, Lisy & Winands (2013), section 3.4; Lanctot (2013), Monte Carlo sampling and
regret minimization for equilibrium computation and decision-making in large extensive form games,
chapter 4.
"""

from __future__ import annotations

from typing import NamedTuple

from acpcbot.arrays import AnyArray, Floats, Number
from acpcbot.random_kernels import RandomState
from acpcbot.tree_search.selection.policy import (
    FIRST,
    SECOND,
    Visit,
    average_strategy,
    draw_action,
    match_regrets,
    sampling_of,
)


class OutcomeSampling(NamedTuple):
    """OOS, in which the seat whose turn it is samples with the *exploration* gamma."""

    exploration: float

    def fills_matrix(self) -> bool:
        return False

    def prepare(self, sums: Floats, first: int, count: int, strategies: Floats, start: int) -> None:
        match_regrets(sums, first, count, strategies, start)

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
        return draw_action(
            strategies, start, count, self.exploration if explores else 0.0, random_state
        )

    def sampling(
        self, strategies: Floats, start: int, count: int, action: int
    ) -> tuple[float, float]:
        return sampling_of(strategies, start, count, self.exploration, action)

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
        # The other seat and chance are sampled as they play, so their probabilities cancel: what
        # remains of pi_-i(h) / q(h) is 1 / reach.
        value = visit.reward * visit.tail / visit.sampled / visit.reach
        for action in range(visit.num_own):
            slot = visit.own_slot + action
            if visit.explores:
                sums[slot, FIRST] -= visit.played * value
            else:
                sums[slot, SECOND] += strategies[own + action] / visit.reach
        if visit.explores:
            sums[visit.own_slot + visit.own_action, FIRST] += value

    def final(self, sums: Floats, first: int, count: int, strategies: Floats, start: int) -> None:
        average_strategy(sums, first, count, strategies, start)
