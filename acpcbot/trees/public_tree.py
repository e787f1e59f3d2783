"""The public tree of a limit game: all its betting as flat arrays.

Chance has no nodes here: cards come with a deal, which gives every seat a bucket on every
street and all seats an ordering of their hands. ``payoffs`` says what each finished hand
is worth under each ordering, in big blinds and exactly, side pots included.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.cards.orderings import MAX_SEATS, orderings
from acpcbot.errors import UsageError
from acpcbot.poker import rules
from acpcbot.poker.betting import game_vector
from acpcbot.poker.definition import GameDefinition
from acpcbot.trees.node_record import INFO, RECORD_LENGTH, SLOT, info_kinds, num_actions
from acpcbot.trees.subtree_sizes import SubtreeSizes, TreeSize
from acpcbot.trees.tree_kernels import NO_OUTCOME, fill_payoffs, fill_tree

FIRST_ROOM = 1 << 14
BYTES_PER_NODE = 4 * RECORD_LENGTH
MAX_NODES = 2**31 - 1


@dataclass(frozen=True, slots=True)
class PublicTree:
    """The betting of *definition*.

    ``nodes``    int32 [node, 8], see acpcbot.trees.node_record; node 0 is the first decision
    ``payoffs``  float64 [outcome, ordering, seat], big blinds; see acpcbot.cards.orderings
    ``size``     what the tree holds on each street
    """

    definition: GameDefinition
    nodes: NDArray[np.int32]
    payoffs: NDArray[np.float64]
    size: TreeSize

    @property
    def streets(self) -> NDArray[np.int32]:
        """The street of every node, [node]."""
        return self.nodes[:, INFO] >> 8 & 255

    def street_nodes(self, street: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Of the nodes of *street*, in order, the first slots and the numbers of actions, [node]."""
        own = self.nodes[self.streets == street]
        info: Any = own[:, INFO]  # the functions of a record's numbers take whole columns as well
        counts: Any = num_actions(info_kinds(info))
        return own[:, SLOT], counts

    @property
    def num_seats(self) -> int:
        """How many seats the game has."""
        return self.definition.num_players


def tree_bytes(definition: GameDefinition) -> int:
    """How much memory the nodes of the tree will take, known before they are built."""
    return sum(SubtreeSizes(definition).whole().num_nodes) * BYTES_PER_NODE


def build_tree(definition: GameDefinition) -> PublicTree:
    """The public tree of a limit game; raises UsageError for games without one."""
    size = SubtreeSizes(definition).whole()
    _verify_size(definition, size)
    game = np.array(game_vector(definition), np.int64)
    nodes = np.zeros((sum(size.num_nodes), RECORD_LENGTH), np.int32)
    states = _fill(game, nodes)
    ordering_rows = orderings(definition.num_players)
    payoffs = np.zeros((len(states), len(ordering_rows), definition.num_players))
    fill_payoffs(game, states, ordering_rows, payoffs)
    payoffs /= definition.big_blind or 1
    return PublicTree(definition, nodes, payoffs, size)


def _verify_size(definition: GameDefinition, size: TreeSize) -> None:
    if definition.num_players > MAX_SEATS:
        raise UsageError(
            f"{definition.num_players} players are too many for a tree", f"at most {MAX_SEATS} play in one"
        )
    if sum(size.num_nodes) > MAX_NODES:
        raise UsageError(
            f"the tree would have {sum(size.num_nodes):,} decision nodes", f"at most {MAX_NODES:,} can be numbered"
        )


def _fill(game: NDArray[np.int64], nodes: NDArray[np.int32]) -> NDArray[np.int64]:
    """Write the nodes; returns the final states of the outcomes, with room found by doubling."""
    room = FIRST_ROOM
    while True:
        outcomes = np.zeros((room, rules.STATE_LENGTH), np.int64)
        num_outcomes = fill_tree(game, nodes, outcomes, np.full(2 * room, NO_OUTCOME, np.int32))
        if num_outcomes >= 0:
            return outcomes[:num_outcomes].copy()
        room *= 2
