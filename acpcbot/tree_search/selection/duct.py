"""Decoupled UCT: each seat maximises upper confidence bounds of its own actions.

``sums`` [slot, 2] are an action's reward sum and its visits.

Source: Lanctot, Lisy & Winands (2013), section 3.1, equation 2.
"""

from __future__ import annotations

from math import inf, log, sqrt
from typing import NamedTuple

import numpy as np

from acpcbot.arrays import AnyArray, Floats, Number
from acpcbot.random_kernels import RandomState
from acpcbot.tree_search.selection.policy import FIRST, SECOND, Visit, normalise


class DecoupledUCT(NamedTuple):
    """DUCT with the constant *exploration* (C), in units of rewards.

    DUCT(mix) if it *mixes*: it plays in proportion to visits. Else DUCT(max), which plays the
    action of the highest mean.
    """

    exploration: float
    mixes: bool = False

    def fills_matrix(self) -> bool:
        return True

    def prepare(self, sums: Floats, first: int, count: int, strategies: Floats, start: int) -> None:
        pass

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
        # Equation 2 times the visits over the visits, so that a bound takes one division and one
        # root. Bounds first and the largest afterwards: the compiler computes four bounds at once,
        # and does so for indices that cannot be negative alone.
        log_visits = log(num_visits)
        for action in range(count):
            slot = np.uint64(first + action)
            visits = sums[slot, SECOND]
            bound = sums[slot, FIRST] + self.exploration * sqrt(log_visits * visits)
            strategies[np.uint64(start + action)] = bound / visits
        # The first of equal bounds; the paper leaves it open. A full matrix has visits everywhere.
        best, chosen = -inf, 0
        for action in range(count):
            bound = strategies[np.uint64(start + action)]
            if bound > best:
                best, chosen = bound, action
        return chosen

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
        slot = visit.own_slot + visit.own_action
        sums[slot, FIRST] += visit.reward
        sums[slot, SECOND] += 1.0

    def final(self, sums: Floats, first: int, count: int, strategies: Floats, start: int) -> None:
        best, chosen = -inf, 0
        for action in range(count):
            visits = sums[first + action, SECOND]
            strategies[start + action] = visits
            if visits > 0 and sums[first + action, FIRST] / visits > best:
                best, chosen = sums[first + action, FIRST] / visits, action
        if not self.mixes and best > -inf:
            for action in range(count):
                strategies[start + action] = 1.0 if action == chosen else 0.0
        normalise(strategies, start, count)
