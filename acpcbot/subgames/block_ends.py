"""Values of all ends of a hand in one block of betting, eight ends at a time.

The opponent's reaches at the ends of a block are known after the forward pass. They are taken eight
at a time, folds and showdowns apart, turned so that the eight reaches of a hand lie side by side,
and valued together (``terminal_values.py``). Ends that the opponent never reaches are worth nothing
and take no place among the eight. Where the traverser folds or calls for a showdown, the opponent's
reach is the same in both, and the fold is valued from the showdown's sums.

``BlockEnds`` are the ends of a betting tree in that order, ``EndScratch`` is the room for it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from acpcbot.aligned_arrays import aligned_zeros
from acpcbot.arrays import AnyArray, Floats, Ints
from acpcbot.jit import kernel
from acpcbot.lanes import NUM_LANES, turn_square
from acpcbot.subgames.terminal_values import fold_lanes, showdown_lanes, sum_lanes
from acpcbot.trees.betting_tree import (
    ACTION_CHILD,
    END_FOLDED,
    END_SPENT,
    NOBODY,
    NODE_BLOCK_END,
    NODE_FIRST_ACTION,
    NODE_NUM_ACTIONS,
    BettingTree,
)
from acpcbot.trees.board_tree import BoardArrays

NO_ROW, NO_PARTNER = -1, -1
FOLDS, SHOWDOWNS, SHOWDOWNS_WITH_FOLDS = 0, 1, 2
END_RECORD = 2
"""The column of ``end_actions`` with the record of the end."""


class BlockEnds(NamedTuple):
    """The actions that end the hand, block by block: folds first, then showdowns.

    ``end_actions``  int64 [end, 3]: the node, the number of the action, and the record of the end
    ``end_bounds``   int64 [node, 3]: of a block, at its first node, the first fold, the first
                     showdown, and what follows the last
    ``end_places``   int64 [action of the tree]: the place of its end in the block, or -1
    ``end_partners`` int64 [end]: of a fold the showdown at the same node, of a showdown the fold,
                     or NO_PARTNER
    """

    end_actions: Ints
    end_bounds: Ints
    end_places: Ints
    end_partners: Ints


def block_ends(tree: BettingTree) -> BlockEnds:
    """Return the ends of the blocks of *tree*."""
    counts = tree.nodes[:, NODE_NUM_ACTIONS].astype(np.int64)
    first_actions = tree.nodes[:, NODE_FIRST_ACTION].astype(np.int64)
    nodes = np.repeat(np.arange(len(counts)), counts)
    choices = np.arange(len(nodes)) - np.repeat(np.cumsum(counts) - counts, counts)
    actions = first_actions[nodes] + choices
    children = tree.actions[actions, ACTION_CHILD].astype(np.int64)
    is_end = children < 0
    nodes, choices, actions, ends = (
        nodes[is_end],
        choices[is_end],
        actions[is_end],
        ~children[is_end],
    )
    firsts = np.flatnonzero(tree.nodes[:, NODE_BLOCK_END])
    blocks = firsts[np.searchsorted(firsts, nodes, "right") - 1]
    is_showdown = tree.ends[ends, END_FOLDED] == NOBODY
    order = np.lexsort((choices, nodes, is_showdown, blocks))
    blocks, is_showdown = blocks[order], is_showdown[order]
    bounds = np.zeros((len(counts), 3), np.int64)
    bounds[firsts, 0] = np.searchsorted(blocks, firsts)
    bounds[firsts, 2] = np.searchsorted(blocks, firsts, "right")
    num_folds = np.bincount(blocks[~is_showdown], minlength=len(counts))
    bounds[firsts, 1] = bounds[firsts, 0] + num_folds[firsts]
    places = np.full(len(tree.actions), NO_ROW, np.int64)
    places[actions[order]] = np.arange(len(order)) - bounds[blocks, 0]
    found = np.stack([nodes[order], choices[order], ends[order]], axis=1).astype(np.int64)
    return BlockEnds(found, bounds, places, _partners(nodes[order], is_showdown))


def _partners(nodes: Ints, is_showdown: NDArray[np.bool_]) -> Ints:
    """Return the partners of the ends at *nodes* [end]."""
    partners = np.full(len(nodes), NO_PARTNER, np.int64)
    folds, showdowns = np.flatnonzero(~is_showdown), np.flatnonzero(is_showdown)
    _, of_folds, of_showdowns = np.intersect1d(nodes[folds], nodes[showdowns], return_indices=True)
    partners[folds[of_folds]] = showdowns[of_showdowns]
    partners[showdowns[of_showdowns]] = folds[of_folds]
    return partners


class EndScratch(NamedTuple):
    """Buffers for the ends of one block on one board, flat; rows are padded to whole lanes.

    ``reaches``      for eight vectors, [lane, hand], and turned, ``turned_reaches`` [hand, lane]
    ``turned_values``  for the values of eight, [hand, lane]; in the place of ``reaches``, which
                     are not read again once they are turned
    ``values``       for those of all ends of a block, [row, hand]
    ``rows``         int64 [end of the block]: its row of ``values``, or NO_ROW where it is worth 0
    ``chips``        float64 [lane]; ``fold_chips`` those of folds that go with showdowns
    ``card_sums``    float64 [card, lane]
    """

    reaches: AnyArray
    turned_reaches: AnyArray
    turned_values: AnyArray
    values: AnyArray
    rows: Ints
    chips: Floats
    fold_chips: Floats
    card_sums: Floats


def make_end_scratch(
    num_ends: int, num_rows: int, num_cards: int, num_hands: int, dtype: type[np.floating[Any]]
) -> EndScratch:
    """Return buffers for blocks with at most *num_ends* ends and *num_rows* rows of values.

    *num_rows* are those of ``traversal.most_end_rows``; boards have at most *num_hands* hands.
    """

    # With zeros: lanes that are not used are computed all the same.
    def vectors(count: int) -> AnyArray:
        return aligned_zeros(count * padded(num_hands), dtype)

    reaches = vectors(NUM_LANES)
    return EndScratch(
        reaches=reaches,
        turned_reaches=vectors(NUM_LANES),
        turned_values=reaches,
        values=vectors(num_rows),
        rows=np.empty(max(1, num_ends), np.int64),
        chips=aligned_zeros(NUM_LANES, np.float64),
        fold_chips=aligned_zeros(NUM_LANES, np.float64),
        card_sums=aligned_zeros(num_cards * NUM_LANES, np.float64),
    )


@kernel
def padded(num_hands: int) -> int:
    """Return *num_hands*, rounded up to whole lanes."""
    return (num_hands + NUM_LANES - 1) // NUM_LANES * NUM_LANES


@kernel
def has_reach(reach: AnyArray) -> bool:
    """Return whether any hand has reach."""
    # No early end, so that the loop is vectorised.
    count = 0
    for hand in range(len(reach)):
        count += reach[hand] != 0
    return count > 0


@kernel
def end_chips(ends: NDArray[np.int32], end: int, own: int) -> float:
    """Return the chips that an end is about, for the seat *own*."""
    # A showdown is for what the shorter of the two put in (the rest is returned); a fold pays the
    # folder's chips. Values are net of the hand's start, so that both seats' add up to zero.
    record = ends[end]
    if record[END_FOLDED] == NOBODY:
        return float(min(record[END_SPENT], record[END_SPENT + 1]))
    sign = -1.0 if record[END_FOLDED] == own else 1.0
    return sign * float(record[END_SPENT + record[END_FOLDED]])


@kernel
def value_lanes(scratch: EndScratch, boards: BoardArrays, board: int, row: int, kind: int) -> None:
    """Fill eight rows of ``scratch.values`` from *row* on, from its ``reaches`` and ``chips``.

    They are FOLDS or SHOWDOWNS. With SHOWDOWNS_WITH_FOLDS eight more follow, folds for
    ``fold_chips`` with the same reaches.
    """
    first, last = boards.first_row[board], boards.first_row[board + 1]
    cards, width = boards.cards[first:last], padded(last - first)
    for hand in range(0, width, NUM_LANES):
        turn_square(
            scratch.reaches, hand, width, scratch.turned_reaches, hand * NUM_LANES, NUM_LANES
        )
    if kind == FOLDS:
        total = sum_lanes(scratch.turned_reaches, cards, scratch.card_sums)
    else:
        total = showdown_lanes(
            scratch.turned_reaches,
            cards,
            boards.ranks[first:last],
            scratch.chips,
            scratch.card_sums,
            scratch.turned_values,
        )
        turn_values(scratch, row, width)
        row += NUM_LANES
    if kind != SHOWDOWNS:
        fold_lanes(
            scratch.turned_reaches,
            cards,
            scratch.chips if kind == FOLDS else scratch.fold_chips,
            scratch.card_sums,
            total,
            scratch.turned_values,
        )
        turn_values(scratch, row, width)


@kernel
def turn_values(scratch: EndScratch, row: int, width: int) -> None:
    """Fill eight rows of ``scratch.values``, of *width* hands, from its ``turned_values``."""
    for hand in range(0, width, NUM_LANES):
        turn_square(
            scratch.turned_values,
            hand * NUM_LANES,
            NUM_LANES,
            scratch.values,
            row * width + hand,
            width,
        )
