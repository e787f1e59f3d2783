"""Access to nodes and ends for kernels that are written once for both kinds of trees.

The place of a node's numbers is told by two types of ``TreeFormat``: ``LimitFormat`` for public
trees of limit games, ``MenuFormat`` for betting trees with a menu. A kernel that takes a format is
compiled for each, with its methods merged into it, so that the choice costs nothing at run time.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np

from acpcbot.arrays import Ints32, Number
from acpcbot.jit import shared_methods
from acpcbot.regret_matching import ZERO
from acpcbot.trees.betting_tree import (
    ACTION_CHILD,
    END_FOLDED,
    END_SPENT,
    NOBODY,
    NODE_FIRST_ACTION,
    NODE_NUM_ACTIONS,
    NODE_SEAT,
    NODE_SLOT,
    NODE_STREET,
    NUM_SEATS,
    MenuGame,
)
from acpcbot.trees.public_tree import (
    LIMIT_CHILD,
    LIMIT_INFO,
    LIMIT_SLOT,
    AbstractGame,
    info_kinds,
    info_seat,
    info_street,
    num_actions,
)

FIRST_CHILD = np.uint64(LIMIT_CHILD)


@shared_methods
class TreeFormat(Protocol):
    """Access to the records of one kind of tree, as the sweeps need it.

    ``nodes`` and ``actions`` are int32 records, ``ends`` is what finished hands are paid by. They
    are passed to the methods instead of being kept in the tuple: a kernel that reads an array from
    a tuple counts a reference each time, which made traversals 1.3 to 2.6 times as long. For the
    same reason methods go straight to their end, and loops stand in the sweeps.
    """

    def seat_count(self) -> Number:
        """Return the number of seats."""

    def is_narrow(self) -> bool:
        """Return True if no node has more than three actions."""

    def decision(self, nodes: Ints32, node: Number) -> tuple[Number, Number, Number, Number]:
        """Return seat, street, first slot in a bucket's row and number of actions of *node*."""

    def child(self, nodes: Ints32, actions: Ints32, node: Number, action: Number) -> Number:
        """Return the child of *node* by its action number *action*."""

    def end_value(self, ends: Any, end: Number, ordering: Number, traverser: Number) -> Number:
        """Return the *traverser*'s value of an end under an ordering of hands, in big blinds."""


class LimitFormat(NamedTuple):
    """Public trees of limit games with so many *seats* (``trees/public_tree.py``).

    A record holds its children, so ``actions`` is not read. ``ends`` are the payoffs, float64
    [outcome, ordering, seat].
    """

    seats: int

    def seat_count(self) -> Number:
        return np.uint64(self.seats)

    def is_narrow(self) -> bool:
        return True

    def decision(self, nodes: Ints32, node: Number) -> tuple[Number, Number, Number, Number]:
        info = nodes[node, LIMIT_INFO]
        return (
            np.uint64(info_seat(info)),
            np.uint64(info_street(info)),
            np.uint64(nodes[node, LIMIT_SLOT]),
            np.uint64(num_actions(info_kinds(info))),
        )

    def child(self, nodes: Ints32, actions: Ints32, node: Number, action: Number) -> Number:
        return nodes[node, FIRST_CHILD + action]

    def end_value(self, ends: Any, end: Number, ordering: Number, traverser: Number) -> Number:
        return ends[end, ordering, traverser]


class MenuFormat(NamedTuple):
    """Betting trees for two with any number of actions to a node (``trees/betting_tree.py``).

    ``ends`` are the tree's records of finished hands; *chip* is the value of a chip in big blinds.
    """

    chip: float

    def seat_count(self) -> Number:
        return np.uint64(NUM_SEATS)

    def is_narrow(self) -> bool:
        return False

    def decision(self, nodes: Ints32, node: Number) -> tuple[Number, Number, Number, Number]:
        return (
            np.uint64(nodes[node, NODE_SEAT]),
            np.uint64(nodes[node, NODE_STREET]),
            np.uint64(nodes[node, NODE_SLOT]),
            np.uint64(nodes[node, NODE_NUM_ACTIONS]),
        )

    def child(self, nodes: Ints32, actions: Ints32, node: Number, action: Number) -> Number:
        return actions[np.uint64(nodes[node, NODE_FIRST_ACTION]) + action, ACTION_CHILD]

    def end_value(self, ends: Any, end: Number, ordering: Number, traverser: Number) -> Number:
        # Seat 0's chips, by selects: of the orderings 0 is seat 0 losing, 1 a tie, 2 winning.
        folded = ends[end, END_FOLDED]
        first, second = np.float64(ends[end, END_SPENT]), np.float64(ends[end, END_SPENT + 1])
        shown = min(first, second) * (np.float64(ordering) - 1.0)
        chips = shown if folded == NOBODY else (-first if folded == 0 else second)
        return self.chip * (chips if traverser == ZERO else -chips)


def tree_arrays(game: AbstractGame | MenuGame) -> tuple[Any, tuple[Any, Any, Any]]:
    """Return the format of the tree of *game*, and its nodes, actions and ends."""
    if isinstance(game, AbstractGame):
        nodes = game.tree.nodes
        return LimitFormat(game.tree.num_seats), (nodes, nodes, game.tree.payoffs)
    chip = 1 / (game.definition.big_blind or 1)
    return MenuFormat(chip), (game.tree.nodes, game.tree.actions, game.tree.ends)
