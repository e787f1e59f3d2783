"""Two-player games from a public state on, with all hands of both players at once.

A ``RangeGame`` is a betting tree, a tree of boards and two ranges. Its betting falls into *parts*,
which form a tree of their own: a part is a block of betting on one street, or a showdown after an
all-in that waits for board cards. On every board of its street each part is visited once. Where
the board is full, nothing follows a part; on any other street a part follows for each of its
actions that end the street, and a waiting showdown is followed by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats
from acpcbot.errors import UsageError
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.subgames.block_ends import block_ends
from acpcbot.subgames.block_rows import block_rows
from acpcbot.subgames.terminal_values import fold_values
from acpcbot.trees.bet_menu import LIMIT_MENU, Menu
from acpcbot.trees.betting_tree import (
    ACTION_CHILD,
    END_FOLDED,
    NOBODY,
    NODE_BLOCK_END,
    NODE_FIRST_ACTION,
    NODE_NUM_ACTIONS,
    NODE_STREET,
    BettingTree,
    build_betting_tree,
)
from acpcbot.trees.board_tree import (
    BoardTree,
    Changes,
    DrawnBoards,
    build_board_tree,
    kept_changes,
    no_changes,
    suit_changes,
)

Pair = tuple[int, int]
NO_PARENT = (-1, -1)


class StreetParts(NamedTuple):
    """The tree of parts, numbered street by street; those that follow one part lie together.

    ``parts``           int64 [part]: the first node of a block, or ``~end`` of a showdown
    ``parent_actions``  int64 [part, 2]: the node before it and the number of its action there; -1
                        for a showdown that waited already, and for the first part of all
    ``first_child``     int64 [part + 1]: the parts that follow part p are
                        first_child[p] .. first_child[p + 1]
    ``street_parts``    int64 [street + 1]: the first part of each street from the root's on, and
                        the number of parts
    """

    parts: NDArray[np.int64]
    parent_actions: NDArray[np.int64]
    first_child: NDArray[np.int64]
    street_parts: NDArray[np.int64]


def street_parts(tree: BettingTree) -> StreetParts:
    """Return the tree of parts of *tree*."""
    streets: list[list[tuple[int, Pair]]] = [[(0, NO_PARENT)]]
    first_child = [1]
    for _ in range(int(tree.nodes[0, NODE_STREET]) + 1, tree.definition.num_streets):
        below: list[tuple[int, Pair]] = []
        for part, _ in streets[-1]:
            below += _following(tree, part)
            first_child.append(first_child[0] + sum(map(len, streets[1:])) + len(below))
        streets.append(below)
    first_child += [first_child[-1]] * len(streets[-1])
    parts = [part for street in streets for part in street]
    return StreetParts(
        np.array([part for part, _ in parts], np.int64),
        np.array([parent_action for _, parent_action in parts], np.int64),
        np.array(first_child, np.int64),
        np.append(0, np.cumsum([len(street) for street in streets])),
    )


def _following(tree: BettingTree, part: int) -> list[tuple[int, Pair]]:
    """Return the parts of the next street that follow *part*, with their parent actions.

    They are in the order of nodes and actions.
    """
    if part < 0:
        return [(part, NO_PARENT)]
    parts = []
    for node in range(part, int(tree.nodes[part, NODE_BLOCK_END])):
        first = int(tree.nodes[node, NODE_FIRST_ACTION])
        children = tree.actions[
            first : first + tree.nodes[node, NODE_NUM_ACTIONS], ACTION_CHILD
        ].tolist()
        parts += [
            (child, (node, choice))
            for choice, child in enumerate(children)
            if _leaves_street(tree, node, child)
        ]
    return parts


def _leaves_street(tree: BettingTree, node: int, child: int) -> bool:
    """Return whether *child* of *node* lies behind more board cards."""
    if child >= 0:
        return bool(tree.nodes[child, NODE_STREET] != tree.nodes[node, NODE_STREET])
    return bool(tree.ends[~child, END_FOLDED] == NOBODY)


Records = NDArray[np.int32]


class Betting(NamedTuple):
    """The arrays of a betting tree and of its parts, as kernels take them.

    See ``trees/betting_tree.py``, ``StreetParts``, ``block_ends.py`` and ``block_rows.py``.
    """

    nodes: Records
    actions: Records
    ends: Records
    parts: NDArray[np.int64]
    parent_actions: NDArray[np.int64]
    first_child: NDArray[np.int64]
    street_parts: NDArray[np.int64]
    end_actions: NDArray[np.int64]
    end_bounds: NDArray[np.int64]
    end_partners: NDArray[np.int64]
    reach_rows: NDArray[np.int64]
    node_rows: NDArray[np.int64]
    action_rows: NDArray[np.int64]


MAX_ROWS = 1 << 26
"""Hands on boards; each takes about forty bytes."""


@dataclass(frozen=True, slots=True, eq=False)
class RangeGame:
    """The betting and the boards below a public state, and both players' ranges there.

    ``ranges``     float64 [seat, hand]: weights of the hands in the list of the root's board
    ``num_pairs``  the weight of all pairs of hands that can be held together
    """

    tree: BettingTree
    boards: BoardTree
    ranges: Floats
    betting: Betting
    num_pairs: float

    @property
    def definition(self) -> GameDefinition:
        """The definition of the game."""
        return self.tree.definition

    @property
    def row_bytes(self) -> int:
        """The memory that the boards take."""
        return sum(array.nbytes for array in self.boards.arrays)


def make_range_game(
    root: BettingState,
    board: Sequence[int] = (),
    menu: Menu = LIMIT_MENU,
    ranges: Floats | None = None,
    *,
    suits_alike: bool | Changes = True,
    one_street: bool = False,
    drawn: DrawnBoards | None = None,
) -> RangeGame:
    """Return the game from *root* on, with *board* and *ranges* [seat, hand].

    Without *ranges* all hands are alike. Hands are numbered as in ``poker/hands.py``. Suits that
    the ranges do not tell apart stand for each other unless *suits_alike* is false, as it must be
    for strategies that tell them apart; changes of suits in its place are those that may count.
    With *one_street* there is no board but this one, for a solver that gets the values of later
    streets from elsewhere; with *drawn* boards the last street has these alone. Raises UsageError
    where there are too many boards.
    """
    definition = root.game.definition
    verify_root(root, board, one_street=one_street)
    tree = build_betting_tree(root, menu)
    if isinstance(suits_alike, bool):
        suits_alike = suit_changes(definition) if suits_alike else no_changes()
    changes = kept_changes(definition, suits_alike, ranges)
    boards = build_board_tree(
        definition, root.street, board, changes, root.street if one_street else None, drawn
    )
    held = boards.arrays.hands[boards.rows(0)]
    own = np.ones((2, len(held))) if ranges is None else ranges[:, held].astype(np.float64)
    betting = Betting(
        tree.nodes,
        tree.actions,
        tree.ends,
        *street_parts(tree),
        *block_ends(tree),
        *block_rows(tree),
    )
    num_pairs = weight_of_pairs(own, boards.arrays.cards[boards.rows(0)])
    if num_pairs == 0:
        raise UsageError(
            f"no pair of hands reaches {root.text!r} with these ranges",
            "name a state that both ranges reach",
        )
    return RangeGame(tree, boards, own, betting, num_pairs)


def weight_of_pairs(ranges: Floats, cards: NDArray[np.uint16]) -> float:
    """Return the weight of all pairs of hands without a common card.

    *ranges* are [seat, hand], *cards* [hand, 2].
    """
    values = np.empty(len(cards))
    fold_values(ranges[1], cards, 1.0, np.empty(52 + len(values)), values)
    return float(ranges[0] @ values)


def verify_root(root: BettingState, board: Sequence[int] = (), *, one_street: bool = False) -> None:
    """Raise UsageError unless the game from *root* on can be traversed."""
    definition = root.game.definition
    if definition.num_players != 2:
        raise UsageError(
            f"ranges are traversed for two players, and this game has {definition.num_players}",
            "choose a game for two",
        )
    if definition.num_hole_cards > 2:
        raise UsageError(
            f"hands of {definition.num_hole_cards} cards: ranges are of hands of one or two",
            "name another game",
        )
    size = definition.board_size(root.street)
    if len(board) != size:
        raise UsageError(f"a board of {len(board)} cards", f"expected {size} on this street")
    count = 1 if one_street else definition.num_boards(root.street)
    num_hands = comb(len(definition.deck) - len(board), definition.num_hole_cards)
    if count * num_hands > MAX_ROWS:
        raise UsageError(
            f"{count:,} boards are too many to traverse",
            "name a game with fewer streets, or begin on a later one",
        )
