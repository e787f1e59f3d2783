"""The bankroll curve: what a player had won after so many hands, and how far luck may have moved it.

Points stand behind deals, so that in a duplicate match all seatings of a deal count at once. The band around a
curve is that of its mean: at the last point it is the interval of the whole result.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from acpcbot.matches.score import NORMAL_95
from acpcbot.reports.hands import Floats, Ints

MAX_POINTS = 300


@dataclass(frozen=True, slots=True)
class Curve:
    """Points from the first deal to the last, thinned to ``MAX_POINTS``; all begin with 0."""

    num_hands: tuple[int, ...]
    chips: tuple[float, ...]
    half_width_chips: tuple[float, ...]


def bankroll_curve(chips: Floats, deal: Ints) -> Curve:
    """The curve of rows of *chips*, each of a *deal*; rows that are NaN do not count."""
    known = ~np.isnan(chips)
    chips, deal = chips[known], deal[known]
    _, place = np.unique(deal, return_inverse=True)
    sizes = np.bincount(place)
    mean = chips.mean() if len(chips) else 0.0
    spread = np.bincount(place, weights=chips - mean)
    num_deals = np.arange(1, len(sizes) + 1)
    widened = num_deals / np.maximum(num_deals - 1, 1)
    half_width = NORMAL_95 * np.sqrt(widened * np.cumsum(np.square(spread)))
    at = np.unique(np.linspace(0, len(sizes), min(MAX_POINTS, len(sizes) + 1)).astype(np.int64))
    return Curve(
        tuple(_from_zero(np.cumsum(sizes))[at].astype(int).tolist()),
        tuple(_from_zero(np.cumsum(np.bincount(place, weights=chips)))[at].tolist()),
        tuple(_from_zero(half_width)[at].tolist()),
    )


def _from_zero(values: Floats) -> Floats:
    return np.concatenate(([0.0], values))
