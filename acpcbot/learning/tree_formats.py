"""Access to nodes and ends for kernels that are written once for all kinds of trees.

The place of a node's numbers is told by three types of ``TreeFormat``: ``LimitFormat`` for public
trees of limit games, ``MenuFormat`` and ``MultiwayFormat`` for betting trees with a menu, for two
players and for more. A kernel that takes a format is
compiled for each, with its methods merged into it, so that the choice costs nothing at run time.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np

from acpcbot.arrays import Ints32, Number
from acpcbot.cards.orderings import orderings
from acpcbot.jit import kernel, shared_methods
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
        return betting_decision(nodes, node)

    def child(self, nodes: Ints32, actions: Ints32, node: Number, action: Number) -> Number:
        return betting_child(nodes, actions, node, action)

    def end_value(self, ends: Any, end: Number, ordering: Number, traverser: Number) -> Number:
        # Seat 0's chips, by selects: of the orderings 0 is seat 0 losing, 1 a tie, 2 winning.
        folded = ends[end, END_FOLDED]
        first, second = np.float64(ends[end, END_SPENT]), np.float64(ends[end, END_SPENT + 1])
        shown = min(first, second) * (np.float64(ordering) - 1.0)
        chips = shown if folded == NOBODY else (-first if folded == 0 else second)
        return self.chip * (chips if traverser == ZERO else -chips)


class MultiwayFormat(NamedTuple):
    """Betting trees for *seats* players, more than two (``trees/betting_tree.py``).

    ``ends`` are int32 [row, seats + 1]: first the *num_orderings* showdown orderings, the number of
    seats that each seat beats, then the tree's records of finished hands. One array holds both,
    since a kernel that took them from a tuple would count references. *chip* is the value of a chip
    in big blinds.
    """

    seats: int
    num_orderings: int
    chip: float

    def seat_count(self) -> Number:
        return np.uint64(self.seats)

    def is_narrow(self) -> bool:
        return False

    def decision(self, nodes: Ints32, node: Number) -> tuple[Number, Number, Number, Number]:
        return betting_decision(nodes, node)

    def child(self, nodes: Ints32, actions: Ints32, node: Number, action: Number) -> Number:
        return betting_child(nodes, actions, node, action)

    def end_value(self, ends: Any, end: Number, ordering: Number, traverser: Number) -> Number:
        row = np.uint64(self.num_orderings) + end
        return self.chip * layered_value(ends, row, ordering, traverser, np.uint64(self.seats))


@kernel
def betting_decision(nodes: Ints32, node: Number) -> tuple[Number, Number, Number, Number]:
    """Return ``TreeFormat.decision`` of a betting tree, for any number of players."""
    return (
        np.uint64(nodes[node, NODE_SEAT]),
        np.uint64(nodes[node, NODE_STREET]),
        np.uint64(nodes[node, NODE_SLOT]),
        np.uint64(nodes[node, NODE_NUM_ACTIONS]),
    )


@kernel
def betting_child(nodes: Ints32, actions: Ints32, node: Number, action: Number) -> Number:
    """Return ``TreeFormat.child`` of a betting tree, for any number of players."""
    return actions[np.uint64(nodes[node, NODE_FIRST_ACTION]) + action, ACTION_CHILD]


@kernel
def layered_value(
    ends: Ints32, end: Number, ordering: Number, own_seat: Number, num_seats: Number
) -> float:
    """Return the chips that *own_seat* wins or loses at row *end* of *ends*, side pots included.

    *ends* and the row *ordering* are those of ``MultiwayFormat``.
    """
    own: Number = ends[end, own_seat]
    folded: Number = ends[end, num_seats]
    if folded >> np.int32(own_seat) & 1:
        return -np.float64(own)
    # The chips are cut at each amount that a seat still in the hand has put in; folded seats' chips
    # go to the winners of the layer that they reach into. Layers above the own chips are the
    # others'. With equal stacks there is one layer.
    won, floor = 0.0, np.int32(0)
    while floor < own:
        level = own
        for seat in range(num_seats):
            spent = ends[end, seat]
            if floor < spent < level and not folded >> np.int32(seat) & 1:
                level = spent
        pot, num_best, is_best = 0, 1, True
        for seat in range(num_seats):
            spent = ends[end, seat]
            pot += max(min(spent, level) - floor, 0)
            # Seats still in with fewer chips than the layer's top are not in the layer at all.
            if seat != own_seat and spent >= level and not folded >> np.int32(seat) & 1:
                num_best += ends[ordering, seat] == ends[ordering, own_seat]
                is_best &= ends[ordering, seat] <= ends[ordering, own_seat]
        won += np.float64(pot) / np.float64(num_best) if is_best else 0.0
        floor = level
    return won - np.float64(own)


def tree_arrays(game: AbstractGame | MenuGame) -> tuple[Any, tuple[Any, Any, Any]]:
    """Return the format of the tree of *game*, and its nodes, actions and ends."""
    if isinstance(game, AbstractGame):
        nodes = game.tree.nodes
        return LimitFormat(game.tree.num_seats), (nodes, nodes, game.tree.payoffs)
    chip, seats = 1 / (game.definition.big_blind or 1), game.definition.num_players
    if seats == NUM_SEATS:
        return MenuFormat(chip), (game.tree.nodes, game.tree.actions, game.tree.ends)
    rows = orderings(seats)
    ranks = np.zeros((len(rows), seats + 1), np.int32)
    ranks[:, :seats] = rows
    ends = np.concatenate((ranks, game.tree.ends))
    return MultiwayFormat(seats, len(rows), chip), (game.tree.nodes, game.tree.actions, ends)
