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

Episodes of outcome sampling over the public tree.

With q(h) the probability with which an episode comes to history h, chance aside, each seat i
has two ratios along the path: pi_i(h) / q(h) of its own reach and pi_-i(h) / q(h) of the
others', ``ratios`` [OWN or OTHERS, seat]. What a seat learns from is written down visit by
visit: its information set and action, ``slots`` [visit, WHERE..SEAT], and ``chances``
[visit, REACH..SAMPLED]: the others' ratio, and the probabilities of the action in the
strategy and in the sampling.

Source: Lanctot, Waugh, Zinkevich & Bowling (2009), Monte Carlo sampling for regret
minimization in extensive games, section 3.1 (outcome sampling).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats, Number, Triple, Uints64
from acpcbot.errors import UsageError
from acpcbot.jit import kernel
from acpcbot.learning.abstract_game import AbstractGame
from acpcbot.learning.sampling import Deals, RandomState
from acpcbot.poker.rules import MAX_ACTIONS_PER_STREET
from acpcbot.random_kernels import unit
from acpcbot.regret_matching import (
    ONE,
    STRATEGY,
    TWO,
    ZERO,
    Sums,
    add_regrets,
    add_strategy,
    empty_sums,
    matched_strategy,
    sampled,
)
from acpcbot.trees.node_record import (
    CHILD,
    INFO,
    SLOT,
    info_kinds,
    info_seat,
    info_street,
    num_actions,
)

FIRST_CHILD = np.uint64(CHILD)
OWN, OTHERS = ZERO, ONE
WHERE, COUNT, TAKEN, SEAT = ZERO, ONE, TWO, np.uint64(3)
REACH, PLAYED, SAMPLED = ZERO, ONE, TWO


@kernel
def run_episodes(
    nodes: NDArray[np.int32],
    row_starts: NDArray[np.int64],
    row_widths: NDArray[np.int64],
    payoffs: NDArray[np.float64],
    deals: NDArray[np.uint16],
    sums: Sums,
    epsilon: float,
    alternating: Number,
    random_state: Uints64,
) -> None:
    """Play an episode a deal and learn from it.

    If *alternating*, only seat n modulo the number of seats explores and learns in episode
    n, and only the others' strategies are averaged.
    """
    num_seats = np.uint64(payoffs.shape[2])
    ratios = np.zeros((2, num_seats))
    most = MAX_ACTIONS_PER_STREET * len(row_starts)
    slots, chances = np.zeros((most, 4), np.uint64), np.zeros((most, 3))
    for deal in range(np.uint64(len(deals))):
        turn = deal % num_seats
        ratios[:] = 1.0
        node, num_visits = np.int64(0), ZERO
        while node >= 0:
            here = np.uint64(node)
            info = nodes[here, INFO]
            seat, street = np.uint64(info_seat(info)), np.uint64(info_street(info))
            count = np.uint64(num_actions(info_kinds(info)))
            bucket = np.int64(deals[deal, street * num_seats + seat])
            slot = np.uint64(row_starts[street] + row_widths[street] * bucket + nodes[here, SLOT])
            strategy = matched_strategy(sums, slot, count)
            if not (alternating and seat == turn):
                add_strategy(sums, slot, count, strategy, ratios[OWN, seat])
            learns = seat == turn or not alternating
            sampling = explored(strategy, count, epsilon if learns else 0.0)
            action = sampled(unit(random_state), sampling)
            if learns:
                slots[num_visits, WHERE], slots[num_visits, COUNT] = slot, count
                slots[num_visits, TAKEN], slots[num_visits, SEAT] = action, seat
                chances[num_visits, REACH] = ratios[OTHERS, seat]
                chances[num_visits, PLAYED], chances[num_visits, SAMPLED] = (
                    strategy[action],
                    sampling[action],
                )
                num_visits += ONE
            for other in range(num_seats):
                whose = OWN if other == seat else OTHERS
                ratios[whose, other] *= strategy[action]
                ratios[OWN, other] /= sampling[action]
                ratios[OTHERS, other] /= sampling[action]
            node = np.int64(nodes[here, FIRST_CHILD + action])
        learn(
            sums,
            slots,
            chances,
            num_visits,
            payoffs,
            np.uint64(~node),
            np.uint64(deals[deal, deals.shape[1] - 1]),
        )


@kernel
def explored(strategy: Triple, count: Number, epsilon: float) -> Triple:
    """*strategy* with probability 1 - *epsilon*, else any action, all alike."""
    share, rest = epsilon / np.float64(count), 1.0 - epsilon
    second, third = share if count > ONE else 0.0, share if count > TWO else 0.0
    return share + rest * strategy[0], second + rest * strategy[1], third + rest * strategy[2]


@kernel(inline=True)
def learn(
    sums: Sums,
    slots: Uints64,
    chances: Floats,
    num_visits: Number,
    payoffs: Floats,
    outcome: Number,
    ordering: Number,
) -> None:
    """Add the sampled regrets of an episode, last visit first.

    *tail* is pi(h', z) / q(h', z) from the history h' that follows a visit to the end. It needs
    no factor where nothing is learnt: there the strategy itself is sampled.
    """
    tail = 1.0
    visit = num_visits
    while visit > ZERO:
        visit -= ONE
        played, sampling = chances[visit, PLAYED], chances[visit, SAMPLED]
        payoff = payoffs[outcome, ordering, slots[visit, SEAT]]
        value = payoff * tail * chances[visit, REACH] / sampling
        taken, rest = value * (1.0 - played), -value * played
        action = slots[visit, TAKEN]
        regrets = (
            taken if action == ZERO else rest,
            taken if action == ONE else rest,
            taken if action == TWO else rest,
        )
        add_regrets(sums, slots[visit, WHERE], slots[visit, COUNT], regrets, -np.inf)
        tail *= played / sampling


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeSamplingSettings:
    """How much a seat that learns explores, and whether one seat learns from an episode or all
    do.
    """

    epsilon: float = 0.5
    alternating: bool = False

    def __post_init__(self) -> None:
        if not 0 < self.epsilon <= 1:
            raise UsageError(
                f"epsilon {self.epsilon} explores nothing", "epsilon is above 0, at most 1"
            )


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
