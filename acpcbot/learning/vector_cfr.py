"""Counterfactual regret minimisation over all deals of a small game at once, for any seats.

Every iteration walks the whole public tree once for each seat in turn, which then changes its
strategy before the next seat is looked at (alternating updates). The variants differ in three
exponents alone: after iteration t positive regrets are multiplied by t^alpha / (t^alpha + 1),
negative ones by t^beta / (t^beta + 1), and the sums behind the average strategy by (t / (t +
1))^gamma.

Learnt arrays are float64 [slot] in the order of the game's layout; regrets are in big blinds.

Sweeps take all deals side by side. A *lane* is a column of their arrays: one deal that can occur,
or a class of deals with equal buckets and an equal showdown. (The word is that of SIMD: one
instruction serves several lanes.) Everything known of a decision node is a vector over the lanes.
Nodes are numbered parents first, so one pass over them in order carries reach probabilities down
and one in reverse carries values up. Values are in big blinds. Exact best responses go by the same
sweeps (``evaluation/exploitability/small_games.py``).

Sources: Zinkevich et al. (2007), Regret minimization in games with incomplete information,
equations 5 to 8; Tammelin (2014), https://arxiv.org/abs/1407.5042 (CFR+); Brown & Sandholm (2019),
https://arxiv.org/abs/1809.04040 (linear and discounted CFR).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats
from acpcbot.jit import kernel
from acpcbot.regret_matching import DCFR, CFRLearner, DiscountSettings, match_regrets, share_kept
from acpcbot.trees.public_tree import (
    LIMIT_CHILD,
    LIMIT_INFO,
    LIMIT_SLOT,
    AbstractGame,
    info_kinds,
    info_seat,
    info_street,
    num_actions,
)

OWN, OTHERS = 0, 1
MAX_ACTIONS = 3


class VectorCFR(CFRLearner):
    """A learner of *game* with the distinct deals *rows* [lane, ...] and their probabilities.

    These are *weights* [lane].
    """

    def __init__(
        self,
        game: AbstractGame,
        rows: NDArray[np.uint16],
        weights: Floats,
        settings: DiscountSettings = DCFR,
    ) -> None:
        super().__init__(game.layout.num_slots, settings)
        self.game = game
        self._lanes = deal_lanes(game, rows, weights)
        self._vectors = sweep_vectors(self._lanes)

    def normalised(self, weights: Floats) -> Floats:
        """Return probabilities [slot] in proportion to *weights*, uniform where there are none."""
        return self.game.normalised(weights)

    def sweep(self, strategy: Floats, exponents: Floats, first: int, num_iterations: int) -> None:
        """Run iterations from number *first* on, beginning with the current *strategy* [slot]."""
        sums = self.arrays["regret_sum"], self.arrays["strategy_sum"]
        _iterate(self._lanes, self._vectors, *sums, strategy, exponents, first, num_iterations)


@kernel
def _iterate(
    lanes: DealLanes,
    vectors: SweepVectors,
    regret_sum: Floats,
    strategy_sum: Floats,
    strategy: Floats,
    exponents: Floats,
    first: int,
    num_iterations: int,
) -> None:
    """Run iterations from number *first* on.

    *strategy* [slot] is the current one, before and after.
    """
    alpha, beta, gamma = exponents
    spread_policy(lanes, vectors, strategy)
    for iteration in range(first, first + num_iterations):
        keeps_positive, keeps_negative = share_kept(iteration, alpha), share_kept(iteration, beta)
        # One forward pass for reaches, one backward for values, then the seat's own slots. Only
        # the rows of *play* of this seat change, so those of the others are spread once.
        for seat in range(lanes.rows.shape[1]):
            spread_reaches(lanes, vectors, seat)
            _collect_regrets(lanes, vectors, regret_sum, seat)
            _collect_strategy(lanes, vectors, strategy_sum, seat)
            _match_regrets(
                lanes, vectors, regret_sum, strategy, seat, keeps_positive, keeps_negative
            )
        # Multiplying all sums so far weighs iteration t by t^gamma in the average.
        strategy_sum *= (iteration / (iteration + 1)) ** gamma


@kernel(inline=True)
def _collect_regrets(
    lanes: DealLanes, vectors: SweepVectors, regret_sum: Floats, traverser: int
) -> None:
    """Add the *traverser*'s counterfactual regrets; the reaches are known."""
    nodes, values, action_values = lanes.nodes, vectors.values, vectors.action_values
    for node in range(len(nodes) - 1, -1, -1):
        write_action_values(lanes, vectors, node, traverser)
        write_policy_values(lanes, vectors, node, traverser)
        info = nodes[node, LIMIT_INFO]
        if info_seat(info) == traverser:
            rows = lanes.rows[info_street(info), traverser]
            slot = np.uint64(nodes[node, LIMIT_SLOT])
            # The regret of an information set is the sum over its histories. Lanes with the same
            # bucket add to the same slot, so the compiler cannot make vectors of this loop.
            for action in range(np.uint64(num_actions(info_kinds(info)))):
                for lane in range(len(rows)):
                    regret_sum[rows[lane] + slot + action] += (
                        action_values[action, lane] - values[node, lane]
                    )


@kernel(inline=True)
def _collect_strategy(
    lanes: DealLanes, vectors: SweepVectors, strategy_sum: Floats, traverser: int
) -> None:
    """Add the *traverser*'s strategy, weighted with its reach."""
    nodes, play, reaches = lanes.nodes, vectors.play, vectors.reaches
    for node in range(len(nodes)):
        info = nodes[node, LIMIT_INFO]
        if info_seat(info) == traverser:
            rows = lanes.rows[info_street(info), traverser]
            slot = np.uint64(nodes[node, LIMIT_SLOT])
            # pi_i(I) sigma(I, a) times the probability of the bucket: a constant factor of the
            # information set, which the average divides out.
            for action in range(np.uint64(num_actions(info_kinds(info)))):
                for lane in range(len(rows)):
                    strategy_sum[rows[lane] + slot + action] += (
                        reaches[OWN, node, lane] * play[node, action, lane]
                    )


@kernel(inline=True)
def _match_regrets(
    lanes: DealLanes,
    vectors: SweepVectors,
    regret_sum: Floats,
    strategy: Floats,
    traverser: int,
    keeps_positive: float,
    keeps_negative: float,
) -> None:
    """Discount the *traverser*'s regrets and set its strategy and play by regret matching."""
    nodes, play = lanes.nodes, vectors.play
    for node in range(len(nodes)):
        info = nodes[node, LIMIT_INFO]
        if info_seat(info) == traverser:
            street = info_street(info)
            rows = lanes.rows[street, traverser]
            slot = np.uint64(nodes[node, LIMIT_SLOT])
            count = np.uint64(num_actions(info_kinds(info)))
            # The same node in the row of every bucket of its street.
            for first in range(
                lanes.row_starts[street] + slot,
                lanes.row_starts[street + 1],
                lanes.row_widths[street],
            ):
                match_regrets(
                    regret_sum, strategy, first, first + count, keeps_positive, keeps_negative
                )
            # Then from slots to lanes again, as in ``spread_policy``, but for this seat alone.
            for action in range(count):
                for lane in range(len(rows)):
                    play[node, action, lane] = strategy[rows[lane] + slot + action]


class DealLanes(NamedTuple):
    """A game as the sweeps read it.

    ``nodes``       int32 [node, 8], the public tree
    ``rows``        uint64 [street, seat, lane], the first slot of the row of the seat's bucket
    ``payoffs``     float64 [seat, outcome, lane], big blinds
    ``weights``     float64 [lane], the probability of the deal
    ``row_starts``  uint64 [street + 1], the first slot of each street, and the number of slots
    ``row_widths``  uint64 [street], the slots of one row
    """

    nodes: NDArray[np.int32]
    rows: NDArray[np.uint64]
    payoffs: Floats
    weights: Floats
    row_starts: NDArray[np.uint64]
    row_widths: NDArray[np.uint64]


class SweepVectors(NamedTuple):
    """The arrays that the sweeps write.

    ``play``           float64 [node, action, lane], the probability of the action
    ``reaches``        float64 [2, node, lane], the deal's probability times those of the actions
                       before: OWN those of the traverser, OTHERS those of all other seats
    ``values``         float64 [node, lane], counterfactual values of the traverser
    ``action_values``  float64 [action, lane], the same for the actions of the current node
    """

    play: Floats
    reaches: Floats
    values: Floats
    action_values: Floats


def deal_lanes(game: AbstractGame, rows: NDArray[np.uint16], weights: Floats) -> DealLanes:
    """Return the lanes of the distinct deals *rows* with the probabilities *weights* [lane].

    *rows* is [lane, street * seats + seat], and the last column is the ordering at the showdown.
    """
    layout, num_seats, num_streets = game.layout, game.tree.num_seats, len(game.num_buckets)
    assert rows.shape == (len(weights), num_streets * num_seats + 1), (rows.shape, weights.shape)
    buckets = rows[:, :-1].T.reshape(num_streets, num_seats, -1).astype(np.int64)
    first_slots = layout.row_starts[:, None, None] + buckets * layout.row_widths[:, None, None]
    return DealLanes(
        nodes=game.tree.nodes,
        rows=np.ascontiguousarray(first_slots, np.uint64),
        payoffs=np.ascontiguousarray(game.tree.payoffs[:, rows[:, -1]].transpose(2, 0, 1)),
        weights=np.ascontiguousarray(weights, np.float64),
        row_starts=np.append(layout.row_starts, layout.num_slots).astype(np.uint64),
        row_widths=layout.row_widths.astype(np.uint64),
    )


def sweep_vectors(lanes: DealLanes) -> SweepVectors:
    """Return empty arrays for sweeps over *lanes*."""
    num_nodes, num_lanes = len(lanes.nodes), len(lanes.weights)
    return SweepVectors(
        play=np.empty((num_nodes, MAX_ACTIONS, num_lanes)),
        reaches=np.empty((2, num_nodes, num_lanes)),
        values=np.empty((num_nodes, num_lanes)),
        action_values=np.empty((MAX_ACTIONS, num_lanes)),
    )


# The kernels below are inlined into their callers: called, they would spend as long on
# counting references to so many arrays as on a small game. In all of them the inner loop runs
# along the lanes, the last axis: neighbours in memory, and no lane depends on another.


@kernel(inline=True)
def spread_policy(lanes: DealLanes, vectors: SweepVectors, policy: Floats) -> None:
    """Write the play of all seats under *policy* [slot]."""
    nodes, play = lanes.nodes, vectors.play
    for node in range(len(nodes)):
        info = nodes[node, LIMIT_INFO]
        rows = lanes.rows[info_street(info), info_seat(info)]
        slot = np.uint64(nodes[node, LIMIT_SLOT])
        for action in range(np.uint64(num_actions(info_kinds(info)))):
            # The only scattered reads: from here on every lane has a probability of its own.
            for lane in range(len(rows)):
                play[node, action, lane] = policy[rows[lane] + slot + action]


@kernel(inline=True)
def spread_reaches(lanes: DealLanes, vectors: SweepVectors, traverser: int) -> None:
    """Write the reaches of all nodes from the play."""
    nodes, play, reaches = lanes.nodes, vectors.play, vectors.reaches
    # The probability of the deal is in both: counterfactual values take it from OTHERS, the
    # weights of the average strategy from OWN, where a constant factor cancels.
    reaches[OWN, 0] = lanes.weights
    reaches[OTHERS, 0] = lanes.weights
    for node in range(len(nodes)):
        info = nodes[node, LIMIT_INFO]
        moved = OWN if info_seat(info) == traverser else OTHERS
        kept = OTHERS if moved == OWN else OWN
        for action in range(num_actions(info_kinds(info))):
            # Ends have no row: their reach is taken from the node above.
            child = nodes[node, LIMIT_CHILD + action]
            if child >= 0:
                for lane in range(reaches.shape[2]):
                    reaches[moved, child, lane] = (
                        reaches[moved, node, lane] * play[node, action, lane]
                    )
                    reaches[kept, child, lane] = reaches[kept, node, lane]


@kernel(inline=True)
def write_action_values(lanes: DealLanes, vectors: SweepVectors, node: int, traverser: int) -> None:
    """Write the *traverser*'s action values at *node*; the values of its children are known."""
    info = lanes.nodes[node, LIMIT_INFO]
    for action in range(num_actions(info_kinds(info))):
        child = lanes.nodes[node, LIMIT_CHILD + action]
        if child >= 0:
            for lane in range(len(lanes.weights)):
                vectors.action_values[action, lane] = vectors.values[child, lane]
        elif info_seat(info) == traverser:
            # v(z) = pi_-i(z) u_i(z): the traverser's own action is no factor of the others'
            # reach, an opponent's (below) is.
            for lane in range(len(lanes.weights)):
                reach = vectors.reaches[OTHERS, node, lane]
                vectors.action_values[action, lane] = reach * lanes.payoffs[traverser, ~child, lane]
        else:
            for lane in range(len(lanes.weights)):
                reach = vectors.reaches[OTHERS, node, lane] * vectors.play[node, action, lane]
                vectors.action_values[action, lane] = reach * lanes.payoffs[traverser, ~child, lane]


@kernel(inline=True)
def write_policy_values(lanes: DealLanes, vectors: SweepVectors, node: int, traverser: int) -> None:
    """Write the *traverser*'s values of *node* under the play; its action values are known."""
    info = lanes.nodes[node, LIMIT_INFO]
    vectors.values[node] = 0.0
    for action in range(num_actions(info_kinds(info))):
        if info_seat(info) == traverser:
            for lane in range(len(lanes.weights)):
                share = vectors.play[node, action, lane]
                vectors.values[node, lane] += share * vectors.action_values[action, lane]
        else:
            # The others' play is in the action values already: these are counterfactual.
            for lane in range(len(lanes.weights)):
                vectors.values[node, lane] += vectors.action_values[action, lane]
