"""Counterfactual regret minimisation in a game that grows: the value of generic poker between two bounds.

The restricted game of a double oracle is solved by discounted CFR, which goes on where it was
when actions are opened: sums are kept by the names of slots. Once the game has stood still for a
while the average is begun anew, because what was played in a smaller game weighs on it. Rounds
are short while the game grows, then ever longer. Actions are opened only if they gain a share of the gap: answers to
strategies that are still rough would open much that is never used.

Sources: Bosansky et al. (2014), see double_oracle.py; Brown & Sandholm (2019), https://arxiv.org/abs/1809.04040
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats, Ints
from acpcbot.solvers.double_oracle import Bounds, DoubleOracle
from acpcbot.solvers.sequence_cfr import SequenceCFR
from acpcbot.solvers.vector_cfr import DCFR, VectorCFRSettings

# The game stands still as long as it has not grown by more than this share since it began to.
STILL = 0.01
# A round takes this share of the iterations for which the game has stood still.
ROUND_SHARE = 0.2
# The average is begun anew after so many shortest rounds without growth.
SETTLING_ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Growth:
    """How far it is: the restricted game's slots, all iterations, and the *bounds* of the value, in chips."""

    num_slots: int
    num_iterations: int
    bounds: Bounds


class GrowingCFR:
    """A learner of the restricted game of *oracle*, whose game grows by what it learns."""

    def __init__(self, oracle: DoubleOracle, settings: VectorCFRSettings = DCFR) -> None:
        self.oracle, self.settings = oracle, settings
        self._learner = SequenceCFR(oracle.form, settings)

    @property
    def num_iterations(self) -> int:
        """All iterations so far."""
        return int(self._learner.arrays["num_iterations"][0])

    def solve(self, target: float, *, shortest_round: int = 200, gain_share: float = 1e-4) -> Iterator[Growth]:
        """Rounds of learning and growth until the bounds are *target* chips apart; what was found, after each.

        An action is opened if it gains *gain_share* of the gap, or of a chip while the gap is wider.
        """
        still_since, still_slots, is_settled = 0, 0, False
        while self.oracle.bounds.gap > target:
            if self.oracle.form.num_slots > (1 + STILL) * still_slots:
                still_since, still_slots, is_settled = self.num_iterations, self.oracle.form.num_slots, False
            still_for = self.num_iterations - still_since
            if still_for >= SETTLING_ROUNDS * shortest_round and not is_settled:
                self._learner.arrays["strategy_sum"][:] = 0
                is_settled = True
            length = max(shortest_round, int(ROUND_SHARE * still_for))
            yield self.round(length, gain_share * min(self.oracle.bounds.gap, 1.0))

    def round(self, num_iterations: int, least_gain: float) -> Growth:
        """Learn for *num_iterations*, and open what gains more than *least_gain* chips from the average."""
        oracle, names = self.oracle, self.oracle.slot_names
        self._learner.step(num_iterations)
        oracle.policy = self._learner.average_strategy()
        oracle.respond(least_gain)
        self._continue(names)
        return Growth(oracle.form.num_slots, self.num_iterations, oracle.bounds)

    def _continue(self, names: Ints) -> None:
        """Go on in the game as it is now; *names* are those of the slots before."""
        before, self._learner = self._learner.arrays, SequenceCFR(self.oracle.form, self.settings)
        for name in ("regret_sum", "strategy_sum"):
            self._learner.arrays[name][:] = _carried(names, before[name], self.oracle.slot_names)
        self._learner.arrays["num_iterations"][:] = before["num_iterations"]


def _carried(names: Ints, sums: NDArray[np.float64], new_names: Ints) -> Floats:
    """*sums* of the slots of *names*, in the order of *new_names*; 0 for those that are new."""
    order = np.argsort(names)
    places = order[np.minimum(np.searchsorted(names, new_names, sorter=order), len(names) - 1)]
    return np.where(names[places] == new_names, sums[places], 0.0)
