"""Walks over betting and boards with the ranges of both players: what a strategy is worth, and the best answer to it.

A block is the betting of one street after one way to get there. A *part* of a street is a
block, or a showdown after an all-in that waits for the rest of the board; see
``street_parts.py``. Boards are visited one after another, each after those that follow it.
On a board, a sweep forward through every block finds how likely the opponent gets to its
nodes with each of his hands, and one backward what they are worth to the traverser.

All vectors are float64 [hand of the board]; values are counterfactual and in chips.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from acpcbot.jit import kernel
from acpcbot.solvers.range_game import Betting
from acpcbot.solvers.range_values import fold_values, showdown_values
from acpcbot.trees.betting_record import (
    BLOCK_END,
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
from acpcbot.trees.board_tree import BoardArrays

Floats = NDArray[np.float64]
Records = NDArray[np.int32]

NUM_CARD_SUMS = 52 + 52


class Play(NamedTuple):
    """What a player does.

    ``policy``      float64 [slot], rows of buckets or hands street by street
    ``row_starts``  int64 [street], ``row_widths`` int64 [street]: as in ``trees/infosets.py``
    ``rows``        int64 [row of the board tree]: the policy's row of each hand on each board
    """

    policy: Floats
    row_starts: NDArray[np.int64]
    row_widths: NDArray[np.int64]
    rows: NDArray[np.int64]


class Question(NamedTuple):
    """Whose values are asked for.

    With ``is_best`` the *traverser* takes the best action with every hand; else he plays as
    ``own`` says, and ``gains`` [slot of own], unless it is empty, adds up what his actions
    are worth in all rows of the board tree, with the ``row_weights`` [row].
    """

    traverser: int
    is_best: bool
    opponent: Play
    own: Play
    gains: Floats
    row_weights: Floats


@kernel
def first_slots(play: Play, boards: BoardArrays, board: int, street: int, slots: NDArray[np.int64]) -> None:
    """Where the row of every hand on *board* begins in the policy, into *slots* [hand]."""
    first = boards.first_row[board]
    for hand in range(len(slots)):
        slots[hand] = play.row_starts[street] + play.rows[first + hand] * play.row_widths[street]


@kernel
def spread_reaches(betting: Betting, question: Question, slots: NDArray[np.int64], first: int, reaches: Floats) -> None:
    """Fill *reaches* [node of the block, hand] from that of its first node; *slots* [hand] are the opponent's."""
    nodes, actions = betting.nodes, betting.actions
    for node in range(first, nodes[first, BLOCK_END]):
        for choice in range(nodes[node, NUM_ACTIONS]):
            child = actions[nodes[node, FIRST_ACTION] + choice, CHILD]
            if child >= 0 and nodes[child, STREET] == nodes[node, STREET]:
                reach_after(betting, question, slots, node, choice, reaches[node - first], reaches[child - first])


@kernel
def reach_after(
    betting: Betting, question: Question, slots: NDArray[np.int64], node: int, choice: int, reach: Floats, after: Floats
) -> None:
    """The opponent's *reach* [hand] of *node* as it is *after* an action there."""
    if betting.nodes[node, SEAT] == question.traverser:
        after[:] = reach
    else:
        policy, offset = question.opponent.policy, betting.nodes[node, SLOT] + choice
        for hand in range(len(reach)):
            after[hand] = reach[hand] * policy[slots[hand] + offset]


@kernel
def is_left(betting: Betting, node: int, child: int) -> bool:
    """Whether *child* of *node* lies behind more board cards, where there are any to come."""
    if child >= 0:
        return bool(betting.nodes[child, STREET] != betting.nodes[node, STREET])
    return bool(betting.ends[~child, FOLDED] == NOBODY)


@kernel
def open_board(
    betting: Betting, boards: BoardArrays, question: Question, part: int, board: int, reach: Floats, reaches: Floats
) -> None:
    """The *reaches* [part below, hand] of the parts that follow *part* after *board*, with its *reach* [hand]."""
    child, first = betting.parts[part], betting.first_parts[part]
    if child < 0:
        reaches[0] = reach
        return
    nodes = betting.nodes
    slots = np.empty(len(reach), np.int64)
    first_slots(question.opponent, boards, board, nodes[child, STREET], slots)
    block = np.empty((nodes[child, BLOCK_END] - child, len(reach)))
    block[0] = reach
    spread_reaches(betting, question, slots, child, block)
    for below in range(first, betting.first_parts[part + 1]):
        node, choice = betting.origins[below]
        reach_after(betting, question, slots, node, choice, block[node - child], reaches[below - first])


@kernel
def close_board(
    betting: Betting,
    boards: BoardArrays,
    question: Question,
    part: int,
    board: int,
    reach: Floats,
    below: Floats,
    values: Floats,
) -> None:
    """The *values* [hand] of *part* on *board*, from those of the parts *below* [part below, hand]."""
    child = betting.parts[part]
    if child >= 0:
        collect_values(betting, boards, question, child, board, reach, below, values)
    elif len(below):
        values[:] = below[0]
    else:
        end_values(betting, boards, question, child, board, reach, values)


@kernel
def add_board_values(
    betting: Betting, boards: BoardArrays, question: Question, children: tuple[int, int], above: Floats, values: Floats
) -> None:
    """Add to *values* [part of the second street, hand of the root] what the boards *children* are worth.

    They are boards of the second street, from one to before another. *above* are the
    opponent's reaches, of the same shape.
    """
    num_levels = len(betting.street_parts) - 1
    reaches, sums = [above], [values]
    for level in range(1, num_levels - 1):
        num_parts = betting.street_parts[level + 2] - betting.street_parts[level + 1]
        reaches.append(np.empty((num_parts, num_rows(boards, level))))
        sums.append(np.empty((num_parts, num_rows(boards, level))))
    nothing = np.empty((0, 0))
    reaches.append(nothing)
    sums.append(nothing)
    visited, ends = np.zeros(num_levels + 1, np.int64), np.zeros(num_levels + 1, np.int64)
    level = 1
    visited[level], ends[level] = children[0] - 1, children[1]
    while level > 0:
        visited[level] += 1
        board = visited[level]
        if board == ends[level]:
            level -= 1
            if level > 0:
                average_orbits(boards, visited[level], sums[level])
                add_parts(betting, boards, question, level, visited[level], reaches, sums)
        elif boards.first_child[board] == boards.first_child[board + 1]:
            add_parts(betting, boards, question, level, board, reaches, sums)
        else:
            open_parts(betting, boards, question, level, board, reaches)
            sums[level][:] = 0
            level += 1
            visited[level], ends[level] = boards.first_child[board] - 1, boards.first_child[board + 1]


@kernel
def num_rows(boards: BoardArrays, level: int) -> int:
    """How many hands the boards of a level have."""
    board = 0
    for _ in range(level):
        board = boards.first_child[board]
    return int(boards.first_row[board + 1] - boards.first_row[board])


@kernel
def open_parts(
    betting: Betting, boards: BoardArrays, question: Question, level: int, board: int, reaches: list[Floats]
) -> None:
    """Find the reaches of all parts of the next level after *board*."""
    rows = boards.parents[boards.first_row[board] : boards.first_row[board + 1]]
    reach = np.empty(len(rows))
    first, offset = betting.street_parts[level], betting.street_parts[level + 1]
    for part in range(first, offset):
        gather(reaches[level - 1][part - first], rows, reach)
        below = reaches[level][betting.first_parts[part] - offset : betting.first_parts[part + 1] - offset]
        open_board(betting, boards, question, part, board, reach, below)


@kernel
def add_parts(
    betting: Betting,
    boards: BoardArrays,
    question: Question,
    level: int,
    board: int,
    reaches: list[Floats],
    sums: list[Floats],
) -> None:
    """Add what all parts of a level are worth on *board* to the sums above it."""
    rows = boards.parents[boards.first_row[board] : boards.first_row[board + 1]]
    reach, own = np.empty(len(rows)), np.empty(len(rows))
    first, offset = betting.street_parts[level], betting.street_parts[level + 1]
    for part in range(first, offset):
        gather(reaches[level - 1][part - first], rows, reach)
        below = sums[level][betting.first_parts[part] - offset : betting.first_parts[part + 1] - offset]
        close_board(betting, boards, question, part, board, reach, below, own)
        above = sums[level - 1][part - first]
        for hand in range(len(rows)):
            above[rows[hand]] += boards.weights[board] * own[hand]


@kernel
def gather(above: Floats, rows: NDArray[np.int32], reach: Floats) -> None:
    """The *reach* of a board's hands, from that of the board above."""
    for hand in range(len(rows)):
        reach[hand] = above[rows[hand]]


@kernel
def average_orbits(boards: BoardArrays, board: int, values: Floats) -> None:
    """Give hands that a change of suits exchanges the mean of their *values* [vector, hand].

    After that the boards which stood for all like them have been counted in all their suits.
    """
    orbits = boards.orbits[boards.first_row[board] : boards.first_row[board + 1]]
    sums, counts = np.zeros(len(orbits)), np.zeros(len(orbits))
    for hand in range(len(orbits)):
        counts[orbits[hand]] += 1
    if counts.max() == 1:
        return
    for vector in range(len(values)):
        sums[:] = 0
        for hand in range(len(orbits)):
            sums[orbits[hand]] += values[vector, hand]
        for hand in range(len(orbits)):
            values[vector, hand] = sums[orbits[hand]] / counts[orbits[hand]]


@kernel
def end_values(
    betting: Betting, boards: BoardArrays, question: Question, child: int, board: int, reach: Floats, values: Floats
) -> None:
    """The *values* [hand] of the end ``~child`` on *board*, a full one if it is a showdown."""
    end = betting.ends[~child]
    first, last = boards.first_row[board], boards.first_row[board + 1]
    cards = boards.cards[first:last]
    card_sums = np.empty(52 + len(reach))
    if end[FOLDED] == NOBODY:
        chips = float(min(end[SPENT], end[SPENT + 1]))
        showdown_values(reach, cards, boards.ranks[first:last], chips, card_sums, values)
    elif end[FOLDED] == question.traverser:
        fold_values(reach, cards, -float(end[SPENT + question.traverser]), card_sums, values)
    else:
        fold_values(reach, cards, float(end[SPENT + 1 - question.traverser]), card_sums, values)


@kernel
def collect_values(
    betting: Betting,
    boards: BoardArrays,
    question: Question,
    first: int,
    board: int,
    reach: Floats,
    leaf_values: Floats,
    values: Floats,
) -> None:
    """The *values* [hand] of the block that begins with node *first*, from those of what follows it [part, hand]."""
    nodes, actions = betting.nodes, betting.actions
    num_nodes, num_hands = nodes[first, BLOCK_END] - first, len(reach)
    slots, own_slots = np.empty(num_hands, np.int64), np.empty(num_hands, np.int64)
    first_slots(question.opponent, boards, board, nodes[first, STREET], slots)
    first_slots(question.own, boards, board, nodes[first, STREET], own_slots)
    reaches, node_values = np.empty((num_nodes, num_hands)), np.zeros((num_nodes, num_hands))
    reaches[0] = reach
    spread_reaches(betting, question, slots, first, reaches)
    after, gain, leaf = np.empty(num_hands), np.empty(num_hands), len(leaf_values)
    for node in range(nodes[first, BLOCK_END] - 1, first - 1, -1):
        place, is_own = node - first, nodes[node, SEAT] == question.traverser
        if is_own and question.is_best:
            node_values[place] = -np.inf
        for choice in range(nodes[node, NUM_ACTIONS] - 1, -1, -1):
            child = actions[nodes[node, FIRST_ACTION] + choice, CHILD]
            if len(leaf_values) > 0 and is_left(betting, node, child):
                leaf -= 1
                gain[:] = leaf_values[leaf]
            elif child >= 0:
                gain[:] = node_values[child - first]
            else:
                reach_after(betting, question, slots, node, choice, reaches[place], after)
                end_values(betting, boards, question, child, board, after, gain)
            if is_own:
                offset = nodes[node, SLOT] + choice
                take_action(question, own_slots, offset, gain, node_values[place])
                count_gains(boards, question, own_slots, offset, board, gain)
            else:
                node_values[place] += gain
    values[:] = node_values[0]


@kernel
def take_action(question: Question, slots: NDArray[np.int64], offset: int, gain: Floats, values: Floats) -> None:
    """Let the *gain* [hand] of an action of the traverser count for the *values* [hand] of its node."""
    for hand in range(len(gain)):
        if question.is_best:
            values[hand] = max(values[hand], gain[hand])
        else:
            values[hand] += question.own.policy[slots[hand] + offset] * gain[hand]


@kernel
def count_gains(
    boards: BoardArrays, question: Question, slots: NDArray[np.int64], offset: int, board: int, gain: Floats
) -> None:
    """Add the *gain* [hand] of an action on *board* to what its slots have gained, where that is asked for."""
    first = boards.first_row[board]
    if len(question.gains):
        for hand in range(len(gain)):
            question.gains[slots[hand] + offset] += question.row_weights[first + hand] * gain[hand]
