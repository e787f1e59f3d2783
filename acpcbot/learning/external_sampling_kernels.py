"""Traversals of external sampling over the public tree.

A traversal needs no recursion. A sweep forward lists what it visits, parents first: of the
traverser's nodes all children, of the others' nodes a sampled child, which takes its
parent's place. A sweep backward then finds the values of all children before it needs
them. Neighbours in the list do not depend on each other, so the processor overlaps their
fetches from memory.

The list is three arrays [visit]. ``visits``: a node, ``~outcome`` of a finished hand, or
SKIPPED. ``children``: the visit of the first child, which the others follow, or 0 for none.
``values``: what the visit is worth to the traverser, in big blinds.

Source: Lanctot, Waugh, Zinkevich & Bowling (2009), Monte Carlo sampling for regret
minimization in extensive games, section 3.2 (external sampling).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Number, Uints64
from acpcbot.jit import kernel
from acpcbot.random_kernels import unit
from acpcbot.regret_matching import (
    ONE,
    REGRET,
    STRATEGY,
    TWO,
    ZERO,
    Sums,
    add_regrets,
    add_strategy,
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

Nodes = NDArray[np.int32]

FIRST_CHILD = np.uint64(CHILD)
# No outcome has so high a number.
SKIPPED = np.int64(-(2**40))


@kernel
def run_iterations(
    nodes: Nodes,
    payoffs: NDArray[np.float64],
    row_starts: NDArray[np.int64],
    row_widths: NDArray[np.int64],
    deals: NDArray[np.uint16],
    sums: Sums,
    limits: tuple[float, float, float],
    most: int,
    random_state: Uints64,
) -> None:
    """An iteration a deal: a traversal for each seat in turn.

    *limits* are the floor of regrets, the regret below which actions are pruned, and the
    share of iterations that prune; *most* is ``most_visits`` of the tree.
    """
    floor, prune_below, prune_share = limits
    num_seats, num_streets = np.uint64(payoffs.shape[2]), np.uint64(len(row_starts))
    rows = np.zeros((num_streets, num_seats), np.uint64)
    # Two more, since the backward sweep reads three children even where there is one.
    visits, children, values = (
        np.zeros(most + 2, np.int64),
        np.zeros(most + 2, np.uint64),
        np.zeros(most + 2),
    )
    for deal in range(np.uint64(len(deals))):
        column = ZERO
        for street in range(num_streets):
            for seat in range(num_seats):
                rows[street, seat] = row_starts[street] + row_widths[street] * np.int64(
                    deals[deal, column]
                )
                column += ONE
        ordering = np.uint64(deals[deal, column])
        prunes = prune_share > 0.0 and unit(random_state) < prune_share
        threshold = prune_below if prunes else -np.inf
        for traverser in range(num_seats):
            num_visits = sweep_forward(
                nodes,
                payoffs,
                sums,
                rows,
                ordering,
                traverser,
                threshold,
                random_state,
                visits,
                children,
                values,
            )
            sweep_backward(
                nodes, sums, rows, traverser, floor, num_visits, visits, children, values
            )


@kernel(inline=True)
def sweep_forward(
    nodes: Nodes,
    payoffs: NDArray[np.float64],
    sums: Sums,
    rows: Uints64,
    ordering: Number,
    traverser: Number,
    threshold: float,
    random_state: Uints64,
    visits: NDArray[np.int64],
    children: Uints64,
    values: NDArray[np.float64],
) -> Number:
    """List the visits of a traversal, and add the others' strategies to their averages.

    Returns the list's length.
    """
    visits[ZERO] = 0
    visit, num_visits = ZERO, ONE
    while visit < num_visits:
        node = visits[visit]
        if node < 0:
            children[visit] = ZERO
            values[visit] = (
                0.0 if node == SKIPPED else payoffs[np.uint64(~node), ordering, traverser]
            )
            visit += ONE
            continue
        here = np.uint64(node)
        info = nodes[here, INFO]
        seat, street = np.uint64(info_seat(info)), np.uint64(info_street(info))
        count = np.uint64(num_actions(info_kinds(info)))
        slot = rows[street, seat] + np.uint64(nodes[here, SLOT])
        if seat == traverser:
            children[visit] = num_visits
            for action in range(count):
                visits[num_visits + action] = nodes[here, FIRST_CHILD + action]
            if threshold > -np.inf and street + ONE < len(rows):
                skip_hopeless(sums, slot, count, threshold, visits, num_visits)
            num_visits += count
            visit += ONE
        else:
            strategy = matched_strategy(sums, slot, count)
            add_strategy(sums, slot, count, strategy, 1.0)
            visits[visit] = nodes[here, FIRST_CHILD + sampled(unit(random_state), strategy)]
    return num_visits


@kernel(inline=True)
def skip_hopeless(
    sums: Sums,
    slot: Number,
    count: Number,
    threshold: float,
    visits: NDArray[np.int64],
    first: Number,
) -> None:
    """Skip those children, listed from *first* on, whose regret is below *threshold* and that
    go on with the hand.

    Where no regret is positive none is skipped, so that only actions without probability are.
    """
    best = -np.inf
    for action in range(count):
        best = max(best, sums[slot + action, REGRET])
    for action in range(count):
        if best > 0.0 and sums[slot + action, REGRET] < threshold and visits[first + action] >= 0:
            visits[first + action] = SKIPPED


@kernel(inline=True)
def sweep_backward(
    nodes: Nodes,
    sums: Sums,
    rows: Uints64,
    traverser: Number,
    floor: float,
    num_visits: Number,
    visits: NDArray[np.int64],
    children: Uints64,
    values: NDArray[np.float64],
) -> None:
    """Add the regrets of the *traverser*'s information sets, last visit first."""
    visit = num_visits
    while visit > ZERO:
        visit -= ONE
        first = children[visit]
        if first > ZERO:
            here = np.uint64(visits[visit])
            info = nodes[here, INFO]
            count = np.uint64(num_actions(info_kinds(info)))
            slot = rows[np.uint64(info_street(info)), traverser] + np.uint64(nodes[here, SLOT])
            strategy = matched_strategy(sums, slot, count)
            gains = (values[first], values[first + ONE], values[first + TWO])
            value = strategy[0] * gains[0] + strategy[1] * gains[1] + strategy[2] * gains[2]
            values[visit] = value
            regrets = (
                regret_of(visits[first], gains[0], value),
                regret_of(visits[first + ONE], gains[1], value),
                regret_of(visits[first + TWO], gains[2], value),
            )
            add_regrets(sums, slot, count, regrets, floor)


@kernel
def regret_of(child: Number, gain: Number, value: Number) -> float:
    """What an action gained over the strategy; nothing is known of a skipped one."""
    return 0.0 if child == SKIPPED else gain - value


@kernel
def most_visits(nodes: Nodes, traverser: int) -> int:
    """The most visits that a traversal can have, whatever is sampled."""
    below = np.zeros(len(nodes), np.int64)
    for node in range(len(nodes) - 1, -1, -1):
        info = nodes[node, INFO]
        count = num_actions(info_kinds(info))
        own = info_seat(info) == traverser
        total = count if own else 0
        for action in range(count):
            child = nodes[node, CHILD + action]
            if child >= 0:
                total = total + below[child] if own else max(total, below[child])
        below[node] = total
    return int(below[0]) + 1


@kernel
def discount(sums: Sums, positive: float, negative: float, strategy: float) -> None:
    """Multiply positive regrets, negative regrets and strategy sums by these factors."""
    for slot in range(len(sums)):
        sums[slot, REGRET] *= positive if sums[slot, REGRET] > 0 else negative
        sums[slot, STRATEGY] *= strategy
