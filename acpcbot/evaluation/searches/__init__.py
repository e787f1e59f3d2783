"""Strength of what searches of research games would play: matches, exploitability.

``players.py`` has the players of matches, one a kind of search, ``position_players.py`` those of
games that hide nothing; ``search_matches.py`` plays tables of them. Exploitability:
``whole_strategy.py`` reads the strategy of one search at every information set, ``composed.py`` puts
together those of separate searches, ``composed_resolving.py`` those of searches that depend on the
ones before, ``composed_positions.py`` those of searches at the positions of a game that hides
nothing, ``aggregate.py`` adds up what matches compute, and ``depth_limited.py`` measures SM-MCTS in
Goofspiel against optimal values. ``decided_positions.py`` has positions of Connect Four with the
moves that are right there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.evaluation.searches.aggregate import Aggregate as Aggregate
    from acpcbot.evaluation.searches.composed import ComposedISMCTS as ComposedISMCTS
    from acpcbot.evaluation.searches.composed import composed_policy as composed_policy
    from acpcbot.evaluation.searches.composed_positions import (
        ComposedPositions as ComposedPositions,
    )
    from acpcbot.evaluation.searches.composed_positions import greedy_policy as greedy_policy
    from acpcbot.evaluation.searches.composed_resolving import (
        ComposedResolving as ComposedResolving,
    )
    from acpcbot.evaluation.searches.composed_resolving import ComposedSearch as ComposedSearch
    from acpcbot.evaluation.searches.decided_positions import DecidedPosition as DecidedPosition
    from acpcbot.evaluation.searches.decided_positions import (
        draw_positions as draw_positions,
    )
    from acpcbot.evaluation.searches.depth_limited import DepthLimit as DepthLimit
    from acpcbot.evaluation.searches.players import ISMCTSPlayer as ISMCTSPlayer
    from acpcbot.evaluation.searches.players import MoveBudget as MoveBudget
    from acpcbot.evaluation.searches.players import OOSPlayer as OOSPlayer
    from acpcbot.evaluation.searches.players import PolicyPlayer as PolicyPlayer
    from acpcbot.evaluation.searches.players import RandomPlayer as RandomPlayer
    from acpcbot.evaluation.searches.players import SearchPlayer as SearchPlayer
    from acpcbot.evaluation.searches.players import SimultaneousPlayer as SimultaneousPlayer
    from acpcbot.evaluation.searches.position_players import PositionPlayer as PositionPlayer
    from acpcbot.evaluation.searches.search_matches import GameResult as GameResult
    from acpcbot.evaluation.searches.search_matches import Pairing as Pairing
    from acpcbot.evaluation.searches.search_matches import PairingScore as PairingScore
    from acpcbot.evaluation.searches.search_matches import play_games as play_games
    from acpcbot.evaluation.searches.search_matches import play_pairings as play_pairings
    from acpcbot.evaluation.searches.search_matches import round_robin as round_robin
    from acpcbot.evaluation.searches.search_matches import score_pairing as score_pairing
    from acpcbot.evaluation.searches.whole_strategy import WholeStrategy as WholeStrategy

export(
    __name__,
    {
        "Aggregate": "aggregate",
        "ComposedISMCTS": "composed",
        "ComposedPositions": "composed_positions",
        "ComposedResolving": "composed_resolving",
        "ComposedSearch": "composed_resolving",
        "DecidedPosition": "decided_positions",
        "DepthLimit": "depth_limited",
        "GameResult": "search_matches",
        "ISMCTSPlayer": "players",
        "MoveBudget": "players",
        "OOSPlayer": "players",
        "Pairing": "search_matches",
        "PairingScore": "search_matches",
        "PolicyPlayer": "players",
        "PositionPlayer": "position_players",
        "RandomPlayer": "players",
        "SearchPlayer": "players",
        "SimultaneousPlayer": "players",
        "WholeStrategy": "whole_strategy",
        "composed_policy": "composed",
        "draw_positions": "decided_positions",
        "greedy_policy": "composed_positions",
        "play_games": "search_matches",
        "play_pairings": "search_matches",
        "round_robin": "search_matches",
        "score_pairing": "search_matches",
    },
)
