"""How the betting of one street hangs on that of the street before: a tree of parts.

A part is a block of betting, or a showdown after an all-in that waits for board cards. On
every board of its street each part is visited once. Where the board is full, nothing
follows a part; on any other street each of its actions that ends the street does, and a
waiting showdown waits on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from acpcbot.trees.betting_record import BLOCK_END, CHILD, FIRST_ACTION, FOLDED, NOBODY, NUM_ACTIONS, STREET
from acpcbot.trees.betting_tree import BettingTree

Pair = tuple[int, int]
NOWHERE = (-1, -1)


class StreetParts(NamedTuple):
    """Parts are numbered street by street; those that follow one part lie together.

    ``parts``         int64 [part]: the first node of a block, or ``~end`` of a showdown
    ``origins``       int64 [part, 2]: the node before it and the number of its action there; -1 for a
                      showdown that waited already, and for the first part of all
    ``first_parts``   int64 [part + 1]: the parts that follow part p are first_parts[p] .. first_parts[p + 1]
    ``street_parts``  int64 [street + 1]: the first part of each street from the root's on, and the number of parts
    """

    parts: NDArray[np.int64]
    origins: NDArray[np.int64]
    first_parts: NDArray[np.int64]
    street_parts: NDArray[np.int64]


def street_parts(tree: BettingTree) -> StreetParts:
    """The parts of *tree*."""
    levels: list[list[tuple[int, Pair]]] = [[(0, NOWHERE)]]
    first_parts = [1]
    for _ in range(int(tree.nodes[0, STREET]) + 1, tree.definition.num_streets):
        below: list[tuple[int, Pair]] = []
        for part, _ in levels[-1]:
            below += _following(tree, part)
            first_parts.append(first_parts[0] + sum(map(len, levels[1:])) + len(below))
        levels.append(below)
    first_parts += [first_parts[-1]] * len(levels[-1])
    found = [part for level in levels for part in level]
    return StreetParts(
        np.array([part for part, _ in found], np.int64),
        np.array([origin for _, origin in found], np.int64),
        np.array(first_parts, np.int64),
        np.append(0, np.cumsum([len(level) for level in levels])),
    )


def _following(tree: BettingTree, part: int) -> list[tuple[int, Pair]]:
    """The parts of the next street that follow *part*, with their origins, in the order of nodes and actions."""
    if part < 0:
        return [(part, NOWHERE)]
    found = []
    for node in range(part, int(tree.nodes[part, BLOCK_END])):
        first = int(tree.nodes[node, FIRST_ACTION])
        children = tree.actions[first : first + tree.nodes[node, NUM_ACTIONS], CHILD].tolist()
        found += [(child, (node, choice)) for choice, child in enumerate(children) if _leaves(tree, node, child)]
    return found


def _leaves(tree: BettingTree, node: int, child: int) -> bool:
    """Whether *child* of *node* lies behind more board cards."""
    if child >= 0:
        return bool(tree.nodes[child, STREET] != tree.nodes[node, STREET])
    return bool(tree.ends[~child, FOLDED] == NOBODY)
