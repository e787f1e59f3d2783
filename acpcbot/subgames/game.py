"""A two-player game, or what is left of one from a public state on, with all hands of both
players at once.

How the betting of one street hangs on that of the street before: a tree of parts.

A part is a block of betting, or a showdown after an all-in that waits for board cards. On
every board of its street each part is visited once. Where the board is full, nothing
follows a part; on any other street each of its actions that ends the street does, and a
waiting showdown waits on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats
from acpcbot.errors import UsageError
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.subgames.terminal_values import fold_values
from acpcbot.trees.bet_menu import LIMIT_MENU, Menu
from acpcbot.trees.betting_tree import (
    BLOCK_END,
    CHILD,
    FIRST_ACTION,
    FOLDED,
    NOBODY,
    NUM_ACTIONS,
    STREET,
    BettingTree,
    build_betting_tree,
)
from acpcbot.trees.board_tree import (
    BoardTree,
    build_board_tree,
    hands_on,
    kept_changes,
    no_changes,
    num_boards,
    suit_changes,
)

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
    """The parts of the next street that follow *part*, with their origins, in the order of
    nodes and actions.
    """
    if part < 0:
        return [(part, NOWHERE)]
    found = []
    for node in range(part, int(tree.nodes[part, BLOCK_END])):
        first = int(tree.nodes[node, FIRST_ACTION])
        children = tree.actions[first : first + tree.nodes[node, NUM_ACTIONS], CHILD].tolist()
        found += [
            (child, (node, choice))
            for choice, child in enumerate(children)
            if _leaves(tree, node, child)
        ]
    return found


def _leaves(tree: BettingTree, node: int, child: int) -> bool:
    """Whether *child* of *node* lies behind more board cards."""
    if child >= 0:
        return bool(tree.nodes[child, STREET] != tree.nodes[node, STREET])
    return bool(tree.ends[~child, FOLDED] == NOBODY)


Records = NDArray[np.int32]


class Betting(NamedTuple):
    """The arrays of a betting tree and of its parts.

    See ``trees/betting_tree.py`` and ``game.py``.
    """

    nodes: Records
    actions: Records
    ends: Records
    parts: NDArray[np.int64]
    origins: NDArray[np.int64]
    first_parts: NDArray[np.int64]
    street_parts: NDArray[np.int64]


MAX_ROWS = 1 << 26
"""Hands on boards; each takes about forty bytes."""


@dataclass(frozen=True, slots=True, eq=False)
class RangeGame:
    """The betting and the boards below a public state, and how likely both players hold their
    hands there.

    ``ranges``  float64 [seat, hand]: weights of the hands in the list of the root's board
    """

    tree: BettingTree
    boards: BoardTree
    ranges: Floats
    betting: Betting

    @property
    def definition(self) -> GameDefinition:
        """The game."""
        return self.tree.definition

    @property
    def num_pairs(self) -> float:
        """The weight of all pairs of hands that can be held together."""
        values = np.empty(self.ranges.shape[1])
        root = self.boards.arrays.cards[self.boards.rows(0)]
        fold_values(self.ranges[1], root, 1.0, np.empty(52 + len(values)), values)
        return float(self.ranges[0] @ values)

    @property
    def row_bytes(self) -> int:
        """The memory of the boards."""
        return sum(array.nbytes for array in self.boards.arrays)


def make_range_game(
    root: BettingState,
    board: Sequence[int] = (),
    menu: Menu = LIMIT_MENU,
    ranges: Floats | None = None,
    *,
    suits_alike: bool = True,
    one_street: bool = False,
) -> RangeGame:
    """The game from *root* on, where *board* lies and *ranges* [seat, hand] are held, all hands
    alike if left out.

    Hands are as in ``poker/hands.py``. Suits that the ranges do not tell apart stand for each
    other, unless it is said that strategies do. With *one_street* there is no board but this
    one, for a solver that is told what later streets are worth. Raises UsageError where there
    are too many boards.
    """
    definition = root.game.definition
    verify_root(root, board, one_street=one_street)
    tree = build_betting_tree(root, menu)
    changes = (
        kept_changes(definition, suit_changes(definition), ranges) if suits_alike else no_changes()
    )
    boards = build_board_tree(
        definition, root.street, board, changes, root.street if one_street else None
    )
    held = boards.arrays.hands[boards.rows(0)]
    own = np.ones((2, len(held))) if ranges is None else ranges[:, held].astype(np.float64)
    game = RangeGame(
        tree, boards, own, Betting(tree.nodes, tree.actions, tree.ends, *street_parts(tree))
    )
    if game.num_pairs == 0:
        raise UsageError(
            f"nobody plays {root.text!r} with these ranges", "name a state that is reached"
        )
    return game


def verify_root(root: BettingState, board: Sequence[int] = (), *, one_street: bool = False) -> None:
    """Raise UsageError unless the game from *root* on can be gone through."""
    definition = root.game.definition
    if definition.num_hole_cards > 2:
        raise UsageError("hands of more than two cards have no ranges here", "name another game")
    size = definition.board_size(root.street)
    if len(board) != size:
        raise UsageError(f"a board of {len(board)} cards", f"on this street there are {size}")
    count = 1 if one_street else num_boards(definition, root.street, board)
    if count * len(hands_on(definition, board)) > MAX_ROWS:
        raise UsageError(
            f"{count:,} boards are too many to go through",
            "name a game with fewer streets, or begin on a later one",
        )
