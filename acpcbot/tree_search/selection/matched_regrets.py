"""Regret matching on the estimated matrix game of a decision.

``sums`` [slot, 2] are an action's cumulative regret and its sum in the average strategy.

Source: Lanctot, Lisy & Winands (2013), section 3.3, equation 5.
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
)


class RegretMatching(NamedTuple):
    """Regret matching that samples with the *exploration* gamma."""

    exploration: float

    def fills_matrix(self) -> bool:
        return True

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
        return draw_action(strategies, start, count, self.exploration, random_state)

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
        # reward(a', other's action) is the mean of that cell. The action that was taken has no
        # regret. Nor has, while the matrix fills, one whose cell was never visited: the paper
        # gives it no mean.
        cell = visit.first_cell + visit.other_action * visit.other_stride
        for action in range(visit.num_own):
            slot = visit.own_slot + action
            visits = cells[cell]["visits"]
            if visits > 0 and action != visit.own_action:
                mean = visit.base + visit.sign * cells[cell]["total"] / visits
                sums[slot, FIRST] += mean - visit.reward
            sums[slot, SECOND] += strategies[own + action]
            cell += visit.own_stride

    def final(self, sums: Floats, first: int, count: int, strategies: Floats, start: int) -> None:
        average_strategy(sums, first, count, strategies, start)
