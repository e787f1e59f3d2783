"""The contracts of selection policies: choices and updates in joint trees and at information sets.

``SelectionPolicy`` is for the decisions of a joint tree, ``InfosetPolicy`` for information sets. In
a joint tree both seats use one policy, each on slots of its own: ``sums`` [slot, 2] at ``first`` ..
``first`` + ``count`` - 1. The meaning of the two columns is the policy's. A policy is a NamedTuple
of its parameters with the methods of its contract: plain Python, which kernels compile for each
type of policy and game.

Rewards of both seats add up to a constant. ``Visit`` tells one seat of a joint action: to it the
cells of the matrix are ``first_cell + own action * own_stride + other action * other_stride``, and
the mean of a cell is ``base + sign * total / visits`` of its own rewards.

Source: Lanctot, Lisy & Winands (2013), Monte Carlo tree search in simultaneous move games with
applications to Goofspiel, sections 3.1 to 3.4.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from acpcbot.arrays import AnyArray, Floats, Number
from acpcbot.jit import kernel, shared_methods
from acpcbot.random_kernels import RandomState, unit

FIRST, SECOND = 0, 1


class Visit(NamedTuple):
    """One seat's part in a joint action, and the reward that came of it."""

    own_slot: int
    num_own: int
    num_others: int
    own_action: int
    other_action: int
    first_cell: int
    own_stride: int
    other_stride: int
    base: float
    sign: float
    reward: float
    neutral: float
    """The reward in the middle of the scale, for cells that were never visited."""
    explores: bool
    """True for the seat that explores in this simulation, where seats take turns."""
    reach: float
    """The probability of the decision by the exploring seat's sampling."""
    played: float
    """The probability of the exploring seat's action in its strategy."""
    sampled: float
    """The probability of the exploring seat's action in the sampling."""
    tail: float
    """Played over sampled, of the exploring seat's actions behind this decision."""


@shared_methods
class SelectionPolicy(Protocol):
    """A way to select actions and to learn from rewards."""

    def fills_matrix(self) -> bool:
        """Return whether each joint action is taken once before any is selected."""
        ...

    def prepare(self, sums: Floats, first: int, count: int, strategies: Floats, start: int) -> None:
        """Write the current *strategy* [action] of the seat whose slots begin at *first*."""
        ...

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
        """Return an action at a decision visited *num_visits* times before."""
        ...

    def sampling(
        self, strategies: Floats, start: int, count: int, action: int
    ) -> tuple[float, float]:
        """Return the probabilities of *action* in the strategy and in the sampling.

        Ones where updates need neither.
        """
        ...

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
        """Learn from *visit*; *values* [action] is memory to work with."""
        ...

    def final(self, sums: Floats, first: int, count: int, strategies: Floats, start: int) -> None:
        """Write the *strategy* [action] that is played after the simulations."""
        ...


@shared_methods
class InfosetPolicy(Protocol):
    """A way to select the actions of an information set and to learn from payoffs, for IS-MCTS.

    One seat at a time: slots *first* .. *first* + *count* - 1 of *sums* [slot, 2] are the actions
    of an information set.
    """

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


@kernel
def match_regrets(sums: Floats, first: int, count: int, strategies: Floats, start: int) -> None:
    """Write the *strategy* [action] by regret matching on the first column of *sums*."""
    # Equation 5. The positive parts go to the strategy first and are divided in a second pass, so
    # that the sums, one cache line for four actions, are read once.
    total = 0.0
    for action in range(count):
        positive = max(sums[np.uint64(first + action), FIRST], 0.0)
        strategies[np.uint64(start + action)] = positive
        total += positive
    if total > 0:
        for action in range(count):
            strategies[np.uint64(start + action)] /= total
    else:
        for action in range(count):
            strategies[np.uint64(start + action)] = 1.0 / count


@kernel
def draw_action(
    strategies: Floats, start: int, count: int, exploration: float, random_state: RandomState
) -> int:
    """Return an action by *strategy* mixed with the uniform one of the weight *exploration*."""
    # Inverse of the cumulative distribution by one random number. The last action takes what
    # rounding leaves.
    share, rest = exploration / count, 1.0 - exploration
    draw, action = unit(random_state), 0
    draw -= share + rest * strategies[start]
    while draw >= 0 and action < count - 1:
        action += 1
        draw -= share + rest * strategies[start + action]
    return action


@kernel
def sampling_of(
    strategies: Floats, start: int, count: int, exploration: float, action: int
) -> tuple[float, float]:
    """Return the probabilities of *action* in the strategy and with so much *exploration*."""
    # What ``draw_action`` draws by, for one action; the row is in the first cache.
    played = strategies[start + action]
    return played, exploration / count + (1.0 - exploration) * played


@kernel
def average_strategy(sums: Floats, first: int, count: int, strategies: Floats, start: int) -> None:
    """Write the strategy in proportion to the second column of *sums*."""
    # For policies that keep the sum of their strategies there.
    for action in range(count):
        strategies[start + action] = sums[first + action, SECOND]
    normalise(strategies, start, count)


@kernel
def normalise(weights: Floats, start: int, count: int) -> None:
    """Divide *count* weights from *start* on by their sum; make them uniform if it is 0."""
    # Two passes over a row that is in the first cache.
    total = 0.0
    for action in range(count):
        total += weights[start + action]
    for action in range(count):
        weights[start + action] = weights[start + action] / total if total > 0 else 1.0 / count
