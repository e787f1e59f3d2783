"""The functions of ``acpcbot`` itself for research: one call from a question to a result.

``spots.py`` solves, ``training_runs.py`` trains, ``strategies.py`` loads, ``measures.py`` finds
exploitability, ``match_play.py`` plays and ``match_scores.py`` scores matches. Results are frozen
dataclasses whose ``repr`` is one line; notebooks show charts, ``to_dataframe()`` gives columns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.research.decisions import HandStrategy as HandStrategy
    from acpcbot.research.decisions import RangeDecision as RangeDecision
    from acpcbot.research.match_play import MatchResult as MatchResult
    from acpcbot.research.match_play import play_match as play_match
    from acpcbot.research.match_scores import MatchScores as MatchScores
    from acpcbot.research.match_scores import PlayerScore as PlayerScore
    from acpcbot.research.match_scores import aivat as aivat
    from acpcbot.research.measures import ExploitabilityResult as ExploitabilityResult
    from acpcbot.research.measures import LbrResult as LbrResult
    from acpcbot.research.measures import exploitability as exploitability
    from acpcbot.research.measures import lbr as lbr
    from acpcbot.research.spots import SolvedSpot as SolvedSpot
    from acpcbot.research.spots import solve as solve
    from acpcbot.research.strategies import Strategy as Strategy
    from acpcbot.research.strategies import load_strategy as load_strategy
    from acpcbot.research.training_runs import LearningCurve as LearningCurve
    from acpcbot.research.training_runs import TrainingResult as TrainingResult
    from acpcbot.research.training_runs import train as train

export(
    __name__,
    {
        "ExploitabilityResult": "measures",
        "HandStrategy": "decisions",
        "LbrResult": "measures",
        "LearningCurve": "training_runs",
        "MatchResult": "match_play",
        "MatchScores": "match_scores",
        "PlayerScore": "match_scores",
        "RangeDecision": "decisions",
        "SolvedSpot": "spots",
        "Strategy": "strategies",
        "TrainingResult": "training_runs",
        "aivat": "match_scores",
        "exploitability": "measures",
        "lbr": "measures",
        "load_strategy": "strategies",
        "play_match": "match_play",
        "solve": "spots",
        "train": "training_runs",
    },
)
