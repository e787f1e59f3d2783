"""Betting lines of a game side by side: blocks of betting whose shape is the same.

A *line* is a way through the betting up to a street; it reaches a block of betting there, or, after
a call of all-in, a wait for more cards. Many blocks of a street differ in the chips of their ends
alone. Lines whose betting has one shape, on their street and on all later ones, are a *group*: they
are lanes of one computation, sixteen to a chunk, and the betting of a block is gone through once
for each chunk. Limit games have one group a street. With a menu of bets there are some more, since
stacks end bets sooner where pots are large: hold'em with 200 big blinds and four sizes has some
dozen groups on each street, and thousands of lines on the last.

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

A wait for cards is a block of one node where nobody acts, with one way on or one showdown.
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
from acpcbot.subgames.game import StreetParts, street_parts
from acpcbot.trees.bet_menu import LIMIT_MENU, Menu
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
EMPTY = -1
HINT = "games of two players, three streets or more, board cards from the second street on"


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


class Way(NamedTuple):
    """The way from *group* of the street before to lanes of a group.

    ``rows``  int64 [row, 3]: a lane, the end of the block before, the lane there. On the last street
              they are chunks: its lanes lie as those of the street before, whole chunks for each
              end, so that vectors are copied from there.
    """

    group: int
    rows: Ints


@dataclass(frozen=True, slots=True, eq=False)
class LineGroup:
    """The lines of one street whose betting has one shape, here and behind.

    ``lanes``   int64 [lane]: the line of each lane, its number on the street; EMPTY where none is
    ``ways``    from each group of the street before that leads here; none on the first street
    ``slots``   per seat int64 [slot of the block, lane]: the slots in a bucket's row
    ``plans``   by responder
    ``chips``   per responder float64 [row, lane]: the chips that it wins or loses at an end
    """

    lanes: Ints
    ways: tuple[Way, ...]
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
class BettingLines:
    """The betting tree of a game and the lines of its streets, in groups."""

    tree: BettingTree
    streets: tuple[tuple[LineGroup, ...], ...]

    @property
    def definition(self) -> GameDefinition:
        """The definition of the game."""
        return self.tree.definition

    @property
    def first(self) -> LineGroup:
        """The group of the first street, which has one line."""
        return self.streets[0][0]


def verify_lines(definition: GameDefinition) -> None:
    """Raise UsageError unless the lines of *definition* can be laid out."""
    if definition.num_players != NUM_SEATS:
        raise UsageError(f"a game of {definition.num_players} players", HINT)
    boards = definition.num_board_cards
    if definition.num_streets < 3 or boards[0] or not all(boards[1:]):
        raise UsageError(f"board cards by street: {', '.join(map(str, boards))}", HINT)


def betting_lines(definition: GameDefinition, menu: Menu = LIMIT_MENU) -> BettingLines:
    """Return the lines of a game with the bets of *menu*; raises UsageError."""
    verify_lines(definition)
    tree = build_betting_tree(BettingRules(definition).start, menu)
    parts = street_parts(tree)
    shapes = _shapes(tree, parts)
    last = definition.num_streets - 1
    streets: list[tuple[LineGroup, ...]] = []
    for street in range(last + 1):
        laid = [([0] + [EMPTY] * (WIDTH - 1), list[Way]())]
        if street:
            laid = _laid_out(parts, shapes, streets[-1], street, is_last=street == last)
        first, end = parts.street_parts[street : street + 2].tolist()
        blocks = parts.parts[first:end]
        streets.append(tuple([_group(tree, street, blocks, *own) for own in laid]))
    return BettingLines(tree, tuple(streets))


def _laid_out(
    parts: StreetParts, shapes: Ints, above: Sequence[LineGroup], street: int, *, is_last: bool
) -> list[tuple[list[int], list[Way]]]:
    """Return the lanes and the ways of each group of a *street* from the groups *above*.

    Lanes of the last street keep those of the street before, empty ones too; other streets are laid
    out without gaps.
    """
    first_above, first = parts.street_parts[street - 1 : street + 1].tolist()
    lanes: dict[int, list[int]] = {}
    rows: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
    for group, own in enumerate(above):
        children = [
            int(parts.first_child[first_above + line]) if line >= 0 else EMPTY
            for line in own.lanes.tolist()
        ]
        for end in range(own.num_ends):
            if is_last:
                # All lines of a group lead to one group, and the first of its lanes is never empty.
                shape = int(shapes[children[0] + end])
                found = lanes.setdefault(shape, [])
                chunks = range(own.num_chunks)
                rows.setdefault((shape, group), []).extend(
                    [(len(found) // WIDTH + chunk, end, chunk) for chunk in chunks]
                )
                found += [child + end - first if child >= 0 else EMPTY for child in children]
                continue
            for lane, child in enumerate(children):
                if child >= 0:
                    shape = int(shapes[child + end])
                    found = lanes.setdefault(shape, [])
                    rows.setdefault((shape, group), []).append((len(found), end, lane))
                    found.append(child + end - first)
    ways: dict[int, list[Way]] = {shape: [] for shape in lanes}
    for (shape, group), own_rows in rows.items():
        ways[shape].append(Way(group, np.array(own_rows, np.int64)))
    return [
        (found + [EMPTY] * (-len(found) % WIDTH), ways[shape]) for shape, found in lanes.items()
    ]


def _group(
    tree: BettingTree, street: int, blocks: Ints, lanes: Sequence[int], ways: Sequence[Way]
) -> LineGroup:
    """Return the group of *lanes* on a *street*, of which the first is not empty.

    *blocks* are the first nodes of all lines of the street, or the complements of ends.
    """
    own = np.array(lanes, np.int64)
    # Empty lanes get the betting of another block of the shape: their reach is zero.
    firsts = blocks[np.where(own >= 0, own, own[0])]
    return LineGroup(
        own,
        tuple(ways),
        (_slots(tree, firsts, 0), _slots(tree, firsts, 1)),
        (_plan(tree, street, int(firsts[0]), 0), _plan(tree, street, int(firsts[0]), 1)),
        (_chips(tree, street, firsts, 0), _chips(tree, street, firsts, 1)),
    )


def _shapes(tree: BettingTree, parts: StreetParts) -> Ints:
    """Return the number of the shape of each part: equal ones differ in chips alone, also behind."""
    found, numbers = np.zeros(len(parts.parts), np.int64), dict[Any, int]()
    for part in range(len(parts.parts) - 1, -1, -1):
        first, children = int(parts.parts[part]), int(parts.first_child[part])
        behind = found[children : int(parts.first_child[part + 1])].tolist()
        shape = (_shape(tree, first), tuple(behind))
        found[part] = numbers.setdefault(shape, len(numbers))
    return found


def _actions(tree: BettingTree, first: int) -> list[tuple[int, int, int]]:
    """Return (node of the block, choice, child) of every action of a block, nodes in order."""
    if first < 0:
        return []
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
    if tree.ends[~child, END_FOLDED] != NOBODY:
        return FOLD
    return SHOWDOWN if street == tree.definition.num_streets - 1 else NEXT


def _shape(tree: BettingTree, first: int) -> tuple[tuple[int, ...], ...]:
    """Return what blocks that differ in chips alone have in common; nothing of a wait for cards."""
    rows = []
    for node, choice, child in _actions(tree, first):
        kind = _kind(tree, int(tree.nodes[first, NODE_STREET]), child)
        next_node = child - first if kind == CHILD else -1
        folded = int(tree.ends[~child, END_FOLDED]) if kind == FOLD else NOBODY
        rows.append(
            (node - first, int(tree.nodes[node, NODE_SEAT]), choice, kind, next_node, folded)
        )
    return tuple(rows)


def _plan(tree: BettingTree, street: int, first: int, responder: int) -> BlockPlan:
    """Return the plan of the block that begins with node *first* for *responder*."""
    if first < 0:
        return _wait_plan(tree, street)
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


def _wait_plan(tree: BettingTree, street: int) -> BlockPlan:
    """Return the plan of a wait for cards on *street*, or on the last one for none."""
    is_last = street == tree.definition.num_streets - 1
    return BlockPlan(
        np.empty((0, 3), np.int64),
        np.array([[0, 1, 0, 0]]),
        np.array([[SHOWDOWN, 0, 0] if is_last else [NEXT, 0, -1]]),
        np.zeros(1, np.int64),
        np.empty(0, np.int64),
        1,
    )


def _chips(tree: BettingTree, street: int, firsts: Ints, responder: int) -> Floats:
    """Return the chips of each fold and showdown for *responder*, [row, lane]."""
    columns = {}
    for first in np.unique(firsts).tolist():
        children = [child for _, _, child in _actions(tree, first)] if first >= 0 else [first]
        columns[first] = [
            end_chips(tree.ends, ~child, responder)
            for child in children
            if _kind(tree, street, child) in (FOLD, SHOWDOWN)
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
    """Return *rows* [bucket, slot] as [chunk, bucket * slot of the block * lane].

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


def lane_chips(own: LineGroup, seat: int, dtype: type[np.floating]) -> AnyArray:
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
