"""Values of all ends of a hand in one block of betting, eight ends at a time.

The opponent's reaches at the ends of a block are known after the forward pass. They are taken eight
at a time, folds and showdowns apart, turned so that the eight reaches of a hand lie side by side,
and valued together (``terminal_values.py``). Turned back, each value is added to the row of the
traverser's action that it is worth something to (``block_rows.py``). Ends that the opponent never
reaches are worth nothing and take no place among the eight. Where the traverser folds or calls for
a showdown, the opponent's reach is the same in both, and the fold is valued from the showdown's
sums.

``BlockEnds`` are the ends of a betting tree in that order, ``EndScratch`` is the room for it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from acpcbot.aligned_arrays import aligned_zeros
from acpcbot.arrays import AnyArray, Floats, Ints
from acpcbot.jit import kernel
from acpcbot.lanes import NUM_LANES, add_square, turn_square
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

NO_PARTNER = -1
FOLDS, SHOWDOWNS, SHOWDOWNS_WITH_FOLDS = 0, 1, 2


class BlockEnds(NamedTuple):
    """The actions that end the hand, block by block: folds first, then showdowns.

    ``end_actions``  int64 [end, 3]: the node, the number of the action, and the record of the end
    ``end_bounds``   int64 [node, 3]: of a block, at its first node, the first fold, the first
                     showdown, and what follows the last
    ``end_partners`` int64 [end]: of a fold the showdown at the same node, of a showdown the fold,
                     or NO_PARTNER
    """

    end_actions: Ints
    end_bounds: Ints
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
    nodes, choices, ends = nodes[is_end], choices[is_end], ~children[is_end]
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
    found = np.stack([nodes[order], choices[order], ends[order]], axis=1).astype(np.int64)
    return BlockEnds(found, bounds, _partners(nodes[order], is_showdown))


def _partners(nodes: Ints, is_showdown: NDArray[np.bool_]) -> Ints:
    """Return the partners of the ends at *nodes* [end]."""
    partners = np.full(len(nodes), NO_PARTNER, np.int64)
    folds, showdowns = np.flatnonzero(~is_showdown), np.flatnonzero(is_showdown)
    _, of_folds, of_showdowns = np.intersect1d(nodes[folds], nodes[showdowns], return_indices=True)
    partners[folds[of_folds]] = showdowns[of_showdowns]
    partners[showdowns[of_showdowns]] = folds[of_folds]
    return partners


class EndScratch(NamedTuple):
    """Buffers for eight ends on one board, flat; vectors are padded to whole lanes.

    ``reaches``      for eight vectors, [lane, hand], and turned, ``turned_reaches`` [hand, lane]
    ``turned_values``  for the values of eight, [hand, lane]; in the place of ``reaches``, which
                     are not read again once they are turned
    ``chips``        float64 [lane]; ``fold_chips`` those of folds that go with showdowns
    ``rows``         int64 [lane]: where the row begins to which the values are added; ``fold_rows``
                     the same of folds that go with showdowns
    ``card_sums``    float64 [card, lane]
    """

    reaches: AnyArray
    turned_reaches: AnyArray
    turned_values: AnyArray
    chips: Floats
    fold_chips: Floats
    rows: Ints
    fold_rows: Ints
    card_sums: Floats


def make_end_scratch(num_cards: int, num_hands: int, dtype: type[np.floating[Any]]) -> EndScratch:
    """Return buffers for boards with at most *num_hands* hands."""
    # With zeros: lanes that are not used are computed all the same.
    reaches, turned_reaches = (
        aligned_zeros(NUM_LANES * padded(num_hands), dtype) for _ in range(2)
    )
    return EndScratch(
        reaches=reaches,
        turned_reaches=turned_reaches,
        turned_values=reaches,
        chips=aligned_zeros(NUM_LANES, np.float64),
        fold_chips=aligned_zeros(NUM_LANES, np.float64),
        rows=np.zeros(NUM_LANES, np.int64),
        fold_rows=np.zeros(NUM_LANES, np.int64),
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
def free_lanes(scratch: EndScratch, spare: int) -> None:
    """Let the values of all lanes go to the row that begins at *spare*."""
    for lane in range(NUM_LANES):
        scratch.rows[lane] = scratch.fold_rows[lane] = spare


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
def add_end_values(
    scratch: EndScratch, boards: BoardArrays, board: int, kind: int, values: AnyArray
) -> None:
    """Add the values of eight ends to the rows of *values*, a flat array.

    The ends are the *scratch*'s ``reaches``, ``chips`` and ``rows``, FOLDS or SHOWDOWNS. With
    SHOWDOWNS_WITH_FOLDS the values of folds with the same reaches follow, for ``fold_chips`` in
    ``fold_rows``.
    """
    first, last = boards.first_row[board], boards.first_row[board + 1]
    cards = boards.cards[first:last]
    if kind == FOLDS:
        turn_reaches(scratch, last - first)
        total = sum_lanes(scratch.turned_reaches, cards, scratch.card_sums)
    else:
        total = value_showdowns(scratch, boards, board)
        add_turned(scratch.turned_values, last - first, scratch.rows, values)
    if kind != SHOWDOWNS:
        is_alone = kind == FOLDS
        fold_lanes(
            scratch.turned_reaches,
            cards,
            scratch.chips if is_alone else scratch.fold_chips,
            scratch.card_sums,
            total,
            scratch.turned_values,
        )
        rows = scratch.rows if is_alone else scratch.fold_rows
        add_turned(scratch.turned_values, last - first, rows, values)


@kernel
def value_showdowns(scratch: EndScratch, boards: BoardArrays, board: int) -> Any:
    """Fill ``turned_values`` of eight showdowns; return the totals of their reaches."""
    first, last = boards.first_row[board], boards.first_row[board + 1]
    turn_reaches(scratch, last - first)
    return showdown_lanes(
        scratch.turned_reaches,
        boards.cards[first:last],
        boards.ranks[first:last],
        scratch.chips,
        scratch.card_sums,
        scratch.turned_values,
    )


@kernel
def turn_reaches(scratch: EndScratch, num_hands: int) -> None:
    """Fill ``turned_reaches`` from ``reaches``."""
    width = padded(num_hands)
    for hand in range(0, width, NUM_LANES):
        turn_square(
            scratch.reaches, hand, width, scratch.turned_reaches, hand * NUM_LANES, NUM_LANES
        )


@kernel
def turn_values_back(scratch: EndScratch, num_hands: int) -> None:
    """Fill ``turned_reaches`` with the vectors of ``turned_values``, [lane, hand]."""
    width = padded(num_hands)
    for hand in range(0, width, NUM_LANES):
        turn_square(
            scratch.turned_values, hand * NUM_LANES, NUM_LANES, scratch.turned_reaches, hand, width
        )


@kernel
def add_turned(turned: AnyArray, num_hands: int, rows: Ints, values: AnyArray) -> None:
    """Add the eight vectors *turned* [hand, lane] to *values*, each from its place in *rows* on."""
    # Rows are as long as a board has hands, and the next one begins right behind.
    whole = num_hands // NUM_LANES * NUM_LANES
    for hand in range(0, whole, NUM_LANES):
        add_square(turned, hand * NUM_LANES, NUM_LANES, values, rows, hand)
    for hand in range(whole, num_hands):
        for lane in range(NUM_LANES):
            values[rows[lane] + hand] += turned[hand * NUM_LANES + lane]
