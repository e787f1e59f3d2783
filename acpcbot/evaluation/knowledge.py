"""What is known when a match is evaluated: strategies by player, and guesses of what hands are worth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from acpcbot.abstraction.row_chunks import Progress
from acpcbot.abstraction.small_games import ExactAbstraction
from acpcbot.errors import UsageError
from acpcbot.evaluation.aivat import ValueFunction
from acpcbot.evaluation.arena_deals import ArenaDealer
from acpcbot.evaluation.estimates import ESTIMATORS
from acpcbot.evaluation.exact_values import ExactValues
from acpcbot.evaluation.known_strategies import find_strategy, stored_name
from acpcbot.evaluation.played_snapshots import find_played
from acpcbot.evaluation.self_play_values import self_play_values
from acpcbot.evaluation.strength_values import StrengthValues, can_value
from acpcbot.poker.definition import GameDefinition
from acpcbot.snapshots.public_play import SnapshotStrategy
from acpcbot.snapshots.whole_policy import played_policy
from acpcbot.solvers.abstract_game import make_game

STRENGTH = "strength"
"""What names the formula where a strategy could be named."""


def find_values(
    dealer: ArenaDealer, told: str | None, played: Iterable[str], on_progress: Progress | None = None
) -> ValueFunction | None:
    """What hands are worth in self-play of a stored strategy, in small games exactly; or in hold'em by strength.

    The strategy is the one *told*, or of those *played* the first stored one, or the blueprint of the first
    that searches; None if there is none and the game is no hold'em, whose hands *dealer* deals. STRENGTH is
    told for the formula.
    Raises UsageError, UnknownStrategy or BadSnapshot if the one told is of no use.
    """
    definition = dealer.definition
    name = told or next(filter(None, map(stored_name, played)), None)
    if can_value(definition):
        if name is None or name == STRENGTH:
            return StrengthValues(definition, on_progress)
        return _holdem_values(dealer, name, on_progress)
    return None if name is None else _exact_values(definition, name)


def _holdem_values(dealer: ArenaDealer, name: str, on_progress: Progress | None) -> ValueFunction:
    strategy = find_strategy(name, dealer)
    if not isinstance(strategy, SnapshotStrategy):
        raise UsageError(f"{name} knows no values of hands", "name a trained strategy's folder")
    return self_play_values(strategy, dealer, on_progress)


def _exact_values(definition: GameDefinition, name: str) -> ValueFunction:
    snapshot, settings = find_played(name, definition)
    if not isinstance(snapshot.abstraction, ExactAbstraction):
        raise UsageError(f"{name} knows no values of hands", "they are for hold'em and for small games")
    game = make_game(definition, snapshot.menu, snapshot.abstraction.num_buckets)
    return ExactValues(snapshot.abstraction, game, played_policy(snapshot, game, settings))


def possible_estimators(player: str, known: Mapping[str, object], values: ValueFunction | None) -> list[str]:
    """The names of the estimators that tell more of *player* than simpler ones."""
    wanted = []
    for name, estimator in ESTIMATORS.items():
        has_values = values is not None or not (estimator.corrects_deals or estimator.corrects_actions)
        has_strategies = not estimator.averages_hands or player in known or (estimator.corrects_actions and bool(known))
        if has_values and has_strategies:
            wanted.append(name)
    return wanted
