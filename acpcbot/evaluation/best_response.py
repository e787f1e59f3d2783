"""Exact best responses over all deals of a small game, for any number of seats.

A best response of a seat meets the others' fixed policy, information set by information
set from the end of the hand. That is exact where the buckets forget nothing that a seat
once knew, as those of small games do. Values are in big blinds a hand.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats
from acpcbot.evaluation.response_result import BestResponse
from acpcbot.jit import kernel
from acpcbot.solvers.abstract_game import AbstractGame
from acpcbot.solvers.deal_lanes import (
    DealLanes,
    SweepVectors,
    deal_lanes,
    spread_policy,
    spread_reaches,
    sweep_vectors,
    write_action_values,
    write_policy_values,
)
from acpcbot.trees.node_record import INFO, SLOT, info_kinds, info_seat, info_street, num_actions


def best_response_values(game: AbstractGame, rows: NDArray[np.uint16], weights: Floats, policy: Floats) -> BestResponse:
    """What *policy* [slot] and best responses to it are worth.

    *rows* [lane, ...] are the distinct deals and *weights* [lane] their probabilities.
    """
    lanes = deal_lanes(game, rows, weights)
    values = np.empty((2, game.tree.num_seats))
    _fill_seat_values(lanes, sweep_vectors(lanes), policy, np.empty(len(policy)), values)
    policy_values, best_values = values.tolist()
    return BestResponse(tuple(best_values), tuple(policy_values))


def nash_conv(game: AbstractGame, rows: NDArray[np.uint16], weights: Floats, policy: Floats) -> float:
    """The sum over seats of what a best response gains against *policy* [slot]."""
    return best_response_values(game, rows, weights, policy).nash_conv


def exploitability(game: AbstractGame, rows: NDArray[np.uint16], weights: Floats, policy: Floats) -> float:
    """The mean over seats of what a best response gains against *policy* [slot]."""
    return best_response_values(game, rows, weights, policy).exploitability


@kernel
def _fill_seat_values(
    lanes: DealLanes, vectors: SweepVectors, policy: Floats, slot_values: Floats, seat_values: Floats
) -> None:
    """Write *seat_values* [0 the policy's, 1 a best response's; seat]; *slot_values* [slot] is scratch."""
    spread_policy(lanes, vectors, policy)
    for seat in range(lanes.rows.shape[1]):
        spread_reaches(lanes, vectors, seat)
        for responds in range(2):
            slot_values[:] = 0.0
            for node in range(len(lanes.nodes) - 1, -1, -1):
                write_action_values(lanes, vectors, node, seat)
                if info_seat(lanes.nodes[node, INFO]) == seat and responds:
                    _write_best_values(lanes, vectors, slot_values, node)
                else:
                    write_policy_values(lanes, vectors, node, seat)
            seat_values[responds, seat] = vectors.values[0].sum()


@kernel(inline=True)
def _write_best_values(lanes: DealLanes, vectors: SweepVectors, slot_values: Floats, node: int) -> None:
    """Write the values of *node* when in each of its information sets the best action is taken."""
    info = lanes.nodes[node, INFO]
    rows = lanes.rows[info_street(info), info_seat(info)]
    slot = np.uint64(lanes.nodes[node, SLOT])
    count = np.uint64(num_actions(info_kinds(info)))
    for action in range(count):
        for lane in range(len(rows)):
            slot_values[rows[lane] + slot + action] += vectors.action_values[action, lane]
    for lane in range(len(rows)):
        first = rows[lane] + slot
        best = first
        for place in range(first, first + count):
            if slot_values[place] > slot_values[best]:
                best = place
        vectors.values[node, lane] = vectors.action_values[best - first, lane]
