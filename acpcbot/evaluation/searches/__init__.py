"""Strength of what searches of research games would play: matches, exploitability.

``players.py`` has the players of matches, one a kind of search. ``whole_strategy.py`` reads the
strategy of a search at every information set, for exact NashConv; ``depth_limited.py`` measures
SM-MCTS in Goofspiel against optimal values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.evaluation.searches.depth_limited import DepthLimit as DepthLimit
    from acpcbot.evaluation.searches.players import ISMCTSPlayer as ISMCTSPlayer
    from acpcbot.evaluation.searches.players import MoveBudget as MoveBudget
    from acpcbot.evaluation.searches.players import OOSPlayer as OOSPlayer
    from acpcbot.evaluation.searches.players import PolicyPlayer as PolicyPlayer
    from acpcbot.evaluation.searches.players import RandomPlayer as RandomPlayer
    from acpcbot.evaluation.searches.players import SearchPlayer as SearchPlayer
    from acpcbot.evaluation.searches.players import SimultaneousPlayer as SimultaneousPlayer
    from acpcbot.evaluation.searches.whole_strategy import WholeStrategy as WholeStrategy

export(
    __name__,
    {
        "DepthLimit": "depth_limited",
        "ISMCTSPlayer": "players",
        "MoveBudget": "players",
        "OOSPlayer": "players",
        "PolicyPlayer": "players",
        "RandomPlayer": "players",
        "SearchPlayer": "players",
        "SimultaneousPlayer": "players",
        "WholeStrategy": "whole_strategy",
    },
)
