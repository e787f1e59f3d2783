"""Rollouts on single boards: the values of all pairs of sampled hands behind every leaf.

On one board, one hand of each hand bucket is drawn for either seat. The reach of every sequence of
a plan (``plans.py``) is found for all these hands at once, and the ends of the betting then give
the values of all pairs by one matrix product. Arrays: ``strategy`` float32 [slot, hand]; the
chooser plays in several ways, [continuation]. ``Rollouts`` goes through boards with several threads
and returns their sums (``control_variates.py``).
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
from acpcbot.rollouts.control_variates import NUM_CONTROLS, BoardSums, RolloutSums, nut_strengths_of
from acpcbot.rollouts.plans import (
    DECISION_ACTOR,
    DECISION_FIRST_SEQUENCE,
    DECISION_FIRST_SLOT,
    DECISION_NUM_CHOICES,
    DECISION_PARENT_SEQUENCE,
    NUM_SEATS,
    Leaf,
    RolloutPlan,
)
from acpcbot.strategies.policy import WHOLE, played_probabilities
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.worker_threads import worker_threads

# In single precision, so that no expression is computed in double precision and converted back.
ZERO, ONE = np.float32(0), np.float32(1)


@kernel
def draw_hands(
    random_state: RandomState, members: Ints, starts: Ints, free: NDArray[np.bool_], hands: Ints
) -> None:
    """Draw one of the *free* hands of each bucket, uniformly, into *hands* [bucket].

    It is -1 where there is none.
    """
    # Members of a bucket lie together (members[starts[b]:starts[b + 1]]). Two walks, counting the
    # free hands and then taking the drawn one, need no list and no rejection: where a board leaves
    # one of ten hands, drawing until a free one comes would take ten tries.
    for bucket in range(len(hands)):
        count = 0
        for position in range(starts[bucket], starts[bucket + 1]):
            count += free[members[position]]
        wanted = np.int64(below(random_state, count)) if count else 0
        hands[bucket] = -1
        for position in range(starts[bucket], starts[bucket + 1]):
            if free[members[position]]:
                if wanted == 0:
                    hands[bucket] = members[position]
                wanted -= 1


@kernel
def fill_reaches(
    decisions: Ints,
    kinds: Ints,
    factors: Floats32,
    strategies: Floats32,
    other_reach: Floats32,
    chooser_reach: Floats32,
) -> None:
    """Fill the reaches of both seats' sequences.

    *other_reach* is [sequence, hand], *chooser_reach* [sequence, continuation, hand], *strategies*
    [seat, slot, hand]. In a continuation the probability of an action is multiplied by one of
    *factors* [continuation, kind], and divided by the sum over the node's actions.
    """
    # Row 0 is the empty sequence. Decisions come parents first, so that the reach of a parent
    # sequence is ready before those of its actions. Reach is one's own probabilities multiplied
    # along a sequence, as in the sequence form (von Stengel 1996).
    other_reach[0], chooser_reach[0] = 1, 1
    num_hands = other_reach.shape[1]
    totals = np.empty(num_hands, np.float32)
    for decision in decisions:
        first, slot = decision[DECISION_FIRST_SEQUENCE], decision[DECISION_FIRST_SLOT]
        count = decision[DECISION_NUM_CHOICES]
        # The other seat plays the blueprint in every continuation: one row an action.
        if decision[DECISION_ACTOR] == 0:
            for choice in range(count):
                _multiply(
                    other_reach[decision[DECISION_PARENT_SEQUENCE]],
                    strategies[0, slot + choice],
                    ONE,
                    other_reach[first + choice],
                )
            continue
        # The bias approach of Brown, Sandholm & Amos (2018, section 4): probabilities times the
        # factor of their kind, renormalised. The division is done once a hand, not once an action:
        # totals become parent / total, and each action multiplies.
        for continuation in range(len(factors)):
            totals[:] = 0
            for choice in range(count):
                _add_product(
                    strategies[1, slot + choice],
                    factors[continuation, kinds[slot + choice]],
                    totals,
                )
            parent = chooser_reach[decision[DECISION_PARENT_SEQUENCE], continuation]
            for hand in range(num_hands):
                totals[hand] = parent[hand] / totals[hand] if totals[hand] > 0 else ZERO
            for choice in range(count):
                factor = factors[continuation, kinds[slot + choice]]
                _multiply(
                    totals,
                    strategies[1, slot + choice],
                    factor,
                    chooser_reach[first + choice, continuation],
                )


@kernel
def _multiply(one: Floats32, other: Floats32, factor: Number, product: Floats32) -> None:
    """Fill *product* with two vectors and a factor multiplied."""
    # A plain loop: the array expression would allocate a temporary for every action.
    for hand in range(len(product)):
        product[hand] = one[hand] * other[hand] * factor


@kernel
def _add_product(values: Floats32, factor: Number, totals: Floats32) -> None:
    """Add *values* times *factor* to *totals*."""
    for hand in range(len(totals)):
        totals[hand] += values[hand] * factor


@kernel
def gather_factors(
    ends: Ints,
    chips: Floats32,
    other_reach: Floats32,
    chooser_reach: Floats32,
    other_factor: Floats32,
    chooser_factor: Floats32,
) -> int:
    """Gather both factors of the matrix product over *ends* [end, 2]; return their number of rows.

    *other_factor* [row, hand] are the other's reaches; *chooser_factor* [row, continuation, hand]
    those of the chooser, times the *chips* of the ends and summed over the ends of one row.
    """
    # won[h, c, k] = sum over ends e of other[e, h] * chips[e] * chooser[e, c, k]. Ends are sorted
    # by the other's sequence; those that share it have one row in the product, their chooser parts
    # summed first. That makes the matrices as short as the number of different sequences, and the
    # additions are cheap beside the product. BLAS does the rest in the caller.
    num_sequences, last = 0, -1
    for end in range(len(ends)):
        if ends[end, 0] != last:
            last = ends[end, 0]
            other_factor[num_sequences], chooser_factor[num_sequences] = other_reach[last], 0
            num_sequences += 1
        for continuation in range(chooser_factor.shape[1]):
            _add_product(
                chooser_reach[ends[end, 1], continuation],
                chips[end],
                chooser_factor[num_sequences - 1, continuation],
            )
    return num_sequences


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
    """Add the values beyond equity to *sums*, from *showing* and *folding*.

    These are [hand, continuation, hand], *sums* [continuation, hand, hand], the *weights* of the
    pairs [hand, hand]. Of *controls* [control, hand, hand] the first is the sign of the showdown;
    *products* [continuation, control] are the sums of values times each control.
    """
    # A showdown pays sign * chips: what the better hand shows is found for the pair, not in the
    # matrix product, which so serves all pairs whatever they hold. Beyond equity: chips that equity
    # alone would win (the leaf's own) are taken off before anything is averaged over boards.
    for hand in range(showing.shape[0]):
        for continuation in range(showing.shape[1]):
            # Sums of value times control, for the regression slopes. They go through a function
            # with a local total, summed in single precision along one row and in double precision
            # over rows.
            for control in range(len(controls)):
                products[continuation, control] += _weighted(
                    showing[hand, continuation],
                    folding[hand, continuation],
                    chips,
                    weights[hand],
                    controls[0, hand],
                    controls[control, hand],
                )
            # Innermost over the chooser's hands: all five arrays are contiguous there.
            for other in range(showing.shape[2]):
                won = (
                    controls[0, hand, other] * (showing[hand, continuation, other] - chips)
                    + folding[hand, continuation, other]
                )
                sums[continuation, hand, other] += weights[hand, other] * won


@kernel
def _weighted(
    showing: Floats32,
    folding: Floats32,
    chips: Number,
    weights: Floats32,
    signs: Floats32,
    control: Floats32,
) -> Number:
    """Return the sum over one row of pairs: weight times value beyond equity times control."""
    total = ZERO
    # The same expression as in add_results; computed twice, it needs no room for the values.
    for other in range(len(weights)):
        total += (
            weights[other]
            * (signs[other] * (showing[other] - chips) + folding[other])
            * control[other]
        )
    return total


class Rollouts:
    """Rollouts of *leaves* for *hands* of ``poker/hands.py``, in buckets, by *factors*.

    *factors* are [continuation, kind]. Nut strength is a control variate, see
    ``control_variates.py``, if one *uses_nut_strength*, whose mean over all boards must be known.
    Rollouts on the same boards may share the *buckets* of the blueprint, by board; each adds its
    own.
    """

    def __init__(
        self,
        blueprint: SnapshotStrategy,
        hands: Ints,
        hand_buckets: HandGroups,
        leaves: Sequence[Leaf],
        factors: Floats32,
        *,
        uses_nut_strength: bool,
        buckets: dict[tuple[int, ...], Ints] | None = None,
    ) -> None:
        self._blueprint, self._hands, self._hand_buckets, self._leaves = (
            blueprint,
            hands,
            hand_buckets,
            leaves,
        )
        self._definition, self._factors = blueprint.snapshot.definition, factors
        self._masks, self._uses_nut_strength = (
            hand_masks(self._definition)[hands],
            uses_nut_strength,
        )
        # Keyed by the board's cards on each street, as several boards may begin alike.
        self._buckets = {} if buckets is None else buckets

    def sums(
        self, jobs: Sequence[tuple[tuple[int, ...], int]], num_threads: int, deadline: float
    ) -> RolloutSums:
        """Return the sums over the boards of *jobs*, each with a seed.

        No board but the first ones is begun after *deadline*.
        """
        sums = RolloutSums(len(self._leaves), len(self._factors), len(self._hand_buckets))
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
        """Return the sums of one board, with one hand of each bucket drawn for either seat."""
        ranks = full_ranks(self._definition, board)[self._hands].astype(np.int16)
        free = ranks != LOWEST
        state, drawn = seed_state(seed), np.empty((NUM_SEATS, len(self._hand_buckets)), np.int64)
        for seat in range(NUM_SEATS):
            draw_hands(
                state, self._hand_buckets.members, self._hand_buckets.starts, free, drawn[seat]
            )
        sizes = np.add.reduceat(
            free[self._hand_buckets.members], self._hand_buckets.starts[:-1], dtype=np.float32
        )
        counts = sizes[:, None] * sizes
        masks, shown, strengths = (
            self._masks[drawn],
            ranks[drawn],
            self._nut_strengths(ranks)[drawn],
        )
        weights = np.where(masks[0][:, None] & masks[1] == 0, counts, np.float32(0))
        controls = np.stack(
            [np.sign(shown[0][:, None] - shown[1]), strengths[0][:, None] - strengths[1]]
        ).astype(np.float32)
        played = _BoardStrategies(self._blueprint, board, self._hands[drawn], self._buckets)
        won = np.zeros((len(self._leaves), len(self._factors), *weights.shape), np.float32)
        products = np.zeros((len(self._leaves), len(self._factors), NUM_CONTROLS))
        for position, leaf in enumerate(self._leaves):
            plan = leaf.plan(number)
            if plan is not None:
                showing, folding = self._results(plan, played.strategies(plan))
                add_results(
                    showing,
                    folding,
                    np.float32(leaf.chips),
                    weights,
                    controls,
                    won[position],
                    products[position],
                )
        return BoardSums(won, products, weights, counts, controls)

    def _nut_strengths(self, ranks: Ranks) -> Floats32:
        """Return the nut strengths of hands by their *ranks*, [hand]; 0 if they are not used."""
        return (
            nut_strengths_of(ranks[None])[0]
            if self._uses_nut_strength
            else np.zeros(len(ranks), np.float32)
        )

    def _results(self, plan: RolloutPlan, strategies: Floats32) -> tuple[Floats32, Floats32]:
        """Return the values of showdowns and of folds for all pairs.

        Both are [hand of the other, continuation, hand of the chooser].
        """
        num_continuations, num_hands = len(self._factors), strategies.shape[2]
        other_reach = np.empty((plan.num_sequences[0], num_hands), np.float32)
        chooser_reach = np.empty((plan.num_sequences[1], num_continuations, num_hands), np.float32)
        fill_reaches(
            plan.decisions, plan.kinds, self._factors, strategies, other_reach, chooser_reach
        )
        showing = _product(plan.showdowns, plan.stakes, other_reach, chooser_reach)
        return showing, _product(plan.folds, plan.winnings, other_reach, chooser_reach)


def _product(
    ends: Ints, chips: Floats32, other_reach: Floats32, chooser_reach: Floats32
) -> Floats32:
    """Return the values of *ends* for all pairs.

    They are [hand of the other, continuation, hand of the chooser].
    """
    num_factors = min(len(ends), len(other_reach))
    other_factor, chooser_factor = (
        np.empty((num_factors, other_reach.shape[1]), np.float32),
        np.empty((num_factors, *chooser_reach.shape[1:]), np.float32),
    )
    num_sequences = gather_factors(
        ends, chips, other_reach, chooser_reach, other_factor, chooser_factor
    )
    product: Floats32 = other_factor[:num_sequences].T @ chooser_factor[:num_sequences].reshape(
        num_sequences, -1
    )
    return product.reshape(-1, *chooser_reach.shape[1:])


class _BoardStrategies:
    """The blueprint's probabilities on one board with *hands* [seat, hand].

    *known_buckets* are shared by boards.
    """

    def __init__(
        self,
        blueprint: SnapshotStrategy,
        board: tuple[int, ...],
        hands: Ints,
        known_buckets: dict[tuple[int, ...], Ints],
    ) -> None:
        self._blueprint, self._board, self._hands, self._known_buckets = (
            blueprint,
            board,
            hands,
            known_buckets,
        )

    def strategies(self, plan: RolloutPlan) -> Floats32:
        """Return the probabilities of all actions of *plan*, [seat, slot, hand]."""
        snapshot, settings = self._blueprint.snapshot, self._blueprint.settings
        assert snapshot.policy is not None
        rows = [
            snapshot.policy[part.street][
                self._buckets(part.street)[self._hands], part.first : part.last
            ]
            for part in plan.slots
        ]
        stored = np.concatenate(rows, axis=2)
        probabilities = stored.astype(np.float32) / np.float32(
            WHOLE if stored.dtype == np.uint8 else 1
        )
        if settings.mode != "average":
            for _, _, _, first, count in plan.decisions.tolist():
                own = probabilities[:, :, first : first + count]
                own[:] = played_probabilities(own.astype(np.float64), settings)
        return np.ascontiguousarray(probabilities.transpose(0, 2, 1))

    def _buckets(self, street: int) -> Ints:
        board = self._board[: self._blueprint.snapshot.definition.board_size(street)]
        if board not in self._known_buckets:
            self._known_buckets[board] = self._blueprint.buckets(street, board)
        return self._known_buckets[board]
