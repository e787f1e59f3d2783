"""Winnings as means with intervals, where some hands may share their cards.

The unit of the interval is the deal: hands of one deal are summed before anything is squared. For deals of one
size this is the interval of the mean over deals, as ``acpcbot.matches.score`` has it; for others
it is that of a ratio of two sums over deals. Intervals hold 95 %, as ``acpcbot.matches.intervals`` says.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from acpcbot.arrays import Floats, Ints
from acpcbot.matches.intervals import interval, root_mean_square

MILLI = 1000.0


@dataclass(frozen=True, slots=True)
class Winnings:
    """What was won in some hands: *half_width_mbb* is half of the mean's interval, infinite for a single deal."""

    num_hands: int
    chips: float
    mean_mbb: float
    half_width_mbb: float


def winnings(chips: Floats, deal: Ints, unit_chips: int, plain_chips: Floats) -> Winnings:
    """The winnings in rows of *chips*, each of a *deal*; rows that are NaN do not count.

    *plain_chips* are those that the player won in each row's hand, with no luck taken out.
    """
    known = ~np.isnan(chips)
    chips, deal, hand_rms = chips[known], deal[known], root_mean_square(plain_chips[known])
    if not len(chips):
        return Winnings(0, 0.0, 0.0, np.inf)
    mean = chips.sum() / len(chips)
    to_mbb = MILLI / unit_chips
    half_width = interval(chips - mean, deal, hand_rms).half_width
    return Winnings(len(chips), float(chips.sum()), float(mean * to_mbb), float(half_width * to_mbb))


def grouped_winnings(
    chips: Floats, deal: Ints, group: Ints, unit_chips: int, plain_chips: Floats
) -> dict[int, Winnings]:
    """The winnings in each *group* that occurs, by rising number."""
    order = np.argsort(group, kind="stable")
    numbers, starts = np.unique(group[order], return_index=True)
    parts = zip(numbers.tolist(), np.split(order, starts[1:]), strict=True)
    return {number: winnings(chips[rows], deal[rows], unit_chips, plain_chips[rows]) for number, rows in parts}
