"""Time to resample the ranks of a tournament: 100 entrants who met each other in pairs."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import combinations

import numpy as np

from acpcbot.tournaments.round_robin import MatchResult, stack_results
from acpcbot.tournaments.standings import rank_distributions
from benchmarks.figure import Figure

NUM_ENTRANTS, NUM_DEALS, NUM_RESAMPLES = 100, 100_000, 1_000
TARGET_S = 15.0


def figures() -> Iterator[Figure]:
    results = played(np.random.default_rng(1))
    robin = stack_results(results)[0]
    start = time.process_time()
    rank_distributions(results, robin, NUM_RESAMPLES, seed=1)
    yield Figure(
        name="both rankings resampled",
        value=round(time.process_time() - start, 1),
        unit="s",
        target=TARGET_S,
        note=f"{len(results):,} matches of {NUM_DEALS:,} deals, {NUM_RESAMPLES:,} resamples",
        higher_is_better=False,
    )


def played(draw: np.random.Generator) -> list[MatchResult]:
    """Matches between players of different strength, with as much luck as limit hold'em has."""
    strength = draw.normal(0, 20, NUM_ENTRANTS)
    luck = draw.normal(0, 5000, NUM_DEALS)
    return [
        MatchResult.from_hands(
            (one, other),
            np.outer(strength[one] - strength[other] + np.roll(luck, one), (1, -1))[:, None],
        )
        for one, other in combinations(range(NUM_ENTRANTS), 2)
    ]
