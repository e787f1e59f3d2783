"""How a tournament stands, read from the logs of its matches, whether it is over or not.

The two rankings of the Annual Computer Poker Competition, for any number of results at a time.

*Total bankroll* ranks by average winnings over all matches. *Bankroll instant run-off*
removes, again and again, whoever has won least in the matches of those who are left,
so that nobody profits from opponents that only he can exploit. It goes on while those left
fill a table; the last ones are ranked by the last count.

Winnings are rows as in ``round_robin``: [..., entrant, match], NaN where a match has not begun.
Ranks are [..., entrant] and count from 1. Whoever is tied shares the best rank of the tie (1, 2, 2,
4), and is removed together. Averages are rounded to DECIMALS places of a mbb first, lest floating
point break a tie; where none of an entrant's matches has begun, his is 0.

Source: the rules of the competition, http://www.computerpokercompetition.org.

How sure ranks are: the bootstrap over deals.

Every match is played again on paper, as often as asked: as many deals as it had are
drawn from its own, with replacement, and everybody is ranked by what these brought. In a
duplicate match one deal with all its seatings is one draw, since its hands depend on each
other. Matches are drawn independently: they were played with cards of their own.

A match of more than MOST_BLOCKS deals is drawn in that many blocks of deals instead of deal by
deal. The error of its mean is then known to about 1 / sqrt(2 * 256) = 4 %, and a hundred
entrants need no more than seconds.

Source: Efron (1979), https://doi.org/10.1214/aos/1176344552
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from acpcbot.arrays import Flags, Floats, Indices
from acpcbot.matches.score import MBB, match_chips
from acpcbot.tournaments.plan import PlannedMatch, TournamentPlan
from acpcbot.tournaments.round_robin import (
    Estimates,
    MatchResult,
    RoundRobin,
    averages,
    cross_table,
    stack_results,
)

DECIMALS = 6


def bankrolls(won_mbb: Floats, mates: Indices, left: Flags) -> Floats:
    """Average winnings [..., entrant] in those matches whose players are all *left*, [...,
    entrant].
    """
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


RANK_INTERVAL = (0.025, 0.975)
BATCH = 50


@dataclass(frozen=True, slots=True, eq=False)
class RankDistribution:
    """How often each entrant had each rank: *probabilities* [entrant, rank], the first rank at
    index 0.

    *lowest* and *highest*, [entrant], are the ends of the range that holds 95 %.
    """

    probabilities: Floats
    lowest: Indices
    highest: Indices


def rank_distributions(
    results: Sequence[MatchResult], robin: RoundRobin, num_resamples: int, seed: int
) -> tuple[RankDistribution, RankDistribution]:
    """The ranks by total bankroll and by run-off in *num_resamples* resampled tournaments."""
    generator = np.random.default_rng(seed)
    means = np.stack(
        [resampled_means(result, num_resamples, generator) for result in results], axis=1
    )
    return _distribution(total_bankroll_ranks, means, robin), _distribution(
        run_off_ranks, means, robin
    )


def resampled_means(
    result: MatchResult, num_resamples: int, generator: np.random.Generator
) -> Floats:
    """Means [resample, place] of blocks drawn with replacement; NaN where there are none."""
    num_blocks = len(result.block_sizes)
    if not num_blocks:
        return np.full((num_resamples, len(result.entrants)), np.nan)
    drawn = generator.integers(num_blocks, size=(num_resamples, num_blocks))
    drawn += np.arange(num_resamples)[:, None] * num_blocks
    counts = np.bincount(drawn.reshape(-1), minlength=drawn.size).reshape(drawn.shape)
    sums: Floats = counts @ result.block_sums_mbb
    return sums / (counts @ result.block_sizes)[:, None]


def _distribution(
    rank: Callable[[Floats, Indices], Indices], means_mbb: Floats, robin: RoundRobin
) -> RankDistribution:
    """What *rank* makes of resampled means, [resample, match, place]."""
    starts = range(0, len(means_mbb), BATCH)  # small enough for the cache
    ranks = np.concatenate(
        [rank(robin.rows(means_mbb[start : start + BATCH]), robin.mates) for start in starts]
    )
    num_entrants = ranks.shape[1]
    shares = [(ranks == number).mean(axis=0) for number in range(1, num_entrants + 1)]
    lowest, highest = np.quantile(ranks, RANK_INTERVAL, axis=0, method="inverted_cdf").astype(
        np.intp
    )
    return RankDistribution(np.stack(shares, axis=1), lowest, highest)


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """Ranks [entrant], and how sure they are."""

    ranks: Indices
    distribution: RankDistribution


@dataclass(frozen=True, slots=True, eq=False)
class Standings:
    """Everything that is told of a tournament; entrants are in the order of the *plan*.

    *num_deals*, one for each of the plan's matches, counts what everybody at the table
    has played in all seats; *cross* has axes [entrant, opponent], *average* [entrant].
    """

    plan: TournamentPlan
    num_deals: tuple[int, ...]
    cross: Estimates
    average: Estimates
    total_bankroll: Ranking
    run_off: Ranking

    @property
    def num_deals_planned(self) -> int:
        """The deals of each match when it is over."""
        return self.plan.num_hands * self.plan.num_seeds

    @property
    def missing(self) -> list[tuple[PlannedMatch, int]]:
        """The matches that are not over, and the deals that each lacks."""
        lacks = zip(self.plan.matches(), self.num_deals, strict=True)
        return [
            (match, self.num_deals_planned - count)
            for match, count in lacks
            if count < self.num_deals_planned
        ]


def read_standings(plan: TournamentPlan, folder: Path, num_resamples: int, seed: int) -> Standings:
    """The standings of the tournament in *folder*, ranks resampled so many times from *seed*."""
    results = [_result(match, folder) for match in plan.matches()]
    robin, won, half_widths = stack_results(results)
    total, run_off = rank_distributions(results, robin, num_resamples, seed)
    return Standings(
        plan,
        tuple(result.num_deals for result in results),
        cross_table(robin, won, half_widths),
        averages(won, half_widths),
        Ranking(total_bankroll_ranks(won, robin.mates), total),
        Ranking(run_off_ranks(won, robin.mates), run_off),
    )


def _result(match: PlannedMatch, folder: Path) -> MatchResult:
    chips = match_chips(match.plan, folder / match.folder)
    return MatchResult.from_hands(match.entrants, chips * (MBB / match.plan.definition.big_blind))
