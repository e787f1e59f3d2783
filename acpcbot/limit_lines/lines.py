"""Betting lines of a limit game: the blocks of each street, which all have one shape.

Stacks of limit games are deep enough that betting is the same however the street was reached: the
*blocks* of a street differ in the chips of their ends alone. So all *lines* that reach a street are
lanes of one computation, sixteen to a chunk, and the betting of a street is gone through once for
each chunk.

A block has *reach classes* for a responder: the vectors of the opponent's reach that can differ.
Class 0 is that of the first node; each action of the opponent makes a new one, the responder's own
actions keep the one of their node. A ``BlockPlan`` is what kernels read of it:

``steps``    int64 [step, 3]: an action of the opponent: the class before it, the slot of the
             opponent among those of the block, the class after it; parents first
``nodes``    int64 [node, 4]: the first action and the number of actions among ``actions``,
             whether the responder acts (1), the responder's first slot
``actions``  int64 [action, 3]: the kind, an index, the row of its chips. The index of CHILD is the
             node that follows, of NEXT the number of the way to the next street, of SHOWDOWN the
             number of the showdown, of FOLD the reach class
``ends``     int64 [end]: the reach class of each NEXT or SHOWDOWN
``summed``   int64 [fold class]: the classes of folds, without those of showdowns
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from acpcbot.aligned_arrays import aligned_zeros
from acpcbot.arrays import AnyArray, Floats, Ints
from acpcbot.cards.deck import NUM_CARDS
from acpcbot.errors import UsageError
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition
from acpcbot.subgames.block_ends import end_chips
from acpcbot.subgames.game import street_parts
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
    BettingTree,
    build_betting_tree,
)
from acpcbot.wide_lanes import WIDTH

FindBuckets = Callable[[int, Sequence[int]], NDArray[Any]]
"""From a street and a board to the buckets of all hands of ``poker/hands.py``, [hand]."""

CHILD, NEXT, SHOWDOWN, FOLD = range(4)
NUM_SEATS = 2
HINT = "limit games of two players, three streets or more, board cards from the second street on"


class HandBuckets(NamedTuple):
    """The buckets of hands: their number by street, and how those of a board are found."""

    num_buckets: tuple[int, ...]
    find: FindBuckets


class BlockPlan(NamedTuple):
    """The betting of one block as kernels read it for one responder; see the module."""

    steps: Ints
    nodes: Ints
    actions: Ints
    ends: Ints
    summed: Ints
    num_classes: int


@dataclass(frozen=True, slots=True, eq=False)
class StreetLines:
    """The lines of one street.

    ``lanes``   int64 [lane]: the line of each lane, its block's number; -1 where a lane is empty
    ``source``  int64 [lane, 2]: the end and the lane of the street before that lead to it; -1
    ``slots``   per seat int64 [slot of the block, lane]: the slots in a bucket's row
    ``plans``   by responder
    ``chips``   per responder float64 [row, lane]: the chips that it wins or loses at an end
    """

    lanes: Ints
    source: Ints
    slots: tuple[Ints, Ints]
    plans: tuple[BlockPlan, BlockPlan]
    chips: tuple[Floats, Floats]

    @property
    def num_chunks(self) -> int:
        """The number of chunks of lanes."""
        return len(self.lanes) // WIDTH

    @property
    def num_ends(self) -> int:
        """The number of ends of a block that are no folds."""
        return len(self.plans[0].ends)


@dataclass(frozen=True, slots=True, eq=False)
class LimitLines:
    """The betting tree of a limit game and the lines of its streets."""

    tree: BettingTree
    streets: tuple[StreetLines, ...]

    @property
    def definition(self) -> GameDefinition:
        """The definition of the game."""
        return self.tree.definition


def verify_limit(definition: GameDefinition) -> None:
    """Raise UsageError unless *definition* is a limit game whose lines can be laid out."""
    if definition.num_players != NUM_SEATS or not definition.is_limit:
        raise UsageError("not a limit game of two players", HINT)
    boards = definition.num_board_cards
    if definition.num_streets < 3 or boards[0] or not all(boards[1:]):
        raise UsageError(f"board cards by street: {', '.join(map(str, boards))}", HINT)


def limit_lines(definition: GameDefinition) -> LimitLines:
    """Return the lines of a game; raises UsageError where its blocks differ."""
    verify_limit(definition)
    tree = build_betting_tree(BettingRules(definition).start)
    parts = street_parts(tree)
    streets: list[StreetLines] = []
    for street in range(definition.num_streets):
        first, last = parts.street_parts[street], parts.street_parts[street + 1]
        blocks = parts.parts[first:last]
        if np.any(blocks < 0) or len({_shape(tree, int(block)) for block in blocks}) != 1:
            raise UsageError(
                f"the betting of street {street + 1} depends on how it was reached",
                "name a game with stacks that betting cannot exhaust",
            )
        source = _source(streets, last_street=street == definition.num_streets - 1)
        streets.append(_street_lines(tree, blocks, source, streets))
    return LimitLines(tree, tuple(streets))


def _source(streets: list[StreetLines], *, last_street: bool) -> Ints:
    """Return the end and the lane of the street before for every lane of the next one, [lane, 2].

    Lanes of the last street keep those of the street before, whole chunks for each end, so that
    reaches are copied vector by vector there. Other streets are laid out without gaps.
    """
    if not streets:
        return _padded(np.zeros((1, 2), np.int64))
    before = streets[-1]
    pairs = [
        (end, lane)
        for end in range(before.num_ends)
        for lane in range(len(before.lanes))
        if last_street or before.lanes[lane] >= 0
    ]
    return _padded(np.array(pairs, np.int64))


def _padded(rows: Ints) -> Ints:
    """Return *rows* with rows of -1 up to a whole chunk."""
    missing = -len(rows) % WIDTH
    return np.concatenate([rows, np.full((missing, *rows.shape[1:]), -1, np.int64)])


def _street_lines(
    tree: BettingTree, blocks: Ints, source: Ints, streets: list[StreetLines]
) -> StreetLines:
    if streets:
        before = streets[-1]
        # Parts follow the ways out of each part in order: that of a line and an end is known.
        above = np.where(source[:, 1] >= 0, before.lanes[source[:, 1]], -1)
        lanes = np.where(above >= 0, above * before.num_ends + source[:, 0], -1)
    else:
        lanes = np.where(source[:, 0] >= 0, 0, -1)
    # Empty lanes get the betting of any block: their reach is zero.
    firsts = blocks[np.maximum(lanes, 0)]
    plans = tuple([_plan(tree, int(blocks[0]), seat) for seat in range(NUM_SEATS)])
    chips = tuple([_chips(tree, firsts, seat) for seat in range(NUM_SEATS)])
    return StreetLines(
        lanes,
        source,
        (_slots(tree, firsts, 0), _slots(tree, firsts, 1)),
        (plans[0], plans[1]),
        (chips[0], chips[1]),
    )


def _actions(tree: BettingTree, first: int) -> list[tuple[int, int, int]]:
    """Return (node of the block, choice, child) of every action of a block, nodes in order."""
    nodes = range(first, int(tree.nodes[first, NODE_BLOCK_END]))
    return [
        (
            node,
            choice,
            int(tree.actions[tree.nodes[node, NODE_FIRST_ACTION] + choice, ACTION_CHILD]),
        )
        for node in nodes
        for choice in range(int(tree.nodes[node, NODE_NUM_ACTIONS]))
    ]


def _kind(tree: BettingTree, street: int, child: int) -> int:
    """Return the kind of an action on *street* that leads to *child*."""
    if child >= 0:
        return CHILD if tree.nodes[child, NODE_STREET] == street else NEXT
    return SHOWDOWN if tree.ends[~child, END_FOLDED] == NOBODY else FOLD


def _shape(tree: BettingTree, first: int) -> tuple[tuple[int, ...], ...]:
    """Return what two blocks that differ in chips alone have in common."""
    street = int(tree.nodes[first, NODE_STREET])
    rows = []
    for node, choice, child in _actions(tree, first):
        kind = _kind(tree, street, child)
        next_node = child - first if kind == CHILD else -1
        folded = int(tree.ends[~child, END_FOLDED]) if kind == FOLD else NOBODY
        rows.append(
            (node - first, int(tree.nodes[node, NODE_SEAT]), choice, kind, next_node, folded)
        )
    return tuple(rows)


def _plan(tree: BettingTree, first: int, responder: int) -> BlockPlan:
    """Return the plan of the block that begins with node *first* for *responder*."""
    street = int(tree.nodes[first, NODE_STREET])
    class_of, num_classes, num_slots = {first: 0}, 1, [0, 0]
    steps: list[tuple[int, int, int]] = []
    nodes: list[tuple[int, int, int, int]] = []
    actions: list[tuple[int, int, int]] = []
    ends: list[int] = []
    folds: list[int] = []
    num_ends = row = 0
    for node, choice, child in _actions(tree, first):
        seat = int(tree.nodes[node, NODE_SEAT])
        own = class_of[node]
        if choice == 0:
            count = int(tree.nodes[node, NODE_NUM_ACTIONS])
            nodes.append((len(actions), count, int(seat == responder), num_slots[responder]))
        if seat != responder:
            steps.append((own, num_slots[seat], num_classes))
            own, num_classes = num_classes, num_classes + 1
        num_slots[seat] += 1
        kind = _kind(tree, street, child)
        if kind == CHILD:
            class_of[child] = own
            actions.append((kind, child - first, -1))
        elif kind == NEXT:
            ends.append(own)
            actions.append((kind, num_ends, -1))
            num_ends += 1
        else:
            if kind == SHOWDOWN:
                ends.append(own)
                actions.append((kind, num_ends, row))
                num_ends += 1
            else:
                folds.append(own)
                actions.append((kind, own, row))
            row += 1
    walked = set(ends) if any(kind == SHOWDOWN for kind, _, _ in actions) else set()
    return BlockPlan(
        np.array(steps, np.int64).reshape(-1, 3),
        np.array(nodes, np.int64),
        np.array(actions, np.int64),
        np.array(ends, np.int64),
        np.array([own for own in dict.fromkeys(folds) if own not in walked], np.int64),
        num_classes,
    )


def _chips(tree: BettingTree, firsts: Ints, responder: int) -> Floats:
    """Return the chips of each fold and showdown for *responder*, [row, lane]."""
    columns = {}
    for first in np.unique(firsts).tolist():
        columns[first] = [
            end_chips(tree.ends, ~child, responder)
            for _, _, child in _actions(tree, first)
            if child < 0
        ]
    return np.array([columns[first] for first in firsts.tolist()], np.float64).T.copy()


def _slots(tree: BettingTree, firsts: Ints, seat: int) -> Ints:
    """Return the slots of *seat* in a bucket's row, [slot of the block, lane]."""
    columns = {
        first: [
            int(tree.nodes[node, NODE_SLOT]) + choice
            for node, choice, _ in _actions(tree, first)
            if tree.nodes[node, NODE_SEAT] == seat
        ]
        for first in np.unique(firsts).tolist()
    }
    return np.array([columns[first] for first in firsts.tolist()], np.int64).T.copy()


def lane_policy(rows: AnyArray, slots: Ints, dtype: type[np.floating]) -> AnyArray:
    """Return a street's *rows* [bucket, slot] as [chunk, bucket * slot of the block * lane].

    Steps stay the integers that they are; floats become *dtype*.
    """
    num_slots, num_lanes = slots.shape
    shape = (num_lanes // WIDTH, len(rows), num_slots, WIDTH)
    kind = rows.dtype if np.issubdtype(rows.dtype, np.integer) else dtype
    policy = aligned_zeros(prod(shape), kind).reshape(shape)
    for chunk in range(len(policy)):
        policy[chunk] = rows[:, slots[:, chunk * WIDTH : (chunk + 1) * WIDTH]]
    return policy.reshape(len(policy), -1)


def as_shares(rows: AnyArray, dtype: type[np.floating]) -> AnyArray:
    """Return *rows* as probabilities of *dtype*: unsigned integers are steps of 1 over the largest."""
    if np.issubdtype(rows.dtype, np.integer):
        return (rows / np.iinfo(rows.dtype).max).astype(dtype)
    return rows.astype(dtype)


def lane_chips(own: StreetLines, seat: int, dtype: type[np.floating]) -> AnyArray:
    """Return the chips of *seat* as responder at all ends, [chunk, row * lane]."""
    chips = own.chips[seat].reshape(-1, own.num_chunks, WIDTH).transpose(1, 0, 2)
    return np.ascontiguousarray(chips.reshape(own.num_chunks, -1), dtype)


def num_hands(definition: GameDefinition, street: int) -> int:
    """Return the number of hands that a board of *street* leaves."""
    left = len(definition.deck) - definition.board_size(street)
    return comb(left, definition.num_hole_cards)


def num_card_sums(definition: GameDefinition) -> int:
    """Return the number of cards in sums by card: single cards have a second one of their own."""
    if definition.num_hole_cards == 1:
        return NUM_CARDS + num_hands(definition, 0)
    return max(definition.deck) + 1
