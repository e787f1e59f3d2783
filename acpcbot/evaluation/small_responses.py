"""Best responses to stored strategies of small games, for any number of players."""

from __future__ import annotations

from acpcbot.abstraction.small_games import ExactAbstraction, all_deals, merge_deals
from acpcbot.errors import UsageError
from acpcbot.evaluation.best_response import best_response_values
from acpcbot.evaluation.played_snapshots import find_played
from acpcbot.evaluation.response_result import BestResponse
from acpcbot.poker.definition import GameDefinition
from acpcbot.snapshots.whole_policy import played_policy
from acpcbot.solvers.abstract_game import AbstractGame
from acpcbot.trees.public_tree import build_tree


def small_response(name: str, definition: GameDefinition) -> BestResponse:
    """What the stored strategy *name*, in all seats, and best responses to it are worth; raises UsageError."""
    snapshot, settings = find_played(name, definition)
    if not snapshot.is_exact:
        raise UsageError(f"{name}: the game is too large for an exact answer", "try acpcbot arena or evaluate match")
    abstraction = ExactAbstraction(definition)
    game = AbstractGame(build_tree(definition), abstraction.num_buckets)
    policy = played_policy(snapshot, game, settings)
    return best_response_values(game, *merge_deals(all_deals(definition, abstraction)), policy)
