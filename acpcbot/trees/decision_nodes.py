"""The decisions of a tree in one form, for public trees of limit games and betting trees alike.

Children have higher numbers than their parents, so that one pass forwards or backwards over the
nodes meets them in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from acpcbot.arrays import Floats, Ints32
from acpcbot.cards.orderings import orderings
from acpcbot.poker import rules
from acpcbot.trees.betting_tree import (
    ACTION_CHILD,
    END_FOLDED,
    END_LENGTH,
    END_SPENT,
    NOBODY,
    NODE_FIRST_ACTION,
    NODE_NUM_ACTIONS,
    NODE_SEAT,
    NODE_SLOT,
    NODE_STREET,
    NUM_SEATS,
    BettingTree,
)
from acpcbot.trees.public_tree import (
    LIMIT_CHILD,
    LIMIT_INFO,
    LIMIT_SLOT,
    PublicTree,
    fill_payoffs,
    info_kinds,
    info_seat,
    info_street,
    num_actions,
)


@dataclass(frozen=True, slots=True, eq=False)
class DecisionNodes:
    """Decision nodes: their seats, slots and children.

    ``seats``, ``streets``      int32 [node]
    ``slots``                   int32 [node]: the first slot in the row of a bucket
    ``firsts``, ``counts``      int32 [node]: the node's first action, and the number of its actions
    ``children``                int32 [action]: the node that follows, or ``~end`` where the hand is
                                over
    ``payoffs``                 float64 [end, ordering, seat], big blinds; see cards/orderings.py
    """

    seats: Ints32
    streets: Ints32
    slots: Ints32
    firsts: Ints32
    counts: Ints32
    children: Ints32
    payoffs: Floats

    def __len__(self) -> int:
        return len(self.seats)

    def children_of(self, node: int) -> list[int]:
        """Return the children of *node*, in the order of its slots."""
        first = int(self.firsts[node])
        following: list[int] = self.children[first : first + int(self.counts[node])].tolist()
        return following


def decision_nodes(tree: PublicTree | BettingTree) -> DecisionNodes:
    """Return the decisions of *tree*, with its own numbers of nodes and ends."""
    return _limit_nodes(tree) if isinstance(tree, PublicTree) else _menu_nodes(tree)


def _limit_nodes(tree: PublicTree) -> DecisionNodes:
    # The functions of a record's numbers take whole columns as well.
    info: Any = tree.nodes[:, LIMIT_INFO]
    counts: Any = num_actions(info_kinds(info))
    firsts = np.cumsum(counts) - counts
    is_action = np.arange(LIMIT_SLOT - LIMIT_CHILD) < counts[:, None]
    children = tree.nodes[:, LIMIT_CHILD:LIMIT_SLOT][is_action]
    columns = (
        info_seat(info),
        info_street(info),
        tree.nodes[:, LIMIT_SLOT],
        firsts,
        counts,
        children,
    )
    return _nodes(columns, tree.payoffs)


def _menu_nodes(tree: BettingTree) -> DecisionNodes:
    columns = [
        tree.nodes[:, column]
        for column in (NODE_SEAT, NODE_STREET, NODE_SLOT, NODE_FIRST_ACTION, NODE_NUM_ACTIONS)
    ]
    return _nodes(
        (*columns, tree.actions[:, ACTION_CHILD]),
        _payoffs(tree) / (tree.definition.big_blind or 1),
    )


def _nodes(columns: Sequence[Any], payoffs: Floats) -> DecisionNodes:
    seats, streets, slots, firsts, counts, children = [
        np.ascontiguousarray(column, np.int32) for column in columns
    ]
    return DecisionNodes(seats, streets, slots, firsts, counts, children, payoffs)


def _payoffs(tree: BettingTree) -> Floats:
    """Return the payoffs of the ends of *tree* in chips, [end, ordering, seat]."""
    num_seats = tree.definition.num_players
    if num_seats == NUM_SEATS:
        return _end_payoffs(tree.ends)
    states = np.zeros((len(tree.ends), rules.STATE_LENGTH), np.int64)
    states[:, rules.SPENT : rules.SPENT + num_seats] = tree.ends[:, END_SPENT:num_seats]
    seats = np.arange(num_seats)
    states[:, rules.FOLDED : rules.FOLDED + num_seats] = tree.ends[:, num_seats:] >> seats & 1
    rows = orderings(num_seats)
    paid = np.zeros((len(states), len(rows), num_seats))
    fill_payoffs(np.array(tree.root.game.vector, np.int64), states, rows, paid)
    return paid


def _end_payoffs(ends: Ints32) -> Floats:
    """Return the payoffs of *ends* of two players in chips, [end, ordering, seat]."""
    assert ends.shape[1] == END_LENGTH, ends.shape
    spent, folded = ends[:, END_SPENT : END_SPENT + NUM_SEATS], ends[:, END_FOLDED]
    beaten = orderings(NUM_SEATS).astype(np.float64)
    # Of two hands the one that beats the other wins, and at a tie neither does.
    signs = beaten - beaten[:, ::-1]
    shown = spent.min(axis=1)[:, None, None] * signs
    lost = np.where(folded == 1, spent[:, 1], spent[:, 0]).astype(np.float64)
    losing = np.where(np.arange(NUM_SEATS) == folded[:, None], -1.0, 1.0) * lost[:, None]
    return np.where((folded == NOBODY)[:, None, None], shown, losing[:, None, :])
