"""The bankroll curve: what a player had won after so many hands, and how far luck may have moved it.

Points stand behind deals, so that in a duplicate match all seatings of a deal count at once. The band around a
curve is that of its mean: at the last point it is the interval of the whole result, and before, what the deals up
to there contribute to it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from acpcbot.arrays import Floats, Ints
from acpcbot.matches.intervals import NUM_ADDED, interval, root_mean_square

MAX_POINTS = 300


@dataclass(frozen=True, slots=True)
class Curve:
    """Points from the first deal to the last, thinned to ``MAX_POINTS``; all begin with 0."""

    num_hands: tuple[int, ...]
    chips: tuple[float, ...]
    half_width_chips: tuple[float, ...]


def bankroll_curve(chips: Floats, deal: Ints, plain_chips: Floats) -> Curve:
    """The curve of rows of *chips*, each of a *deal*; rows that are NaN do not count; *plain_chips* as in winnings."""
    known = ~np.isnan(chips)
    chips, deal, hand_rms = chips[known], deal[known], root_mean_square(plain_chips[known])
    _, place = np.unique(deal, return_inverse=True)
    sizes = np.bincount(place)
    mean = chips.mean() if len(chips) else 0.0
    # Of a single deal the interval is not known: no band.
    whole = interval(chips - mean, deal, hand_rms).half_width * len(chips) if len(sizes) > 1 else 0.0
    # Of no rows numpy counts in whole numbers.
    squares = np.cumsum(np.square(np.bincount(place, weights=chips - mean).astype(np.float64)))
    # The hand that every sample is taken to have more belongs to all deals alike.
    squares += NUM_ADDED * hand_rms**2 * np.arange(1, len(sizes) + 1) / max(len(sizes), 1)
    half_width = whole * np.sqrt(squares / squares[-1]) if whole else np.zeros(len(sizes))
    at = np.unique(np.linspace(0, len(sizes), min(MAX_POINTS, len(sizes) + 1)).astype(np.int64))
    return Curve(
        tuple(_from_zero(np.cumsum(sizes))[at].astype(int).tolist()),
        tuple(_from_zero(np.cumsum(np.bincount(place, weights=chips)))[at].tolist()),
        tuple(_from_zero(half_width)[at].tolist()),
    )


def _from_zero(values: Floats) -> Floats:
    return np.concatenate(([0.0], values))
