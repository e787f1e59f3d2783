"""How sure ranks are: the bootstrap over deals.

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

import numpy as np

from acpcbot.arrays import Floats, Indices
from acpcbot.evaluation.rankings import run_off_ranks, total_bankroll_ranks
from acpcbot.evaluation.round_robin import MatchResult, RoundRobin

RANK_INTERVAL = (0.025, 0.975)
BATCH = 50


@dataclass(frozen=True, slots=True, eq=False)
class RankDistribution:
    """How often each entrant had each rank: *probabilities* [entrant, rank], the first rank at index 0.

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
    means = np.stack([resampled_means(result, num_resamples, generator) for result in results], axis=1)
    return _distribution(total_bankroll_ranks, means, robin), _distribution(run_off_ranks, means, robin)


def resampled_means(result: MatchResult, num_resamples: int, generator: np.random.Generator) -> Floats:
    """Means [resample, place] of blocks drawn with replacement; NaN where there are none."""
    num_blocks = len(result.block_sizes)
    if not num_blocks:
        return np.full((num_resamples, len(result.entrants)), np.nan)
    drawn = generator.integers(num_blocks, size=(num_resamples, num_blocks))
    drawn += np.arange(num_resamples)[:, None] * num_blocks
    counts = np.bincount(drawn.reshape(-1), minlength=drawn.size).reshape(drawn.shape)
    sums: Floats = counts @ result.block_sums_mbb
    return sums / (counts @ result.block_sizes)[:, None]


def _distribution(rank: Callable[[Floats, Indices], Indices], means_mbb: Floats, robin: RoundRobin) -> RankDistribution:
    """What *rank* makes of resampled means, [resample, match, place]."""
    starts = range(0, len(means_mbb), BATCH)  # small enough for the cache
    ranks = np.concatenate([rank(robin.rows(means_mbb[start : start + BATCH]), robin.mates) for start in starts])
    num_entrants = ranks.shape[1]
    shares = [(ranks == number).mean(axis=0) for number in range(1, num_entrants + 1)]
    lowest, highest = np.quantile(ranks, RANK_INTERVAL, axis=0, method="inverted_cdf").astype(np.intp)
    return RankDistribution(np.stack(shares, axis=1), lowest, highest)
