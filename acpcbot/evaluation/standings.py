"""How a tournament stands, read from the logs of its matches, whether it is over or not."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from acpcbot.arrays import Indices
from acpcbot.evaluation.rank_bootstrap import RankDistribution, rank_distributions
from acpcbot.evaluation.rankings import run_off_ranks, total_bankroll_ranks
from acpcbot.evaluation.round_robin import Estimates, MatchResult, averages, cross_table, stack_results
from acpcbot.matches.score import MBB, match_chips
from acpcbot.matches.tournament import PlannedMatch, TournamentPlan


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
        return [(match, self.num_deals_planned - count) for match, count in lacks if count < self.num_deals_planned]


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
