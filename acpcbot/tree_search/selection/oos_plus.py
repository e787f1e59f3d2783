"""OOS+: online outcome sampling in which means stand for the actions that were not sampled.

``sums`` [slot, 2] are an action's cumulative regret and its sum in the average strategy. The means
make the regrets biased, and far less scattered.

Source: Lanctot, Lisy & Winands (2013), section 3.4.
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


class OOSPlus(NamedTuple):
    """OOS+, in which the seat whose turn it is samples with the *exploration* gamma."""

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
        if not visit.explores:
            for action in range(visit.num_own):
                sums[visit.own_slot + action, SECOND] += strategies[own + action] / visit.reach
            return
        expected = 0.0
        for action in range(visit.num_own):
            value = 0.0
            for other in range(visit.num_others):
                weight = strategies[others + other]
                if weight > 0:
                    cell = visit.first_cell
                    cell += action * visit.own_stride + other * visit.other_stride
                    visits = cells[cell]["visits"]
                    # A cell that was never visited, while the matrix fills, counts as a draw; the
                    # paper gives it no mean.
                    mean = visit.neutral
                    if action == visit.own_action and other == visit.other_action:
                        mean = visit.reward
                    elif visits > 0:
                        mean = visit.base + visit.sign * cells[cell]["total"] / visits
                    value += weight * mean
            values[action] = value
            expected += strategies[own + action] * value
        for action in range(visit.num_own):
            sums[visit.own_slot + action, FIRST] += (values[action] - expected) / visit.reach

    def final(self, sums: Floats, first: int, count: int, strategies: Floats, start: int) -> None:
        average_strategy(sums, first, count, strategies, start)
