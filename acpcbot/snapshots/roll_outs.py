"""What lies beyond a street in hold'em, by rolling the blueprint out: the leaf values of a search at the table.

Beyond each action that ends the street the blueprint plays on for both seats, and the chooser
takes one of some continuations with each hand: the blueprint, or the blueprint with folds, calls
or raises made so many times as likely.

Of the boards that can follow, some are drawn: of the next card all in turn, of later ones any, none
twice until all have come. On each board one hand of each group of hands is drawn for either seat, and
what all pairs of these win is found exactly, over all betting: the chances of both to get to each end of
a hand are two matrices, whose product it is. Only the difference to what equity alone would win
is estimated so; equities themselves are exact (``abstraction/pair_equities.py``). With all
boards, and as many groups as hands, everything is exact.

The betting at the table is seen by the blueprint as in ``translation.py``: of several ways to see it some
are drawn. Where its tree's hand is over and the real one is not, both check down.

Source: Brown, Sandholm & Amos (2018), Depth-limited solving for imperfect-information games,
sections 4 (bias approach) and 6 (roll-outs).
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.hand_groups import HandGroups, group_hands
from acpcbot.abstraction.pair_equities import LOWEST, full_ranks, pair_equities, run_out_ranks
from acpcbot.errors import UsageError
from acpcbot.poker.betting import BettingState
from acpcbot.poker.hands import hand_masks
from acpcbot.random_kernels import seed_state
from acpcbot.rng import Stream
from acpcbot.snapshots.policy import played_probabilities
from acpcbot.snapshots.public_play import SnapshotStrategy
from acpcbot.snapshots.roll_out_boards import draw_boards
from acpcbot.snapshots.roll_out_kernels import add_results, draw_hands, fill_rows, gather_ends
from acpcbot.snapshots.roll_out_plans import NUM_SEATS, RollOutPlan, plan_roll_out
from acpcbot.snapshots.roll_out_sums import (
    NUM_CONTROLS,
    BoardSums,
    RollOutSums,
    expected_controls,
    peaks_in_groups,
    peaks_of,
)
from acpcbot.snapshots.rounding import WHOLE
from acpcbot.snapshots.translation import drawn_translation
from acpcbot.solvers.grouped_values import GroupedValues, HandFacts
from acpcbot.solvers.leaf_values import ChosenContinuations
from acpcbot.solvers.range_game import RangeGame
from acpcbot.trees.betting_places import BettingPlaces
from acpcbot.trees.betting_record import SPENT, STREET

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]


class Bias(NamedTuple):
    """How many times as likely the kinds of actions are made, before all are divided by what they come to."""

    folds: float = 1.0
    calls: float = 1.0
    raises: float = 1.0


PLAIN = Bias()
BIASES = (PLAIN, Bias(folds=10), Bias(calls=10), Bias(raises=10))


@dataclass(frozen=True, slots=True)
class RollOutSettings:
    """The chooser's continuations, *biases*, and how much is drawn: boards, hands a board, views of the betting."""

    biases: tuple[Bias, ...] = BIASES
    num_boards: int = 98
    num_groups: int = 64
    num_views: int = 4

    def __post_init__(self) -> None:
        if not self.biases or any(not factor > 0 for bias in self.biases for factor in bias):
            raise UsageError(f"biases {self.biases!r}", "at least one, of factors above zero")
        if min(self.num_boards, self.num_groups, self.num_views) < 1:
            raise UsageError("roll-outs without boards, groups or views", "at least one of each")


def roll_out_leaves(
    game: RangeGame,
    blueprint: SnapshotStrategy,
    chooser: int,
    settings: RollOutSettings,
    stream: Stream,
    num_threads: int = 1,
    deadline_s: float = float("inf"),
) -> ChosenContinuations:
    """Leaf values for *game*, which ends with its root's street, among continuations of the *chooser*.

    The same for the same *stream*, but for rounding with other numbers of threads, and for a deadline: after
    *deadline_s* seconds no further board is begun; the first one always is. Raises UsageError where the blueprint
    plays no tree of bets or only greedily, or where too many boards can follow.
    """
    return ChosenContinuations(
        roll_out_values(game, blueprint, chooser, settings, stream, num_threads, deadline_s), chooser
    )


def roll_out_values(
    game: RangeGame,
    blueprint: SnapshotStrategy,
    chooser: int,
    settings: RollOutSettings,
    stream: Stream,
    num_threads: int = 1,
    deadline_s: float = float("inf"),
) -> GroupedValues:
    """The continuations of ``roll_out_leaves``."""
    start = time.monotonic()
    rows = game.boards.rows(0)
    hands, board = game.boards.arrays.hands[rows].astype(np.int64), game.boards.boards[0]
    equities = pair_equities(game.definition, board, num_threads)
    weights = game.ranges / game.ranges.sum(axis=1, keepdims=True)
    groups = group_hands(equities, weights.sum(axis=0) + 1 / len(hands), settings.num_groups)
    leaves = _leaves(game, blueprint, chooser, settings, stream)
    roll_outs = _RollOuts(game, blueprint, hands, groups, leaves, settings)
    boards = draw_boards(game.definition, board, settings.num_boards, stream)
    jobs = [(full, stream.bits()) for full in boards]
    sums = roll_outs.sums(jobs, num_threads, start + deadline_s)
    masks, ranks = hand_masks(game.definition)[hands], run_out_ranks(game.definition, board)
    peaks, chips = peaks_of(ranks), np.array([leaf.chips for leaf in leaves])
    expected = expected_controls(equities, masks[:, None] & masks == 0, ranks, peaks, groups)
    rest, slopes = sums.estimates(expected)
    # What equity is worth by regression is worth it hand by hand, and not by groups.
    rest -= slopes[:, :, 0, None, None] * expected[0]
    facts = HandFacts(
        equities,
        peaks_in_groups(ranks, peaks, groups),
        groups.groups,
        game.boards.arrays.cards[rows].astype(np.int64),
    )
    by_equity, by_peak = chips[:, None] + slopes[:, :, 0], slopes[:, :, 1]
    return GroupedValues(
        facts, by_equity.astype(np.float32), by_peak.astype(np.float32).copy(), rest.astype(np.float32)
    )


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A part of the game that follows the street: the *chips* of either seat, and the plans for its views."""

    chips: float
    plans: tuple[RollOutPlan | None, ...]


def _leaves(
    game: RangeGame, blueprint: SnapshotStrategy, chooser: int, settings: RollOutSettings, stream: Stream
) -> list[_Leaf]:
    places = blueprint.snapshot.places
    if (
        not isinstance(places, BettingPlaces)
        or blueprint.snapshot.policy is None
        or blueprint.settings.mode == "greedy"
    ):
        raise UsageError(
            f"{blueprint.snapshot.path} cannot be rolled out", "name a no-limit strategy that is not played greedily"
        )
    known: dict[tuple[str, str], RollOutPlan] = {}

    def plan(seen: BettingState | None, real: BettingState) -> RollOutPlan | None:
        if seen is None:
            return None
        key = seen.text, real.text
        if key not in known:
            known[key] = plan_roll_out(places.tree, places.place_after(seen).node, seen, real, chooser)
        return known[key]

    leaves = []
    for chips, real in leaf_states(game):
        views = [] if real is None else [_view(blueprint, real, stream) for _ in range(settings.num_views)]
        leaves.append(_Leaf(chips, tuple([plan(seen, real) for seen in views if real is not None])))
    return leaves


def leaf_states(game: RangeGame) -> Iterator[tuple[float, BettingState | None]]:
    """The parts that follow the root's street: the chips of either seat, and the betting unless all are all-in."""
    states = {0: game.tree.root}
    street = game.tree.root.street
    for node in range(len(game.tree.nodes)):
        if game.tree.nodes[node, STREET] == street:
            for action, child in game.tree.children(node).items():
                if child >= 0:
                    states[child] = states[node].apply(action)
    betting = game.betting
    for part in betting.parts[betting.first_parts[0] : betting.first_parts[1]].tolist():
        if part >= 0:
            yield min(states[part].spent), states[part]
        else:
            yield float(game.tree.ends[~part, SPENT : SPENT + NUM_SEATS].min()), None


def _view(blueprint: SnapshotStrategy, real: BettingState, stream: Stream) -> BettingState | None:
    return drawn_translation(blueprint.snapshot.place, real, lambda _: stream.unit())


class _RollOuts:
    """Roll-outs of *leaves* for the hands of the root, [hand], in *groups*."""

    def __init__(
        self,
        game: RangeGame,
        blueprint: SnapshotStrategy,
        hands: Integers,
        groups: HandGroups,
        leaves: Sequence[_Leaf],
        settings: RollOutSettings,
    ) -> None:
        self._definition, self._blueprint, self._hands, self._groups = game.definition, blueprint, hands, groups
        self._leaves = leaves
        self._masks = hand_masks(game.definition)[hands]
        self._factors = np.array(settings.biases, np.float32)
        # Of boards that are complete or not, as several may begin alike.
        self._buckets: dict[tuple[int, ...], Integers] = {}

    def sums(self, jobs: Sequence[tuple[tuple[int, ...], int]], num_threads: int, deadline: float) -> RollOutSums:
        """The sums over the boards of *jobs*, each with a seed."""
        sums = RollOutSums(len(self._leaves), len(self._factors), len(self._groups))
        with ThreadPoolExecutor(num_threads) as threads:
            for first in range(0, len(jobs), num_threads):
                if first and time.monotonic() >= deadline:
                    break
                numbers = range(first, min(first + num_threads, len(jobs)))
                for board in threads.map(lambda number: self._board(number, *jobs[number]), numbers):
                    sums.add(board)
        return sums

    def _board(self, number: int, board: tuple[int, ...], seed: int) -> BoardSums:
        """What one board brings, with one hand of each group drawn for either seat."""
        ranks = full_ranks(self._definition, board)[self._hands].astype(np.int16)
        free = ranks != LOWEST
        state, drawn = seed_state(seed), np.empty((NUM_SEATS, len(self._groups)), np.int64)
        for seat in range(NUM_SEATS):
            draw_hands(state, self._groups.members, self._groups.starts, free, drawn[seat])
        sizes = np.add.reduceat(free[self._groups.members], self._groups.starts[:-1], dtype=np.float32)
        counts = sizes[:, None] * sizes
        masks, shown, peaks = self._masks[drawn], ranks[drawn], peaks_of(ranks[None])[0][drawn]
        weights = np.where(masks[0][:, None] & masks[1] == 0, counts, np.float32(0))
        controls = np.stack([np.sign(shown[0][:, None] - shown[1]), peaks[0][:, None] - peaks[1]]).astype(np.float32)
        played = _Played(self._blueprint, board, self._hands[drawn], self._buckets)
        won = np.zeros((len(self._leaves), len(self._factors), *weights.shape), np.float32)
        products = np.zeros((len(self._leaves), len(self._factors), NUM_CONTROLS))
        for place, leaf in enumerate(self._leaves):
            plan = leaf.plans[number % len(leaf.plans)] if leaf.plans else None
            if plan is not None:
                showing, folding = self._results(plan, played.strategies(plan))
                add_results(showing, folding, np.float32(leaf.chips), weights, controls, won[place], products[place])
        return BoardSums(won, products, weights, counts, controls)

    def _results(self, plan: RollOutPlan, strategies: Floats) -> tuple[Floats, Floats]:
        """What showdowns and folds are worth to all pairs, [hand of the other, continuation, hand of the chooser]."""
        num_ways, num_hands = len(self._factors), strategies.shape[2]
        own = np.empty((plan.num_rows[0], num_hands), np.float32)
        chosen = np.empty((plan.num_rows[1], num_ways, num_hands), np.float32)
        fill_rows(plan.decisions, plan.kinds, self._factors, strategies, own, chosen)
        showing = _product(plan.showdowns, plan.stakes, own, chosen)
        return showing, _product(plan.folds, plan.winnings, own, chosen)


def _product(ends: Integers, chips: Floats, own: Floats, chosen: Floats) -> Floats:
    """What *ends* are worth to all pairs, [hand of the other, continuation, hand of the chooser]."""
    most = min(len(ends), len(own))
    ours, theirs = np.empty((most, own.shape[1]), np.float32), np.empty((most, *chosen.shape[1:]), np.float32)
    num_rows = gather_ends(ends, chips, own, chosen, ours, theirs)
    product: Floats = ours[:num_rows].T @ theirs[:num_rows].reshape(num_rows, -1)
    return product.reshape(-1, *chosen.shape[1:])


class _Played:
    """What the blueprint does on one board with *hands* [seat, hand]; *known* buckets are shared by boards."""

    def __init__(
        self,
        blueprint: SnapshotStrategy,
        board: tuple[int, ...],
        hands: Integers,
        known: dict[tuple[int, ...], Integers],
    ) -> None:
        self._blueprint, self._board, self._hands, self._known = blueprint, board, hands, known

    def strategies(self, plan: RollOutPlan) -> Floats:
        """The chances of all actions of *plan*, [seat, slot, hand]."""
        snapshot, settings = self._blueprint.snapshot, self._blueprint.settings
        assert snapshot.policy is not None
        rows = [
            snapshot.policy[part.street][self._buckets(part.street)[self._hands], part.first : part.last]
            for part in plan.slots
        ]
        stored = np.concatenate(rows, axis=2)
        chances = stored.astype(np.float32) / np.float32(WHOLE if stored.dtype == np.uint8 else 1)
        if settings.mode != "average":
            for _, _, _, first, count in plan.decisions.tolist():
                own = chances[:, :, first : first + count]
                own[:] = played_probabilities(own.astype(np.float64), settings)
        return np.ascontiguousarray(chances.transpose(0, 2, 1))

    def _buckets(self, street: int) -> Integers:
        board = self._board[: self._blueprint.snapshot.definition.board_size(street)]
        if board not in self._known:
            self._known[board] = self._blueprint.buckets(street, board)
        return self._known[board]
