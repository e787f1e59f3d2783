"""Counterfactual regret minimisation over all deals of a small game at once, for any seats.

Every iteration walks the whole public tree once for each seat in turn, which then changes its
strategy before the next seat is looked at (alternating updates). The variants differ in three
exponents alone: after iteration t positive regrets are multiplied by t^alpha / (t^alpha + 1),
negative ones by t^beta / (t^beta + 1), and the sums behind the average strategy by (t / (t +
1))^gamma.

Arrays are float64 [slot] in the order of the game's layout; regrets are in big blinds. The sweeps
are those of ``deal_sweeps.py``, which says what a lane is.

Sources: Zinkevich et al. (2007), Regret minimization in games with incomplete information,
equations 5 to 8; Tammelin (2014), https://arxiv.org/abs/1407.5042 (CFR+); Brown & Sandholm (2019),
https://arxiv.org/abs/1809.04040 (linear and discounted CFR).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats
from acpcbot.jit import kernel
from acpcbot.learning.abstract_game import AbstractGame
from acpcbot.learning.deal_sweeps import (
    OWN,
    DealLanes,
    SweepVectors,
    deal_lanes,
    spread_policy,
    spread_reaches,
    sweep_vectors,
    write_action_values,
    write_policy_values,
)
from acpcbot.regret_matching import DCFR, DiscountSettings, match_regrets, share_kept
from acpcbot.trees.node_record import INFO, SLOT, info_kinds, info_seat, info_street, num_actions


class VectorCFR:
    """A learner of *game* with the distinct deals *rows* [lane, ...] and their probabilities.

    These are *weights* [lane]. ``arrays`` is all that it has learnt: ``regret_sum`` and
    ``strategy_sum`` [slot], and ``num_iterations`` [1]. Written back in place, they continue where
    they were saved.
    """

    def __init__(
        self,
        game: AbstractGame,
        rows: NDArray[np.uint16],
        weights: Floats,
        settings: DiscountSettings = DCFR,
    ) -> None:
        self.game, self.settings = game, settings
        self.arrays: dict[str, NDArray[Any]] = {
            "regret_sum": np.zeros(game.layout.num_slots),
            "strategy_sum": np.zeros(game.layout.num_slots),
            "num_iterations": np.zeros(1, np.int64),
        }
        self._lanes = deal_lanes(game, rows, weights)
        self._vectors = sweep_vectors(self._lanes)

    def step(self, num_iterations: int) -> None:
        """Run *num_iterations* more."""
        sums = self.arrays["regret_sum"], self.arrays["strategy_sum"]
        exponents = np.array(
            [self.settings.alpha, self.settings.beta, self.settings.gamma], np.float64
        )
        first = int(self.arrays["num_iterations"][0]) + 1
        _iterate(
            self._lanes,
            self._vectors,
            *sums,
            self.current_strategy(),
            exponents,
            first,
            num_iterations,
        )
        self.arrays["num_iterations"] += num_iterations

    def average_strategy(self) -> Floats:
        """Return the average policy [slot], which converges.

        Uniform where an information set was never reached.
        """
        return self.game.normalised(self.arrays["strategy_sum"])

    def current_strategy(self) -> Floats:
        """Return the policy [slot] of the next iteration."""
        return self.game.normalised(np.maximum(self.arrays["regret_sum"], 0))


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
        info = nodes[node, INFO]
        if info_seat(info) == traverser:
            rows = lanes.rows[info_street(info), traverser]
            slot = np.uint64(nodes[node, SLOT])
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
        info = nodes[node, INFO]
        if info_seat(info) == traverser:
            rows = lanes.rows[info_street(info), traverser]
            slot = np.uint64(nodes[node, SLOT])
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
        info = nodes[node, INFO]
        if info_seat(info) == traverser:
            street = info_street(info)
            rows = lanes.rows[street, traverser]
            slot = np.uint64(nodes[node, SLOT])
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
