"""Roll-outs behind a whole first street: what all pairs of classes win behind every state that
ends it, board by board.

As in ``rollouts.py``, for a stored strategy's own tree from its beginning: on each board one hand
of each class is drawn for either seat, and what all pairs of these win is found exactly, over all
betting. In games of few hands every hand stands for itself, so that with all boards everything is
exact. Boards come in batches, two halves in turns: how far these are apart tells the standard
error.
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
from acpcbot.rollouts.control_variates import RollOutSums, draw_boards, expected_controls, peaks_of
from acpcbot.rollouts.kernels import RollOuts
from acpcbot.rollouts.plans import NUM_SEATS, Leaf, plan_roll_out, rolled_tree
from acpcbot.rollouts.rollouts import BIASES, Bias
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.trees.betting_tree import STREET

Half: TypeAlias = list[RollOutSums]
"""By chooser."""

NUM_HALVES = 2
MOST_SINGLE_HANDS = 200
MOST_BOARDS_A_BATCH = 16
WHICH_GAMES = "values are made for games of two streets or more, the first of them without a board"
BOARDS_AT_ONCE = 2048
_PEAKS_RECIPE = b"peaks of the classes over all rivers, power 12, version 1"


@dataclass(frozen=True, slots=True)
class PreflopSettings:
    """How many boards are drawn, by which *seed*, and the *biases* of the continuations, the
    first of them plain.
    """

    num_boards: int = 4000
    seed: int = 1
    biases: tuple[Bias, ...] = BIASES

    def __post_init__(self) -> None:
        if self.num_boards < NUM_HALVES:
            raise UsageError(f"{self.num_boards} boards", f"at least {NUM_HALVES}")


def preflop_states(blueprint: SnapshotStrategy) -> tuple[BettingState, ...]:
    """The states of the strategy's tree with which its second street begins, in the tree's order.

    Raises UsageError where it has no tree of bets, or is played greedily.
    """
    tree = rolled_tree(blueprint)
    waiting, found = [(0, tree.root)], list[tuple[int, BettingState]]()
    while waiting:
        node, betting = waiting.pop()
        for action, child in tree.children(node).items():
            if child >= 0:
                ends = tree.nodes[child, STREET] > 0
                (found if ends else waiting).append((child, betting.apply(action)))
    return tuple([betting for _, betting in sorted(found, key=lambda pair: pair[0])])


class PreflopRollOuts:
    """The sums for all states of *blueprint*, grown batch by batch; the same for the same settings.

    Raises UsageError for games and strategies that cannot be rolled out.
    """

    def __init__(self, blueprint: SnapshotStrategy, settings: PreflopSettings) -> None:
        definition = blueprint.definition
        if definition.num_streets < 2 or definition.num_hole_cards > 2 or definition.board_size(0):
            raise UsageError(
                "a game without a second street, or with other hands than of one or two cards",
                WHICH_GAMES,
            )
        self.blueprint, self.settings = blueprint, settings
        self.states, self._groups = preflop_states(blueprint), _groups(definition)
        if not self.states:
            raise UsageError("no hand goes beyond the first street", WHICH_GAMES)
        self._leaves = [self._leaves_for(chooser) for chooser in range(NUM_SEATS)]
        boards, stream = (
            draw_boards(definition, (), settings.num_boards, Stream(settings.seed)),
            Stream(settings.seed, 1),
        )
        self._jobs = [(board, stream.bits()) for board in boards]
        self.batch = min(MOST_BOARDS_A_BATCH, -(-len(boards) // NUM_HALVES))
        self.num_done = 0
        self.halves: list[Half] = [
            [self._no_sums() for _ in range(NUM_SEATS)] for _ in range(NUM_HALVES)
        ]

    @property
    def num_boards(self) -> int:
        """How many there are to be gone through."""
        return len(self._jobs)

    @property
    def num_decisions(self) -> int:
        """How many decisions of the tree are gone through on each board."""
        return sum(
            len(plan.decisions)
            for leaves in self._leaves
            for leaf in leaves
            if (plan := leaf.plan(0))
        )

    def needed_bytes(self, num_threads: int) -> dict[str, int]:
        """The memory that it takes, by purpose."""
        most = max(plan.num_rows[1] for leaf in self._leaves[0] if (plan := leaf.plan(0)))
        num_groups, num_ways = len(self._groups), len(self.settings.biases)
        cells = len(self.states) * num_ways * num_groups**2
        board = np.dtype(np.float32).itemsize * (cells + 4 * most * (num_ways + 1) * num_groups)
        return {"sums": (NUM_SEATS * NUM_HALVES + 2) * 8 * cells, "boards": num_threads * board}

    def step(self, num_threads: int = 1) -> None:
        """The next batch of boards, to the half whose turn it is."""
        jobs, half = (
            self._jobs[self.num_done : self.num_done + self.batch],
            self.num_done // self.batch % NUM_HALVES,
        )
        known: dict[tuple[int, ...], NDArray[np.int64]] = {}
        hands, factors = (
            np.arange(len(self._groups.groups)),
            np.array(self.settings.biases, np.float32),
        )
        for chooser, leaves in enumerate(self._leaves):
            walks = RollOuts(
                self.blueprint,
                hands,
                self._groups,
                leaves,
                factors,
                knows_peaks=True,
                buckets=known,
            )
            self.halves[half][chooser].include(walks.sums(jobs, num_threads, float("inf")))
        self.num_done += len(jobs)

    def values(self) -> tuple[Floats, Floats]:
        """What seat 0 wins in shares of the pot, [state, way, class, class], see
        ``preflop_table.py``.

        And their standard errors by the two halves, [state].
        """
        definition, total = self.blueprint.definition, [self._no_sums() for _ in range(NUM_SEATS)]
        for half in self.halves:
            for sums, own in zip(total, half, strict=True):
                sums.include(own)
        expected = expected_at_start(definition, self._groups)
        first, second = (self._won(half, expected) for half in self.halves)
        weights = num_class_pairs(definition) / (num_class_pairs(definition).sum() * first.shape[1])
        errors = np.sqrt((np.square((first - second) / NUM_HALVES) * weights).sum(axis=(1, 2, 3)))
        return self._won(total, expected), errors

    def _won(self, sums: Half, expected: Floats) -> Floats:
        """What seat 0 wins by the *sums* if controls are *expected* so, [state, way, class,
        class].
        """
        by_first, by_second = (self._shares(own, expected) for own in sums)
        by_first = -by_first.transpose(0, 1, 3, 2)
        # What the blueprint alone wins does not depend on who would choose: either tells.
        plain = (by_first[:, :1] + by_second[:, :1]) / NUM_SEATS
        return np.concatenate([plain, by_first[:, 1:], by_second[:, 1:]], axis=1)

    def _shares(self, sums: RollOutSums, expected: Floats) -> Floats:
        """What the other wins, in shares of the pot, [state, continuation, class of the other,
        of the chooser].
        """
        beyond, _ = sums.estimates(expected)
        pots = np.array([state.pot for state in self.states])[:, None, None, None]
        return _by_class(
            self.blueprint.definition, self._groups, expected[0] / NUM_SEATS + beyond / pots
        )

    def _leaves_for(self, chooser: int) -> list[Leaf]:
        tree, place = rolled_tree(self.blueprint), self.blueprint.snapshot.place
        return [
            Leaf(
                state.pot / NUM_SEATS,
                (plan_roll_out(tree, place(state).node, state, state, chooser),),
            )
            for state in self.states
        ]

    def _no_sums(self) -> RollOutSums:
        return RollOutSums(len(self.states), len(self.settings.biases), len(self._groups))


def _groups(definition: GameDefinition) -> HandGroups:
    """Each hand by itself if there are few, else the classes."""
    num_hands = len(all_hands(definition))
    return HandGroups.of(
        np.arange(num_hands) if num_hands <= MOST_SINGLE_HANDS else game_classes(definition)
    )


def _by_class(definition: GameDefinition, groups: HandGroups, pairs: Floats) -> Floats:
    """*pairs* [..., group, group] as means over the pairs of hands of two classes, [..., class,
    class].
    """
    if len(groups) == len(num_class_pairs(definition)):
        return pairs
    masks = hand_masks(definition)
    won = sums_by_class(definition, pairs * (masks[:, None] & masks == 0))
    counts = num_class_pairs(definition)
    return np.divide(won, counts, out=np.zeros_like(won), where=counts > 0)


def expected_at_start(definition: GameDefinition, groups: HandGroups) -> Floats:
    """The means of both controls over all boards, by pairs of *groups*, [control, group, group]."""
    equities, masks, ranks = (
        pair_equities(definition, ()),
        hand_masks(definition),
        run_out_ranks(definition, ()),
    )
    controls = expected_controls(
        equities, masks[:, None] & masks == 0, ranks, peaks_of(ranks), groups
    )
    if not len(ranks):
        # Too many for one array, which is hold'em: gone through once, and kept.
        rivers = canonical_boards(5)
        controls[1] = cached_table(
            "preflop_peaks",
            _PEAKS_RECIPE,
            lambda: peaks_apart(
                definition, rivers.boards, rivers.weights.astype(np.float64), groups
            ),
        )
    return controls


def peaks_apart(
    definition: GameDefinition, boards: NDArray[np.uint8], weights: Floats, groups: HandGroups
) -> Floats:
    """How far the peaks of two *groups* are apart in the mean over *boards* [board, card],
    [group, group].

    Each counts with its weight, and with as many pairs of hands as it leaves.
    """
    apart, met = np.zeros((len(groups), len(groups))), np.zeros((len(groups), len(groups)))
    for first in range(0, len(boards), BOARDS_AT_ONCE):
        part = slice(first, first + BOARDS_AT_ONCE)
        ranks = np.array(
            [full_ranks(definition, tuple(board)) for board in boards[part].tolist()], np.int16
        )
        tops, held = (
            _sums_by_group(peaks_of(ranks), groups),
            _sums_by_group(ranks != LOWEST, groups),
        )
        apart += (tops.T * weights[part]) @ held
        met += (held.T * weights[part]) @ held
    means: Floats = (apart - apart.T) / met
    return means


def _sums_by_group(rows: NDArray[Any], groups: HandGroups) -> Floats:
    """The sums of *rows* [row, hand] by groups, [row, group]."""
    sums: Floats = np.add.reduceat(
        rows[:, groups.members].astype(np.float64), groups.starts[:-1], axis=1
    )
    return sums
