"""Evaluators of public states at the edge of a growing tree.

An evaluator gives counterfactual values of both seats under their reaches, and a prior policy for
selecting what to add next. Kernels call its methods, so it is a NamedTuple, compiled in.
``LeafValues`` is the Python side: it makes the tuple for a tree, and is asked again when the tree
has grown, so that what it keeps for each public state can grow as well.

Here is ``NoValues``, which knows nothing; ``subgame_oracle.py`` solves the rest of the game, and
``network_values.py`` asks a network.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from acpcbot.arrays import Floats, Ints
from acpcbot.jit import shared_methods
from acpcbot.tree_search.public_tree import PublicArrays, PublicTree


@shared_methods
class LeafEvaluator(Protocol):
    """The values of public states, and a prior of the seat to move in one."""

    def leaf_values(
        self, tree: PublicArrays, leaves: Ints, num_leaves: int, reach: Floats, values: Floats
    ) -> None:
        """Write *values* [row] of the rows of the states *leaves* [:num_leaves].

        They are those of one update, in one batch, under the *reach* [row] of both seats. Values
        are counterfactual: in the units of payoffs, times chance and the other seat's reach.
        """
        ...

    def write_priors(self, tree: PublicArrays, node: int, reach: Floats, priors: Floats) -> None:
        """Write *priors* [slot] above 0 for the slots of *node*, in any scale by row."""
        ...


class LeafValues(Protocol):
    """A source of leaf values for searches in a public tree."""

    def on(self, tree: PublicTree) -> LeafEvaluator:
        """Return the evaluator for *tree* as it is now."""
        ...


class ZeroEvaluator(NamedTuple):
    """Values of 0, uniform priors."""

    # numba cannot pass a tuple without fields to a method.
    no_field: int = 0

    def leaf_values(
        self, tree: PublicArrays, leaves: Ints, num_leaves: int, reach: Floats, values: Floats
    ) -> None:
        for place in range(num_leaves):
            record = tree.nodes[leaves[place]]
            for row in range(record["first_row"], record["end_row"]):
                values[row] = 0.0

    def write_priors(self, tree: PublicArrays, node: int, reach: Floats, priors: Floats) -> None:
        for slot in range(tree.nodes[node]["first_slot"], tree.nodes[node]["end_slot"]):
            priors[slot] = 1.0


class NoValues:
    """Leaves worth nothing to either seat: a search without a network."""

    def on(self, tree: PublicTree) -> LeafEvaluator:
        """Return the evaluator, which is the same for every tree."""
        return ZeroEvaluator()
