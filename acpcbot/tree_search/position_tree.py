"""Trees of positions: public trees of games that hide nothing, grown within kernels.

Where nothing is hidden a public state has one history, and one row for each seat. So the children
of a position follow from the rules alone, without grouping, and a kernel makes them in the middle
of a search. Python is asked only when memory is full, and enlarges it. A tree can begin anew at
another position in the same memory: a search of a hundred simulations takes less time than making
its arrays would.

The records are those of ``public_tree.py``, number for number.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from acpcbot.arrays import Ints
from acpcbot.errors import UsageError
from acpcbot.games.game import CHANCE, OVER, Game, State
from acpcbot.jit import kernel
from acpcbot.memory import size_text
from acpcbot.tree_search.public_tree import (
    DEFAULT_MEMORY_BYTES,
    FIRST_ROOM,
    HISTORIES,
    MOVES,
    NODES,
    NONE,
    NUM_SEATS,
    ROWS,
    SLOTS,
    PublicArrays,
    PublicTree,
    enlarged,
)

PUBLIC_KEY = NUM_SEATS
"""The word of a state that holds the public key."""


class PositionGrower(NamedTuple):
    """The children of positions of *game*, made within kernels.

    ``states``  int64 [history, word]
    ``sizes``   int64 [NODES .. MOVES], how much of the arrays is in use
    ``marks``   int64 [node], 0 when a position is made; evaluators note there what they keep
    """

    game: Game
    states: Ints
    sizes: Ints
    marks: Ints

    def make_children(self, tree: PublicArrays, node: int) -> bool:
        return make_positions(self.game, self.states, self.sizes, self.marks, tree, node)


class PositionTree(PublicTree):
    """The tree of *game* from *start* on, in which nothing is hidden.

    *greatest_payoff* is what values are divided by where they meet probabilities. Raises UsageError
    for other numbers of seats, and while it grows for a game that hides something and for a tree of
    more than *memory_bytes*.
    """

    def __init__(
        self,
        game: Game,
        start: State | None = None,
        greatest_payoff: float = 1.0,
        memory_bytes: int = DEFAULT_MEMORY_BYTES,
    ) -> None:
        super().__init__(game, memory_bytes, greatest_payoff, start)
        if self.num_histories != 1:
            raise UsageError(_hidden(game), "search re-solving where something is hidden")
        self.marks: Ints = np.zeros(0, np.int64)
        """int64 [node], 0 when a position is made; evaluators note there what they keep."""
        self._enlarge(FIRST_ROOM)
        self.begin(self._start)

    @property
    def slot_room(self) -> int:
        """The number of slots that arrays by slot should have room for."""
        return len(self.arrays.nodes) * self.game.max_actions()

    def begin(self, start: State) -> None:
        """Forget the tree, and begin one at *start*, which is not changed."""
        self._start = start.copy()
        self.sizes[:] = 0
        self.states[0] = self._start
        add_position(self.game, self.states, self.sizes, self.marks, self.arrays, NONE, 0, 1.0)

    def grower(self) -> PositionGrower:
        """Return what enlarges this tree within kernels, while memory lasts."""
        return PositionGrower(self.game, self.states, self.sizes, self.marks)

    def grow(self, node: int) -> None:
        """Make the children of *node*, unless they exist or the game is over there."""
        if self.arrays.nodes["is_grown"][node]:
            return
        if self.num_nodes + self.game.max_actions() > len(self.arrays.nodes):
            self._enlarge(2 * len(self.arrays.nodes))
        if not self.grower().make_children(self.arrays, node):
            raise UsageError(_hidden(self.game), "search re-solving where something is hidden")

    def _enlarge(self, num_nodes: int) -> None:
        """Make room for *num_nodes* positions, and some more."""
        arrays = self.arrays
        lengths = (num_nodes, NUM_SEATS * num_nodes, num_nodes, num_nodes)
        size = sum(
            count * array.dtype.itemsize for count, array in zip(lengths, arrays, strict=True)
        )
        size += num_nodes * (self.states.shape[1] + 1) * self.states.itemsize
        if size > self.memory_bytes:
            raise UsageError(
                f"a tree of {num_nodes:,} positions of {self.game} would take {size_text(size)},"
                f" and {size_text(self.memory_bytes)} are allowed",
                "allow more memory, or search with fewer simulations",
            )
        self.arrays = PublicArrays(
            *(enlarged(array, count) for array, count in zip(arrays, lengths, strict=True))
        )
        self.states, self.marks = enlarged(self.states, num_nodes), enlarged(self.marks, num_nodes)


def _hidden(game: Game) -> str:
    return f"{game} has a public state of several histories, expected 1"


@kernel
def make_positions(
    game: Game, states: Ints, sizes: Ints, marks: Ints, tree: PublicArrays, node: int
) -> bool:
    """Make the children of *node*; False where memory is full, or something is hidden."""
    record = tree.nodes[node]
    history = record["first_history"]
    count = game.num_actions(states[history])
    first = sizes[NODES]
    if first + count > len(tree.nodes):
        return False
    for action in range(count):
        child = first + action
        states[child] = states[history]
        game.apply(states[child], action)
        own_key = states[child, PUBLIC_KEY]
        # A move that the public does not see leaves its key, or moves share one.
        if own_key == states[history, PUBLIC_KEY] or (
            action > 0 and own_key == states[child - 1, PUBLIC_KEY]
        ):
            return False
    for action in range(count):
        child = first + action
        probability = 1.0
        if record["actor"] == CHANCE:
            probability = game.chance(states[history], action)
        add_position(game, states, sizes, marks, tree, node, action, probability)
        own = tree.moves[sizes[MOVES] + action]
        own["probability"], own["action"], own["unused"] = probability, action, 0
        own["child"] = own["history"] = child
    tree.histories[history]["first_move"] = sizes[MOVES]
    sizes[MOVES] += count
    tree.histories[history]["end_move"] = sizes[MOVES]
    record["first_child"], record["num_children"], record["is_grown"] = first, count, 1
    return True


@kernel
def add_position(
    game: Game,
    states: Ints,
    sizes: Ints,
    marks: Ints,
    tree: PublicArrays,
    parent: int,
    action: int,
    probability: float,
) -> None:
    """Add the next position, whose state is written, as the child of *parent* by *action*."""
    # Position, history and state have one number; its rows are 2 n and 2 n + 1.
    node = sizes[NODES]
    state, record, own = states[node], tree.nodes[node], tree.histories[node]
    actor, first_row = game.actor(state), NUM_SEATS * node
    num_actions = game.num_actions(state) if actor >= 0 else 0
    record["actor"], record["parent"] = actor, parent
    record["first_child"], record["num_children"] = NONE, 0
    record["first_row"], record["middle_row"] = first_row, first_row + 1
    record["end_row"] = first_row + NUM_SEATS
    record["first_history"], record["end_history"] = node, node + 1
    record["first_slot"], record["end_slot"] = sizes[SLOTS], sizes[SLOTS] + num_actions
    record["is_grown"] = actor == OVER
    for seat in range(NUM_SEATS):
        row = tree.rows[first_row + seat]
        row["key"], row["parent_row"], row["parent_slot"] = state[seat], NONE, NONE
        if parent != NONE:
            row["parent_row"] = NUM_SEATS * parent + seat
            if tree.nodes[parent]["actor"] == seat:
                row["parent_slot"] = tree.nodes[parent]["first_slot"] + action
        row["first_slot"], row["count"] = sizes[SLOTS], 0
        if actor == seat:
            row["count"] = num_actions
            sizes[SLOTS] += num_actions
    own["chance"] = probability
    if parent != NONE:
        own["chance"] *= tree.histories[parent]["chance"]
    own["payoff"] = game.payoff(state, 0) if actor == OVER else 0.0
    own["row0"], own["row1"] = first_row, first_row + 1
    own["first_move"] = own["end_move"] = 0
    marks[node] = 0
    sizes[NODES] += 1
    sizes[HISTORIES] += 1
    sizes[ROWS] += NUM_SEATS
