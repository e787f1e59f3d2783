"""Standings of a tournament, finished or not, read from the logs of its matches.

Two rankings of the Annual Computer Poker Competition are computed, for any number of results at a
time. *Total bankroll* ranks by average winnings over all matches. *Bankroll instant run-off*
repeatedly removes the entrant with the lowest winnings in the matches among those who are left, so
that an entrant does not profit from weak opponents that it alone exploits. It goes on while those
left fill a table; the last ones are ranked by the last count.

Winnings are rows as in ``round_robin``: [..., entrant, match], NaN where a match has not begun.
Ranks are [..., entrant] and count from 1. Tied entrants share the best rank of the tie (1, 2, 2, 4)
and are removed together. Averages are first rounded to DECIMALS places of a mbb, so that floating
point does not break a tie; with no match begun an entrant's average is 0.

The uncertainty of ranks comes from the bootstrap over deals: every match is resampled, drawing as
many deals as it had from its own, with replacement, and the entrants are ranked anew. In a
duplicate match one deal with all its seatings is one draw, since its hands depend on each other.
Matches are drawn independently, as they have cards of their own. A match of more than MAX_BLOCKS
deals is drawn in that many blocks: the standard error of its mean is then known to about 1 / sqrt(2
* 256) = 4 %, and a hundred entrants take seconds.

Sources: the rules of the competition, http://www.computerpokercompetition.org; Efron (1979),
https://doi.org/10.1214/aos/1176344552
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
RANK_INTERVAL = (0.025, 0.975)
BATCH = 50


def read_standings(plan: TournamentPlan, folder: Path, num_resamples: int, seed: int) -> Standings:
    """Return the standings of the tournament in *folder*.

    Ranks are resampled *num_resamples* times from *seed*.
    """
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


@dataclass(frozen=True, slots=True, eq=False)
class Standings:
    """All results of a tournament; entrants are in the order of the *plan*.

    *num_deals*, one for each of the plan's matches, counts deals that every player at the table has
    played in all seats; *cross* has axes [entrant, opponent], *average* [entrant].
    """

    plan: TournamentPlan
    num_deals: tuple[int, ...]
    cross: Estimates
    average: Estimates
    total_bankroll: Ranking
    run_off: Ranking

    @property
    def num_deals_planned(self) -> int:
        """Deals of each match when it is over."""
        return self.plan.num_hands * self.plan.num_seeds

    @property
    def missing(self) -> list[tuple[PlannedMatch, int]]:
        """Matches that are not over, with the deals that each lacks."""
        lacks = zip(self.plan.matches(), self.num_deals, strict=True)
        return [
            (match, self.num_deals_planned - count)
            for match, count in lacks
            if count < self.num_deals_planned
        ]


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """Ranks [entrant] and their distribution."""

    ranks: Indices
    distribution: RankDistribution


@dataclass(frozen=True, slots=True, eq=False)
class RankDistribution:
    """Distribution of ranks: *probabilities* [entrant, rank], the first rank at index 0.

    *lowest* and *highest*, [entrant], are the ends of the range that holds 95 %.
    """

    probabilities: Floats
    lowest: Indices
    highest: Indices


def total_bankroll_ranks(won_mbb: Floats, mates: Indices) -> Indices:
    """Return ranks by average winnings over all matches."""
    all_entrants = np.ones(won_mbb.shape[:-1], np.bool_)
    return _ranks(bankrolls(won_mbb, mates, all_entrants))


def run_off_ranks(won_mbb: Floats, mates: Indices) -> Indices:
    """Return ranks in the reverse order of removal."""
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


def bankrolls(won_mbb: Floats, mates: Indices, left: Flags) -> Floats:
    """Return average winnings [..., entrant] in the matches whose players are all *left*.

    *left* is [..., entrant].
    """
    counts = left[..., mates].all(axis=-1) & ~np.isnan(won_mbb)
    totals = np.where(counts, won_mbb, 0.0).sum(axis=-1)
    means: Floats = np.round(totals / np.maximum(counts.sum(axis=-1), 1), DECIMALS)
    return means


def _ranks(amounts: Floats) -> Indices:
    """Return one more than the number of larger amounts, along the last axis."""
    larger = amounts[..., None, :] > amounts[..., :, None]
    ranks: Indices = 1 + larger.sum(axis=-1, dtype=np.intp)
    return ranks


def rank_distributions(
    results: Sequence[MatchResult], robin: RoundRobin, num_resamples: int, seed: int
) -> tuple[RankDistribution, RankDistribution]:
    """Return the ranks by total bankroll and by run-off in resampled tournaments."""
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
    """Return means [resample, place] of blocks drawn with replacement, NaN without blocks."""
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
    """Return the distribution of *rank* over resampled means, [resample, match, place]."""
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


def _result(match: PlannedMatch, folder: Path) -> MatchResult:
    chips = match_chips(match.plan, folder / match.folder)
    return MatchResult.from_hands(match.entrants, chips * (MBB / match.plan.definition.big_blind))
