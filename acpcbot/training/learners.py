"""The learners that a recipe can name, and what each is made from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from math import inf
from typing import Any

from acpcbot.errors import UsageError
from acpcbot.poker.betting import BettingRules
from acpcbot.snapshots.policy import parse_play_settings
from acpcbot.solvers.abstract_game import AbstractGame, MenuGame
from acpcbot.solvers.learner import Learner
from acpcbot.solvers.range_game import verify_root
from acpcbot.training.recipe import Recipe, make_settings


@dataclass(frozen=True, slots=True)
class LearnerKind:
    """Where a learner and its settings live, and the settings that its name stands for."""

    module: str
    maker: str
    settings: str
    fixed: dict[str, Any]
    is_vector: bool = False
    has_estimates: bool = False
    takes_bets: bool = False


def _vector(**fixed: float) -> LearnerKind:
    return LearnerKind("vector_cfr", "VectorCFR", "VectorCFRSettings", dict(fixed), is_vector=True)


_KINDS = {
    "uct": LearnerKind("uct", "UCTLearner", "UCTSettings", {"gamma": 1.0, "eta": 1.0, "d": 0.0}, has_estimates=True),
    "smooth_uct": LearnerKind("uct", "UCTLearner", "UCTSettings", {}, has_estimates=True),
    "external_sampling": LearnerKind(
        "external_sampling", "ExternalSamplingLearner", "ExternalSamplingSettings", {}, takes_bets=True
    ),
    "outcome_sampling": LearnerKind("outcome_sampling", "OutcomeSamplingLearner", "OutcomeSamplingSettings", {}),
    "cfr": _vector(alpha=inf, beta=inf, gamma=0.0),
    "cfr+": _vector(alpha=inf, beta=-inf, gamma=1.0),
    "linear_cfr": _vector(alpha=1.0, beta=1.0, gamma=1.0),
    "dcfr": _vector(),
}
LEARNER_NAMES = tuple(_KINDS)
BYTES_PER_SLOT = {"float64": 16, "float32": 8}
AVERAGE, GREEDY = "average", "greedy"


def learner_kind(recipe: Recipe) -> LearnerKind:
    """The kind of learner that *recipe* names; raises UsageError."""
    kind = _KINDS.get(recipe.learner_name)
    if kind is None:
        raise UsageError(f"no learner is called {recipe.learner_name!r}", f"there are {', '.join(LEARNER_NAMES)}")
    return kind


def learner_settings(recipe: Recipe) -> Any:
    """The learner's settings with all defaults filled in; raises UsageError."""
    kind = learner_kind(recipe)
    settings_class = getattr(_module(kind), kind.settings)
    taken = sorted(set(recipe.learner) & set(kind.fixed))
    if taken:
        raise UsageError(f"[learner] {taken[0]} is fixed in {recipe.learner_name}", "leave it out")
    return make_settings(settings_class, {**recipe.learner, **kind.fixed}, "[learner]")


def verify_recipe(recipe: Recipe) -> None:
    """Raise UsageError unless the learner can be had, and can give what snapshots and the curve ask of it."""
    learner_settings(recipe)
    hold, play = recipe.snapshots.hold, parse_play_settings(recipe.play)
    if not hold or not set(hold) <= {AVERAGE, GREEDY}:
        raise UsageError(f"[snapshots] hold = {list(hold)}", f"{AVERAGE}, {GREEDY} or both")
    if recipe.menu is not None:
        _verify_no_limit(recipe)
    if not learner_kind(recipe).has_estimates and (GREEDY in hold or play.mode == GREEDY):
        raise UsageError(f"{recipe.learner_name} has no {GREEDY} policy", f"hold and play its {AVERAGE}")
    if (GREEDY if play.mode == GREEDY else AVERAGE) not in hold:
        raise UsageError(f"play = {recipe.play!r}, and [snapshots] hold = {list(hold)}", "hold what is to be played")


def _verify_no_limit(recipe: Recipe) -> None:
    """Raise UsageError for what only limit games have."""
    if not learner_kind(recipe).takes_bets:
        able = ", ".join([name for name, kind in _KINDS.items() if kind.takes_bets])
        raise UsageError(f"{recipe.learner_name} learns limit games only", f"no-limit games are for {able}")
    if recipe.curve.opponents:
        hint = "leave [curve] out, and let the snapshot play with acpcbot match"
        raise UsageError("[curve] has opponents, who play limit games only", hint)
    if recipe.curve.has_points:
        verify_root(BettingRules(recipe.definition).start)


def make_learner(recipe: Recipe, game: AbstractGame | MenuGame) -> Learner:
    """The learner of a recipe that samples."""
    kind = learner_kind(recipe)
    maker: Callable[..., Learner] = getattr(_module(kind), kind.maker)
    return maker(game, learner_settings(recipe))


def statistics_bytes(recipe: Recipe, num_slots: int) -> int:
    """The memory of the learner's statistics: a pair of numbers a slot."""
    return num_slots * BYTES_PER_SLOT[getattr(learner_settings(recipe), "storage", "float64")]


def results_bytes(recipe: Recipe, num_slots: int) -> int:
    """The most that a snapshot or a point of the curve takes for a moment beside the statistics.

    An average strategy is float64 on its way to a byte a slot; greedy actions and what is
    played from them are bytes.
    """
    plays_average = recipe.curve.opponents and parse_play_settings(recipe.play).mode != GREEDY
    return num_slots * (10 if plays_average or AVERAGE in recipe.snapshots.hold else 2)


def _module(kind: LearnerKind) -> Any:
    return import_module(f"acpcbot.solvers.{kind.module}")
