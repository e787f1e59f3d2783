"""The two rankings of the Annual Computer Poker Competition, for any number of results at a time.

*Total bankroll* ranks by average winnings over all matches. *Bankroll instant run-off*
removes, again and again, whoever has won least in the matches of those who are left,
so that nobody profits from opponents that only he can exploit. It goes on while those left
fill a table; the last ones are ranked by the last count.

Winnings are rows as in ``round_robin``: [..., entrant, match], NaN where a match has
not begun. Ranks are [..., entrant] and count from 1. Whoever is tied shares the best rank of
the tie (1, 2, 2, 4), and is removed together. Averages are rounded to DECIMALS places of a mbb first,
lest floating point break a tie; where none of an entrant's matches has begun, his is 0.

Source: the rules of the competition, http://www.computerpokercompetition.org.
"""

from __future__ import annotations

import numpy as np

from acpcbot.arrays import Flags, Floats, Indices

DECIMALS = 6


def bankrolls(won_mbb: Floats, mates: Indices, left: Flags) -> Floats:
    """Average winnings [..., entrant] in those matches whose players are all *left*, [..., entrant]."""
    counts = left[..., mates].all(axis=-1) & ~np.isnan(won_mbb)
    totals = np.where(counts, won_mbb, 0.0).sum(axis=-1)
    means: Floats = np.round(totals / np.maximum(counts.sum(axis=-1), 1), DECIMALS)
    return means


def total_bankroll_ranks(won_mbb: Floats, mates: Indices) -> Indices:
    """Ranks by average winnings over all matches."""
    everybody = np.ones(won_mbb.shape[:-1], np.bool_)
    return _ranks(bankrolls(won_mbb, mates, everybody))


def run_off_ranks(won_mbb: Floats, mates: Indices) -> Indices:
    """Ranks in the reverse order of removal."""
    num_seats = mates.shape[-1] + 1
    left = np.ones(won_mbb.shape[:-1], np.bool_)
    ranks = np.zeros(left.shape, np.intp)
    while left.any():
        totals = bankrolls(won_mbb, mates, left)
        lowest = np.where(left, totals, np.inf).min(axis=-1, keepdims=True)
        leaving = left & (totals == lowest)
        is_last_count = (left & ~leaving).sum(axis=-1, keepdims=True) < num_seats
        leaving |= left & is_last_count
        ranks[leaving] = _ranks(np.where(left, totals, -np.inf))[leaving]
        left &= ~leaving
    return ranks


def _ranks(amounts: Floats) -> Indices:
    """One more than the number of larger amounts, along the last axis."""
    larger = amounts[..., None, :] > amounts[..., :, None]
    ranks: Indices = 1 + larger.sum(axis=-1, dtype=np.intp)
    return ranks
