"""The tree of a game with simultaneous moves: decisions, chance, and a cell for each joint action.

A *decision* has the matrix of its joint actions, a row for each action of seat 0 and a column for
each of seat 1; *chance* has its outcomes as a single column. Cells hold the mean of what came back
through them beside the node behind, so that a row of means, which regret matching reads at each
visit, lies side by side: kept with the children each of them would cost a cache line of its own.

A node is made when a simulation goes on behind a cell for the second time; the first time the cell
alone remembers. So a tree has about as many nodes as there are cells visited twice. With its memory
full a tree stops growing, and simulations play out at random from where it ends.

``nodes``  NODE [node], the root first
``cells``  CELL [cell], those of a node side by side, by row and column
``sums``   float64 [slot, 2], what the selection policy keeps of each seat's actions; the slots of
           seat 0 at a decision come before those of seat 1
``used``   int64 [TREE_NODES .. TREE_SIMULATIONS], how much of the arrays is in use, and what
           happened

Source: Lanctot, Lisy & Winands (2013), Monte Carlo tree search in simultaneous move games with
applications to Goofspiel, section 3.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import AnyArray, Floats, Ints
from acpcbot.errors import UsageError
from acpcbot.games.game import CHANCE, OVER, Game, State
from acpcbot.jit import kernel
from acpcbot.memory import size_text
from acpcbot.uncounted_arrays import uncounted

NODE: np.dtype[Any] = np.dtype(
    [
        ("first_cell", np.int64),
        ("first_slot", np.int64),
        ("visits", np.int64),
        ("num_filled", np.int32),
        ("num_rows", np.int16),
        ("num_columns", np.int16),
    ]
)
CELL: np.dtype[Any] = np.dtype([("total", np.float64), ("visits", np.int32), ("child", np.int32)])
SLOT_BYTES = 16

TREE_NODES, TREE_CELLS, TREE_SLOTS, TREE_IS_FULL, TREE_IS_SEQUENTIAL, TREE_SIMULATIONS = range(6)
ROOT = 0


class JointTree(NamedTuple):
    """The arrays of a tree; the module's docstring tells their layout."""

    nodes: AnyArray
    cells: AnyArray
    sums: Floats
    used: Ints


def empty_tree(game: Game, memory_bytes: int) -> JointTree:
    """Return an empty tree for *game* that will take at most *memory_bytes*.

    Memory is taken when it is first written. Raises UsageError if the root alone needs more.
    """
    most = game.max_actions()
    # A decision of most actions decides how the memory is divided; chance has fewer cells.
    parts = NODE.itemsize, CELL.itemsize * most * most, SLOT_BYTES * 2 * most
    num_nodes = memory_bytes // sum(parts)
    if num_nodes < 1:
        raise UsageError(
            f"memory of {memory_bytes} bytes is too small: the root alone takes {sum(parts)}",
            f"allow at least {size_text(max(1000, sum(parts)))}",
        )
    # Chance and the ends of games leave cells to spare, which then hold further small nodes.
    return JointTree(
        nodes=np.zeros(2 * num_nodes, NODE),
        cells=np.zeros(num_nodes * most * most, CELL),
        sums=np.zeros((num_nodes * 2 * most, 2)),
        used=np.zeros(6, np.int64),
    )


def clear_tree(tree: JointTree) -> None:
    """Empty *tree*. Cells and sums are zeroed when a node takes them again."""
    tree.used[:] = 0


@kernel
def add_node(game: Game, tree: JointTree, state: State, after: State, num_visits: int) -> int:
    """Add the node of *state*, reached *num_visits* times before, and return its number.

    ROOT where none was added: the game is over, the memory is full, or seats move in turns. *after*
    is a state to work with.
    """
    nodes, cells, sums, used = tree.nodes, tree.cells, tree.sums, tree.used
    actor = game.actor(state)
    if actor == OVER:
        return ROOT
    num_rows = game.num_actions(state)
    num_columns = 0
    if actor != CHANCE:
        # The contract has seat 1 move after seat 0 without having seen its move. A move that seat
        # 1 observed, or that another seat follows, makes this a game for other searches.
        for word in range(len(state)):
            after[word] = state[word]
        game.apply(after, 0)
        if actor != 0 or game.actor(after) != 1 or after[1] != state[1]:
            used[TREE_IS_SEQUENTIAL] = 1
            return ROOT
        num_columns = game.num_actions(after)
    num_cells, num_slots = num_rows * max(num_columns, 1), num_rows + num_columns
    if actor == CHANCE:
        num_slots = 0
    if (
        used[TREE_NODES] == len(nodes)
        or used[TREE_CELLS] + num_cells > len(cells)
        or used[TREE_SLOTS] + num_slots > len(sums)
    ):
        used[TREE_IS_FULL] = 1
        return ROOT
    node = used[TREE_NODES]
    nodes[node]["first_cell"], nodes[node]["first_slot"] = used[TREE_CELLS], used[TREE_SLOTS]
    nodes[node]["num_rows"], nodes[node]["num_columns"] = num_rows, num_columns
    nodes[node]["visits"], nodes[node]["num_filled"] = num_visits, 0
    for cell in range(used[TREE_CELLS], used[TREE_CELLS] + num_cells):
        cells[cell]["total"], cells[cell]["visits"], cells[cell]["child"] = 0.0, 0, 0
    for slot in range(used[TREE_SLOTS], used[TREE_SLOTS] + num_slots):
        sums[slot, 0] = sums[slot, 1] = 0.0
    used[TREE_NODES] += 1
    used[TREE_CELLS] += num_cells
    used[TREE_SLOTS] += num_slots
    return int(node)


@kernel(inline=True)
def uncounted_tree(tree: JointTree) -> JointTree:
    """Return *tree* without a count of references, for kernels."""
    return JointTree(
        uncounted(tree.nodes), uncounted(tree.cells), uncounted(tree.sums), uncounted(tree.used)
    )


def means(tree: JointTree, node: int) -> NDArray[np.float64]:
    """Return the mean rewards of seat 0 at a decision, [row, column], NaN where never visited."""
    record = tree.nodes[node]
    shape = int(record["num_rows"]), max(1, int(record["num_columns"]))
    first = int(record["first_cell"])
    cells = tree.cells[first : first + shape[0] * shape[1]]
    with np.errstate(invalid="ignore"):
        result: NDArray[np.float64] = (cells["total"] / cells["visits"]).reshape(shape)
    return result
