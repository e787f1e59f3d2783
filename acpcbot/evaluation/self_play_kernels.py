"""Hands of a policy against itself, and what was won after each decision."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acpcbot.evaluation.arena_kernels import drawn_action
from acpcbot.jit import kernel
from acpcbot.random_kernels import RandomState, below
from acpcbot.solvers.policy_kernels import Bytes
from acpcbot.trees.node_record import CHILD, INFO, SLOT, info_kinds, info_seat, info_street, num_actions

MAX_DEPTH = 64
MAX_EXPLORED = 8

# A number in a kernel: what numba makes of numpy's numbers is beyond mypy.
Word: TypeAlias = Any


@kernel
def add_hands(
    nodes: NDArray[np.int32],
    row_starts: NDArray[np.int64],
    row_widths: NDArray[np.int64],
    payoffs: NDArray[np.float64],
    policy: Bytes,
    deals: NDArray[np.uint16],
    sums: NDArray[np.float32],
    counts: NDArray[np.uint32],
    random_state: RandomState,
) -> None:
    """Play a hand of two seats with each of *deals*, and add what was won to *sums* and 1 to *counts*.

    Both are [seat, slot]: at the slot of each decision, in the row of the bucket of *seat*
    whoever decides, stands what the other seat wins. Every second hand begins with up to
    eight random actions; it counts from the last of these on.
    """
    path = np.empty((MAX_DEPTH, 2), np.int32)
    for deal in range(len(deals)):
        explored = np.int64(below(random_state, MAX_EXPLORED)) + 1 if deal & 1 else 0
        node, depth = np.int32(0), 0
        while node >= 0:
            info = nodes[node, INFO]
            if depth < explored:
                action = np.int32(below(random_state, num_actions(info_kinds(info))))
            else:
                bucket = np.int64(deals[deal, info_street(info) * 2 + info_seat(info)])
                row = row_starts[info_street(info)] + row_widths[info_street(info)] * bucket
                action = np.int32(drawn_action(policy, np.uint64(row + nodes[node, SLOT]), random_state))
            path[depth, 0], path[depth, 1] = node, action
            node = nodes[node, CHILD + action]
            depth += 1
        won = payoffs[~node, deals[deal, deals.shape[1] - 1]]
        for step in range(max(0, min(explored, depth) - 1), depth):
            _add(nodes, row_starts, row_widths, deals[deal], path[step, 0], path[step, 1], won, sums, counts)


@kernel(inline=True)
def _add(
    nodes: NDArray[np.int32],
    row_starts: NDArray[np.int64],
    row_widths: NDArray[np.int64],
    deal: NDArray[np.uint16],
    node: Word,
    action: Word,
    won: NDArray[np.float64],
    sums: NDArray[np.float32],
    counts: NDArray[np.uint32],
) -> None:
    street = info_street(nodes[node, INFO])
    for seat in range(2):
        row = row_starts[street] + row_widths[street] * np.int64(deal[street * 2 + seat])
        slot = row + nodes[node, SLOT] + action
        sums[seat, slot] += won[1 - seat]
        counts[seat, slot] += np.uint32(1)
