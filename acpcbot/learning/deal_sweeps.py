"""Sweeps over the public tree with all deals of a small game side by side, for any number of seats.

A *lane* is a column of the arrays below: one deal that can occur, or a class of deals with equal
buckets and an equal showdown. (The word is that of SIMD: one instruction serves several lanes.)
Everything known of a decision node is a vector over the lanes. Nodes are numbered parents first, so
one pass over them in order carries reach probabilities down and one in reverse carries values up.
Values are in big blinds.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats
from acpcbot.jit import kernel
from acpcbot.learning.abstract_game import AbstractGame
from acpcbot.trees.node_record import (
    CHILD,
    INFO,
    SLOT,
    info_kinds,
    info_seat,
    info_street,
    num_actions,
)

OWN, OTHERS = 0, 1
MAX_ACTIONS = 3


class DealLanes(NamedTuple):
    """A game as the sweeps read it.

    ``nodes``       int32 [node, 8], the public tree
    ``rows``        uint64 [street, seat, lane], the first slot of the row of the seat's bucket
    ``payoffs``     float64 [seat, outcome, lane], big blinds
    ``weights``     float64 [lane], the probability of the deal
    ``row_starts``  uint64 [street + 1], the first slot of each street, and the number of slots
    ``row_widths``  uint64 [street], the slots of one row
    """

    nodes: NDArray[np.int32]
    rows: NDArray[np.uint64]
    payoffs: Floats
    weights: Floats
    row_starts: NDArray[np.uint64]
    row_widths: NDArray[np.uint64]


class SweepVectors(NamedTuple):
    """The arrays that the sweeps write.

    ``play``           float64 [node, action, lane], the probability of the action
    ``reaches``        float64 [2, node, lane], the deal's probability times those of the actions
                       before: OWN those of the traverser, OTHERS those of all other seats
    ``values``         float64 [node, lane], counterfactual values of the traverser
    ``action_values``  float64 [action, lane], the same for the actions of the current node
    """

    play: Floats
    reaches: Floats
    values: Floats
    action_values: Floats


def deal_lanes(game: AbstractGame, rows: NDArray[np.uint16], weights: Floats) -> DealLanes:
    """Return the lanes of the distinct deals *rows* with the probabilities *weights* [lane].

    *rows* is [lane, street * seats + seat], and the last column is the ordering at the showdown.
    """
    layout, num_seats, num_streets = game.layout, game.tree.num_seats, len(game.num_buckets)
    assert rows.shape == (len(weights), num_streets * num_seats + 1), (rows.shape, weights.shape)
    buckets = rows[:, :-1].T.reshape(num_streets, num_seats, -1).astype(np.int64)
    first_slots = layout.row_starts[:, None, None] + buckets * layout.row_widths[:, None, None]
    return DealLanes(
        nodes=game.tree.nodes,
        rows=np.ascontiguousarray(first_slots, np.uint64),
        payoffs=np.ascontiguousarray(game.tree.payoffs[:, rows[:, -1]].transpose(2, 0, 1)),
        weights=np.ascontiguousarray(weights, np.float64),
        row_starts=np.append(layout.row_starts, layout.num_slots).astype(np.uint64),
        row_widths=layout.row_widths.astype(np.uint64),
    )


def sweep_vectors(lanes: DealLanes) -> SweepVectors:
    """Return empty arrays for sweeps over *lanes*."""
    num_nodes, num_lanes = len(lanes.nodes), len(lanes.weights)
    return SweepVectors(
        play=np.empty((num_nodes, MAX_ACTIONS, num_lanes)),
        reaches=np.empty((2, num_nodes, num_lanes)),
        values=np.empty((num_nodes, num_lanes)),
        action_values=np.empty((MAX_ACTIONS, num_lanes)),
    )


# The kernels below are inlined into their callers: called, they would spend as long on
# counting references to so many arrays as on a small game. In all of them the inner loop runs
# along the lanes, the last axis: neighbours in memory, and no lane depends on another.


@kernel(inline=True)
def spread_policy(lanes: DealLanes, vectors: SweepVectors, policy: Floats) -> None:
    """Write the play of all seats under *policy* [slot]."""
    nodes, play = lanes.nodes, vectors.play
    for node in range(len(nodes)):
        info = nodes[node, INFO]
        rows = lanes.rows[info_street(info), info_seat(info)]
        slot = np.uint64(nodes[node, SLOT])
        for action in range(np.uint64(num_actions(info_kinds(info)))):
            # The only scattered reads: from here on every lane has a probability of its own.
            for lane in range(len(rows)):
                play[node, action, lane] = policy[rows[lane] + slot + action]


@kernel(inline=True)
def spread_reaches(lanes: DealLanes, vectors: SweepVectors, traverser: int) -> None:
    """Write the reaches of all nodes from the play."""
    nodes, play, reaches = lanes.nodes, vectors.play, vectors.reaches
    # The probability of the deal is in both: counterfactual values take it from OTHERS, the
    # weights of the average strategy from OWN, where a constant factor cancels.
    reaches[OWN, 0] = lanes.weights
    reaches[OTHERS, 0] = lanes.weights
    for node in range(len(nodes)):
        info = nodes[node, INFO]
        moved = OWN if info_seat(info) == traverser else OTHERS
        kept = OTHERS if moved == OWN else OWN
        for action in range(num_actions(info_kinds(info))):
            # Ends have no row: their reach is taken from the node above.
            child = nodes[node, CHILD + action]
            if child >= 0:
                for lane in range(reaches.shape[2]):
                    reaches[moved, child, lane] = (
                        reaches[moved, node, lane] * play[node, action, lane]
                    )
                    reaches[kept, child, lane] = reaches[kept, node, lane]


@kernel(inline=True)
def write_action_values(lanes: DealLanes, vectors: SweepVectors, node: int, traverser: int) -> None:
    """Write the *traverser*'s action values at *node*; the values of its children are known."""
    info = lanes.nodes[node, INFO]
    for action in range(num_actions(info_kinds(info))):
        child = lanes.nodes[node, CHILD + action]
        if child >= 0:
            for lane in range(len(lanes.weights)):
                vectors.action_values[action, lane] = vectors.values[child, lane]
        elif info_seat(info) == traverser:
            # v(z) = pi_-i(z) u_i(z): the traverser's own action is no factor of the others'
            # reach, an opponent's (below) is.
            for lane in range(len(lanes.weights)):
                reach = vectors.reaches[OTHERS, node, lane]
                vectors.action_values[action, lane] = reach * lanes.payoffs[traverser, ~child, lane]
        else:
            for lane in range(len(lanes.weights)):
                reach = vectors.reaches[OTHERS, node, lane] * vectors.play[node, action, lane]
                vectors.action_values[action, lane] = reach * lanes.payoffs[traverser, ~child, lane]


@kernel(inline=True)
def write_policy_values(lanes: DealLanes, vectors: SweepVectors, node: int, traverser: int) -> None:
    """Write the *traverser*'s values of *node* under the play; its action values are known."""
    info = lanes.nodes[node, INFO]
    vectors.values[node] = 0.0
    for action in range(num_actions(info_kinds(info))):
        if info_seat(info) == traverser:
            for lane in range(len(lanes.weights)):
                share = vectors.play[node, action, lane]
                vectors.values[node, lane] += share * vectors.action_values[action, lane]
        else:
            # The others' play is in the action values already: these are counterfactual.
            for lane in range(len(lanes.weights)):
                vectors.values[node, lane] += vectors.action_values[action, lane]
