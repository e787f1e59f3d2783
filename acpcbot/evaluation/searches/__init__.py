"""Strength of what searches of research games would play: matches, exploitability.

``players.py`` has the players of matches, one a kind of search.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.evaluation.searches.players import ISMCTSPlayer as ISMCTSPlayer
    from acpcbot.evaluation.searches.players import MoveBudget as MoveBudget
    from acpcbot.evaluation.searches.players import OOSPlayer as OOSPlayer
    from acpcbot.evaluation.searches.players import PolicyPlayer as PolicyPlayer
    from acpcbot.evaluation.searches.players import RandomPlayer as RandomPlayer
    from acpcbot.evaluation.searches.players import SearchPlayer as SearchPlayer
    from acpcbot.evaluation.searches.players import SimultaneousPlayer as SimultaneousPlayer

export(
    __name__,
    {
        "ISMCTSPlayer": "players",
        "MoveBudget": "players",
        "OOSPlayer": "players",
        "PolicyPlayer": "players",
        "RandomPlayer": "players",
        "SearchPlayer": "players",
        "SimultaneousPlayer": "players",
    },
)
