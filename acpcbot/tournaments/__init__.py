"""Tournaments: round robins in duplicate, their standings, and the uncertainty of ranks.

``plan.py`` lists the matches, ``round_robin.py`` their results, ``standings.py`` ranks entrants by
the rules of the Annual Computer Poker Competition.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.tournaments.plan import PlannedMatch as PlannedMatch
    from acpcbot.tournaments.plan import TournamentPlan as TournamentPlan
    from acpcbot.tournaments.round_robin import MatchResult as MatchResult
    from acpcbot.tournaments.round_robin import RoundRobin as RoundRobin
    from acpcbot.tournaments.standings import RankDistribution as RankDistribution
    from acpcbot.tournaments.standings import Ranking as Ranking
    from acpcbot.tournaments.standings import Standings as Standings
    from acpcbot.tournaments.standings import read_standings as read_standings

export(
    __name__,
    {
        "MatchResult": "round_robin",
        "PlannedMatch": "plan",
        "RankDistribution": "standings",
        "Ranking": "standings",
        "RoundRobin": "round_robin",
        "Standings": "standings",
        "TournamentPlan": "plan",
        "read_standings": "standings",
    },
)
