"""Matches of shipped agents, played in this process."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from acpcbot.agents.registry import make_agent
from acpcbot.matches.in_process import play_in_process
from acpcbot.matches.match_files import MatchFiles
from acpcbot.matches.plan import MatchPlan
from acpcbot.poker.definition import format_definition
from tests.support.games import KUHN, definition_of


def plan_of(
    *strategies: str, game: str = KUHN, num_hands: int = 20, **changes: object
) -> MatchPlan:
    """A match of *strategies*; *changes* are other fields of the plan."""
    plan = MatchPlan(strategies, game, format_definition(definition_of(game)), num_hands, seed=3)
    return replace(plan, **changes)  # type: ignore[arg-type]


def play(plan: MatchPlan, folder: Path, num_tables: int = 1000) -> None:
    """Play the first tables of *plan*, their logs in *folder*."""
    for table in plan.tables()[:num_tables]:
        settings = plan.settings(table, folder)
        files = MatchFiles(settings.name, keeps_log=True, keeps_transactions=False, appends=False)
        agents = [
            make_agent(plan.strategies[entrant], plan.definition, entrant)
            for entrant in table.seating
        ]
        play_in_process(settings, agents, files)
        files.close()
