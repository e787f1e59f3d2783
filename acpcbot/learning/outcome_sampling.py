"""Outcome-sampling Monte Carlo CFR, for any number of seats: an episode is one hand played out.

A seat that learns plays its regret-matching strategy with probability 1 - epsilon and any action
otherwise; sampled values are divided by the probability with which they were sampled, so that
regrets are unbiased. In parallel all seats learn from every episode. Alternating, the seats take
turns: the one whose turn it is explores and learns, the others play their strategies.

Strategies are averaged by stochastic weights: at a visit a strategy is added to its sums with its
owner's reach over the probability of the visit. In parallel this happens at all visits;
alternating, only at those of seats whose turn it is not, since there the probability holds no
exploration of their own and the weights vary far less. This converged best in Leduc: with own
visits as well it was the same, by own visits alone the NashConv was five times as high, and
optimistic averaging, by the number of episodes since the last visit, gave the same for more memory.

With q(h) the probability with which an episode comes to history h, chance nodes aside, each seat i
has two ratios along the path: pi_i(h) / q(h) of its own reach and pi_-i(h) / q(h) of the others',
``ratios`` [OWN or OTHERS, seat]. A kernel notes each visit from which a seat learns: its
information set and action in ``slots`` [visit, WHERE..LEARNER], and in ``factors`` [visit,
FACTOR_REACH .. FACTOR_SAMPLED] the others' ratio, and the probabilities of the action in the
strategy and in the sampling.

Sources: Lanctot, Waugh, Zinkevich & Bowling (2009), Monte Carlo sampling for regret minimization in
extensive games, section 3.1 (outcome sampling); Lanctot (2013), Monte Carlo sampling and regret
minimization for equilibrium computation and decision-making in large extensive form games (parallel
and alternating).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats, Number, Triple, Uints64
from acpcbot.errors import UsageError
from acpcbot.jit import kernel
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
from acpcbot.trees.public_tree import (
    LIMIT_CHILD,
    LIMIT_INFO,
    LIMIT_SLOT,
    AbstractGame,
    info_kinds,
    info_seat,
    info_street,
    num_actions,
)

FIRST_CHILD = np.uint64(LIMIT_CHILD)
OWN, OTHERS = ZERO, ONE
WHERE, COUNT, TAKEN, LEARNER = ZERO, ONE, TWO, np.uint64(3)
FACTOR_REACH, FACTOR_PLAYED, FACTOR_SAMPLED = ZERO, ONE, TWO


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeSamplingSettings:
    """Exploration by *epsilon*; *alternating* if one seat learns from an episode and not all."""

    epsilon: float = 0.5
    alternating: bool = False

    def __post_init__(self) -> None:
        if not 0 < self.epsilon <= 1:
            raise UsageError(
                f"epsilon = {self.epsilon} is out of range", "use a number above 0 and at most 1"
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
        """Play an episode for each deal; alternating seats begin anew with each pool."""
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
        """Do nothing: every episode is complete in itself."""

    def average_strategy(self) -> NDArray[np.float64]:
        """Return the average strategy [slot], which converges.

        Uniform where an information set was never visited.
        """
        return self.game.normalised(self.sums[:, STRATEGY])


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
    """Play an episode for each deal and learn from it.

    If *alternating*, only seat n modulo the number of seats explores and learns in episode n, and
    only the others' strategies are averaged.
    """
    num_seats = np.uint64(payoffs.shape[2])
    ratios = np.zeros((2, num_seats))
    most = MAX_ACTIONS_PER_STREET * len(row_starts)
    # What a seat learns from is noted on the way down, since the payoff is known at the end only.
    slots, factors = np.zeros((most, 4), np.uint64), np.zeros((most, 3))
    for deal in range(np.uint64(len(deals))):
        turn = deal % num_seats
        ratios[:] = 1.0
        node, num_visits = np.int64(0), ZERO
        # One pass down the tree: each visit touches one node record and one row of sums.
        while node >= 0:
            here = np.uint64(node)
            info = nodes[here, LIMIT_INFO]
            seat, street = np.uint64(info_seat(info)), np.uint64(info_street(info))
            count = np.uint64(num_actions(info_kinds(info)))
            bucket = np.int64(deals[deal, street * num_seats + seat])
            slot = np.uint64(
                row_starts[street] + row_widths[street] * bucket + nodes[here, LIMIT_SLOT]
            )
            strategy = matched_strategy(sums, slot, count)
            if not (alternating and seat == turn):
                # Stochastically weighted averaging: pi_i(h) / q(h) is the weight of this visit.
                add_strategy(sums, slot, count, strategy, ratios[OWN, seat])
            learns = seat == turn or not alternating
            sampling = explored(strategy, count, epsilon if learns else 0.0)
            action = sampled(unit(random_state), sampling)
            if learns:
                slots[num_visits, WHERE], slots[num_visits, COUNT] = slot, count
                slots[num_visits, TAKEN], slots[num_visits, LEARNER] = action, seat
                factors[num_visits, FACTOR_REACH] = ratios[OTHERS, seat]
                factors[num_visits, FACTOR_PLAYED] = strategy[action]
                factors[num_visits, FACTOR_SAMPLED] = sampling[action]
                num_visits += ONE
            # q(h) grows by the sampled probability for all seats, pi only for those that play.
            # Tried: this loop as a kernel of its own. Inlined it took 1.00 to 1.03 of the time.
            for other in range(num_seats):
                whose = OWN if other == seat else OTHERS
                ratios[whose, other] *= strategy[action]
                ratios[OWN, other] /= sampling[action]
                ratios[OTHERS, other] /= sampling[action]
            node = np.int64(nodes[here, FIRST_CHILD + action])
        learn(
            sums,
            slots,
            factors,
            num_visits,
            payoffs,
            np.uint64(~node),
            np.uint64(deals[deal, deals.shape[1] - 1]),
        )


@kernel
def explored(strategy: Triple, count: Number, epsilon: float) -> Triple:
    """Return *strategy* mixed with the uniform one, which has the weight *epsilon*."""
    # A triple in registers; actions that the node lacks keep probability 0.
    share, rest = epsilon / np.float64(count), 1.0 - epsilon
    second, third = share if count > ONE else 0.0, share if count > TWO else 0.0
    return share + rest * strategy[0], second + rest * strategy[1], third + rest * strategy[2]


@kernel(inline=True)
def learn(
    sums: Sums,
    slots: Uints64,
    factors: Floats,
    num_visits: Number,
    payoffs: Floats,
    outcome: Number,
    ordering: Number,
) -> None:
    """Add the sampled regrets of an episode, last visit first.

    *tail* is pi(h', z) / q(h', z) from the history h' that follows a visit to the end.
    """
    # It needs no factor where nothing is learnt: there the strategy itself is sampled.
    tail = 1.0
    visit = num_visits
    while visit > ZERO:
        visit -= ONE
        played, sampling = factors[visit, FACTOR_PLAYED], factors[visit, FACTOR_SAMPLED]
        payoff = payoffs[outcome, ordering, slots[visit, LEARNER]]
        # Lanctot et al., section 3.1: with W = u_i(z) pi_-i(z) / q(z) the regret of the action
        # that was taken is W (pi(h a, z) - pi(h, z)), of every other one -W pi(h, z).
        value = payoff * tail * factors[visit, FACTOR_REACH] / sampling
        taken, rest = value * (1.0 - played), -value * played
        action = slots[visit, TAKEN]
        regrets = (
            taken if action == ZERO else rest,
            taken if action == ONE else rest,
            taken if action == TWO else rest,
        )
        add_regrets(sums, slots[visit, WHERE], slots[visit, COUNT], regrets, -np.inf)
        tail *= played / sampling
