"""Kernels of growing-tree CFR; ``growing_cfr.py`` says what they are for.

They see the arrays of a public tree and of a search (``growing_cfr_arrays.py``).

    regret phase     down the tree: reaches, strategies, values of leaves and ends;
                     up the tree: values, regrets
    expansion phase  simulations from the beliefs at the target, each of which adds the children of
                     the first state that it meets on the edge, or a single one

Where nothing is hidden a state has one history and one row for each seat. There a simulation may
add one child, which regret matching then chooses among those that are in the tree. The values of a
leaf are linear in the other seat's reach, a single number, so they are asked for once, under
reaches of 1, and scaled in each update.

``order`` lists the states in the tree as they were added, so parents stand before children: both
ways are one flat loop over it, without a stack.
"""

from __future__ import annotations

import numpy as np

from acpcbot.arrays import Ints, Number
from acpcbot.games.game import CHANCE, OVER
from acpcbot.jit import kernel
from acpcbot.random_kernels import RandomState, unit
from acpcbot.tree_search.growing_cfr_arrays import (
    ADDS_ONE,
    ENTERS,
    INSIDE,
    ITERATIONS,
    LEAF,
    LEAVES,
    NUM_STATES,
    OUTSIDE,
    PATH_LENGTH,
    PENDING,
    QUERIES,
    SIMULATIONS_HERE,
    UPDATES,
    UPDATES_HERE,
    Beliefs,
    Plan,
    SearchArrays,
    uncounted_beliefs,
    uncounted_search,
    uncounted_tree,
)
from acpcbot.tree_search.leaf_evaluators import LeafEvaluator
from acpcbot.tree_search.public_tree import NONE, PublicArrays, TreeGrower
from acpcbot.uncounted_arrays import uncounted


@kernel
def grow_and_update(
    tree: PublicArrays,
    evaluator: LeafEvaluator,
    search: SearchArrays,
    beliefs: Beliefs,
    plan: Plan,
    random_state: RandomState,
    grower: TreeGrower,
) -> None:
    """Run iterations until the plan is done, or until Python has to make those of counts[PENDING].

    Called again, it goes on where it stopped.
    """
    # References of arrays are not counted below: each call of a kernel would count fourteen.
    nodes, own, start = uncounted_tree(tree), uncounted_search(search), uncounted_beliefs(beliefs)
    numbers, counts = uncounted(random_state), own.counts
    if counts[PENDING] != NONE:
        enlarge(nodes, evaluator, own, counts[PENDING])
        counts[PENDING] = NONE
        counts[SIMULATIONS_HERE] += 1
    while counts[ITERATIONS] < plan.num_iterations:
        while counts[UPDATES_HERE] < plan.updates_each:
            update(nodes, evaluator, own, start, plan.averaging_power)
            counts[UPDATES_HERE] += 1
        while counts[SIMULATIONS_HERE] < plan.simulations_each:
            leaf = simulate(nodes, own, plan, numbers)
            if leaf != NONE:
                is_made = own.status[leaf] != LEAF or nodes.nodes[leaf]["is_grown"] != 0
                if not is_made and not grower.make_children(nodes, leaf):
                    counts[PENDING] = leaf
                    return
                enlarge(nodes, evaluator, own, leaf)
            counts[SIMULATIONS_HERE] += 1
        counts[ITERATIONS] += 1
        counts[UPDATES_HERE] = counts[SIMULATIONS_HERE] = 0
        for slot in range(counts[PATH_LENGTH]):
            own.virtual[own.path[slot]] = 0.0
        counts[PATH_LENGTH] = 0


@kernel
def update(
    tree: PublicArrays,
    evaluator: LeafEvaluator,
    search: SearchArrays,
    beliefs: Beliefs,
    averaging_power: float,
) -> None:
    """Update regrets and averages of both seats at once, in the whole tree of the search."""
    write_root_reach(tree, search, beliefs)
    sweep(tree, evaluator, search, averaging_power)
    if beliefs.opponent != NONE:
        learn_to_enter(tree, search, beliefs)


@kernel(inline=True)
def sweep(
    tree: PublicArrays, evaluator: LeafEvaluator, search: SearchArrays, averaging_power: float
) -> None:
    """Go down and up the tree once, from the reaches at the root."""
    # Simultaneous: both seats learn from the strategies that the pass began with, so that one
    # evaluation of a leaf serves both. Update number t has the weight t^power in all averages.
    counts, order = search.counts, search.order
    counts[UPDATES] += 1
    weight = np.float64(counts[UPDATES]) ** averaging_power
    num_leaves = 0
    for place in range(counts[NUM_STATES]):
        node = order[place]
        if place > 0:
            reach_from_parent(tree, search, node)
        num_leaves = descend(tree, search, node, num_leaves, weight)
    # All at once, after the way down, so that an evaluator may answer them in one batch.
    if num_leaves > 0:
        counts[QUERIES] += num_leaves
        evaluator.leaf_values(tree, search.leaves, num_leaves, search.reach, search.values)
    for place in range(counts[NUM_STATES] - 1, -1, -1):
        ascend(tree, search, order[place], place > 0, weight)


@kernel(inline=True)
def reach_from_parent(tree: PublicArrays, search: SearchArrays, node: int) -> None:
    """Write the reaches of *node*: those of the parent, times the actions of the seat that moved."""
    # A row has one parent (perfect recall), so reaches are gathered row by row, in the order in
    # which they lie in memory.
    rows, reach = tree.rows, search.reach
    for row in range(tree.nodes[node]["first_row"], tree.nodes[node]["end_row"]):
        slot = rows[row]["parent_slot"]
        played = search.strategy[slot] if slot >= 0 else 1.0
        reach[row] = reach[rows[row]["parent_row"]] * played


@kernel(inline=True)
def descend(
    tree: PublicArrays, search: SearchArrays, node: int, num_leaves: int, weight: float
) -> int:
    """Set the strategies of a state inside the tree, or the values of an end.

    Note a leaf whose values are to be asked for; return how many there are so far.
    """
    record = tree.nodes[node]
    first_row, end_row, actor = record["first_row"], record["end_row"], record["actor"]
    values = search.values
    if actor == OVER:
        for row in range(first_row, end_row):
            values[row] = 0.0
        # v_0(row) = sum over the histories of the row: chance * reach of the other * payoff.
        for history in range(record["first_history"], record["end_history"]):
            own = tree.histories[history]
            paid = own["chance"] * own["payoff"]
            values[own["row0"]] += paid * search.reach[own["row1"]]
            values[own["row1"]] -= paid * search.reach[own["row0"]]
    elif search.status[node] == LEAF:
        if search.counts[ADDS_ONE]:
            # One row a seat: counterfactual values are in proportion to the other's reach.
            values[first_row] = search.certain[first_row] * search.reach[first_row + 1]
            values[first_row + 1] = search.certain[first_row + 1] * search.reach[first_row]
        else:
            search.leaves[num_leaves] = node
            num_leaves += 1
    else:
        # Children add to these on the way up.
        for row in range(first_row, end_row):
            values[row] = 0.0
        for slot in range(record["first_slot"], record["end_slot"]):
            search.action_values[slot] = 0.0
        if actor != CHANCE:
            match(tree, search, node, weight)
    return num_leaves


@kernel(inline=True)
def match(tree: PublicArrays, search: SearchArrays, node: int, weight: float) -> None:
    """Set the strategies of the seat to move by regret matching, and add them to the average."""
    # Slots of a row are neighbours, and rows of a seat are: one run through memory. Regrets are
    # never below 0 (regret matching+), so they need no max here.
    record, rows = tree.nodes[node], tree.rows
    first_row, end_row = record["first_row"], record["middle_row"]
    if record["actor"] == 1:
        first_row, end_row = record["middle_row"], record["end_row"]
    for row in range(first_row, end_row):
        first, count = rows[row]["first_slot"], rows[row]["count"]
        # Actions whose child is not in the tree have no regrets and are not played.
        total, added = 0.0, 0.0
        for slot in range(first, first + count):
            total += search.regrets[slot]
            added += search.is_added[slot]
        share = weight * search.reach[row]
        for slot in range(first, first + count):
            played = search.regrets[slot] / total if total > 0 else search.is_added[slot] / added
            search.strategy[slot] = played
            search.averages[slot] += share * played


@kernel(inline=True)
def ascend(
    tree: PublicArrays,
    search: SearchArrays,
    node: int,
    has_parent: bool,  # noqa: FBT001 (kernels take no keywords)
    weight: float,
) -> None:
    """Update the regrets of *node*, whose values are complete, and add these to its parent's."""
    record, rows, values = tree.nodes[node], tree.rows, search.values
    if search.status[node] == INSIDE:
        # r(I, a) = v(I, a) - v(I), in rows of the seat to move; others' slots are counted 0.
        for row in range(record["first_row"], record["end_row"]):
            first = rows[row]["first_slot"]
            for slot in range(first, first + rows[row]["count"]):
                regret = search.regrets[slot] + search.action_values[slot] - values[row]
                search.regrets[slot] = max(0.0, regret) * search.is_added[slot]
    search.weights[node] += weight
    for row in range(record["first_row"], record["end_row"]):
        search.value_sums[row] += weight * values[row]
        if has_parent:
            # Values are pushed, not gathered: a child knows its parent's row and slot, and no list
            # of a row's children has to be kept.
            slot = rows[row]["parent_slot"]
            played = 1.0
            if slot >= 0:
                search.action_values[slot] += values[row]
                played = search.strategy[slot]
            values[rows[row]["parent_row"]] += played * values[row]


@kernel
def write_root_reach(tree: PublicArrays, search: SearchArrays, beliefs: Beliefs) -> None:
    """Write the reaches of the root: given ones, and the opponent's by the gadget."""
    record = tree.nodes[search.order[0]]
    begin = record["first_row"]
    for row in range(begin, record["end_row"]):
        search.reach[row] = beliefs.first[row - begin]
    if beliefs.opponent == NONE:
        return
    first, end = record["first_row"] - begin, record["middle_row"] - begin
    if beliefs.opponent == 1:
        first, end = record["middle_row"] - begin, record["end_row"] - begin
    # alpha r + (1 - alpha) r_prev, both as distributions: with the gadget's probabilities alone the
    # opponent would weigh as much as the number of its rows.
    entered, before = 0.0, 0.0
    for row in range(first, end):
        total = beliefs.gadget[row, ENTERS] + beliefs.gadget[row, LEAVES]
        enters = beliefs.gadget[row, ENTERS] / total if total > 0 else 0.5
        beliefs.enters[row] = enters
        entered += enters
        before += beliefs.first[row]
    for row in range(first, end):
        chosen = beliefs.enters[row] / entered if entered > 0 else 1.0 / (end - first)
        kept = beliefs.first[row] / before if before > 0 else 1.0 / (end - first)
        search.reach[begin + row] = beliefs.alpha * chosen + (1.0 - beliefs.alpha) * kept


@kernel
def learn_to_enter(tree: PublicArrays, search: SearchArrays, beliefs: Beliefs) -> None:
    """Update the regrets of the gadget: entering against the alternative value."""
    record = tree.nodes[search.order[0]]
    begin = record["first_row"]
    first, end = record["first_row"], record["middle_row"]
    if beliefs.opponent == 1:
        first, end = record["middle_row"], record["end_row"]
    for row in range(first, end):
        place = row - begin
        inside, outside = search.values[row], beliefs.alternatives[place]
        enters = beliefs.enters[place]
        value = (1.0 - enters) * outside + enters * inside
        regrets = beliefs.gadget
        regrets[place, ENTERS] = max(0.0, regrets[place, ENTERS] + inside - value)
        regrets[place, LEAVES] = max(0.0, regrets[place, LEAVES] + outside - value)


@kernel
def simulate(tree: PublicArrays, search: SearchArrays, plan: Plan, numbers: RandomState) -> int:
    """Walk from the beliefs at the target to the edge of the tree.

    Return the leaf there, or the state outside that it stepped to from a state which has not all of
    its children in the tree; -1 where the walk met an end or the beliefs are empty.
    """
    history = draw_history(tree, search, plan.target, numbers)
    if history == NONE:
        return NONE
    node = plan.target
    while search.status[node] == INSIDE:
        actor, action = tree.nodes[node]["actor"], 0
        if actor != CHANCE:
            row = tree.histories[history]["row0"]
            if actor == 1:
                row = tree.histories[history]["row1"]
            slot = select(tree, search, plan, node, row, numbers)
            action = slot - tree.rows[row]["first_slot"]
            search.visits[slot] += 1.0
            # Where one simulation follows another before values change, a visit counts as a loss.
            if plan.simulations_each > 1 and search.counts[PATH_LENGTH] < len(search.path):
                search.virtual[slot] += 1.0
                search.path[search.counts[PATH_LENGTH]] = slot
                search.counts[PATH_LENGTH] += 1
        move = draw_move(tree, history, action, actor == CHANCE, numbers)
        node, history = tree.moves[move]["child"], tree.moves[move]["history"]
    if search.status[node] == LEAF and tree.nodes[node]["actor"] == OVER:
        return NONE
    return int(node)


@kernel(inline=True)
def select(
    tree: PublicArrays,
    search: SearchArrays,
    plan: Plan,
    node: int,
    row: int,
    numbers: RandomState,
) -> int:
    """Return the slot that a simulation takes at *row*: by PUCT or by the average policy."""
    first, count = tree.rows[row]["first_slot"], tree.rows[row]["count"]
    # One half each, as in the paper: one of the two is drawn. Where children are outside PUCT alone
    # selects: the average policy, which never plays them, would come back to the same child.
    is_complete = True
    for slot in range(first, first + count):
        is_complete = is_complete and search.is_added[slot] > 0
    if unit(numbers) < 0.5 and is_complete:
        return draw_average(search, first, count, numbers)
    # Counterfactual values over the probability that chance and the other seat lead here are
    # action values; over the greatest payoff they are as large as probabilities.
    mass = mass_of(tree, search, node, row) / plan.value_scale
    visits, priors = 0.0, 0.0
    for slot in range(first, first + count):
        visits += search.visits[slot]
        priors += search.priors[slot]
    explored = plan.exploration * np.sqrt(visits + 1.0) / priors
    best, chosen = -np.inf, first
    for slot in range(first, first + count):
        value = search.action_values[slot] / mass if mass > 0 else 0.0
        virtual, own = search.virtual[slot], search.visits[slot]
        if virtual > 0:
            value = (value * (own - virtual) - virtual) / own
        value += explored * search.priors[slot] / (1.0 + own)
        if value > best:
            best, chosen = value, slot
    return int(chosen)


@kernel(inline=True)
def draw_average(search: SearchArrays, first: int, count: int, numbers: RandomState) -> int:
    """Return a slot by the average policy, uniform where there is none."""
    total = 0.0
    for slot in range(first, first + count):
        total += search.averages[slot]
    # The last slot takes what rounding leaves.
    chosen, left = 0, unit(numbers)
    for slot in range(first, first + count - 1):
        left -= search.averages[slot] / total if total > 0 else 1.0 / count
        chosen += 1 if left >= 0 else 0
    return first + chosen


@kernel
def mass_of(tree: PublicArrays, search: SearchArrays, node: int, row: int) -> float:
    """Return the probability of *row* by chance and the other seat."""
    # All histories of a state are looked at: there are some ten to a row, side by side, and a list
    # for each row would be read from elsewhere.
    record, histories = tree.nodes[node], tree.histories
    total = 0.0
    for history in range(record["first_history"], record["end_history"]):
        own = histories[history]
        if own["row0"] == row:
            total += own["chance"] * search.reach[own["row1"]]
        elif own["row1"] == row:
            total += own["chance"] * search.reach[own["row0"]]
    return total


@kernel
def draw_history(tree: PublicArrays, search: SearchArrays, node: int, numbers: RandomState) -> int:
    """Return a history of *node* by chance and the reaches of both seats, -1 if all are 0."""
    record, histories = tree.nodes[node], tree.histories
    first, end = record["first_history"], record["end_history"]
    total = 0.0
    for history in range(first, end):
        own = histories[history]
        total += own["chance"] * search.reach[own["row0"]] * search.reach[own["row1"]]
    if not total > 0:
        return NONE
    left, chosen = total * unit(numbers), NONE
    for history in range(first, end):
        own = histories[history]
        weight = own["chance"] * search.reach[own["row0"]] * search.reach[own["row1"]]
        # A history of weight 0 is never drawn; the last other one takes what rounding leaves.
        if weight > 0 and (chosen == NONE or left >= 0):
            chosen = history
        left -= weight
    return int(chosen)


@kernel(inline=True)
def draw_move(
    tree: PublicArrays,
    history: int,
    action: int,
    is_chance: Number,
    numbers: RandomState,
) -> int:
    """Return the move that follows *action* of a seat, or any of chance's, by probability."""
    # Moves of a history lie side by side. A seat's action is one move, unless chance goes on
    # unseen; only then, and where chance itself is to move, is a number drawn.
    moves = tree.moves
    first, end = tree.histories[history]["first_move"], tree.histories[history]["end_move"]
    if not is_chance:
        while moves[first]["action"] != action:
            first += 1
        last = first
        while last + 1 < end and moves[last + 1]["action"] == action:
            last += 1
        end = last + 1
    if end == first + 1:
        return int(first)
    chosen, left = first, unit(numbers)
    for move in range(first, end - 1):
        left -= moves[move]["probability"]
        chosen += 1 if left >= 0 else 0
    return int(chosen)


@kernel
def expand(tree: PublicArrays, evaluator: LeafEvaluator, search: SearchArrays, node: int) -> None:
    """Take the leaf *node*, whose children exist, into the tree, and add all of them as leaves."""
    # Reaches of the children follow at once: another simulation may stop there before the next
    # update, and its prior depends on them.
    search.status[node] = INSIDE
    record = tree.nodes[node]
    first = record["first_child"]
    for child in range(first, first + record["num_children"]):
        add_leaf(tree, search, child)
        reach_from_parent(tree, search, child)
    for slot in range(record["first_slot"], record["end_slot"]):
        search.is_added[slot] = 1.0
    if record["actor"] != CHANCE:
        evaluator.write_priors(tree, node, search.reach, search.priors)


@kernel
def enlarge(tree: PublicArrays, evaluator: LeafEvaluator, search: SearchArrays, node: int) -> None:
    """Let a simulation that came to *node*, a leaf or a state outside, add what it adds."""
    record = tree.nodes[node]
    if not search.counts[ADDS_ONE]:
        expand(tree, evaluator, search, node)
    elif search.status[node] == OUTSIDE:
        add_child(tree, evaluator, search, node)
    elif record["actor"] == CHANCE:
        # A mean over some outcomes of chance would be of another game.
        expand(tree, evaluator, search, node)
        for child in range(record["first_child"], record["first_child"] + record["num_children"]):
            evaluate_once(tree, evaluator, search, child)
    else:
        slot = first_choice(tree, evaluator, search, node)
        history = record["first_history"]
        move = tree.histories[history]["first_move"] + slot - record["first_slot"]
        search.visits[slot] += 1.0
        add_child(tree, evaluator, search, tree.moves[move]["child"])


@kernel(inline=True)
def first_choice(
    tree: PublicArrays, evaluator: LeafEvaluator, search: SearchArrays, node: int
) -> int:
    """Take the leaf *node* into the tree, and return the slot of its greatest prior."""
    search.status[node] = INSIDE
    record = tree.nodes[node]
    first_row, best = record["first_row"], record["first_slot"]
    own, others = search.reach[first_row], search.reach[first_row + 1]
    search.reach[first_row] = search.reach[first_row + 1] = 1.0
    evaluator.write_priors(tree, node, search.reach, search.priors)
    search.reach[first_row], search.reach[first_row + 1] = own, others
    for slot in range(best + 1, record["end_slot"]):
        if search.priors[slot] > search.priors[best]:
            best = slot
    return int(best)


@kernel
def add_child(
    tree: PublicArrays, evaluator: LeafEvaluator, search: SearchArrays, child: int
) -> None:
    """Add *child*, whose parent is inside the tree, as a leaf."""
    add_leaf(tree, search, child)
    reach_from_parent(tree, search, child)
    for row in range(tree.nodes[child]["first_row"], tree.nodes[child]["end_row"]):
        if tree.rows[row]["parent_slot"] >= 0:
            search.is_added[tree.rows[row]["parent_slot"]] = 1.0
    evaluate_once(tree, evaluator, search, child)


@kernel
def evaluate_once(
    tree: PublicArrays, evaluator: LeafEvaluator, search: SearchArrays, node: int
) -> None:
    """Keep the values of the leaf *node*, which has one row for each seat, under reaches of 1."""
    first_row = tree.nodes[node]["first_row"]
    if tree.nodes[node]["actor"] == OVER:
        return
    search.counts[QUERIES] += 1
    own, others = search.reach[first_row], search.reach[first_row + 1]
    search.reach[first_row] = search.reach[first_row + 1] = 1.0
    search.leaves[0] = node
    evaluator.leaf_values(tree, search.leaves, 1, search.reach, search.certain)
    search.reach[first_row], search.reach[first_row + 1] = own, others


@kernel
def add_leaf(tree: PublicArrays, search: SearchArrays, node: int) -> None:
    """Add *node* to the tree as a leaf."""
    # Its memory is emptied here and nowhere else: a search in a large tree costs what it adds.
    record, counts = tree.nodes[node], search.counts
    search.status[node] = LEAF
    search.order[counts[NUM_STATES]] = node
    counts[NUM_STATES] += 1
    search.weights[node] = 0.0
    for row in range(record["first_row"], record["end_row"]):
        search.value_sums[row] = search.values[row] = 0.0
        first, count = tree.rows[row]["first_slot"], tree.rows[row]["count"]
        for slot in range(first, first + count):
            search.regrets[slot] = search.averages[slot] = search.action_values[slot] = 0.0
            search.visits[slot] = search.virtual[slot] = search.is_added[slot] = 0.0
            search.priors[slot], search.strategy[slot] = 1.0, 1.0 / count


@kernel
def begin(
    tree: PublicArrays,
    evaluator: LeafEvaluator,
    search: SearchArrays,
    beliefs: Beliefs,
    branch: Ints,
    adds_one: int,
) -> None:
    """Empty the tree, and begin one with the states of *branch*, whose children exist.

    *branch* [place] leads from the root to the target. What lies beside it are leaves. With
    *adds_one* 1 so is the target, and simulations add its children one by one.
    """
    forget(search)
    search.counts[ADDS_ONE] = adds_one
    add_leaf(tree, search, branch[0])
    write_root_reach(tree, search, beliefs)
    for place in range(len(branch) - adds_one):
        expand(tree, evaluator, search, branch[place])
    if adds_one:
        for place in range(search.counts[NUM_STATES]):
            if search.status[search.order[place]] == LEAF:
                evaluate_once(tree, evaluator, search, search.order[place])


@kernel
def forget(search: SearchArrays) -> None:
    """Take every state out of the tree."""
    for place in range(search.counts[NUM_STATES]):
        search.status[search.order[place]] = OUTSIDE
    search.counts[:] = 0
    search.counts[PENDING] = NONE
