"""The betting below any state of a two-player game as flat arrays, with the sizes of a bet menu.

Nodes are numbered street by street, and within a street parents first: what is reached on
one street from one action before it, a *block*, lies together. Cards are not here; see
``board_tree.py``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from acpcbot.errors import UsageError
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.trees.bet_menu import LIMIT_MENU, Menu
from acpcbot.trees.betting_kernels import walk_betting
from acpcbot.trees.betting_record import (
    ACTION_LENGTH,
    BLOCK_END,
    CHILD,
    END_LENGTH,
    FIRST_ACTION,
    KIND,
    NODE_LENGTH,
    NUM_ACTIONS,
    RAISE_TO,
    SLOT,
    STREET,
)
from acpcbot.trees.subtree_sizes import TreeSize

Records = NDArray[np.int32]
NUM_SEATS = 2


@dataclass(frozen=True, slots=True, eq=False)
class BettingTree:
    """The betting below *root*; see ``betting_record.py`` for the columns.

    ``nodes``       int32 [node, 6]; node 0 is the root
    ``actions``     int32 [action, 3]
    ``ends``        int32 [end, 4]
    ``row_widths``  int64 [street]: how many slots a bucket or hand has on each street
    ``size``        what it holds, street by street
    """

    root: BettingState
    menu: Menu
    nodes: Records
    actions: Records
    ends: Records
    row_widths: NDArray[np.int64]
    size: TreeSize

    def children(self, node: int) -> dict[Action, int]:
        """What each action of *node* leads to, as CHILD says, in the tree's order."""
        first, count = self.nodes[node, FIRST_ACTION], self.nodes[node, NUM_ACTIONS]
        rows = self.actions[first : first + count].tolist()
        return {Action(row[KIND], row[RAISE_TO]): row[CHILD] for row in rows}

    def first_slot(self, node: int) -> int:
        """The first slot of *node* in the row of a bucket or hand of its street."""
        return int(self.nodes[node, SLOT])

    @property
    def definition(self) -> GameDefinition:
        """The game."""
        return self.root.game.definition

    def street_nodes(self, street: int) -> tuple[Records, Records]:
        """Of the nodes of *street*, in order, the first slots and the numbers of actions, [node]."""
        own = self.nodes[self.nodes[:, STREET] == street]
        return own[:, SLOT], own[:, NUM_ACTIONS]


def betting_size(root: BettingState, menu: Menu = LIMIT_MENU) -> TreeSize:
    """What the tree below *root* will hold; raises UsageError for games of more than two, and hands that are over."""
    nothing = (0,) * root.game.definition.num_streets
    return _walk(root, menu, TreeSize(nothing, nothing, 0))[1]


def betting_bytes(size: TreeSize) -> int:
    """The memory of a tree of *size*."""
    lengths = sum(size.num_nodes) * NODE_LENGTH + sum(size.num_slots) * ACTION_LENGTH + size.num_terminals * END_LENGTH
    return np.dtype(np.int32).itemsize * lengths


def build_betting_tree(root: BettingState, menu: Menu = LIMIT_MENU) -> BettingTree:
    """The tree below *root* with the sizes of *menu*, which a limit game does not need; raises UsageError."""
    (nodes, actions, ends), size = _walk(root, menu, betting_size(root, menu))
    order = np.argsort(nodes[:, STREET], kind="stable")
    numbers = np.empty(len(order), np.int32)
    numbers[order] = np.arange(len(order))
    goes_on = actions[:, CHILD] >= 0
    actions[goes_on, CHILD] = numbers[actions[goes_on, CHILD]]
    nodes = nodes[order]
    row_widths = _write_slots(nodes, root.game.definition.num_streets)
    _write_blocks(nodes, actions)
    return BettingTree(root, menu, nodes, actions, ends, row_widths, size)


def _walk(root: BettingState, menu: Menu, size: TreeSize) -> tuple[tuple[Records, Records, Records], TreeSize]:
    """Arrays with room for a tree of *size*, filled, and the size that the tree has."""
    definition = root.game.definition
    if definition.num_players != NUM_SEATS:
        raise UsageError(
            f"betting trees are for two players, and this game has {definition.num_players}", "name another"
        )
    if root.is_over:
        raise UsageError(f"after {root.text!r} the hand is over", "name a state in which somebody acts")
    if not definition.is_limit and menu is LIMIT_MENU:
        raise UsageError(
            "a no-limit game has no betting tree of its own", "say which bets it holds, as with --bets 0.5,1,all-in"
        )
    nodes = np.zeros((sum(size.num_nodes), NODE_LENGTH), np.int32)
    actions = np.zeros((sum(size.num_slots), ACTION_LENGTH), np.int32)
    ends = np.zeros((size.num_terminals, END_LENGTH), np.int32)
    counts = np.zeros((definition.num_streets, 2), np.int64)
    game, state = np.array(root.game.vector, np.int64), np.array(root.vector, np.int64)
    num_ends = walk_betting(game, state, menu.table, counts, nodes, actions, ends)
    return (nodes, actions, ends), TreeSize(tuple(counts[:, 0].tolist()), tuple(counts[:, 1].tolist()), num_ends)


def _write_slots(nodes: Records, num_streets: int) -> NDArray[np.int64]:
    """Give every node its slots; returns how many there are on each street."""
    widths = np.zeros(num_streets, np.int64)
    for street in range(num_streets):
        own = nodes[:, STREET] == street
        counts = nodes[own, NUM_ACTIONS]
        nodes[own, SLOT] = np.cumsum(counts) - counts
        widths[street] = counts.sum()
    return widths


def _write_blocks(nodes: Records, actions: Records) -> None:
    """Say where the blocks end, at their first nodes."""
    in_order = np.argsort(nodes[:, FIRST_ACTION])
    owners = in_order[np.searchsorted(nodes[in_order, FIRST_ACTION], np.arange(len(actions)), "right") - 1]
    children = actions[:, CHILD]
    enters = (children >= 0) & (nodes[np.maximum(children, 0), STREET] != nodes[owners, STREET])
    firsts = np.unique(np.append(children[enters], 0))
    nodes[firsts, BLOCK_END] = np.append(firsts[1:], len(nodes))
