"""What was won in a round robin, with intervals: match by match, against each opponent, and on
average.

Two layouts are used. Results come as [match, place], place being an entrant's place among
those of the match. A ``RoundRobin`` brings them into rows: [entrant, match], each
entrant's own matches one after another, which for two players is the cross table without
its diagonal. Both may have axes before these. Matches that have not begun are NaN.

Everything is in mbb, thousandths of a big blind for each hand. Matches count alike,
however many deals they have seen. They have cards of their own, so their errors are
independent: the interval of a mean of matches comes from theirs (``matches/intervals.py``) by
the sum of squares.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats, Indices
from acpcbot.matches.intervals import interval_of_samples, root_mean_square

MOST_BLOCKS = 256


@dataclass(frozen=True, slots=True, eq=False)
class MatchResult:
    """One match so far: what each of its *entrants* won, and its deals in blocks.

    *mean_mbb* and *half_width_mbb* (of the interval) have axes [place], *block_sums_mbb*
    [block, place] and *block_sizes* [block]. A block is a run of deals; there are at most
    MOST_BLOCKS of them, and as many as deals where those are fewer.
    """

    entrants: tuple[int, ...]
    num_deals: int
    mean_mbb: Floats
    half_width_mbb: Floats
    block_sums_mbb: Floats
    block_sizes: Indices

    @classmethod
    def from_hands(cls, entrants: tuple[int, ...], hands_mbb: Floats) -> MatchResult:
        """The result of a match whose hands brought *hands_mbb*, with axes [deal, seating,
        place].
        """
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
        ends = np.linspace(0, num_deals, min(num_deals, MOST_BLOCKS) + 1).astype(np.intp)
        sums = np.add.reduceat(deals_mbb, ends[:-1], axis=0)
        return cls(entrants, num_deals, mean, np.array(half_widths), sums, np.diff(ends))


class RoundRobin:
    """Who met whom, by *entrants* with axes [match, place], where all had equally many matches.

    *mates*, [entrant, match, mate], says who else sat at the table in each of an entrant's matches.
    """

    def __init__(self, entrants: Indices) -> None:
        num_places = entrants.shape[1]
        num_entrants = int(entrants.max()) + 1
        self._cells = np.argsort(entrants, axis=None, kind="stable").reshape(num_entrants, -1)
        seated = entrants[self._cells // num_places]
        is_mate = seated != np.arange(num_entrants)[:, None, None]
        self.mates: Indices = seated[is_mate].reshape(*self._cells.shape, num_places - 1)

    def rows(self, values: Floats) -> Floats:
        """Results [..., match, place] as rows [..., entrant, match]."""
        flat = values.reshape(*values.shape[:-2], -1)
        return flat[..., self._cells]


@dataclass(frozen=True, slots=True, eq=False)
class Estimates:
    """Means and half the widths of their intervals; both arrays are alike in their axes."""

    mean_mbb: Floats
    half_width_mbb: Floats


def cross_table(robin: RoundRobin, won_mbb: Floats, half_widths_mbb: Floats) -> Estimates:
    """What the entrant of each row won where that of the column sat at the table, [entrant,
    opponent].

    *won_mbb* and *half_widths_mbb* are rows. With more than two at a table a cell is the
    mean over all matches in which the two met, and says nothing about who of them won from the other.
    """
    opponents = np.arange(len(robin.mates))
    met = (robin.mates[..., None] == opponents).any(axis=2)
    return _pooled(won_mbb[..., None], half_widths_mbb[..., None], met)


def averages(won_mbb: Floats, half_widths_mbb: Floats) -> Estimates:
    """What each entrant won on average over the matches of his row, [entrant]."""
    return _pooled(won_mbb, half_widths_mbb, np.ones(won_mbb.shape, np.bool_))


def _pooled(won: Floats, half_widths: Floats, counts: NDArray[np.bool_]) -> Estimates:
    """The mean along axis 1 of what *counts* and has begun; NaN where there is none."""
    counts = counts & ~np.isnan(won)
    number = np.where(counts.any(axis=1), counts.sum(axis=1), np.nan)
    mean = np.where(counts, won, 0.0).sum(axis=1) / number
    return Estimates(mean, np.sqrt(np.where(counts, half_widths**2, 0.0).sum(axis=1)) / number)


def stack_results(results: Sequence[MatchResult]) -> tuple[RoundRobin, Floats, Floats]:
    """The round robin that *results* make up, what was won and half its intervals as rows."""
    robin = RoundRobin(np.array([result.entrants for result in results], np.intp))
    won = np.stack([result.mean_mbb for result in results])
    half_widths = np.stack([result.half_width_mbb for result in results])
    return robin, robin.rows(won), robin.rows(half_widths)
