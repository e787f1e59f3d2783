"""Arrays of growing-tree CFR, which its kernels see beside those of a public tree.

Arrays of a search are as long as those of the tree, so that rows and slots need no second
numbering; what a search has not added is stale, and is emptied when it is added.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from acpcbot.arrays import Floats, Ints
from acpcbot.jit import kernel
from acpcbot.tree_search.public_tree import NONE, PublicArrays
from acpcbot.uncounted_arrays import uncounted

OUTSIDE, LEAF, INSIDE = range(3)
NUM_STATES, ITERATIONS, UPDATES, QUERIES = range(4)
UPDATES_HERE, SIMULATIONS_HERE, PATH_LENGTH, PENDING, ADDS_ONE, NUM_COUNTS = range(4, 10)
ENTERS, LEAVES = 0, 1


class SearchArrays(NamedTuple):
    """The memory of a search.

    ``status``       int64 [node], OUTSIDE, LEAF or INSIDE
    ``order``        int64 [node], those in the tree, in the order in which they were added
    ``leaves``       int64 [node], the leaves whose values an update asks for
    ``weights``      float64 [node], the weights of the iterations in which it was in the tree
    ``reach``        float64 [row], of the row's own seat
    ``values``       float64 [row], counterfactual, of the last update
    ``value_sums``   float64 [row], weighted
    ``regrets``, ``strategy``, ``averages``, ``action_values``   float64 [slot]
    ``priors``, ``visits``, ``virtual``   float64 [slot], the statistics of PUCT
    ``is_added``     float64 [slot], 1 where the child that the action leads to is in the tree
    ``certain``      float64 [row], values of a leaf under reaches of 1, where leaves are
                     evaluated once
    ``path``         int64 [slot of the path], the slots that simulations of one iteration visited
    ``counts``       int64 [NUM_STATES .. ADDS_ONE], UPDATES_HERE and SIMULATIONS_HERE being
                     those of the present iteration; ADDS_ONE is 1 where a simulation adds one
                     child and leaves are evaluated once
    """

    status: Ints
    order: Ints
    leaves: Ints
    weights: Floats
    reach: Floats
    values: Floats
    value_sums: Floats
    regrets: Floats
    strategy: Floats
    averages: Floats
    action_values: Floats
    priors: Floats
    visits: Floats
    virtual: Floats
    is_added: Floats
    certain: Floats
    path: Ints
    counts: Ints


def search_arrays(num_nodes: int, num_rows: int, num_slots: int, path_room: int) -> SearchArrays:
    """Return the empty memory of a search with so much room."""
    counts = np.zeros(NUM_COUNTS, np.int64)
    counts[PENDING] = NONE
    return SearchArrays(
        np.zeros(num_nodes, np.int64),
        np.zeros(num_nodes, np.int64),
        np.zeros(num_nodes, np.int64),
        np.zeros(num_nodes),
        reach=np.zeros(num_rows),
        values=np.zeros(num_rows),
        value_sums=np.zeros(num_rows),
        regrets=np.zeros(num_slots),
        strategy=np.zeros(num_slots),
        averages=np.zeros(num_slots),
        action_values=np.zeros(num_slots),
        priors=np.zeros(num_slots),
        visits=np.zeros(num_slots),
        virtual=np.zeros(num_slots),
        is_added=np.zeros(num_slots),
        certain=np.zeros(num_rows),
        path=np.zeros(path_room, np.int64),
        counts=counts,
    )


class Beliefs(NamedTuple):
    """The ranges at the root, and the re-solving gadget.

    ``first``         float64 [row of the root], the reaches of both seats
    ``opponent``      the seat that the gadget lets choose, or -1 without a gadget
    ``alternatives``  float64 [row of the root], the opponent's alternative values
    ``gadget``        float64 [row of the root, ENTERS .. LEAVES], the gadget's regrets
    ``enters``        float64 [row of the root], the gadget's strategy
    ``alpha``         the share of the gadget's range, beside that of the last search
    """

    first: Floats
    opponent: int
    alternatives: Floats
    gadget: Floats
    enters: Floats
    alpha: float


class Plan(NamedTuple):
    """The work of a search, the power of t in averages, and the constants of PUCT."""

    target: int
    num_iterations: int
    updates_each: int
    simulations_each: int
    averaging_power: float
    exploration: float
    value_scale: float


@kernel(inline=True)
def uncounted_tree(tree: PublicArrays) -> PublicArrays:
    """Return *tree* without a count of references, for kernels."""
    return PublicArrays(
        uncounted(tree.nodes),
        uncounted(tree.rows),
        uncounted(tree.histories),
        uncounted(tree.moves),
    )


@kernel(inline=True)
def uncounted_search(search: SearchArrays) -> SearchArrays:
    """Return *search* without a count of references, for kernels."""
    return SearchArrays(
        uncounted(search.status),
        uncounted(search.order),
        uncounted(search.leaves),
        uncounted(search.weights),
        uncounted(search.reach),
        uncounted(search.values),
        uncounted(search.value_sums),
        uncounted(search.regrets),
        uncounted(search.strategy),
        uncounted(search.averages),
        uncounted(search.action_values),
        uncounted(search.priors),
        uncounted(search.visits),
        uncounted(search.virtual),
        uncounted(search.is_added),
        uncounted(search.certain),
        uncounted(search.path),
        uncounted(search.counts),
    )


@kernel(inline=True)
def uncounted_beliefs(beliefs: Beliefs) -> Beliefs:
    """Return *beliefs* without a count of references, for kernels."""
    return Beliefs(
        uncounted(beliefs.first),
        beliefs.opponent,
        uncounted(beliefs.alternatives),
        uncounted(beliefs.gadget),
        uncounted(beliefs.enters),
        beliefs.alpha,
    )
