"""UCT at information sets.

``sums`` [slot, 2] are an action's payoff sum and its visits.

Source: Cowling, Powley & Whitehouse (2012), Information set Monte Carlo tree search; Kocsis &
Szepesvari (2006), Bandit based Monte-Carlo planning.
"""

from __future__ import annotations

from math import inf, log, sqrt
from typing import NamedTuple

from acpcbot.arrays import Floats
from acpcbot.random_kernels import RandomState, below
from acpcbot.tree_search.selection.policy import FIRST, SECOND


class UCT(NamedTuple):
    """UCT with the constant *exploration* (C), in units of payoffs."""

    exploration: float

    def select_action(
        self, sums: Floats, first: int, count: int, strategy: Floats, random_state: RandomState
    ) -> int:
        # Actions without visits come first, in random order; then the first of equal bounds.
        total, num_fresh = 0.0, 0
        for action in range(count):
            total += sums[first + action, SECOND]
            num_fresh += 1 if sums[first + action, SECOND] == 0 else 0
        chosen, best = 0, -inf
        if num_fresh > 0:
            rank = int(below(random_state, num_fresh))
            while sums[first + chosen, SECOND] > 0 or rank > 0:
                if sums[first + chosen, SECOND] == 0:
                    rank -= 1
                chosen += 1
        else:
            log_visits = log(total)
            for action in range(count):
                # Mean and exploration over one division.
                visits = sums[first + action, SECOND]
                bound = sums[first + action, FIRST] + self.exploration * sqrt(log_visits * visits)
                bound /= visits
                if bound > best:
                    best, chosen = bound, action
        return chosen

    def probability(self, strategy: Floats, count: int, action: int) -> float:
        return 1.0

    def add_payoff(
        self, sums: Floats, first: int, count: int, action: int, probability: float, payoff: float
    ) -> None:
        sums[first + action, FIRST] += payoff
        sums[first + action, SECOND] += 1.0
