"""The betting below a state of a stored strategy's tree, laid out to be rolled out for many
hands at once.

What a seat does of its own accord up to a node is a *row*: row 0 is nothing, and each action of
the seat has a row after that of the node. An end of the hand is a row of either seat and the
chips that change hands. So the chances of all ends are products of two rows, and what all ends
together are worth to every pair of hands is one product of matrices.

In an all-in or a pot that the tree has for another one, chips are scaled: each that goes in below
the state counts as *scale* real ones, up to the real stack, and all-in in the tree is all-in.

What follows a street: its betting as a stored strategy sees it, ready to be rolled out.

Betting of other sizes than the strategy's is seen as in ``translation.py``; of several ways to see
it some are drawn, and shared out among the boards. Where the strategy's hand is over and the real
one is not, there is nothing to roll out: both check down.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats32, Ints
from acpcbot.errors import UsageError
from acpcbot.jit import kernel
from acpcbot.poker.betting import BettingState
from acpcbot.rng import Stream
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.strategies.translation import drawn_translation
from acpcbot.subgames.game import RangeGame
from acpcbot.trees.betting_places import BettingPlaces
from acpcbot.trees.betting_tree import (
    BLOCK_END,
    CHILD,
    FIRST_ACTION,
    FOLDED,
    NOBODY,
    NUM_ACTIONS,
    SEAT,
    SLOT,
    SPENT,
    STREET,
    BettingTree,
)

Records = NDArray[np.int32]

NUM_SEATS = 2
# The columns of decisions, one for each node.
ACTOR, PARENT_ROW, FIRST_ROW, FIRST_SLOT, NUM_CHOICES = 0, 1, 2, 3, 4
DECISION_LENGTH = 5


class StreetSlots(NamedTuple):
    """Which slots [first, last) of a bucket's row on *street* a plan needs."""

    street: int
    first: int
    last: int


class RollOutPlan(NamedTuple):
    """The betting below a state, with the seats by their places: the *other* is 0, the *chooser* 1.

    ``slots``      where the strategy of each street stands; the plan counts them through
    ``decisions``  int64 [node, 5], parents first: who acts, his row before, and the first row, slot and
                   the number of his actions
    ``kinds``      int64 [slot]: fold, call or raise
    ``num_rows``   of the other, and of the chooser
    ``showdowns``  int64 [end, 2]: the rows of both, by rising rows of the other
    ``stakes``     float32 [end]: the chips that the better hand wins
    ``folds``      int64 [end, 2]
    ``winnings``   float32 [end]: the chips that the other wins; below zero where he folds
    """

    slots: tuple[StreetSlots, ...]
    decisions: Ints
    kinds: Ints
    num_rows: tuple[int, int]
    showdowns: Ints
    stakes: Floats32
    folds: Ints
    winnings: Floats32


def plan_roll_out(
    tree: BettingTree, node: int, seen: BettingState, real: BettingState, chooser: int
) -> RollOutPlan:
    """The plan of *tree* below *node*, which *seen* leads to, where *real* is the betting at
    the table.
    """
    ranges = _node_ranges(tree, node)
    nodes = np.concatenate([np.arange(first, last) for first, last in ranges])
    slots = tuple(
        [
            StreetSlots(
                int(tree.nodes[first, STREET]),
                int(tree.nodes[first, SLOT]),
                int(tree.nodes[last - 1, SLOT] + tree.nodes[last - 1, NUM_ACTIONS]),
            )
            for first, last in ranges
        ]
    )
    num_slots = int(tree.nodes[nodes, NUM_ACTIONS].sum())
    decisions, kinds = (
        np.zeros((len(nodes), DECISION_LENGTH), np.int64),
        np.zeros(num_slots, np.int64),
    )
    ends = np.zeros((num_slots, 3), np.int64)
    num_rows = np.ones(NUM_SEATS, np.int64)
    num_ends = _lay_out(
        tree.nodes, tree.actions, nodes, 1 - chooser, decisions, kinds, ends, num_rows
    )
    records = tree.ends[ends[:num_ends, 2]]
    spent = _real_chips(records[:, SPENT : SPENT + NUM_SEATS], seen, real)
    shown = records[:, FOLDED] == NOBODY
    lost = spent[np.arange(num_ends), np.maximum(records[:, FOLDED], 0)] * np.where(
        records[:, FOLDED] == chooser, 1, -1
    )
    order = np.argsort(ends[:num_ends, 0], kind="stable")
    show, fold = order[shown[order]], order[~shown[order]]
    return RollOutPlan(
        slots=slots,
        decisions=decisions,
        kinds=kinds,
        num_rows=(int(num_rows[0]), int(num_rows[1])),
        showdowns=ends[show, :2].copy(),
        stakes=spent.min(axis=1)[show].astype(np.float32),
        folds=ends[fold, :2].copy(),
        winnings=lost[fold].astype(np.float32),
    )


def _node_ranges(tree: BettingTree, node: int) -> list[tuple[int, int]]:
    """The nodes from *node*, with which a street begins, on down, street by street: on each
    they follow one another.
    """
    ranges = [(node, int(tree.nodes[node, BLOCK_END]))]
    while True:
        first, last = ranges[-1]
        counts = tree.nodes[first:last, NUM_ACTIONS]
        starts = np.repeat(
            tree.nodes[first:last, FIRST_ACTION] - np.cumsum(counts) + counts, counts
        )
        children = tree.actions[starts + np.arange(len(starts)), CHILD]
        below = children[children >= last]
        if not len(below):
            return ranges
        ranges.append((int(below.min()), int(tree.nodes[below.max(), BLOCK_END])))


def _real_chips(spent: Records, seen: BettingState, real: BettingState) -> NDArray[np.float64]:
    """What *spent* [end, seat] of the tree is at the table."""
    stacks = np.array(real.game.definition.stacks, np.float64)
    added = (spent - np.array(seen.spent)) * (real.pot / seen.pot)
    scaled = np.minimum(np.array(real.spent) + added, stacks)
    return np.where(spent == np.array(seen.game.definition.stacks), stacks, scaled)


@kernel
def _lay_out(
    nodes: Records,
    actions: Records,
    own_nodes: Ints,
    other: int,
    decisions: Ints,
    kinds: Ints,
    ends: Ints,
    num_rows: Ints,
) -> int:
    """Fill *decisions*, *kinds* and the *ends* [end, (row of the other, row of the chooser,
    end)]; how many ends.
    """
    place_of = np.full(own_nodes[-1] + 1 - own_nodes[0], -1)
    for place in range(len(own_nodes)):
        place_of[own_nodes[place] - own_nodes[0]] = place
    rows = np.zeros((len(own_nodes), NUM_SEATS), np.int64)
    num_slots, num_ends = 0, 0
    for place in range(len(own_nodes)):
        node = own_nodes[place]
        actor, count = int(nodes[node, SEAT] != other), nodes[node, NUM_ACTIONS]
        decisions[place] = actor, rows[place, actor], num_rows[actor], num_slots, np.int64(count)
        for choice in range(count):
            child, kind, _ = actions[nodes[node, FIRST_ACTION] + choice]
            after = rows[place].copy()
            after[actor] = num_rows[actor] + choice
            kinds[num_slots + choice] = kind
            if child >= 0:
                rows[place_of[child - own_nodes[0]]] = after
            else:
                ends[num_ends] = after[0], after[1], np.int64(~child)
                num_ends += 1
        num_rows[actor] += count
        num_slots += count
    return num_ends


@dataclass(frozen=True, slots=True)
class Leaf:
    """A part of the game that follows the street: the *chips* of either seat, and the plans for
    its views, if any.
    """

    chips: float
    plans: tuple[RollOutPlan | None, ...]

    def plan(self, number: int) -> RollOutPlan | None:
        """The plan for board *number*."""
        return self.plans[number % len(self.plans)] if self.plans else None


def find_leaves(
    game: RangeGame, blueprint: SnapshotStrategy, chooser: int, num_views: int, stream: Stream
) -> list[Leaf]:
    """What follows the root's street of *game*.

    Raises UsageError if *blueprint* cannot be rolled out there.
    """
    tree, place = rolled_tree(blueprint), blueprint.snapshot.place
    if blueprint.definition != game.definition:
        raise UsageError(
            f"{blueprint.snapshot.path} plays another game",
            "name a strategy of the game that is solved",
        )
    known: dict[tuple[str, str], RollOutPlan] = {}

    def plan(real: BettingState) -> RollOutPlan | None:
        seen = drawn_translation(place, real, lambda _: stream.unit())
        if seen is None:
            return None
        key = seen.text, real.text
        if key not in known:
            known[key] = plan_roll_out(tree, place(seen).node, seen, real, chooser)
        return known[key]

    return [
        Leaf(chips, () if real is None else tuple([plan(real) for _ in range(num_views)]))
        for chips, real in leaf_states(game)
    ]


def rolled_tree(blueprint: SnapshotStrategy) -> BettingTree:
    """The tree of bets of *blueprint*.

    Raises UsageError where it has none, or is played greedily.
    """
    snapshot, is_greedy = blueprint.snapshot, blueprint.settings.mode == "greedy"
    if not isinstance(snapshot.places, BettingPlaces) or snapshot.policy is None or is_greedy:
        raise UsageError(
            f"{snapshot.path} cannot be rolled out",
            "name a no-limit strategy that is not played greedily",
        )
    return snapshot.places.tree


def leaf_states(game: RangeGame) -> Iterator[tuple[float, BettingState | None]]:
    """The parts that follow the root's street: the chips of either seat, and the betting unless
    all are all-in.
    """
    states = {0: game.tree.root}
    street = game.tree.root.street
    for node in range(len(game.tree.nodes)):
        if game.tree.nodes[node, STREET] == street:
            for action, child in game.tree.children(node).items():
                if child >= 0:
                    states[child] = states[node].apply(action)
    betting = game.betting
    for part in betting.parts[betting.first_child[0] : betting.first_child[1]].tolist():
        if part >= 0:
            yield min(states[part].spent), states[part]
        else:
            yield float(game.tree.ends[~part, SPENT : SPENT + NUM_SEATS].min()), None
