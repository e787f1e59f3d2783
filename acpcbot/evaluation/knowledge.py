"""What is known when a match is evaluated: strategies by player, and guesses of what hands are worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from acpcbot.abstraction.dealing import HoldemDeals
from acpcbot.abstraction.small_games import ExactAbstraction
from acpcbot.evaluation.aivat import ValueFunction
from acpcbot.evaluation.arena_deals import ArenaDealer
from acpcbot.evaluation.entrants import find_played
from acpcbot.evaluation.estimates import ESTIMATORS
from acpcbot.evaluation.exact_values import ExactValues
from acpcbot.evaluation.self_play_values import SelfPlayValues
from acpcbot.snapshots.whole_policy import played_policy
from acpcbot.solvers.abstract_game import AbstractGame
from acpcbot.trees.public_tree import build_tree

Progress = Callable[[int, int], None]


def self_play_values(name: str, dealer: ArenaDealer, on_progress: Progress | None = None) -> ValueFunction:
    """What hands are worth in self-play of the stored strategy called *name*: exact in small games, else from hands.

    Raises UsageError for games in which neither can be had.
    """
    snapshot, settings = find_played(name, dealer.definition)
    if isinstance(snapshot.abstraction, ExactAbstraction):
        game = AbstractGame(build_tree(dealer.definition), snapshot.abstraction.num_buckets)
        return ExactValues(snapshot.abstraction, game, played_policy(snapshot, game, settings))
    deals = dealer.source(snapshot.abstraction)
    assert isinstance(deals, HoldemDeals)
    return SelfPlayValues(snapshot, deals, settings, on_progress=on_progress)


def possible_estimators(player: str, known: Mapping[str, object], values: ValueFunction | None) -> list[str]:
    """The names of the estimators that tell more of *player* than simpler ones."""
    wanted = []
    for name, estimator in ESTIMATORS.items():
        has_values = values is not None or not (estimator.corrects_deals or estimator.corrects_actions)
        has_strategies = not estimator.averages_hands or player in known or (estimator.corrects_actions and bool(known))
        if has_values and has_strategies:
            wanted.append(name)
    return wanted
