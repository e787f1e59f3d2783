"""Results of growing-tree CFR, read out of the arrays of a search.

Loops go over the states in the tree of the search alone: a public tree may have a thousand times as
many, and a small search would take longer to read out than to do.
"""

from __future__ import annotations

from acpcbot.arrays import Flags, Floats
from acpcbot.jit import kernel
from acpcbot.tree_search.growing_cfr_arrays import NUM_STATES, SearchArrays
from acpcbot.tree_search.public_tree import PublicArrays


@kernel
def write_means(tree: PublicArrays, search: SearchArrays, is_known: Flags, values: Floats) -> None:
    """Write *is_known* [node] and mean *values* [row] of the states that an update has met."""
    for place in range(search.counts[NUM_STATES]):
        node = search.order[place]
        weight = search.weights[node]
        if weight > 0:
            is_known[node] = True
            for row in range(tree.nodes[node]["first_row"], tree.nodes[node]["end_row"]):
                values[row] = search.value_sums[row] / weight


@kernel
def write_average_policy(
    tree: PublicArrays, search: SearchArrays, is_known: Flags, policy: Floats
) -> None:
    """Write the average *policy* [slot] of known states, at rows that have one."""
    for place in range(search.counts[NUM_STATES]):
        node = search.order[place]
        if not is_known[node]:
            continue
        for row in range(tree.nodes[node]["first_row"], tree.nodes[node]["end_row"]):
            first = tree.rows[row]["first_slot"]
            end, total = first + tree.rows[row]["count"], 0.0
            for slot in range(first, end):
                total += search.averages[slot]
            if total > 0:
                for slot in range(first, end):
                    policy[slot] = search.averages[slot] / total


@kernel
def write_average_reach(tree: PublicArrays, search: SearchArrays, reach: Floats) -> None:
    """Write the *reach* [row] of the average policies behind the root, whose rows are given."""
    # Uniform at rows without an average, which only a reach of 0 leaves without one.
    rows = tree.rows
    for place in range(1, search.counts[NUM_STATES]):
        record = tree.nodes[search.order[place]]
        for row in range(record["first_row"], record["end_row"]):
            parent, slot = rows[row]["parent_row"], rows[row]["parent_slot"]
            played = 1.0
            if slot >= 0:
                total = 0.0
                first, count = rows[parent]["first_slot"], rows[parent]["count"]
                for other in range(first, first + count):
                    total += search.averages[other]
                played = search.averages[slot] / total if total > 0 else 1.0 / count
            reach[row] = reach[parent] * played
