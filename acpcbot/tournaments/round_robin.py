"""Winnings in a round robin, with intervals: by match, against each opponent, and on average.

Two layouts are used. Results come as [match, place], place being an entrant's place among those of
the match. A ``RoundRobin`` brings them into rows: [entrant, match], each entrant's own matches one
after another, which for two players is the cross table without its diagonal. Both may have axes
before these. Matches that have not begun are NaN.

Everything is in mbb, thousandths of a big blind a hand. Matches count alike, however many deals
they have. They have cards of their own, so their errors are independent: the interval of a mean of
matches comes from theirs (``matches/intervals.py``) by the sum of squares.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats, Indices
from acpcbot.matches.intervals import interval_of_samples, root_mean_square

MAX_BLOCKS = 256


@dataclass(frozen=True, slots=True, eq=False)
class MatchResult:
    """One match so far: winnings of each of its *entrants*, and its deals in blocks.

    *mean_mbb* and *half_width_mbb* (of the interval) have axes [place], *block_sums_mbb* [block,
    place] and *block_sizes* [block]. A block is a run of deals; there are at most MAX_BLOCKS of
    them, and as many as deals where those are fewer.
    """

    entrants: tuple[int, ...]
    num_deals: int
    mean_mbb: Floats
    half_width_mbb: Floats
    block_sums_mbb: Floats
    block_sizes: Indices

    @classmethod
    def from_hands(cls, entrants: tuple[int, ...], hands_mbb: Floats) -> MatchResult:
        """Return the result of a match with winnings *hands_mbb* [deal, seating, place]."""
        num_deals, num_seatings, _ = hands_mbb.shape
        if not num_deals:
            nothing = np.full(len(entrants), np.nan)
            return cls(
                entrants, 0, nothing, nothing, np.zeros((0, len(entrants))), np.zeros(0, np.intp)
            )
        deals_mbb = hands_mbb.mean(axis=1)
        mean = deals_mbb.mean(axis=0)
        sums, num_hands = (deals_mbb - mean) * num_seatings, num_deals * num_seatings
        half_widths = [
            interval_of_samples(
                sums[:, place], num_hands, root_mean_square(hands_mbb[..., place])
            ).half_width
            for place in range(len(entrants))
        ]
        ends = np.linspace(0, num_deals, min(num_deals, MAX_BLOCKS) + 1).astype(np.intp)
        sums = np.add.reduceat(deals_mbb, ends[:-1], axis=0)
        return cls(entrants, num_deals, mean, np.array(half_widths), sums, np.diff(ends))


class RoundRobin:
    """Index from matches to entrants, from *entrants* with axes [match, place].

    All have equally many matches. *mates*, [entrant, match, mate], are the other entrants at the
    table in each of an entrant's matches.
    """

    def __init__(self, entrants: Indices) -> None:
        num_places = entrants.shape[1]
        num_entrants = int(entrants.max()) + 1
        self._cells = np.argsort(entrants, axis=None, kind="stable").reshape(num_entrants, -1)
        seated = entrants[self._cells // num_places]
        is_mate = seated != np.arange(num_entrants)[:, None, None]
        self.mates: Indices = seated[is_mate].reshape(*self._cells.shape, num_places - 1)

    def rows(self, values: Floats) -> Floats:
        """Return results [..., match, place] as rows [..., entrant, match]."""
        flat = values.reshape(*values.shape[:-2], -1)
        return flat[..., self._cells]


@dataclass(frozen=True, slots=True, eq=False)
class Estimates:
    """Means and half the widths of their intervals, arrays of equal shape."""

    mean_mbb: Floats
    half_width_mbb: Floats


def cross_table(robin: RoundRobin, won_mbb: Floats, half_widths_mbb: Floats) -> Estimates:
    """Return the winnings of each entrant at tables with each opponent, [entrant, opponent].

    *won_mbb* and *half_widths_mbb* are rows. With more than two at a table a cell is the mean over
    all matches in which the two met; it does not say which of them won from the other.
    """
    opponents = np.arange(len(robin.mates))
    met = (robin.mates[..., None] == opponents).any(axis=2)
    return _pooled(won_mbb[..., None], half_widths_mbb[..., None], met)


def averages(won_mbb: Floats, half_widths_mbb: Floats) -> Estimates:
    """Return each entrant's mean winnings over the matches of its row, [entrant]."""
    return _pooled(won_mbb, half_widths_mbb, np.ones(won_mbb.shape, np.bool_))


def _pooled(won: Floats, half_widths: Floats, counts: NDArray[np.bool_]) -> Estimates:
    """Return the mean along axis 1 of matches that count and have begun; NaN where none has."""
    counts = counts & ~np.isnan(won)
    number = np.where(counts.any(axis=1), counts.sum(axis=1), np.nan)
    mean = np.where(counts, won, 0.0).sum(axis=1) / number
    return Estimates(mean, np.sqrt(np.where(counts, half_widths**2, 0.0).sum(axis=1)) / number)


def stack_results(results: Sequence[MatchResult]) -> tuple[RoundRobin, Floats, Floats]:
    """Return the round robin of *results*, and winnings and half-widths as rows."""
    robin = RoundRobin(np.array([result.entrants for result in results], np.intp))
    won = np.stack([result.mean_mbb for result in results])
    half_widths = np.stack([result.half_width_mbb for result in results])
    return robin, robin.rows(won), robin.rows(half_widths)
