"""Winnings as means with intervals, where some hands may share their cards.

The unit of the interval is the deal: hands of one deal are summed before anything is squared. For deals of one
size this is the standard error of the mean over deals, as ``acpcbot.matches.score`` has it; for others
it is that of a ratio of two sums over deals. Intervals hold 95 % by the normal approximation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from acpcbot.matches.score import NORMAL_95, standard_error
from acpcbot.reports.hands import Floats, Ints

MILLI = 1000.0


@dataclass(frozen=True, slots=True)
class Winnings:
    """What was won in some hands: *half_width_mbb* is half of the mean's interval, infinite for a single deal."""

    num_hands: int
    chips: float
    mean_mbb: float
    half_width_mbb: float


def winnings(chips: Floats, deal: Ints, unit_chips: int) -> Winnings:
    """The winnings in rows of *chips*, each of a *deal*; rows that are NaN do not count."""
    known = ~np.isnan(chips)
    chips, deal = chips[known], deal[known]
    if not len(chips):
        return Winnings(0, 0.0, 0.0, np.inf)
    mean = chips.sum() / len(chips)
    to_mbb = MILLI / unit_chips
    half_width = NORMAL_95 * standard_error(chips - mean, deal)
    return Winnings(len(chips), float(chips.sum()), float(mean * to_mbb), float(half_width * to_mbb))


def grouped_winnings(chips: Floats, deal: Ints, group: Ints, unit_chips: int) -> dict[int, Winnings]:
    """The winnings in each *group* that occurs, by rising number."""
    order = np.argsort(group, kind="stable")
    numbers, starts = np.unique(group[order], return_index=True)
    parts = zip(numbers.tolist(), np.split(order, starts[1:]), strict=True)
    return {number: winnings(chips[rows], deal[rows], unit_chips) for number, rows in parts}
