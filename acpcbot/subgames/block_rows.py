"""The rows of buffers that hold what is known of one block of betting on one board.

A row is a vector over the hands of the board. The forward pass takes a row for each reach that
differs from those above it: an action changes the reach of the seat that takes it, and the other
seat's is that of the node before.

The backward pass takes a row for each action of the traverser, to which everything behind that
action is added: the ends of the hand, its own next nodes, and what comes after the next cards. At
the opponent's nodes values just add up, because reaches have the opponent's probabilities in them
already, so that such a node needs no rows: all its actions are added to the row of the traverser's
action before it. Seats take turns within a block. Row 0 is the block's own: that of its first node.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from acpcbot.arrays import Ints
from acpcbot.trees.betting_tree import (
    ACTION_CHILD,
    NODE_BLOCK_END,
    NODE_FIRST_ACTION,
    NODE_NUM_ACTIONS,
    NODE_SEAT,
    BettingTree,
)

NUM_SEATS = 2


class BlockRows(NamedTuple):
    """Rows in the buffers of a block.

    ``reach_rows``   int64 [node, seat]: the row of a seat's reach at a node
    ``node_rows``    int64 [node, traverser]: the row to which the value of a node is added
    ``action_rows``  int64 [node, traverser]: the row of the first action of a node of the
                     traverser, those of its further actions follow; of a node of the opponent the
                     row to which the values of all its actions are added
    """

    reach_rows: Ints
    node_rows: Ints
    action_rows: Ints


def block_rows(tree: BettingTree) -> BlockRows:
    """Return the rows of the blocks of *tree*."""
    shape = len(tree.nodes), NUM_SEATS
    reach_rows, node_rows, action_rows = (np.zeros(shape, np.int64) for _ in range(3))
    for first in np.flatnonzero(tree.nodes[:, NODE_BLOCK_END]).tolist():
        last = int(tree.nodes[first, NODE_BLOCK_END])
        reach_rows[first] = 0, 1
        num_reaches, num_values = 2, [1, 1]
        for node in range(first, last):
            seat, count = (
                int(tree.nodes[node, column]) for column in (NODE_SEAT, NODE_NUM_ACTIONS)
            )
            action_rows[node] = node_rows[node]
            action_rows[node, seat] = num_values[seat]
            num_values[seat] += count
            begin = int(tree.nodes[node, NODE_FIRST_ACTION])
            children = tree.actions[begin : begin + count, ACTION_CHILD].tolist()
            for choice, child in enumerate(children):
                if node < child < last:
                    reach_rows[child] = reach_rows[node]
                    reach_rows[child, seat] = num_reaches
                    num_reaches += 1
                    node_rows[child] = action_rows[node]
                    node_rows[child, seat] += choice
    return BlockRows(reach_rows, node_rows, action_rows)


def most_rows(tree: BettingTree) -> tuple[int, int]:
    """Return how many rows of reaches, and of values, a block takes at most."""
    rows, nodes = block_rows(tree), np.arange(len(tree.nodes))
    seats = tree.nodes[:, NODE_SEAT]
    ends = rows.action_rows[nodes, seats] + tree.nodes[:, NODE_NUM_ACTIONS]
    return int(rows.reach_rows.max()) + 1, int(ends.max())
