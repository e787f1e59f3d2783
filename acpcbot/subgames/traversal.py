"""Traversals of a ``RangeGame``: forward and backward passes over betting and boards.

A traversal visits the game for one seat, the *traverser*, with the ranges of both players. A
*block* is the betting of one street after one way to get there; a *part* of a street is a block,
or a showdown after an all-in that waits for the rest of the board (``game.py``). Boards are visited
depth first, one after another. On each, a forward pass through every block computes the reach of
each hand of both seats at its nodes, and a backward pass the traverser's counterfactual values.

What the seats play, and what becomes of the values, is up to a ``TraversalPolicy``: it learns
(``solver.py``), or computes best responses and expected values of known strategies
(``best_response.py``). Kernels are compiled for each type of policy, in its own precision.

The kernels here are those of a single board; ``board_sweeps.py`` goes through all boards.

Vectors are over the hands of a board; values are counterfactual and in chips.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from acpcbot.aligned_arrays import aligned_zeros
from acpcbot.arrays import AnyArray
from acpcbot.jit import kernel, shared_methods
from acpcbot.lanes import NUM_LANES
from acpcbot.subgames.block_ends import (
    END_RECORD,
    FOLDS,
    NO_PARTNER,
    NO_ROW,
    SHOWDOWNS_WITH_FOLDS,
    EndScratch,
    end_chips,
    has_reach,
    make_end_scratch,
    padded,
    value_lanes,
)
from acpcbot.subgames.game import Betting, RangeGame
from acpcbot.subgames.vectors import clear_vector, copy_vector, multiply, sum_values
from acpcbot.trees.betting_tree import (
    ACTION_CHILD,
    END_FOLDED,
    NOBODY,
    NODE_BLOCK_END,
    NODE_FIRST_ACTION,
    NODE_NUM_ACTIONS,
    NODE_SEAT,
    NODE_SLOT,
    NODE_STREET,
)
from acpcbot.trees.board_tree import BoardArrays

NUM_SEATS = 2


@shared_methods
class TraversalPolicy(Protocol):
    """Callbacks of a traversal: strategies at nodes, and the use made of action values."""

    def own_seat(self) -> int:
        """Return the traverser."""
        ...

    def responder(self) -> int:
        """Return the seat that responds, whose strategy is not known yet, or NOBODY."""
        ...

    def fill_strategy(
        self,
        betting: Betting,
        boards: BoardArrays,
        first: int,
        board: int,
        hand_scratch: AnyArray,
        strategy: AnyArray,
    ) -> None:
        """Fill the *strategy* [slot, hand] of the block that begins with node *first*.

        That of the responder may be anything. *hand_scratch* [hand] is scratch.
        """
        ...

    def fill_values(
        self,
        betting: Betting,
        boards: BoardArrays,
        node: int,
        board: int,
        reach: AnyArray,
        action_values: AnyArray,
        strategy: AnyArray,
        node_values: AnyArray,
    ) -> None:
        """Fill the *node_values* [hand] of a node of the traverser.

        *action_values* and *strategy* are [action, hand], *reach* [hand] is its own.
        """
        ...

    def record_block(self, first: int, board: int, reaches: AnyArray, values: AnyArray) -> None:
        """Receive a finished block: its *reaches* [seat, node, hand] and *values* [node, hand]."""
        ...


class Scratch(NamedTuple):
    """Buffers for one block on one board, one set a thread.

    In the policy's precision and flat: ``strategy`` for a vector at every slot, ``reaches`` for
    those of two seats and ``values`` for those of one at every node, ``action_values`` for every
    action of a node, ``hand`` for one vector; ``ends`` for the ends of the hand.

    Allocating them anew for each block took a fifth of the time (docs/methods/range_solver.md).
    """

    strategy: AnyArray
    reaches: AnyArray
    values: AnyArray
    action_values: AnyArray
    hand: AnyArray
    ends: EndScratch
    num_action_rows: int


def make_scratch(game: RangeGame, dtype: type[np.floating[Any]]) -> Scratch:
    """Return buffers for the largest block on the root's board, which leaves the most hands."""
    nodes, num_hands = game.tree.nodes, game.ranges.shape[1]
    firsts = np.flatnonzero(nodes[:, NODE_BLOCK_END])
    slots = [block_slots(nodes, first) for first in firsts.tolist()]
    num_slots = max(own.stop - own.start for own in slots)
    num_nodes = int((nodes[firsts, NODE_BLOCK_END] - firsts).max())
    num_action_rows = int(nodes[:, NODE_NUM_ACTIONS].max())

    num_cards = int(game.boards.arrays.cards.max()) + 1
    bounds = game.betting.end_bounds
    num_ends = int((bounds[:, 2] - bounds[:, 0]).max(initial=0))

    def vectors(num_vectors: int) -> AnyArray:
        return aligned_zeros(num_vectors * num_hands, dtype)

    return Scratch(
        strategy=vectors(num_slots),
        reaches=vectors(NUM_SEATS * num_nodes),
        values=vectors(num_nodes),
        action_values=vectors(num_action_rows),
        hand=vectors(1),
        ends=make_end_scratch(num_ends, most_end_rows(game.betting), num_cards, num_hands, dtype),
        num_action_rows=num_action_rows,
    )


def block_slots(nodes: NDArray[np.int32], first: int) -> slice:
    """Return the slots of the block that begins with node *first*, in the row of its street."""
    last = nodes[first, NODE_BLOCK_END] - 1
    return slice(
        int(nodes[first, NODE_SLOT]), int(nodes[last, NODE_SLOT] + nodes[last, NODE_NUM_ACTIONS])
    )


@kernel
def fill_reaches(
    betting: Betting, first: int, responder: int, strategy: AnyArray, reaches: AnyArray
) -> None:
    """Fill *reaches* [seat, node of the block, hand] from those of the first node.

    Those of the *responder*, a seat or NOBODY, are left as they are.
    """
    # Nodes of a block are numbered parents first, so one pass in their order has every parent's
    # reach ready. Only the actor's own row changes with an action (reach is a product of own
    # probabilities), the other seat's row is copied. Rows are contiguous: [seat, node, hand].
    nodes = betting.nodes
    for node in range(first, nodes[first, NODE_BLOCK_END]):
        for choice in range(nodes[node, NODE_NUM_ACTIONS]):
            child = betting.actions[nodes[node, NODE_FIRST_ACTION] + choice, ACTION_CHILD]
            if child < 0 or nodes[child, NODE_STREET] != nodes[node, NODE_STREET]:
                continue
            slot = nodes[node, NODE_SLOT] - nodes[first, NODE_SLOT] + choice
            for seat in range(NUM_SEATS):
                above, below = reaches[seat, node - first], reaches[seat, child - first]
                if seat == nodes[node, NODE_SEAT] != responder:
                    multiply(above, strategy[slot], below)
                elif seat != responder:
                    copy_vector(above, below)


class Sweep(NamedTuple):
    """A game's arrays, the policy of a traversal, and a thread's scratch."""

    betting: Betting
    boards: BoardArrays
    policy: TraversalPolicy
    scratch: Scratch


@kernel
def forward_block(sweep: Sweep, first: int, board: int, reach: AnyArray) -> Any:
    """Return the strategy of a block and the reaches of its nodes.

    *reach* [seat, hand] is that of its first node. A responder's reaches are filled there alone.
    Both arrays are views of *scratch*.
    """
    betting, boards, policy, scratch = sweep
    # The buffers are cut to this block's size: the array is dense, and its rows lie one after
    # another however many hands the board leaves.
    nodes, num_hands = betting.nodes, reach.shape[1]
    last = nodes[first, NODE_BLOCK_END] - 1
    num_nodes = last + 1 - first
    num_slots = nodes[last, NODE_SLOT] + nodes[last, NODE_NUM_ACTIONS] - nodes[first, NODE_SLOT]
    strategy = scratch.strategy[: num_slots * num_hands].reshape(num_slots, num_hands)
    policy.fill_strategy(betting, boards, first, board, scratch.hand[:num_hands], strategy)
    reaches = scratch.reaches[: 2 * num_nodes * num_hands].reshape(2, num_nodes, num_hands)
    copy_vector(reach[0], reaches[0, 0])
    copy_vector(reach[1], reaches[1, 0])
    fill_reaches(betting, first, policy.responder(), strategy, reaches)
    return strategy, reaches


@kernel
def forward_part(sweep: Sweep, part: int, board: int, reach: AnyArray, below: AnyArray) -> None:
    """Fill *below* [part below, seat, hand], the reaches of the parts that follow *part*.

    Those of a responder are the ones with which it enters the game.
    """
    betting = sweep.betting
    child, offset = betting.parts[part], betting.first_child[part]
    # A showdown that waits for cards has no decisions: both reaches go down unchanged.
    if child < 0:
        copy_vector(reach[0], below[0, 0])
        copy_vector(reach[1], below[0, 1])
        return
    strategy, reaches = forward_block(sweep, child, board, reach)
    # The parts below are stored in the order of (node, action), with the pair that leads to each;
    # they are found by number, without searching the block's actions again.
    responder = sweep.policy.responder()
    for number in range(len(below)):
        node, choice = betting.parent_actions[offset + number]
        slot = betting.nodes[node, NODE_SLOT] - betting.nodes[child, NODE_SLOT] + choice
        for seat in range(NUM_SEATS):
            if seat == responder:
                copy_vector(reach[seat], below[number, seat])
            elif seat == betting.nodes[node, NODE_SEAT]:
                multiply(reaches[seat, node - child], strategy[slot], below[number, seat])
            else:
                copy_vector(reaches[seat, node - child], below[number, seat])


@kernel
def backward_part(
    sweep: Sweep, part: int, board: int, reach: AnyArray, below: AnyArray, values: AnyArray
) -> None:
    """Fill the traverser's *values* [hand] of *part* on *board*, no showdown on a full board.

    *below* [part below, hand] are the values of the parts that follow it.
    """
    child = sweep.betting.parts[part]
    # An all-in on a board that is not full yet: its value is that of the one part below, already
    # summed over the cards to come.
    if child < 0:
        copy_vector(below[0], values)
    else:
        backward_block(sweep, child, board, reach, below, values)


@kernel
def backward_block(
    sweep: Sweep, first: int, board: int, reach: AnyArray, below: AnyArray, values: AnyArray
) -> None:
    """Fill the traverser's *values* [hand] of a block on *board*.

    *below* [part below, hand] are the values of the parts that follow it.
    """
    # The forward pass is repeated here, and not stored from forward_part: keeping strategy and
    # reaches of every block along the path would take a buffer for each block of each street,
    # where this takes one for the largest block, used again for each.
    betting, boards, policy, scratch = sweep
    nodes, own = betting.nodes, policy.own_seat()
    strategy, reaches = forward_block(sweep, first, board, reach)
    num_nodes, num_hands, num_rows = reaches.shape[1], reach.shape[1], scratch.num_action_rows
    block_values = scratch.values[: num_nodes * num_hands].reshape(num_nodes, num_hands)
    all_values = scratch.action_values[: num_rows * num_hands].reshape(num_rows, num_hands)
    fill_end_values(sweep, first, board, strategy, reaches, 1 if len(below) else 2)
    next_below = len(below)
    # Children have higher numbers than their parents, so that the reverse order of nodes has all
    # children's values ready. Parts below were numbered in the order of (node, action); taken in
    # reverse they are consumed from the end of *below*.
    for node in range(nodes[first, NODE_BLOCK_END] - 1, first - 1, -1):
        count = nodes[node, NODE_NUM_ACTIONS]
        slot = nodes[node, NODE_SLOT] - nodes[first, NODE_SLOT]
        rows, action_values = strategy[slot : slot + count], all_values[:count]
        next_below = fill_action_values(
            sweep, node, block_values, first, below[:next_below], action_values
        )
        node_values = block_values[node - first]
        if nodes[node, NODE_SEAT] == own:
            policy.fill_values(
                betting,
                boards,
                node,
                board,
                reaches[own, node - first],
                action_values,
                rows,
                node_values,
            )
        else:
            # At the opponent's nodes its probabilities are in the reaches already, so that the
            # values of its actions are just added.
            sum_values(action_values, node_values)
    copy_vector(block_values[0], values)
    policy.record_block(first, board, reaches, block_values)


@kernel
def fill_end_values(
    sweep: Sweep, first: int, board: int, strategy: AnyArray, reaches: AnyArray, num_kinds: int
) -> None:
    """Fill the traverser's values of all ends of the block that begins with node *first*.

    *strategy* [slot, hand] and *reaches* [seat, node, hand] are the block's. They are of two
    kinds, folds and showdowns; where cards are to come folds alone are ends, *num_kinds* is 1.
    Values and their rows are in ``scratch.ends``.
    """
    betting, _, policy, scratch = sweep
    own, num_hands, ends = policy.own_seat(), reaches.shape[2], scratch.ends
    width = padded(num_hands)
    first_fold, first_showdown, last = betting.end_bounds[first]
    num_rows = 0
    for kind in range(num_kinds - 1, -1, -1):
        begin, end = (first_fold, first_showdown) if kind == FOLDS else (first_showdown, last)
        lane, with_folds = 0, False
        # The traverser's showdowns with folds come first, so that few eights have folds beside them.
        for is_alone in range(2):
            for number in range(begin, end):
                node, choice, record = betting.end_actions[number]
                is_own = betting.nodes[node, NODE_SEAT] == own
                partner = betting.end_partners[number]
                is_pair = is_own and num_kinds == 2 and partner != NO_PARTNER
                if is_pair == is_alone or (is_pair and kind == FOLDS):
                    continue
                # At the traverser's own action only the opponent's reach matters, and it is that of
                # the node: counterfactual values leave out one's own probabilities (Zinkevich et
                # al. 2007). Where the opponent ends the hand, its probability of doing so belongs
                # to its reach.
                reach = reaches[1 - own, node - first]
                after = ends.reaches[lane * width :][:num_hands]
                if is_own:
                    copy_vector(reach, after)
                else:
                    slot = betting.nodes[node, NODE_SLOT] - betting.nodes[first, NODE_SLOT]
                    multiply(reach, strategy[slot + choice], after)
                is_met = has_reach(after)
                ends.rows[number - first_fold] = num_rows + lane if is_met else NO_ROW
                ends.chips[lane] = end_chips(betting.ends, record, own)
                if is_pair:
                    with_folds |= is_met
                    row = num_rows + NUM_LANES + lane if is_met else NO_ROW
                    ends.rows[partner - first_fold] = row
                    fold = betting.end_actions[partner, END_RECORD]
                    ends.fold_chips[lane] = end_chips(betting.ends, fold, own)
                lane += is_met
                if lane == NUM_LANES:
                    num_rows += value_ends(sweep, board, num_rows, lane, kind, with_folds)
                    lane, with_folds = 0, False
        if lane > 0:
            num_rows += value_ends(sweep, board, num_rows, lane, kind, with_folds)


def most_end_rows(betting: Betting) -> int:
    """Return how many rows of values ``fill_end_values`` writes at most for a block."""
    # The traverser's showdowns with folds come first and take sixteen rows for eight, then one row
    # each the other showdowns and the folds that are left. Where ends are not met the others take
    # fewer rows. The last eight may be written beyond the rows that are used.
    most, seats = 1, betting.nodes[betting.end_actions[:, 0], NODE_SEAT]
    for first_fold, first_showdown, last in np.unique(betting.end_bounds, axis=0).tolist():
        is_paired = betting.end_partners[first_showdown:last] != NO_PARTNER
        for own in range(NUM_SEATS):
            num_pairs = int((is_paired & (seats[first_showdown:last] == own)).sum())
            num_eights = -(-num_pairs // NUM_LANES)
            num_others = max(0, last - first_showdown - num_eights * NUM_LANES)
            num_folds = first_showdown - first_fold - num_pairs
            most = max(most, 2 * num_eights * NUM_LANES + num_others + num_folds)
    return most + NUM_LANES - 1


@kernel
def value_ends(
    sweep: Sweep,
    board: int,
    row: int,
    num_lanes: int,
    kind: int,
    with_folds: bool,  # noqa: FBT001 (kernels take arguments by position)
) -> int:
    """Value the first *num_lanes* of eight ends, and return how many rows from *row* on they take.

    They are of one *kind*; *with_folds* there are folds beside showdowns.
    """
    value_lanes(
        sweep.scratch.ends, sweep.boards, board, row, SHOWDOWNS_WITH_FOLDS if with_folds else kind
    )
    return 2 * NUM_LANES if with_folds else num_lanes


@kernel
def fill_action_values(
    sweep: Sweep,
    node: int,
    block_values: AnyArray,
    first: int,
    below: AnyArray,
    action_values: AnyArray,
) -> int:
    """Fill the *action_values* [action, hand] of *node*, and return how many parts below are left.

    *block_values* [node of the block, hand] begin with node *first*. Values of parts are taken from
    the end of *below*, those of ends from ``scratch.ends``.
    """
    betting, nodes, num_below = sweep.betting, sweep.betting.nodes, len(below)
    num_hands, ends = action_values.shape[1], sweep.scratch.ends
    for choice in range(len(action_values) - 1, -1, -1):
        action = nodes[node, NODE_FIRST_ACTION] + choice
        child = betting.actions[action, ACTION_CHILD]
        if num_below > 0 and leaves_street(betting, node, child):
            num_below -= 1
            copy_vector(below[num_below], action_values[choice])
        elif child >= 0:
            copy_vector(block_values[child - first], action_values[choice])
        else:
            row = ends.rows[betting.end_places[action]]
            if row == NO_ROW:
                clear_vector(action_values[choice])
            else:
                start = row * padded(num_hands)
                copy_vector(ends.values[start : start + num_hands], action_values[choice])
    return num_below


@kernel
def leaves_street(betting: Betting, node: int, child: int) -> bool:
    """Return whether *child* of *node* lies behind more board cards, where any are to come."""
    if child >= 0:
        return bool(betting.nodes[child, NODE_STREET] != betting.nodes[node, NODE_STREET])
    return bool(betting.ends[~child, END_FOLDED] == NOBODY)
