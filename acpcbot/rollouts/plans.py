"""Rollout plans: the betting below a leaf of a subgame, laid out for many hands at once.

``find_leaves`` lists the leaves of a street and, for each, the plans of the stored strategy's
betting behind it. Betting of other sizes than the strategy's is seen as in ``translation.py``; of
several translations some are sampled, and shared out among the boards. Where the strategy's hand is
over and the real one is not, there is nothing to play: both check down.

``plan_rollout`` lays one such betting out in the sequence form. The actions of one seat up to a
node are a *sequence*: sequence 0 is empty, and each action of the seat continues the sequence of
its node. An end of the hand is a sequence of either seat and the chips that change hands. So the
reach of an end is a product of two rows, and the values of all ends for every pair of hands are
one product of matrices.

In an all-in or a pot that the tree has for another one, chips are scaled: each that goes in below
the state counts as *scale* real ones, up to the real stack. All-in in the tree is all-in where both
have the same stacks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats32, Ints
from acpcbot.errors import UsageError
from acpcbot.jit import kernel
from acpcbot.poker.betting import BettingState
from acpcbot.rng import Stream
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.strategies.translation import drawn_translation, has_same_stacks
from acpcbot.subgames.game import RangeGame
from acpcbot.trees.betting_tree import (
    ACTION_CHILD,
    END_FOLDED,
    END_SPENT,
    NOBODY,
    NODE_BLOCK_END,
    NODE_FIRST_ACTION,
    NODE_NUM_ACTIONS,
    NODE_SEAT,
    NODE_SLOT,
    NODE_STREET,
    BettingPlaces,
    BettingTree,
)

Records = NDArray[np.int32]

NUM_SEATS = 2
# Columns of ``RolloutPlan.decisions``.
(
    DECISION_ACTOR,
    DECISION_PARENT_SEQUENCE,
    DECISION_FIRST_SEQUENCE,
    DECISION_FIRST_SLOT,
    DECISION_NUM_CHOICES,
) = range(5)
DECISION_LENGTH = 5


class StreetSlots(NamedTuple):
    """The slots [first, last) of a bucket's row on *street* that a plan needs."""

    street: int
    first: int
    last: int


class RolloutPlan(NamedTuple):
    """The betting below a state, with seats by their roles: the *other* is 0, the *chooser* 1.

    ``slots``          the strategy's slots on each street; the plan numbers them on
    ``decisions``      int64 [node, 5], parents first; columns DECISION_ACTOR to
                       DECISION_NUM_CHOICES: the actor, its sequence before, and the first
                       sequence, the first slot and the number of its actions
    ``kinds``          int64 [slot]: fold, call or raise
    ``num_sequences``  of the other, and of the chooser
    ``showdowns``      int64 [end, 2]: the sequences of both, by rising ones of the other
    ``stakes``         float32 [end]: the chips that the better hand wins
    ``folds``          int64 [end, 2]
    ``winnings``       float32 [end]: the chips that the other wins; negative where it folds
    """

    slots: tuple[StreetSlots, ...]
    decisions: Ints
    kinds: Ints
    num_sequences: tuple[int, int]
    showdowns: Ints
    stakes: Floats32
    folds: Ints
    winnings: Floats32


def plan_rollout(
    tree: BettingTree, node: int, seen: BettingState, real: BettingState, chooser: int
) -> RolloutPlan:
    """Return the plan of *tree* below *node*.

    *seen* is the betting that leads to the node, *real* the betting at the table.
    """
    ranges = _node_ranges(tree, node)
    nodes = np.concatenate([np.arange(first, last) for first, last in ranges])
    slots = tuple(
        [
            StreetSlots(
                int(tree.nodes[first, NODE_STREET]),
                int(tree.nodes[first, NODE_SLOT]),
                int(tree.nodes[last - 1, NODE_SLOT] + tree.nodes[last - 1, NODE_NUM_ACTIONS]),
            )
            for first, last in ranges
        ]
    )
    num_slots = int(tree.nodes[nodes, NODE_NUM_ACTIONS].sum())
    decisions, kinds = (
        np.zeros((len(nodes), DECISION_LENGTH), np.int64),
        np.zeros(num_slots, np.int64),
    )
    ends = np.zeros((num_slots, 3), np.int64)
    num_sequences = np.ones(NUM_SEATS, np.int64)
    num_ends = _lay_out(
        tree.nodes, tree.actions, nodes, 1 - chooser, decisions, kinds, ends, num_sequences
    )
    records = tree.ends[ends[:num_ends, 2]]
    spent = _real_chips(records[:, END_SPENT : END_SPENT + NUM_SEATS], seen, real)
    shown = records[:, END_FOLDED] == NOBODY
    lost = spent[np.arange(num_ends), np.maximum(records[:, END_FOLDED], 0)] * np.where(
        records[:, END_FOLDED] == chooser, 1, -1
    )
    order = np.argsort(ends[:num_ends, 0], kind="stable")
    show, fold = order[shown[order]], order[~shown[order]]
    return RolloutPlan(
        slots=slots,
        decisions=decisions,
        kinds=kinds,
        num_sequences=(int(num_sequences[0]), int(num_sequences[1])),
        showdowns=ends[show, :2].copy(),
        stakes=spent.min(axis=1)[show].astype(np.float32),
        folds=ends[fold, :2].copy(),
        winnings=lost[fold].astype(np.float32),
    )


def _node_ranges(tree: BettingTree, node: int) -> list[tuple[int, int]]:
    """Return the nodes from *node*, with which a street begins, on down, street by street.

    On each street they follow one another.
    """
    ranges = [(node, int(tree.nodes[node, NODE_BLOCK_END]))]
    while True:
        first, last = ranges[-1]
        counts = tree.nodes[first:last, NODE_NUM_ACTIONS]
        starts = np.repeat(
            tree.nodes[first:last, NODE_FIRST_ACTION] - np.cumsum(counts) + counts, counts
        )
        children = tree.actions[starts + np.arange(len(starts)), ACTION_CHILD]
        below = children[children >= last]
        if not len(below):
            return ranges
        ranges.append((int(below.min()), int(tree.nodes[below.max(), NODE_BLOCK_END])))


def _real_chips(spent: Records, seen: BettingState, real: BettingState) -> NDArray[np.float64]:
    """Return the chips at the table for *spent* [end, seat] of the tree.

    All-in in the tree is all-in at the table if that has the same stacks, else a share of the pot.
    """
    stacks = np.array(real.game.definition.stacks, np.float64)
    added = (spent - np.array(seen.spent)) * (real.pot / seen.pot)
    scaled: NDArray[np.float64] = np.minimum(np.array(real.spent) + added, stacks)
    if has_same_stacks(real, seen):
        scaled = np.where(spent == stacks, stacks, scaled)
    return scaled


@kernel
def _lay_out(
    nodes: Records,
    actions: Records,
    own_nodes: Ints,
    other: int,
    decisions: Ints,
    kinds: Ints,
    ends: Ints,
    num_sequences: Ints,
) -> int:
    """Fill *decisions*, *kinds* and *ends*, and return the number of ends.

    *ends* are [end, (sequence of the other, sequence of the chooser, end)].
    """
    # Node numbers to positions in the plan, a flat table: the nodes of a plan lie within one piece
    # of the tree, so that it is at most a little longer than the plan.
    place_of = np.full(own_nodes[-1] + 1 - own_nodes[0], -1)
    # One pass in the order of nodes, parents first: the sequences with which both seats come to a
    # node are written into its row before the node's turn comes.
    for place in range(len(own_nodes)):
        place_of[own_nodes[place] - own_nodes[0]] = place
    sequences = np.zeros((len(own_nodes), NUM_SEATS), np.int64)
    num_slots, num_ends = 0, 0
    for place in range(len(own_nodes)):
        node = own_nodes[place]
        actor, count = int(nodes[node, NODE_SEAT] != other), nodes[node, NODE_NUM_ACTIONS]
        decisions[place] = (
            actor,
            sequences[place, actor],
            num_sequences[actor],
            num_slots,
            np.int64(count),
        )
        for choice in range(count):
            child, kind, _ = actions[nodes[node, NODE_FIRST_ACTION] + choice]
            # Only the actor's sequence grows; the actions of one node get neighbouring numbers.
            after = sequences[place].copy()
            after[actor] = num_sequences[actor] + choice
            kinds[num_slots + choice] = kind
            if child >= 0:
                sequences[place_of[child - own_nodes[0]]] = after
            else:
                ends[num_ends] = after[0], after[1], np.int64(~child)
                num_ends += 1
        num_sequences[actor] += count
        num_slots += count
    return num_ends


@dataclass(frozen=True, slots=True)
class Leaf:
    """A part of the game that follows the street: the *chips* of either seat, and *plans*.

    There is a plan for each sampled translation, and none where both seats are all-in.
    """

    chips: float
    plans: tuple[RolloutPlan | None, ...]

    def plan(self, number: int) -> RolloutPlan | None:
        """Return the plan for board *number*."""
        return self.plans[number % len(self.plans)] if self.plans else None


def find_leaves(
    game: RangeGame,
    blueprint: SnapshotStrategy,
    chooser: int,
    translation_samples: int,
    stream: Stream,
) -> list[Leaf]:
    """Return the leaves that follow the root's street of *game*.

    Raises UsageError if *blueprint* cannot be rolled out there.
    """
    tree, place = rollout_tree(blueprint), blueprint.snapshot.place
    nearest = blueprint.snapshot.nearest
    if blueprint.definition != replace(game.definition, stacks=blueprint.definition.stacks):
        raise UsageError(
            f"{blueprint.snapshot.path} plays another game",
            "name a strategy of the game that is solved",
        )
    known: dict[tuple[str, str], RolloutPlan] = {}

    def plan(real: BettingState) -> RolloutPlan | None:
        seen = drawn_translation(
            place, real, lambda _: stream.unit(), blueprint.start, nearest=nearest
        )
        if seen is None:
            return None
        key = seen.text, real.text
        if key not in known:
            known[key] = plan_rollout(tree, place(seen).node, seen, real, chooser)
        return known[key]

    return [
        Leaf(chips, () if real is None else tuple([plan(real) for _ in range(translation_samples)]))
        for chips, real in leaf_states(game)
    ]


def rollout_tree(blueprint: SnapshotStrategy) -> BettingTree:
    """Return the betting tree of *blueprint*.

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
    """Return the parts that follow the root's street: the chips of either seat, and the betting.

    The betting is None where both are all-in.
    """
    states = {0: game.tree.root}
    street = game.tree.root.street
    for node in range(len(game.tree.nodes)):
        if game.tree.nodes[node, NODE_STREET] == street:
            for action, child in game.tree.children(node).items():
                if child >= 0:
                    states[child] = states[node].apply(action)
    betting = game.betting
    for part in betting.parts[betting.first_child[0] : betting.first_child[1]].tolist():
        if part >= 0:
            yield min(states[part].spent), states[part]
        else:
            yield float(game.tree.ends[~part, END_SPENT : END_SPENT + NUM_SEATS].min()), None
