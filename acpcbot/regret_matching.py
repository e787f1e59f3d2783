"""Regret matching, and the discounts of regrets, as all variants of CFR share them.

Two layouts are served: the slots of an information set side by side in a flat array
(``match_regrets``), and triples of actions in ``sums`` [slot, 2] for sampling learners of limit
games. ``sums`` holds in column REGRET the cumulative regret of an action, in big blinds, and in
column STRATEGY its cumulative weight in the average: one cache line serves a visit. Limit games
have at most three actions to a node, so the kernels handle them as triples, with zeros for actions
that a node lacks.

The array helpers have one way in and one way out: a called kernel that branches to several
ends costs its caller two atomic operations an array, which is more than all its work.

Sources: Hart & Mas-Colell (2000), https://doi.org/10.1111/1468-0262.00153 (regret matching);
Brown & Sandholm (2019), https://arxiv.org/abs/1809.04040 (discounts).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import inf, isnan
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats, Number, Triple
from acpcbot.errors import UsageError
from acpcbot.jit import kernel


@dataclass(frozen=True, slots=True)
class DiscountSettings:
    """Exponents of the discounts: *alpha*, *beta* and *gamma* of discounted CFR.

    They are those of positive regrets, of negative regrets, and of the average strategy. An
    infinite exponent keeps everything, a negatively infinite one nothing. Raises UsageError for any
    value that is no exponent.
    """

    alpha: float = 1.5
    beta: float = 0.0
    gamma: float = 2.0

    def __post_init__(self) -> None:
        if isnan(self.alpha) or isnan(self.beta) or not 0 <= self.gamma < inf:
            raise UsageError(
                f"no discounts: {self}",
                "expected numbers for alpha and beta, and a finite gamma of at least 0",
            )


CFR = DiscountSettings(inf, inf, 0)
CFR_PLUS = DiscountSettings(inf, -inf, 1)
LINEAR_CFR = DiscountSettings(1, 1, 1)
DCFR = DiscountSettings(1.5, 0, 2)


class CFRLearner(ABC):
    """The state of CFR over whole games, and its steps: all but the sweeps over one form of game.

    ``arrays`` is all that it has learnt: ``regret_sum`` and ``strategy_sum`` [slot], and
    ``num_iterations`` [1]. Written back in place, they continue where they were saved.
    """

    def __init__(self, num_slots: int, settings: DiscountSettings) -> None:
        self.settings = settings
        self.arrays: dict[str, NDArray[Any]] = {
            "regret_sum": np.zeros(num_slots),
            "strategy_sum": np.zeros(num_slots),
            "num_iterations": np.zeros(1, np.int64),
        }

    @abstractmethod
    def normalised(self, weights: Floats) -> Floats:
        """Return probabilities [slot] in proportion to *weights*, uniform where there are none."""

    @abstractmethod
    def sweep(self, strategy: Floats, exponents: Floats, first: int, num_iterations: int) -> None:
        """Run iterations from number *first* on, beginning with the current *strategy* [slot].

        *exponents* are alpha, beta and gamma of the discounts.
        """

    def step(self, num_iterations: int) -> None:
        """Run *num_iterations* more."""
        settings = self.settings
        exponents = np.array([settings.alpha, settings.beta, settings.gamma], np.float64)
        first = int(self.arrays["num_iterations"][0]) + 1
        self.sweep(self.current_strategy(), exponents, first, num_iterations)
        self.arrays["num_iterations"] += num_iterations

    def average_strategy(self) -> Floats:
        """Return the average policy [slot], which converges.

        Uniform where an information set was never reached.
        """
        return self.normalised(self.arrays["strategy_sum"])

    def current_strategy(self) -> Floats:
        """Return the policy [slot] of the next iteration."""
        return self.normalised(np.maximum(self.arrays["regret_sum"], 0))


@kernel
def share_kept(iteration: int, exponent: float) -> float:
    """Return the discount of a sum after *iteration*: t^exponent / (t^exponent + 1)."""
    if np.isinf(exponent):
        return 1.0 if exponent > 0 else 0.0
    # Discounted CFR multiplies accumulated positive regrets by t^alpha / (t^alpha + 1) and negative
    # ones by t^beta / (t^beta + 1). CFR is alpha = beta = inf, CFR+ is beta = -inf (regrets are
    # floored at 0), linear CFR is alpha = beta = 1.
    # Written so that no exponent overflows it.
    return 1 / (1 + float(iteration) ** -exponent)  # type: ignore[no-any-return]


@kernel(inline=True)
def match_regrets(
    regret_sum: Floats,
    strategy: Floats,
    first: Number,
    end: Number,
    keeps_positive: float,
    keeps_negative: float,
) -> None:
    """Discount the regrets of one information set, and fill its strategy by regret matching.

    Its slots are *first* .. *end* - 1.
    """
    # s(a) = max(R(a), 0) / sum of max(R(b), 0), uniform if all regrets are negative. Discounting is
    # done on the way, so that each regret is read and written once. max and min instead of a
    # branch on the sign, which the processor could not predict.
    total = 0.0
    for slot in range(first, end):
        regret = regret_sum[slot]
        regret_sum[slot] = max(regret, 0.0) * keeps_positive + min(regret, 0.0) * keeps_negative
        total += max(regret_sum[slot], 0.0)
    for slot in range(first, end):
        strategy[slot] = max(regret_sum[slot], 0.0) / total if total > 0 else 1.0 / (end - first)


@kernel
def normalise_rows(
    slots: NDArray[np.int32], counts: NDArray[np.int32], weights: NDArray[Any], result: NDArray[Any]
) -> None:
    """Write *weights* [bucket, slot of the row] as probabilities into *result*.

    *slots* and *counts* [node] are the first slots of the nodes in a row, and their numbers of
    actions. Uniform where an information set has no weight.
    """
    # Rows are gone through as they lie in memory: all nodes of a bucket, then the next bucket.
    for bucket in range(len(weights)):
        for node in range(len(slots)):
            first, count = slots[node], counts[node]
            total = 0.0
            for slot in range(first, first + count):
                total += weights[bucket, slot]
            for slot in range(first, first + count):
                result[bucket, slot] = weights[bucket, slot] / total if total > 0 else 1 / count


Sums = NDArray[Any]
Storage = Literal["float64", "float32"]

REGRET, STRATEGY = np.uint64(0), np.uint64(1)
ZERO, ONE, TWO = np.uint64(0), np.uint64(1), np.uint64(2)


def empty_sums(num_slots: int, storage: Storage = "float64") -> Sums:
    """Return empty sums of *num_slots*; their memory is taken when it is first written."""
    return np.zeros((num_slots, 2), storage)


@kernel
def matched_strategy(sums: Sums, slot: Number, count: Number) -> Triple:
    """Return the strategy of an information set by regret matching.

    Its *count* actions begin at *slot*.
    """
    # Unsigned slots: numba then leaves out the test for negative indices at each access. Sums may
    # be float32; the strategy is computed in double precision, in registers, without an array.
    first = max(np.float64(sums[slot, REGRET]), 0.0)
    second = max(np.float64(sums[slot + ONE, REGRET]), 0.0) if count > ONE else 0.0
    third = max(np.float64(sums[slot + TWO, REGRET]), 0.0) if count > TWO else 0.0
    return _normalised(first, second, third, count)


@kernel
def _normalised(first: Number, second: Number, third: Number, count: Number) -> Triple:
    """Return three weights divided by their sum, uniform over *count* actions if they are all 0."""
    # Tests and selects only, no second return: see the module on atomic operations.
    total = first + second + third
    if total <= 0.0:
        first, second, third = 1.0, 1.0 if count > ONE else 0.0, 1.0 if count > TWO else 0.0
        total = np.float64(count)
    return first / total, second / total, third / total


@kernel
def add_regrets(sums: Sums, slot: Number, count: Number, regrets: Triple, floor: float) -> None:
    """Add the *regrets* of an information set, none of which falls below *floor*."""
    # The floor is 0 for CFR+ (regret matching+), -inf for plain CFR.
    sums[slot, REGRET] = max(sums[slot, REGRET] + regrets[0], floor)
    if count > ONE:
        sums[slot + ONE, REGRET] = max(sums[slot + ONE, REGRET] + regrets[1], floor)
    if count > TWO:
        sums[slot + TWO, REGRET] = max(sums[slot + TWO, REGRET] + regrets[2], floor)


@kernel
def add_strategy(sums: Sums, slot: Number, count: Number, strategy: Triple, weight: float) -> None:
    """Add *strategy* to the average with *weight*."""
    sums[slot, STRATEGY] += weight * strategy[0]
    if count > ONE:
        sums[slot + ONE, STRATEGY] += weight * strategy[1]
    if count > TWO:
        sums[slot + TWO, STRATEGY] += weight * strategy[2]


@kernel
def sampled(draw: float, strategy: Triple) -> Number:
    """Return the action that *draw*, in [0, 1), samples from *strategy*.

    An action of probability 0 is never returned.
    """
    # Inverse of the cumulative distribution. The comparisons with the remaining probability keep
    # rounding (a draw just above a sum of 0.99999999) from returning an impossible action; &
    # instead of "and" keeps the kernel free of branches.
    first, second, third = strategy
    past_first = (draw >= first) & (second + third > 0.0)
    past_second = (draw >= first + second) & (third > 0.0)
    return np.uint64(past_first) + np.uint64(past_second)
