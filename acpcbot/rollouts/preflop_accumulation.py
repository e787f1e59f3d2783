"""Rollouts behind a whole first street, in batches of boards: values for all pairs of classes.

As in ``rollouts.py``, for a stored strategy's own tree from its beginning: on each board one hand
of each class is drawn for either seat, and the values of all pairs of these are exact, over all
betting. In games of few hands every hand stands for itself, so that with all boards everything is
exact. Boards come in batches, which two halves take in turn; the difference of the halves gives the
standard error.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.canonical_boards import canonical_boards
from acpcbot.abstraction.hand_groups import HandGroups
from acpcbot.abstraction.pair_equities import LOWEST, full_ranks, pair_equities, run_out_ranks
from acpcbot.abstraction.table_cache import cached_table
from acpcbot.arrays import Floats
from acpcbot.errors import UsageError
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hand_classes import game_classes, num_class_pairs, sums_by_class
from acpcbot.poker.hands import all_hands, hand_masks
from acpcbot.rng import Stream
from acpcbot.rollouts.control_variates import (
    RolloutSums,
    draw_boards,
    expected_controls,
    nut_strengths_of,
)
from acpcbot.rollouts.kernels import Rollouts
from acpcbot.rollouts.plans import NUM_SEATS, Leaf, plan_rollout, rollout_tree
from acpcbot.rollouts.rollouts import BIASES, Bias
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.trees.betting_tree import NODE_STREET

Half: TypeAlias = list[RolloutSums]
"""By chooser."""

NUM_HALVES = 2
MAX_SINGLE_HANDS = 200
MAX_BATCH_BOARDS = 16
SUPPORTED_GAMES = (
    "values are made for games of two streets or more, the first of them without a board"
)
BOARDS_AT_ONCE = 2048
NUT_STRENGTH_RECIPE = b"peaks of the classes over all rivers, power 12, version 1"


@dataclass(frozen=True, slots=True)
class PreflopSettings:
    """The number of boards, the *seed* that draws them, and the *biases* of the continuations.

    The first bias is plain.
    """

    num_boards: int = 4000
    seed: int = 1
    biases: tuple[Bias, ...] = BIASES

    def __post_init__(self) -> None:
        if self.num_boards < NUM_HALVES:
            raise UsageError(
                f"{self.num_boards} boards: expected at least {NUM_HALVES}, one for each half",
                "draw more boards",
            )


def preflop_states(blueprint: SnapshotStrategy) -> tuple[BettingState, ...]:
    """Return the states of the strategy's tree with which its second street begins, in its order.

    Raises UsageError where it has no tree of bets, or is played greedily.
    """
    tree = rollout_tree(blueprint)
    waiting, found = [(0, tree.root)], list[tuple[int, BettingState]]()
    while waiting:
        node, betting = waiting.pop()
        for action, child in tree.children(node).items():
            if child >= 0:
                ends = tree.nodes[child, NODE_STREET] > 0
                (found if ends else waiting).append((child, betting.apply(action)))
    return tuple([betting for _, betting in sorted(found, key=lambda pair: pair[0])])


class PreflopRollouts:
    """Sums for all states of *blueprint*, grown batch by batch; the same for the same settings.

    Raises UsageError for games and strategies that cannot be rolled out.
    """

    def __init__(self, blueprint: SnapshotStrategy, settings: PreflopSettings) -> None:
        definition = blueprint.definition
        if definition.num_streets < 2 or definition.num_hole_cards > 2 or definition.board_size(0):
            raise UsageError(
                "a game without a second street, or with other hands than of one or two cards",
                SUPPORTED_GAMES,
            )
        self.blueprint, self.settings = blueprint, settings
        self.states, self._hand_buckets = preflop_states(blueprint), _hand_buckets(definition)
        if not self.states:
            raise UsageError("no hand of this strategy gets beyond street 1", SUPPORTED_GAMES)
        self._leaves = [self._leaves_for(chooser) for chooser in range(NUM_SEATS)]
        boards, stream = (
            draw_boards(definition, (), settings.num_boards, Stream(settings.seed)),
            Stream(settings.seed, 1),
        )
        self._jobs = [(board, stream.bits()) for board in boards]
        self.batch = min(MAX_BATCH_BOARDS, -(-len(boards) // NUM_HALVES))
        self.num_done = 0
        self.halves: list[Half] = [
            [self._no_sums() for _ in range(NUM_SEATS)] for _ in range(NUM_HALVES)
        ]

    @property
    def num_boards(self) -> int:
        """The number of boards in all."""
        return len(self._jobs)

    @property
    def num_decisions(self) -> int:
        """The number of decisions of the tree that are visited on each board."""
        return sum(
            len(plan.decisions)
            for leaves in self._leaves
            for leaf in leaves
            if (plan := leaf.plan(0))
        )

    def needed_bytes(self, num_threads: int) -> dict[str, int]:
        """Return the memory needed, by purpose."""
        num_sequences = max(
            plan.num_sequences[1] for leaf in self._leaves[0] if (plan := leaf.plan(0))
        )
        num_buckets, num_continuations = len(self._hand_buckets), len(self.settings.biases)
        cells = len(self.states) * num_continuations * num_buckets**2
        board = np.dtype(np.float32).itemsize * (
            cells + 4 * num_sequences * (num_continuations + 1) * num_buckets
        )
        return {"sums": (NUM_SEATS * NUM_HALVES + 2) * 8 * cells, "boards": num_threads * board}

    def step(self, num_threads: int = 1) -> None:
        """Add the next batch of boards, to the half whose turn it is."""
        jobs, half = (
            self._jobs[self.num_done : self.num_done + self.batch],
            self.num_done // self.batch % NUM_HALVES,
        )
        blueprint_buckets: dict[tuple[int, ...], NDArray[np.int64]] = {}
        hands, factors = (
            np.arange(len(self._hand_buckets.groups)),
            np.array(self.settings.biases, np.float32),
        )
        for chooser, leaves in enumerate(self._leaves):
            rollouts = Rollouts(
                self.blueprint,
                hands,
                self._hand_buckets,
                leaves,
                factors,
                uses_nut_strength=True,
                buckets=blueprint_buckets,
            )
            self.halves[half][chooser].include(rollouts.sums(jobs, num_threads, float("inf")))
        self.num_done += len(jobs)

    def values(self) -> tuple[Floats, Floats]:
        """Return the values of seat 0 in shares of the pot, and their standard errors.

        Values are [state, profile, class, class], see ``preflop_table.py``; errors [state], by the
        two halves.
        """
        definition, total = self.blueprint.definition, [self._no_sums() for _ in range(NUM_SEATS)]
        for half in self.halves:
            for sums, own in zip(total, half, strict=True):
                sums.include(own)
        expected = expected_at_start(definition, self._hand_buckets)
        first, second = (self._won(half, expected) for half in self.halves)
        weights = num_class_pairs(definition) / (num_class_pairs(definition).sum() * first.shape[1])
        errors = np.sqrt((np.square((first - second) / NUM_HALVES) * weights).sum(axis=(1, 2, 3)))
        return self._won(total, expected), errors

    def _won(self, sums: Half, expected: Floats) -> Floats:
        """Return the values of seat 0 by *sums*, [state, profile, class, class].

        *expected* are the controls' means over all boards.
        """
        by_first, by_second = (self._shares(own, expected) for own in sums)
        by_first = -by_first.transpose(0, 1, 3, 2)
        # The blueprint's own value does not depend on the chooser: the mean of both estimates.
        plain = (by_first[:, :1] + by_second[:, :1]) / NUM_SEATS
        return np.concatenate([plain, by_first[:, 1:], by_second[:, 1:]], axis=1)

    def _shares(self, sums: RolloutSums, expected: Floats) -> Floats:
        """Return the other's values in shares of the pot.

        They are [state, continuation, class of the other, class of the chooser].
        """
        beyond, _ = sums.estimates(expected)
        pots = np.array([state.pot for state in self.states])[:, None, None, None]
        return _by_class(
            self.blueprint.definition, self._hand_buckets, expected[0] / NUM_SEATS + beyond / pots
        )

    def _leaves_for(self, chooser: int) -> list[Leaf]:
        tree, place = rollout_tree(self.blueprint), self.blueprint.snapshot.place
        return [
            Leaf(
                state.pot / NUM_SEATS,
                (plan_rollout(tree, place(state).node, state, state, chooser),),
            )
            for state in self.states
        ]

    def _no_sums(self) -> RolloutSums:
        return RolloutSums(len(self.states), len(self.settings.biases), len(self._hand_buckets))


def _hand_buckets(definition: GameDefinition) -> HandGroups:
    """Return a bucket for each hand if there are few, else the classes."""
    num_hands = len(all_hands(definition))
    return HandGroups.of(
        np.arange(num_hands) if num_hands <= MAX_SINGLE_HANDS else game_classes(definition)
    )


def _by_class(definition: GameDefinition, hand_buckets: HandGroups, pairs: Floats) -> Floats:
    """Return *pairs* as means over the pairs of hands of two classes, [..., class, class].

    *pairs* are [..., bucket, bucket].
    """
    if len(hand_buckets) == len(num_class_pairs(definition)):
        return pairs
    masks = hand_masks(definition)
    won = sums_by_class(definition, pairs * (masks[:, None] & masks == 0))
    counts = num_class_pairs(definition)
    return np.divide(won, counts, out=np.zeros_like(won), where=counts > 0)


def expected_at_start(definition: GameDefinition, hand_buckets: HandGroups) -> Floats:
    """Return the means of both controls over all boards, [control, bucket, bucket]."""
    equities, masks, ranks = (
        pair_equities(definition, ()),
        hand_masks(definition),
        run_out_ranks(definition, ()),
    )
    controls = expected_controls(
        equities, masks[:, None] & masks == 0, ranks, nut_strengths_of(ranks), hand_buckets
    )
    if not len(ranks):
        # Hold'em has too many run-outs for one array: computed once from canonical boards, cached.
        rivers = canonical_boards(5)
        controls[1] = cached_table(
            "preflop_peaks",
            NUT_STRENGTH_RECIPE,
            lambda: nut_strength_differences(
                definition, rivers.boards, rivers.weights.astype(np.float64), hand_buckets
            ),
        )
    return controls


def nut_strength_differences(
    definition: GameDefinition, boards: NDArray[np.uint8], weights: Floats, hand_buckets: HandGroups
) -> Floats:
    """Return the mean differences of the nut strengths of two buckets over *boards*.

    They are [bucket, bucket]; *boards* are [board, card]. Each board counts with its weight, and
    with as many pairs of hands as it leaves.
    """
    differences, num_pairs = (
        np.zeros((len(hand_buckets), len(hand_buckets))),
        np.zeros((len(hand_buckets), len(hand_buckets))),
    )
    for first in range(0, len(boards), BOARDS_AT_ONCE):
        part = slice(first, first + BOARDS_AT_ONCE)
        ranks = np.array(
            [full_ranks(definition, tuple(board)) for board in boards[part].tolist()], np.int16
        )
        strength_sums, num_held = (
            _sums_by_bucket(nut_strengths_of(ranks), hand_buckets),
            _sums_by_bucket(ranks != LOWEST, hand_buckets),
        )
        differences += (strength_sums.T * weights[part]) @ num_held
        num_pairs += (num_held.T * weights[part]) @ num_held
    means: Floats = (differences - differences.T) / num_pairs
    return means


def _sums_by_bucket(rows: NDArray[Any], hand_buckets: HandGroups) -> Floats:
    """Return the sums of *rows* [row, hand] by buckets, [row, bucket]."""
    sums: Floats = np.add.reduceat(
        rows[:, hand_buckets.members].astype(np.float64), hand_buckets.starts[:-1], axis=1
    )
    return sums
