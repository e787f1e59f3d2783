"""Matches without sockets: agents, the dealer's referee, tables, plans and scores.

``table.py`` is the official dealer's side of a match as a state machine: lines in, lines out.
``net/`` adds sockets and clocks; ``in_process.py`` plays a match by direct calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.matches.agent import Agent as Agent
    from acpcbot.matches.agent import RecordableAgent as RecordableAgent
    from acpcbot.matches.agent import fallback_action as fallback_action
    from acpcbot.matches.hand import Hand as Hand
    from acpcbot.matches.in_process import play_in_process as play_in_process
    from acpcbot.matches.intervals import Interval as Interval
    from acpcbot.matches.intervals import interval as interval
    from acpcbot.matches.match_files import MatchFiles as MatchFiles
    from acpcbot.matches.plan import MatchPlan as MatchPlan
    from acpcbot.matches.plan import Plan as Plan
    from acpcbot.matches.plan import TablePlan as TablePlan
    from acpcbot.matches.plan import load_plan as load_plan
    from acpcbot.matches.score import EntrantScore as EntrantScore
    from acpcbot.matches.score import score_match as score_match
    from acpcbot.matches.settings import MatchSettings as MatchSettings
    from acpcbot.matches.settings import SeatClocks as SeatClocks
    from acpcbot.matches.settings import TimeLimits as TimeLimits
    from acpcbot.matches.table import Phase as Phase
    from acpcbot.matches.table import Table as Table

export(
    __name__,
    {
        "Agent": "agent",
        "EntrantScore": "score",
        "Hand": "hand",
        "Interval": "intervals",
        "MatchFiles": "match_files",
        "MatchPlan": "plan",
        "MatchSettings": "settings",
        "Phase": "table",
        "Plan": "plan",
        "RecordableAgent": "agent",
        "SeatClocks": "settings",
        "Table": "table",
        "TablePlan": "plan",
        "TimeLimits": "settings",
        "fallback_action": "agent",
        "interval": "intervals",
        "load_plan": "plan",
        "play_in_process": "in_process",
        "score_match": "score",
    },
)
