"""Regret matching of one information set, and the discounts of its regrets, as CFR and its relatives share them.

Sources: Hart & Mas-Colell (2000), https://doi.org/10.1111/1468-0262.00153 (regret matching);
Brown & Sandholm (2019), https://arxiv.org/abs/1809.04040 (discounts).
"""

from __future__ import annotations

import numpy as np

from acpcbot.arrays import Floats, Number
from acpcbot.jit import kernel


@kernel
def share_kept(iteration: int, exponent: float) -> float:
    """What is left of a sum after *iteration*: t^exponent / (t^exponent + 1)."""
    if np.isinf(exponent):
        return 1.0 if exponent > 0 else 0.0
    # Written so that no exponent overflows it.
    return 1 / (1 + float(iteration) ** -exponent)  # type: ignore[no-any-return]


@kernel(inline=True)
def match_regrets(
    regret_sum: Floats, strategy: Floats, first: Number, end: Number, keeps_positive: float, keeps_negative: float
) -> None:
    """Discount the regrets of the information set of slots *first* .. *end* - 1, and play in proportion to them."""
    total = 0.0
    for slot in range(first, end):
        regret = regret_sum[slot]
        regret_sum[slot] = max(regret, 0.0) * keeps_positive + min(regret, 0.0) * keeps_negative
        total += max(regret_sum[slot], 0.0)
    for slot in range(first, end):
        strategy[slot] = max(regret_sum[slot], 0.0) / total if total > 0 else 1.0 / (end - first)
