"""The contract of a selection policy of IS-MCTS: choices and updates at information sets.

As ``policy.py``, for one seat at a time: slots ``first`` .. ``first`` + ``count`` - 1 of ``sums``
[slot, 2] are the actions of an information set.
"""

from __future__ import annotations

from typing import Protocol

from acpcbot.arrays import Floats
from acpcbot.jit import shared_methods
from acpcbot.random_kernels import RandomState


@shared_methods
class InfosetPolicy(Protocol):
    """A way to select the actions of an information set and to learn from payoffs."""

    def select_action(
        self, sums: Floats, first: int, count: int, strategy: Floats, random_state: RandomState
    ) -> int:
        """Return an action; *strategy* [action] is memory to work with."""
        ...

    def probability(self, strategy: Floats, count: int, action: int) -> float:
        """Return the probability of *action*, selected just now; 1 where no update needs it."""
        ...

    def add_payoff(
        self, sums: Floats, first: int, count: int, action: int, probability: float, payoff: float
    ) -> None:
        """Learn the *payoff* that came of *action*, selected with that *probability*."""
        ...
