"""An oracle in the place of a network: leaves get the values of the solved rest of the game.

At each query the rest of the game behind the leaf is solved under the beliefs there, by the same
updates as those of the search, in the whole tree behind it. A search with it needs no expansions:
more updates make its strategy better whatever it has in its tree. It is exact up to the number of
updates a query, and slow: for small games, to separate errors of a search from those of values.
"""

from __future__ import annotations

from typing import NamedTuple

from acpcbot.arrays import Floats, Ints
from acpcbot.errors import UsageError
from acpcbot.jit import kernel
from acpcbot.tree_search.growing_cfr_arrays import NUM_STATES, SearchArrays, search_arrays
from acpcbot.tree_search.growing_cfr_kernels import add_leaf, expand, forget, sweep
from acpcbot.tree_search.leaf_evaluators import LeafEvaluator, ZeroEvaluator
from acpcbot.tree_search.public_tree import PublicArrays, PublicTree


class OracleEvaluator(NamedTuple):
    """Values by *num_updates* of CFR behind the leaf; uniform priors.

    ``inner``    the memory of a search, apart from that of the search which asks
    ``no_leaves``  the evaluator behind the leaf, where ends are the only leaves
    """

    num_updates: int
    inner: SearchArrays
    no_leaves: ZeroEvaluator

    def leaf_values(
        self, tree: PublicArrays, leaves: Ints, num_leaves: int, reach: Floats, values: Floats
    ) -> None:
        for place in range(num_leaves):
            node = leaves[place]
            solve_behind(tree, self.no_leaves, self.inner, self.num_updates, node, reach, values)

    def write_priors(self, tree: PublicArrays, node: int, reach: Floats, priors: Floats) -> None:
        for slot in range(tree.nodes[node]["first_slot"], tree.nodes[node]["end_slot"]):
            priors[slot] = 1.0


class SubgameOracle:
    """Leaf values from solving the rest of the game, *num_updates* a query.

    Makes the whole public tree. Raises UsageError for less than one update.
    """

    def __init__(self, num_updates: int) -> None:
        if num_updates < 1:
            raise UsageError(f"{num_updates} updates a query", "use at least 1")
        self.num_updates = num_updates
        self._tree: PublicTree | None = None
        self._evaluator: LeafEvaluator = ZeroEvaluator()

    def on(self, tree: PublicTree) -> LeafEvaluator:
        """Return the evaluator, whose memory is made once for a tree."""
        if self._tree is not tree:
            tree.grow_all()
            self._evaluator = OracleEvaluator(
                self.num_updates,
                search_arrays(len(tree.arrays.nodes), len(tree.arrays.rows), tree.slot_room, 0),
                ZeroEvaluator(),
            )
            self._tree = tree
        return self._evaluator


@kernel
def solve_behind(
    tree: PublicArrays,
    no_leaves: ZeroEvaluator,
    inner: SearchArrays,
    num_updates: int,
    node: int,
    reach: Floats,
    values: Floats,
) -> None:
    """Write the mean *values* [row] of *node* over updates in the whole tree behind it."""
    # The order of states grows while it is gone through, until only ends are left on the edge:
    # breadth first, so that parents stand before children.
    record = tree.nodes[node]
    first, end = record["first_row"], record["end_row"]
    for row in range(first, end):
        inner.reach[row] = reach[row]
    forget(inner)
    add_leaf(tree, inner, node)
    place = 0
    while place < inner.counts[NUM_STATES]:
        state = inner.order[place]
        if tree.nodes[state]["num_children"] > 0:
            expand(tree, no_leaves, inner, state)
        place += 1
    for _ in range(num_updates):
        # Not update: two specialisations of one kernel cannot call each other, and this is called
        # from the search's own.
        sweep(tree, no_leaves, inner, 1.0)
    for row in range(first, end):
        values[row] = inner.value_sums[row] / inner.weights[node]
