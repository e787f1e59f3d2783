"""A rough strategy, as a blueprint with few buckets has it, and regrets that are seeded with it.

It is for ``range_starts.py``, which tells what this gains.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats, Floats32
from acpcbot.subgames.accumulators import first_cells
from acpcbot.subgames.game import RangeGame
from acpcbot.subgames.solver import RangeCFR
from acpcbot.trees.betting_tree import (
    ACTION_CHILD,
    NODE_FIRST_ACTION,
    NODE_NUM_ACTIONS,
    NODE_SEAT,
    NODE_STREET,
)

Strategy = list[Floats]
"""Probabilities [slot, hand] of each board."""


def rough_strategy(solver: RangeCFR, num_groups: int) -> Strategy:
    """Return *solver*'s average strategy, the same for all hands of a group.

    Groups are of equal size, by strength on a full board and by mean strength before it.
    """
    return [grouped(solver, board, num_groups) for board in range(len(solver.game.boards.boards))]


def grouped(solver: RangeCFR, board: int, num_groups: int) -> Floats:
    """Return the average strategy on *board* by groups, [slot, hand]."""
    game = solver.game
    groups = strength_groups(game, board, num_groups)
    sums = board_cells(solver.arrays["strategies"], game, board)
    by_group: Floats = np.array([np.bincount(groups, row, num_groups) for row in sums], np.float64)
    firsts, counts = game.tree.street_nodes(game.boards.street_of(board))
    for first, count in zip(firsts.tolist(), counts.tolist(), strict=True):
        rows = by_group[first : first + count]
        total = rows.sum(0)
        rows[:] = np.where(total > 0, rows / np.where(total > 0, total, 1), 1 / count)
    return by_group[:, groups]


def strength_groups(game: RangeGame, board: int, num_groups: int) -> NDArray[np.int64]:
    """Return the group of every hand of *board*, [hand]; game has one street behind the root's."""
    strengths = full_strengths(game, board) if board else mean_strengths(game)
    places = np.empty(len(strengths), np.int64)
    places[np.argsort(strengths, kind="stable")] = np.arange(len(strengths))
    groups: NDArray[np.int64] = places * num_groups // len(places)
    return groups


def full_strengths(game: RangeGame, board: int) -> Floats:
    """Return the share of hands that each hand beats on a full *board*, ties half, [hand]."""
    ranks = game.boards.arrays.ranks[game.boards.rows(board)]
    known = np.sort(ranks)
    beaten = np.searchsorted(known, ranks) + np.searchsorted(known, ranks, "right")
    shares: Floats = beaten / (2.0 * len(ranks))
    return shares


def mean_strengths(game: RangeGame) -> Floats:
    """Return the mean of each hand's strengths over the boards behind the root's, [hand]."""
    arrays = game.boards.arrays
    totals, weights = np.zeros((2, game.ranges.shape[1]))
    for board in game.boards.street_boards(game.boards.street + 1):
        parents = arrays.parents[game.boards.rows(board)]
        totals[parents] += arrays.weights[board] * full_strengths(game, board)
        weights[parents] += arrays.weights[board]
    # Boards that stand for others have been counted in one of their suits.
    orbits = arrays.orbits[game.boards.rows(0)]
    means: Floats = np.bincount(orbits, totals) / np.bincount(orbits, weights)
    return means[orbits]


def seed_regrets(solver: RangeCFR, strategy: Strategy, weight: float) -> None:
    """Fill the regrets of *solver* with the probabilities of *strategy*.

    A probability of 1 is worth *weight* pots times the opponent's reach at the node, which is what
    a regret of an iteration is in proportion to.
    """
    seed_node(solver, strategy, weight * solver.game.tree.root.pot, 0, 0, solver.game.ranges)


def seed_node(
    solver: RangeCFR, strategy: Strategy, chips: float, node: int, board: int, reaches: Floats
) -> None:
    """Fill the regrets of *node* on *board* and of all that follows it.

    *reaches* are [seat, hand].
    """
    game = solver.game
    tree, boards = game.tree, game.boards
    seat, count, first = (
        int(tree.nodes[node, NODE_SEAT]),
        int(tree.nodes[node, NODE_NUM_ACTIONS]),
        tree.first_slot(node),
    )
    rows = strategy[board][first : first + count]
    regrets = board_cells(solver.arrays["regrets"], game, board)
    regrets[first : first + count] = chips * reaches[1 - seat].sum() * rows
    for choice, row in enumerate(rows):
        child = int(tree.actions[tree.nodes[node, NODE_FIRST_ACTION] + choice, ACTION_CHILD])
        if child < 0:
            continue
        after = reaches.copy()
        after[seat] *= row
        if tree.nodes[child, NODE_STREET] == tree.nodes[node, NODE_STREET]:
            seed_node(solver, strategy, chips, child, board, after)
            continue
        for below in range(*boards.arrays.first_child[board : board + 2].tolist()):
            held = after[:, boards.arrays.parents[boards.rows(below)]]
            seed_node(solver, strategy, chips, child, below, held)


def board_cells(sums: Floats32, game: RangeGame, board: int) -> Floats32:
    """Return a view of the cells of *board*, [slot, hand]."""
    first, last = first_cells(game)[board : board + 2]
    rows = game.boards.rows(board)
    return sums[first:last].reshape(-1, rows.stop - rows.start)
