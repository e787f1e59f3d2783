"""Episodes of outcome sampling over the public tree.

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

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats, Number, Triple, Uints64
from acpcbot.jit import kernel
from acpcbot.poker.rules import MAX_ACTIONS_PER_STREET
from acpcbot.random_kernels import unit
from acpcbot.solvers.regret_sums import ONE, TWO, ZERO, Sums, add_regrets, add_strategy, matched_strategy, sampled
from acpcbot.trees.node_record import CHILD, INFO, SLOT, info_kinds, info_seat, info_street, num_actions

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
                chances[num_visits, PLAYED], chances[num_visits, SAMPLED] = strategy[action], sampling[action]
                num_visits += ONE
            for other in range(num_seats):
                whose = OWN if other == seat else OTHERS
                ratios[whose, other] *= strategy[action]
                ratios[OWN, other] /= sampling[action]
                ratios[OTHERS, other] /= sampling[action]
            node = np.int64(nodes[here, FIRST_CHILD + action])
        learn(sums, slots, chances, num_visits, payoffs, np.uint64(~node), np.uint64(deals[deal, deals.shape[1] - 1]))


@kernel
def explored(strategy: Triple, count: Number, epsilon: float) -> Triple:
    """*strategy* with probability 1 - *epsilon*, else any action, all alike."""
    share, rest = epsilon / np.float64(count), 1.0 - epsilon
    second, third = share if count > ONE else 0.0, share if count > TWO else 0.0
    return share + rest * strategy[0], second + rest * strategy[1], third + rest * strategy[2]


@kernel(inline=True)
def learn(
    sums: Sums, slots: Uints64, chances: Floats, num_visits: Number, payoffs: Floats, outcome: Number, ordering: Number
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
