"""External-sampling traversals of a betting tree, whose nodes have any number of actions.

The sweeps, the list of visits and the limits are those of ``external_sampling_kernels.py``, and so
are the draws: in a limit game both learn the same numbers. Limit games keep kernels of their own
because three actions fit into registers, which loops of any length do not: with the loops below,
limit hold'em and Leduc take 12 to 16 % longer.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Number, Uints64
from acpcbot.jit import kernel
from acpcbot.learning.external_sampling_kernels import SKIPPED, regret_of, skip_hopeless
from acpcbot.random_kernels import unit
from acpcbot.regret_matching import ONE, REGRET, STRATEGY, ZERO, Sums
from acpcbot.trees.betting_tree import (
    CHILD,
    FIRST_ACTION,
    FOLDED,
    NOBODY,
    NUM_ACTIONS,
    SEAT,
    SLOT,
    SPENT,
    STREET,
)

Records = NDArray[np.int32]
NUM_SEATS = 2


@kernel
def run_menu_iterations(
    nodes: Records,
    actions: Records,
    ends: Records,
    chip: float,
    row_starts: NDArray[np.int64],
    row_widths: NDArray[np.int64],
    deals: NDArray[np.uint16],
    sums: Sums,
    limits: tuple[float, float, float],
    max_visits: int,
    random_state: Uints64,
) -> None:
    """Run an iteration for each deal: a traversal for each seat in turn.

    *chip* is the value of one chip in big blinds; the other arguments are those of
    ``run_iterations``.
    """
    floor, prune_below, prune_share = limits
    num_streets = len(row_starts)
    # Room for the longest traversal, allotted once for all deals.
    rows = np.zeros((num_streets, NUM_SEATS), np.uint64)
    visits, children, values = (
        np.zeros(max_visits, np.int64),
        np.zeros(max_visits, np.uint64),
        np.zeros(max_visits),
    )
    for deal in range(len(deals)):
        # The first slot of each seat's bucket on each street: all that the cards decide but for
        # the showdown.
        for street in range(num_streets):
            for seat in range(NUM_SEATS):
                bucket = np.int64(deals[deal, street * NUM_SEATS + seat])
                rows[street, seat] = row_starts[street] + row_widths[street] * bucket
        # Of the orderings 0 is seat 0 losing, 1 a tie, 2 seat 0 winning.
        outcome = chip * (np.float64(deals[deal, num_streets * NUM_SEATS]) - 1.0)
        # Pruning is drawn for a whole iteration, as in Pluribus (Brown & Sandholm 2019).
        prunes = prune_share > 0.0 and unit(random_state) < prune_share
        threshold = prune_below if prunes else -np.inf
        # Alternating updates: the second traversal of a deal meets what the first one learnt.
        for traverser in range(NUM_SEATS):
            won = outcome if traverser == 0 else -outcome
            num_visits = _sweep_forward(
                nodes,
                actions,
                ends,
                sums,
                rows,
                traverser,
                won,
                chip,
                threshold,
                random_state,
                visits,
                children,
                values,
            )
            _sweep_backward(
                nodes, sums, rows, traverser, floor, num_visits, visits, children, values
            )


@kernel(inline=True)
def _sweep_forward(
    nodes: Records,
    actions: Records,
    ends: Records,
    sums: Sums,
    rows: Uints64,
    traverser: int,
    won: float,
    chip: float,
    threshold: float,
    random_state: Uints64,
    visits: NDArray[np.int64],
    children: Uints64,
    values: NDArray[np.float64],
) -> Number:
    """List the visits of a traversal, and add the opponent's strategies to its averages.

    Returns the list's length.
    """
    # A queue in place of recursion: the root is visit 0, children are appended behind.
    visits[ZERO] = 0
    visit, num_visits = ZERO, ONE
    while visit < num_visits:
        node = visits[visit]
        if node < 0:
            # An end, ``~end``, or a child that was skipped: 0 stands for no children.
            children[visit] = ZERO
            values[visit] = (
                0.0 if node == SKIPPED else _end_value(ends, np.uint64(~node), traverser, won, chip)
            )
            visit += ONE
            continue
        here = np.uint64(node)
        seat, street = nodes[here, SEAT], np.uint64(nodes[here, STREET])
        count, first = np.uint64(nodes[here, NUM_ACTIONS]), np.uint64(nodes[here, FIRST_ACTION])
        slot = rows[street, np.uint64(seat)] + np.uint64(nodes[here, SLOT])
        if seat == traverser:
            # All actions of the traverser are tried: their children follow each other in the list.
            children[visit] = num_visits
            for action in range(count):
                visits[num_visits + action] = actions[first + action, CHILD]
            if threshold > -np.inf and street + ONE < len(rows):
                skip_hopeless(sums, slot, count, threshold, visits, num_visits)
            num_visits += count
            visit += ONE
        else:
            # One sampled action of the opponent, whose child takes the visit's place: the value
            # of the visit is that of the child, with no weight to correct (external sampling).
            chosen = _sample_and_add(sums, slot, count, unit(random_state))
            visits[visit] = actions[first + chosen, CHILD]
    return num_visits


@kernel(inline=True)
def _sweep_backward(
    nodes: Records,
    sums: Sums,
    rows: Uints64,
    traverser: int,
    floor: float,
    num_visits: Number,
    visits: NDArray[np.int64],
    children: Uints64,
    values: NDArray[np.float64],
) -> None:
    """Find the values of all visits and update the *traverser*'s regrets, last visit first."""
    # Children stand behind their parents in the list, so backwards all their values are known.
    visit = num_visits
    while visit > ZERO:
        visit -= ONE
        first = children[visit]
        if first > ZERO:
            here = np.uint64(visits[visit])
            count = np.uint64(nodes[here, NUM_ACTIONS])
            slot = rows[np.uint64(nodes[here, STREET]), traverser] + np.uint64(nodes[here, SLOT])
            # Regret matching: sigma(a) = R+(a) / sum R+, uniform where no regret is positive. The
            # strategy is computed again from the regrets, which lie in cache lines that are
            # written below anyway, instead of being kept for each visit.
            total: Number = 0.0
            for action in range(count):
                total += max(np.float64(sums[slot + action, REGRET]), 0.0)
            value: Number = 0.0
            for action in range(count):
                weight = max(np.float64(sums[slot + action, REGRET]), 0.0)
                probability = weight / total if total > 0.0 else 1.0 / np.float64(count)
                value += probability * values[first + action]
            values[visit] = value
            # r(a) = v(a) - v: sampled counterfactual regrets, since the sampling probability of
            # the other seat's actions and of the deal cancels its reach.
            for action in range(count):
                regret = regret_of(visits[first + action], values[first + action], value)
                sums[slot + action, REGRET] = max(sums[slot + action, REGRET] + regret, floor)


@kernel(inline=True)
def _end_value(ends: Records, end: Number, traverser: int, won: float, chip: float) -> float:
    """Return the *traverser*'s value of an end, in big blinds.

    *won* is the sign of its result at a showdown, times *chip*.
    """
    folded = ends[end, FOLDED]
    if folded == NOBODY:
        return won * np.float64(min(ends[end, SPENT], ends[end, SPENT + 1]))
    stake = chip * np.float64(ends[end, SPENT + folded])
    return -stake if folded == traverser else stake


@kernel(inline=True)
def _sample_and_add(sums: Sums, slot: Number, count: Number, draw: float) -> Number:
    """Return the action that *draw*, in [0, 1), samples, and add the strategy to its average."""
    total = 0.0
    for action in range(count):
        total += max(np.float64(sums[slot + action, REGRET]), 0.0)
    chosen: Number = ZERO
    before = 0.0
    for action in range(count):
        weight = max(np.float64(sums[slot + action, REGRET]), 0.0)
        probability = weight / total if total > 0.0 else 1.0 / np.float64(count)
        sums[slot + action, STRATEGY] += probability
        # The last one with a probability is taken, if sums of them fall short of the draw.
        if probability > 0.0 and draw >= before:
            chosen = action
        before += probability
    return chosen


@kernel
def most_menu_visits(nodes: Records, actions: Records, traverser: int) -> int:
    """Return the largest number of visits that a traversal can have, whatever is sampled."""
    # A traverser's node adds all its subtrees, one of the opponent only the largest.
    below = np.zeros(len(nodes), np.int64)
    for node in range(len(nodes) - 1, -1, -1):
        own = nodes[node, SEAT] == traverser
        count, first = nodes[node, NUM_ACTIONS], nodes[node, FIRST_ACTION]
        total = count if own else 0
        for action in range(first, first + count):
            child = actions[action, CHILD]
            if child >= 0:
                total = total + below[child] if own else max(total, below[child])
        below[node] = total
    return int(below[0]) + 1
