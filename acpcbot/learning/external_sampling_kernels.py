"""External-sampling traversals of the public tree of a limit game.

A traversal needs no recursion. A sweep forward lists what it visits, parents first: of the
traverser's nodes all children, of the others' nodes a sampled child, which takes its parent's
place. A sweep backward then finds the values of all children before it needs them. Neighbours in
the list do not depend on each other, so the processor overlaps their fetches from memory.

The list is three arrays [visit]. ``visits``: a node, ``~outcome`` of a finished hand, or
SKIPPED. ``children``: the visit of the first child, which the others follow, or 0 for none.
``values``: the traverser's value of the visit, in big blinds.

Source: Lanctot, Waugh, Zinkevich & Bowling (2009), Monte Carlo sampling for regret minimization in
extensive games, section 3.2 (external sampling).
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
    max_visits: int,
    random_state: Uints64,
) -> None:
    """Run an iteration for each deal: a traversal for each seat in turn.

    *limits* are the floor of regrets, the regret below which actions are pruned, and the share of
    iterations that prune; *max_visits* is ``most_visits`` of the tree.
    """
    floor, prune_below, prune_share = limits
    num_seats, num_streets = np.uint64(payoffs.shape[2]), np.uint64(len(row_starts))
    rows = np.zeros((num_streets, num_seats), np.uint64)
    # Two more, since the backward sweep reads three children even where there is one.
    visits, children, values = (
        np.zeros(max_visits + 2, np.int64),
        np.zeros(max_visits + 2, np.uint64),
        np.zeros(max_visits + 2),
    )
    # Indices are uint64 throughout: of a signed one numba would ask each time if it is negative
    # and counts from the end.
    for deal in range(np.uint64(len(deals))):
        # A deal is uint16 [street * seats + seat, ordering]: the buckets, then one number for all
        # that the cards decide at the showdown.
        column = ZERO
        for street in range(num_streets):
            for seat in range(num_seats):
                rows[street, seat] = row_starts[street] + row_widths[street] * np.int64(
                    deals[deal, column]
                )
                column += ONE
        ordering = np.uint64(deals[deal, column])
        # Pruning is drawn for a whole iteration, as in Pluribus (Brown & Sandholm 2019).
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
    # A queue in place of recursion: the root is visit 0, children are appended behind.
    visits[ZERO] = 0
    visit, num_visits = ZERO, ONE
    while visit < num_visits:
        node = visits[visit]
        if node < 0:
            # The hand is over: one number of the table of payoffs. 0 stands for no children.
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
        # All slots of a bucket on a street lie together, so later visits of the same street find
        # their cache lines near this one.
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
            # The sampled child takes the visit's place, and is looked at next: the value of the
            # visit is that of the child, with no weight to correct (external sampling).
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
    """Mark as SKIPPED the listed children whose regret is below *threshold*.

    The children of the *count* slots from *slot* on are listed from *first* on. Those that end the
    hand are kept, and where no regret is positive all are: only actions without probability are
    skipped.
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
    """Find the values of all visits and update the *traverser*'s regrets, last visit first."""
    # Children stand behind their parents in the list, so backwards all their values are known.
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
            # v = sum sigma(a) v(a), r(a) = v(a) - v. Triples stay in registers: actions that the
            # node lacks have probability 0, and what stands behind the list is read and unused.
            action_values = (values[first], values[first + ONE], values[first + TWO])
            value = (
                strategy[0] * action_values[0]
                + strategy[1] * action_values[1]
                + strategy[2] * action_values[2]
            )
            values[visit] = value
            regrets = (
                regret_of(visits[first], action_values[0], value),
                regret_of(visits[first + ONE], action_values[1], value),
                regret_of(visits[first + TWO], action_values[2], value),
            )
            add_regrets(sums, slot, count, regrets, floor)


@kernel
def regret_of(child: Number, action_value: Number, value: Number) -> float:
    """Return the regret of an action of value *action_value*; 0 if it was skipped."""
    return 0.0 if child == SKIPPED else action_value - value


@kernel
def most_visits(nodes: Nodes, traverser: int) -> int:
    """Return the largest number of visits that a traversal can have, whatever is sampled."""
    # A traverser's node adds all its subtrees, one of another seat only the largest.
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
    # One pass over both columns, which share cache lines; a regret of 0 stays one either way.
    for slot in range(len(sums)):
        sums[slot, REGRET] *= positive if sums[slot, REGRET] > 0 else negative
        sums[slot, STRATEGY] *= strategy
