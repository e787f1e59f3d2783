"""Roll-outs on single boards: what the hands drawn there win of each other behind every leaf."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from acpcbot.abstraction.hand_groups import HandGroups
from acpcbot.abstraction.pair_equities import LOWEST, Ranks, full_ranks
from acpcbot.arrays import Floats32, Ints
from acpcbot.poker.hands import hand_masks
from acpcbot.random_kernels import seed_state
from acpcbot.snapshots.policy import played_probabilities
from acpcbot.snapshots.public_play import SnapshotStrategy
from acpcbot.snapshots.roll_out_kernels import add_results, draw_hands, fill_rows, gather_ends
from acpcbot.snapshots.roll_out_parts import Leaf
from acpcbot.snapshots.roll_out_plans import NUM_SEATS, RollOutPlan
from acpcbot.snapshots.roll_out_sums import NUM_CONTROLS, BoardSums, RollOutSums, peaks_of
from acpcbot.snapshots.rounding import WHOLE
from acpcbot.worker_threads import worker_threads


class RollOuts:
    """Roll-outs of *leaves* for *hands* of ``poker/hands.py`` in *groups*, by *factors* [continuation, kind].

    Peaks are a control, see ``roll_out_sums.py``, if one *knows_peaks* of all boards. Roll-outs on the same boards may
    share the *buckets* that they know, by board; each adds its own.
    """

    def __init__(
        self,
        blueprint: SnapshotStrategy,
        hands: Ints,
        groups: HandGroups,
        leaves: Sequence[Leaf],
        factors: Floats32,
        *,
        knows_peaks: bool,
        buckets: dict[tuple[int, ...], Ints] | None = None,
    ) -> None:
        self._blueprint, self._hands, self._groups, self._leaves = blueprint, hands, groups, leaves
        self._definition, self._factors = blueprint.snapshot.definition, factors
        self._masks, self._knows_peaks = hand_masks(self._definition)[hands], knows_peaks
        # Of boards that are complete or not, as several may begin alike.
        self._buckets = {} if buckets is None else buckets

    def sums(self, jobs: Sequence[tuple[tuple[int, ...], int]], num_threads: int, deadline: float) -> RollOutSums:
        """The sums over the boards of *jobs*, each with a seed."""
        sums = RollOutSums(len(self._leaves), len(self._factors), len(self._groups))
        with worker_threads(num_threads) as threads:
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
        masks, shown, peaks = self._masks[drawn], ranks[drawn], self._peaks(ranks)[drawn]
        weights = np.where(masks[0][:, None] & masks[1] == 0, counts, np.float32(0))
        controls = np.stack([np.sign(shown[0][:, None] - shown[1]), peaks[0][:, None] - peaks[1]]).astype(np.float32)
        played = _Played(self._blueprint, board, self._hands[drawn], self._buckets)
        won = np.zeros((len(self._leaves), len(self._factors), *weights.shape), np.float32)
        products = np.zeros((len(self._leaves), len(self._factors), NUM_CONTROLS))
        for place, leaf in enumerate(self._leaves):
            plan = leaf.plan(number)
            if plan is not None:
                showing, folding = self._results(plan, played.strategies(plan))
                add_results(showing, folding, np.float32(leaf.chips), weights, controls, won[place], products[place])
        return BoardSums(won, products, weights, counts, controls)

    def _peaks(self, ranks: Ranks) -> Floats32:
        """The peaks of hands by their *ranks*, [hand]; all 0 where nobody knows their means over all boards."""
        return peaks_of(ranks[None])[0] if self._knows_peaks else np.zeros(len(ranks), np.float32)

    def _results(self, plan: RollOutPlan, strategies: Floats32) -> tuple[Floats32, Floats32]:
        """What showdowns and folds are worth to all pairs, [hand of the other, continuation, hand of the chooser]."""
        num_ways, num_hands = len(self._factors), strategies.shape[2]
        own = np.empty((plan.num_rows[0], num_hands), np.float32)
        chosen = np.empty((plan.num_rows[1], num_ways, num_hands), np.float32)
        fill_rows(plan.decisions, plan.kinds, self._factors, strategies, own, chosen)
        showing = _product(plan.showdowns, plan.stakes, own, chosen)
        return showing, _product(plan.folds, plan.winnings, own, chosen)


def _product(ends: Ints, chips: Floats32, own: Floats32, chosen: Floats32) -> Floats32:
    """What *ends* are worth to all pairs, [hand of the other, continuation, hand of the chooser]."""
    most = min(len(ends), len(own))
    ours, theirs = np.empty((most, own.shape[1]), np.float32), np.empty((most, *chosen.shape[1:]), np.float32)
    num_rows = gather_ends(ends, chips, own, chosen, ours, theirs)
    product: Floats32 = ours[:num_rows].T @ theirs[:num_rows].reshape(num_rows, -1)
    return product.reshape(-1, *chosen.shape[1:])


class _Played:
    """What the blueprint does on one board with *hands* [seat, hand]; *known* buckets are shared by boards."""

    def __init__(
        self,
        blueprint: SnapshotStrategy,
        board: tuple[int, ...],
        hands: Ints,
        known: dict[tuple[int, ...], Ints],
    ) -> None:
        self._blueprint, self._board, self._hands, self._known = blueprint, board, hands, known

    def strategies(self, plan: RollOutPlan) -> Floats32:
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

    def _buckets(self, street: int) -> Ints:
        board = self._board[: self._blueprint.snapshot.definition.board_size(street)]
        if board not in self._known:
            self._known[board] = self._blueprint.buckets(street, board)
        return self._known[board]
