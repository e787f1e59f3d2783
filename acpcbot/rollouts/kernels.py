"""What a plan's rows and ends are worth to many hands at once, on one board.

Hands stand for their groups: ``strategy`` float32 [slot, hand] is what each does, and the
chooser does it in several ways, [continuation].

Roll-outs on single boards: what the hands drawn there win of each other behind every leaf.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.hand_groups import HandGroups
from acpcbot.abstraction.pair_equities import LOWEST, Ranks, full_ranks
from acpcbot.arrays import Floats32, Ints, Number
from acpcbot.jit import kernel
from acpcbot.poker.hands import hand_masks
from acpcbot.random_kernels import RandomState, below, seed_state
from acpcbot.rollouts.control_variates import NUM_CONTROLS, BoardSums, RollOutSums, peaks_of
from acpcbot.rollouts.plans import (
    ACTOR,
    FIRST_ROW,
    FIRST_SLOT,
    NUM_CHOICES,
    NUM_SEATS,
    PARENT_ROW,
    Leaf,
    RollOutPlan,
)
from acpcbot.strategies.policy import WHOLE, played_probabilities
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.worker_threads import worker_threads

# A number in a kernel: what numba makes of numpy's numbers is beyond mypy.

ZERO, ONE = np.float32(0), np.float32(1)


@kernel
def draw_hands(
    random_state: RandomState, members: Ints, starts: Ints, free: NDArray[np.bool_], hands: Ints
) -> None:
    """One of the *free* hands of each group, each as likely, into *hands* [group].

    -1 where there is none.
    """
    for group in range(len(hands)):
        count = 0
        for place in range(starts[group], starts[group + 1]):
            count += free[members[place]]
        wanted = np.int64(below(random_state, count)) if count else 0
        hands[group] = -1
        for place in range(starts[group], starts[group + 1]):
            if free[members[place]]:
                if wanted == 0:
                    hands[group] = members[place]
                wanted -= 1


@kernel
def fill_rows(
    decisions: Ints,
    kinds: Ints,
    factors: Floats32,
    strategies: Floats32,
    own: Floats32,
    chosen: Floats32,
) -> None:
    """How likely both seats do what their rows say: *own* [row, hand], *chosen* [row,
    continuation, hand].

    *strategies* are [seat, slot, hand]. In a continuation the chances of an action are multiplied by
    one of *factors* [continuation, kind], and divided by what they come to then.
    """
    own[0], chosen[0] = 1, 1
    num_hands = own.shape[1]
    totals = np.empty(num_hands, np.float32)
    for decision in decisions:
        first, slot, count = decision[FIRST_ROW], decision[FIRST_SLOT], decision[NUM_CHOICES]
        if decision[ACTOR] == 0:
            for choice in range(count):
                _multiply(
                    own[decision[PARENT_ROW]],
                    strategies[0, slot + choice],
                    ONE,
                    own[first + choice],
                )
            continue
        for way in range(len(factors)):
            totals[:] = 0
            for choice in range(count):
                _add_product(
                    strategies[1, slot + choice], factors[way, kinds[slot + choice]], totals
                )
            parent = chosen[decision[PARENT_ROW], way]
            for hand in range(num_hands):
                totals[hand] = parent[hand] / totals[hand] if totals[hand] > 0 else ZERO
            for choice in range(count):
                factor = factors[way, kinds[slot + choice]]
                _multiply(totals, strategies[1, slot + choice], factor, chosen[first + choice, way])


@kernel
def _multiply(one: Floats32, other: Floats32, factor: Number, product: Floats32) -> None:
    for hand in range(len(product)):
        product[hand] = one[hand] * other[hand] * factor


@kernel
def _add_product(values: Floats32, factor: Number, totals: Floats32) -> None:
    for hand in range(len(totals)):
        totals[hand] += values[hand] * factor


@kernel
def gather_ends(
    ends: Ints, chips: Floats32, own: Floats32, chosen: Floats32, ours: Floats32, theirs: Floats32
) -> int:
    """The factors of the matrix product that is all *ends* [end, 2] together, by the rows of
    the other seat.

    *ours* [row, hand] and *theirs* [row, continuation, hand]: the other's chances, and those of the
    chooser times the *chips* of the ends there. Returns how many rows there are.
    """
    num_rows, last = 0, -1
    for end in range(len(ends)):
        if ends[end, 0] != last:
            last = ends[end, 0]
            ours[num_rows], theirs[num_rows] = own[last], 0
            num_rows += 1
        for way in range(theirs.shape[1]):
            _add_product(chosen[ends[end, 1], way], chips[end], theirs[num_rows - 1, way])
    return num_rows


@kernel
def add_results(
    showing: Floats32,
    folding: Floats32,
    chips: Number,
    weights: Floats32,
    controls: Floats32,
    sums: Floats32,
    products: NDArray[np.float64],
) -> None:
    """Add what is won beyond equity, by *showing* and *folding* [hand, continuation, hand], to
    *sums*.

    *sums* are [continuation, hand, hand], *weights* those of the pairs, [hand, hand]. Of *controls* [control,
    hand, hand] the first says who shows the better hand; *products* [continuation, control] are the sums of
    the results times each control.
    """
    for hand in range(showing.shape[0]):
        for way in range(showing.shape[1]):
            for control in range(len(controls)):
                products[way, control] += _weighted(
                    showing[hand, way],
                    folding[hand, way],
                    chips,
                    weights[hand],
                    controls[0, hand],
                    controls[control, hand],
                )
            for other in range(showing.shape[2]):
                won = (
                    controls[0, hand, other] * (showing[hand, way, other] - chips)
                    + folding[hand, way, other]
                )
                sums[way, hand, other] += weights[hand, other] * won


@kernel
def _weighted(
    showing: Floats32,
    folding: Floats32,
    chips: Number,
    weights: Floats32,
    signs: Floats32,
    control: Floats32,
) -> Number:
    total = ZERO
    for other in range(len(weights)):
        total += (
            weights[other]
            * (signs[other] * (showing[other] - chips) + folding[other])
            * control[other]
        )
    return total


class RollOuts:
    """Roll-outs of *leaves* for *hands* of ``poker/hands.py`` in *groups*, by *factors*
    [continuation, kind].

    Peaks are a control variate, see ``control_variates.py``, if one *knows_peaks* of all boards.
    Roll-outs on the same boards may share the *buckets* that they know, by board; each adds its
    own.
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

    def sums(
        self, jobs: Sequence[tuple[tuple[int, ...], int]], num_threads: int, deadline: float
    ) -> RollOutSums:
        """The sums over the boards of *jobs*, each with a seed."""
        sums = RollOutSums(len(self._leaves), len(self._factors), len(self._groups))
        with worker_threads(num_threads) as threads:
            for first in range(0, len(jobs), num_threads):
                if first and time.monotonic() >= deadline:
                    break
                numbers = range(first, min(first + num_threads, len(jobs)))
                for board in threads.map(
                    lambda number: self._board(number, *jobs[number]), numbers
                ):
                    sums.add(board)
        return sums

    def _board(self, number: int, board: tuple[int, ...], seed: int) -> BoardSums:
        """What one board brings, with one hand of each group drawn for either seat."""
        ranks = full_ranks(self._definition, board)[self._hands].astype(np.int16)
        free = ranks != LOWEST
        state, drawn = seed_state(seed), np.empty((NUM_SEATS, len(self._groups)), np.int64)
        for seat in range(NUM_SEATS):
            draw_hands(state, self._groups.members, self._groups.starts, free, drawn[seat])
        sizes = np.add.reduceat(
            free[self._groups.members], self._groups.starts[:-1], dtype=np.float32
        )
        counts = sizes[:, None] * sizes
        masks, shown, peaks = self._masks[drawn], ranks[drawn], self._peaks(ranks)[drawn]
        weights = np.where(masks[0][:, None] & masks[1] == 0, counts, np.float32(0))
        controls = np.stack(
            [np.sign(shown[0][:, None] - shown[1]), peaks[0][:, None] - peaks[1]]
        ).astype(np.float32)
        played = _Played(self._blueprint, board, self._hands[drawn], self._buckets)
        won = np.zeros((len(self._leaves), len(self._factors), *weights.shape), np.float32)
        products = np.zeros((len(self._leaves), len(self._factors), NUM_CONTROLS))
        for place, leaf in enumerate(self._leaves):
            plan = leaf.plan(number)
            if plan is not None:
                showing, folding = self._results(plan, played.strategies(plan))
                add_results(
                    showing,
                    folding,
                    np.float32(leaf.chips),
                    weights,
                    controls,
                    won[place],
                    products[place],
                )
        return BoardSums(won, products, weights, counts, controls)

    def _peaks(self, ranks: Ranks) -> Floats32:
        """The peaks of hands by their *ranks*, [hand].

        All 0 where nobody knows their means over all boards.
        """
        return peaks_of(ranks[None])[0] if self._knows_peaks else np.zeros(len(ranks), np.float32)

    def _results(self, plan: RollOutPlan, strategies: Floats32) -> tuple[Floats32, Floats32]:
        """What showdowns and folds are worth to all pairs, [hand of the other, continuation,
        hand of the chooser].
        """
        num_ways, num_hands = len(self._factors), strategies.shape[2]
        own = np.empty((plan.num_rows[0], num_hands), np.float32)
        chosen = np.empty((plan.num_rows[1], num_ways, num_hands), np.float32)
        fill_rows(plan.decisions, plan.kinds, self._factors, strategies, own, chosen)
        showing = _product(plan.showdowns, plan.stakes, own, chosen)
        return showing, _product(plan.folds, plan.winnings, own, chosen)


def _product(ends: Ints, chips: Floats32, own: Floats32, chosen: Floats32) -> Floats32:
    """What *ends* are worth to all pairs, [hand of the other, continuation, hand of the
    chooser].
    """
    most = min(len(ends), len(own))
    ours, theirs = (
        np.empty((most, own.shape[1]), np.float32),
        np.empty((most, *chosen.shape[1:]), np.float32),
    )
    num_rows = gather_ends(ends, chips, own, chosen, ours, theirs)
    product: Floats32 = ours[:num_rows].T @ theirs[:num_rows].reshape(num_rows, -1)
    return product.reshape(-1, *chosen.shape[1:])


class _Played:
    """What the blueprint does on one board with *hands* [seat, hand].

    *known* buckets are shared by boards.
    """

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
            snapshot.policy[part.street][
                self._buckets(part.street)[self._hands], part.first : part.last
            ]
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
