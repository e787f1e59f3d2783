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
    FOLDS,
    NO_PARTNER,
    SHOWDOWNS_WITH_FOLDS,
    EndScratch,
    add_end_values,
    end_chips,
    free_lanes,
    has_reach,
    make_end_scratch,
    padded,
)
from acpcbot.subgames.block_rows import NUM_SEATS, most_rows
from acpcbot.subgames.game import Betting, RangeGame
from acpcbot.subgames.vectors import add_vector, clear_vector, copy_vector, multiply
from acpcbot.trees.betting_tree import (
    ACTION_CHILD,
    NODE_BLOCK_END,
    NODE_FIRST_ACTION,
    NODE_NUM_ACTIONS,
    NODE_SEAT,
    NODE_SLOT,
)
from acpcbot.trees.board_tree import BoardArrays


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

    def record_node(
        self, betting: Betting, node: int, board: int, reaches: AnyArray, values: AnyArray
    ) -> None:
        """Receive a finished node: the block's *reaches* [row, hand], and its *values* [hand]."""
        ...


class Scratch(NamedTuple):
    """Buffers for one block on one board, one set a thread.

    In the policy's precision and flat: ``strategy`` for a vector at every slot, ``reaches`` and
    ``values`` for the rows of ``block_rows.py``, ``hand`` for one vector; ``ends`` for the ends of
    the hand. The row ``spare_row`` of values takes what belongs nowhere.

    Allocating them anew for each block took a fifth of the time (docs/methods/range_solver.md).
    """

    strategy: AnyArray
    reaches: AnyArray
    values: AnyArray
    hand: AnyArray
    ends: EndScratch
    spare_row: int


def make_scratch(game: RangeGame, dtype: type[np.floating[Any]]) -> Scratch:
    """Return buffers for the largest block on the root's board, which leaves the most hands."""
    nodes, num_hands = game.tree.nodes, game.ranges.shape[1]
    firsts = np.flatnonzero(nodes[:, NODE_BLOCK_END])
    slots = [block_slots(nodes, first) for first in firsts.tolist()]
    num_slots = max(own.stop - own.start for own in slots)
    num_reaches, num_values = most_rows(game.tree)
    num_cards = int(game.boards.arrays.cards.max()) + 1

    def vectors(num_vectors: int) -> AnyArray:
        return aligned_zeros(num_vectors * num_hands, dtype)

    return Scratch(
        strategy=vectors(num_slots),
        reaches=vectors(num_reaches),
        values=vectors(num_values + 1),
        hand=vectors(1),
        ends=make_end_scratch(num_cards, num_hands, dtype),
        spare_row=num_values,
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
    """Fill *reaches* [row, hand] of a block from those of its node *first*.

    Those of the *responder*, a seat or NOBODY, are left as they are.
    """
    # Nodes of a block are numbered parents first, so one pass in their order has every parent's
    # reach ready. Reach is a product of own probabilities: an action changes the actor's alone.
    nodes, rows = betting.nodes, betting.reach_rows
    last = nodes[first, NODE_BLOCK_END]
    for node in range(first, last):
        seat, slot = nodes[node, NODE_SEAT], nodes[node, NODE_SLOT] - nodes[first, NODE_SLOT]
        if seat == responder:
            continue
        for choice in range(nodes[node, NODE_NUM_ACTIONS]):
            child = betting.actions[nodes[node, NODE_FIRST_ACTION] + choice, ACTION_CHILD]
            if node < child < last:
                above, below = reaches[rows[node, seat]], reaches[rows[child, seat]]
                multiply(above, strategy[slot + choice], below)


class Sweep(NamedTuple):
    """A game's arrays, the policy of a traversal, and a thread's scratch."""

    betting: Betting
    boards: BoardArrays
    policy: TraversalPolicy
    scratch: Scratch


@kernel
def forward_block(sweep: Sweep, first: int, board: int, reach: AnyArray) -> Any:
    """Return the strategy [slot, hand] of a block and its reaches, [row, hand].

    *reach* [seat, hand] is that of its first node. A responder's reaches are filled there alone.
    Both arrays are views of *scratch*.
    """
    betting, boards, policy, scratch = sweep
    # The buffers are cut to this block's size: the array is dense, and its rows lie one after
    # another however many hands the board leaves.
    nodes, num_hands = betting.nodes, reach.shape[1]
    last = nodes[first, NODE_BLOCK_END] - 1
    num_slots = nodes[last, NODE_SLOT] + nodes[last, NODE_NUM_ACTIONS] - nodes[first, NODE_SLOT]
    strategy = scratch.strategy[: num_slots * num_hands].reshape(num_slots, num_hands)
    policy.fill_strategy(betting, boards, first, board, scratch.hand[:num_hands], strategy)
    # A row for the first node's reach of each seat, and one for each node behind it.
    num_rows = last + 1 - first + 1
    reaches = scratch.reaches[: num_rows * num_hands].reshape(num_rows, num_hands)
    for seat in range(NUM_SEATS):
        copy_vector(reach[seat], reaches[betting.reach_rows[first, seat]])
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
            before = reaches[betting.reach_rows[node, seat]]
            if seat == responder:
                copy_vector(reach[seat], below[number, seat])
            elif seat == betting.nodes[node, NODE_SEAT]:
                multiply(before, strategy[slot], below[number, seat])
            else:
                copy_vector(before, below[number, seat])


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
        backward_block(sweep, part, board, reach, below, values)


@kernel
def backward_block(
    sweep: Sweep, part: int, board: int, reach: AnyArray, below: AnyArray, values: AnyArray
) -> None:
    """Fill the traverser's *values* [hand] of a *part* with betting on *board*.

    *below* [part below, hand] are the values of the parts that follow it.
    """
    # The forward pass is repeated here, and not stored from forward_part: keeping strategy and
    # reaches of every block along the path would take a buffer for each block of each street,
    # where this takes one for the largest block, used again for each.
    betting, boards, policy, scratch = sweep
    nodes, own, first = betting.nodes, policy.own_seat(), betting.parts[part]
    strategy, reaches = forward_block(sweep, first, board, reach)
    num_hands = reach.shape[1]
    rows = scratch.values[: (scratch.spare_row + 1) * num_hands].reshape(-1, num_hands)
    clear_rows(betting, first, own, rows)
    add_ends(sweep, first, board, strategy, reaches, 1 if len(below) else 2)
    for number in range(len(below)):
        node, choice = betting.parent_actions[betting.first_child[part] + number]
        add_vector(below[number], rows[action_row(betting, node, choice, own)])
    # Children have higher numbers than their parents, so that the reverse order of nodes has all
    # children's values added up.
    for node in range(nodes[first, NODE_BLOCK_END] - 1, first - 1, -1):
        node_values = rows[betting.node_rows[node, own]]
        if nodes[node, NODE_SEAT] == own:
            node_values = scratch.hand[:num_hands]
            row, count = betting.action_rows[node, own], nodes[node, NODE_NUM_ACTIONS]
            slot = nodes[node, NODE_SLOT] - nodes[first, NODE_SLOT]
            policy.fill_values(
                betting,
                boards,
                node,
                board,
                reaches[betting.reach_rows[node, own]],
                rows[row : row + count],
                strategy[slot : slot + count],
                node_values,
            )
            add_vector(node_values, rows[betting.node_rows[node, own]])
        policy.record_node(betting, node, board, reaches, node_values)
    copy_vector(rows[betting.node_rows[first, own]], values)


@kernel
def clear_rows(betting: Betting, first: int, own: int, rows: AnyArray) -> None:
    """Fill the *rows* [row, hand] of values of a block, for the traverser *own*, with zeros."""
    clear_vector(rows[betting.node_rows[first, own]])
    for node in range(first, betting.nodes[first, NODE_BLOCK_END]):
        if betting.nodes[node, NODE_SEAT] == own:
            for choice in range(betting.nodes[node, NODE_NUM_ACTIONS]):
                clear_vector(rows[betting.action_rows[node, own] + choice])


@kernel(inline=True)
def action_row(betting: Betting, node: int, choice: int, own: int) -> int:
    """Return the row to which the traverser's values behind an action are added."""
    is_own = betting.nodes[node, NODE_SEAT] == own
    return betting.action_rows[node, own] + (choice if is_own else 0)  # type: ignore[no-any-return]


@kernel
def add_ends(
    sweep: Sweep, first: int, board: int, strategy: AnyArray, reaches: AnyArray, num_kinds: int
) -> None:
    """Add the traverser's values of all ends of the block of node *first* to ``scratch.values``.

    *strategy* [slot, hand] and *reaches* [row, hand] are the block's. Ends are of two kinds, folds
    and showdowns; where cards are to come folds alone are ends, *num_kinds* is 1.
    """
    betting, _, policy, scratch = sweep
    own, num_hands, ends = policy.own_seat(), reaches.shape[1], scratch.ends
    width = padded(num_hands)
    free_lanes(ends, scratch.spare_row * num_hands)
    first_fold, first_showdown, last = betting.end_bounds[first]
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
                reach = reaches[betting.reach_rows[node, 1 - own]]
                after = ends.reaches[lane * width :][:num_hands]
                if is_own:
                    copy_vector(reach, after)
                else:
                    slot = betting.nodes[node, NODE_SLOT] - betting.nodes[first, NODE_SLOT]
                    multiply(reach, strategy[slot + choice], after)
                if not has_reach(after):
                    continue
                ends.chips[lane] = end_chips(betting.ends, record, own)
                ends.rows[lane] = action_row(betting, node, choice, own) * num_hands
                if is_pair:
                    with_folds = True
                    node, choice, record = betting.end_actions[partner]
                    ends.fold_chips[lane] = end_chips(betting.ends, record, own)
                    ends.fold_rows[lane] = action_row(betting, node, choice, own) * num_hands
                lane += 1
                if lane == NUM_LANES:
                    add_eight(sweep, board, SHOWDOWNS_WITH_FOLDS if with_folds else kind)
                    lane, with_folds = 0, False
        if lane > 0:
            add_eight(sweep, board, SHOWDOWNS_WITH_FOLDS if with_folds else kind)


@kernel
def add_eight(sweep: Sweep, board: int, kind: int) -> None:
    """Add the values of the ends in ``scratch.ends`` to their rows, and free its places."""
    _, boards, _, scratch = sweep
    add_end_values(scratch.ends, boards, board, kind, scratch.values)
    first, last = boards.first_row[board], boards.first_row[board + 1]
    free_lanes(scratch.ends, scratch.spare_row * (last - first))
