"""Training session: game, card abstraction, deals and learner built from a recipe.

``build_session`` checks the recipe, announces the memory that it takes, and builds everything. The
learners that a recipe can name are in ``_KINDS``; their modules are imported when one is used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from math import inf
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.card_abstraction import (
    EXACT,
    Abstraction,
    DealSource,
    ExactAbstraction,
    SmallGameDeals,
    all_deals,
    make_abstraction,
    make_deal_source,
    merge_deals,
)
from acpcbot.abstraction.deal_sources import table_bytes
from acpcbot.abstraction.dealing import HoldemDeals
from acpcbot.betting_lines.lines import verify_lines
from acpcbot.decoding import decode_settings
from acpcbot.errors import UsageError
from acpcbot.learning.sampling import Learner, SamplingSolver
from acpcbot.learning.vector_cfr import VectorCFR
from acpcbot.memory import available_bytes, verify_memory
from acpcbot.poker.betting import BettingRules
from acpcbot.strategies.policy import WHOLE, parse_play_settings
from acpcbot.subgames.game import verify_root
from acpcbot.training.board_learners import (
    board_learner,
    learner_bytes,
    table_buckets,
    verify_opponents,
)
from acpcbot.training.recipe import HINT, Recipe
from acpcbot.trees.bet_menu import LIMIT_MENU
from acpcbot.trees.betting_tree import MenuGame, betting_bytes, betting_size
from acpcbot.trees.infosets import SubtreeSizes, infoset_layout
from acpcbot.trees.public_tree import AbstractGame, make_game, tree_bytes

BYTES_PER_SLOT = {"float64": 16, "float32": 8}
AVERAGE, GREEDY = "average", "greedy"
Progress = Callable[[str, int, int], None]


def build_session(
    recipe: Recipe, on_memory: Callable[[dict[str, int]], None], on_progress: Progress
) -> TrainingSession:
    """Return the session of *recipe*; raises UsageError.

    *on_memory* is called with the memory it takes, by purpose, before it is taken.
    """
    verify_recipe(recipe)
    definition = recipe.definition
    abstraction = make_abstraction(
        definition,
        recipe.abstraction or EXACT,
        lambda done, total: on_progress("hand strengths", done, total),
    )
    needed = needed_bytes(recipe, abstraction.num_buckets)
    on_memory(needed)
    verify_memory(
        needed,
        available_bytes(),
        "training",
        'a coarser abstraction or storage = "float32" takes less',
    )
    source = make_deal_source(
        definition, abstraction, lambda done, total: on_progress("card tables", done, total)
    )
    game = make_game(definition, recipe.menu, abstraction.num_buckets)
    weighted_deals = (
        merge_deals(all_deals(definition, abstraction))
        if isinstance(abstraction, ExactAbstraction)
        else None
    )
    return TrainingSession(
        recipe,
        game,
        abstraction,
        source,
        weighted_deals,
        _make_solver(recipe, game, abstraction, source, weighted_deals),
    )


def needed_bytes(recipe: Recipe, num_buckets: tuple[int, ...]) -> dict[str, int]:
    """Return the memory that a training takes, by purpose."""
    definition = recipe.definition
    if recipe.menu is None:
        size, tree = SubtreeSizes(definition).whole(), tree_bytes(definition)
    else:
        size = betting_size(BettingRules(definition).start, recipe.menu)
        tree = betting_bytes(size, definition.num_players)
    layout = infoset_layout(size, num_buckets)
    return {
        "tree": tree,
        "statistics": statistics_bytes(recipe, num_buckets, layout.num_slots),
        "card tables": table_bytes(num_buckets) if recipe.abstraction else 0,
        "results": results_bytes(recipe, layout.num_slots),
    }


@dataclass(frozen=True, slots=True)
class TrainingSession:
    """Game, abstraction, deals and solver of one *recipe*.

    *weighted_deals* are the distinct deals of a small game and their probabilities.
    """

    recipe: Recipe
    game: AbstractGame | MenuGame
    abstraction: Abstraction
    source: SmallGameDeals | HoldemDeals
    weighted_deals: tuple[NDArray[np.uint16], NDArray[np.float64]] | None
    solver: Solver


class Solver(Protocol):
    """A learner in training: one that samples deals in threads, or one that sweeps all deals."""

    @property
    def num_done(self) -> int:
        """Episodes or iterations so far."""

    @property
    def round_length(self) -> int:
        """Length of a round: training may stop at its multiples without changing the result."""

    @property
    def state(self) -> dict[str, NDArray[Any]]:
        """Live arrays on which the rest of the run depends."""

    @property
    def learner(self) -> Any:
        """The learner itself."""

    def step(self, count: int) -> None:
        """Train for *count* episodes or iterations."""


class SweepingSolver:
    """Solver whose learner sweeps all deals of a small game in every iteration."""

    round_length = 1 << 10

    def __init__(self, learner: VectorCFR) -> None:
        self.learner = learner

    @property
    def num_done(self) -> int:
        """Iterations so far."""
        return int(self.state["num_iterations"][0])

    @property
    def state(self) -> dict[str, NDArray[Any]]:
        """The learner's arrays."""
        return self.learner.arrays

    def step(self, count: int) -> None:
        """Train for *count* iterations."""
        self.learner.step(count)


def _make_solver(
    recipe: Recipe,
    game: AbstractGame | MenuGame,
    abstraction: Abstraction,
    source: DealSource,
    weighted_deals: tuple[NDArray[np.uint16], NDArray[np.float64]] | None,
) -> Solver:
    kind = learner_kind(recipe)
    if kind.takes_boards:
        return _board_solver(recipe, abstraction, source)
    if not kind.is_vector:
        learner = make_learner(recipe, game)
        return SamplingSolver(learner, source, seed=recipe.seed, num_threads=recipe.threads)
    if weighted_deals is None:
        raise UsageError(
            f"{recipe.learner_name} sweeps all deals, and {recipe.game_name} has too many",
            "let it sample",
        )
    assert isinstance(game, AbstractGame), "verify_recipe let it through"
    return SweepingSolver(VectorCFR(game, *weighted_deals, learner_settings(recipe)))


def _board_solver(recipe: Recipe, abstraction: Abstraction, source: DealSource) -> SamplingSolver:
    """Return the solver of a learner that draws whole boards."""
    if not isinstance(source, HoldemDeals):
        raise UsageError(
            f"{recipe.learner_name} learns by tables of buckets", "hold'em with an [abstraction]"
        )
    learner, deals = board_learner(
        recipe.definition,
        recipe.menu or LIMIT_MENU,
        table_buckets(abstraction.num_buckets, source.tables),
        learner_settings(recipe),
        abstraction,
    )
    return SamplingSolver(learner, deals, seed=recipe.seed, num_threads=recipe.threads)


@dataclass(frozen=True, slots=True)
class LearnerKind:
    """Module and class of a learner and of its settings, and the settings that its name fixes."""

    module: str
    maker: str
    settings: str
    fixed: dict[str, Any]
    is_vector: bool = False
    has_estimates: bool = False
    takes_bets: bool = False
    takes_boards: bool = False


def learner_kind(recipe: Recipe) -> LearnerKind:
    """Return the kind of learner that *recipe* names; raises UsageError."""
    kind = _KINDS.get(recipe.learner_name)
    if kind is None:
        raise UsageError(
            f"unknown learner {recipe.learner_name!r}",
            f"expected one of {', '.join(LEARNER_NAMES)}",
        )
    return kind


def learner_settings(recipe: Recipe) -> Any:
    """Return the learner's settings with all defaults filled in; raises UsageError."""
    kind = learner_kind(recipe)
    settings_class = getattr(_module(kind), kind.settings)
    taken = sorted(set(recipe.learner) & set(kind.fixed))
    if taken:
        raise UsageError(
            f"{recipe.source}, learner.{taken[0]}: fixed in {recipe.learner_name}", "leave it out"
        )
    return decode_settings(
        settings_class, {**recipe.learner, **kind.fixed}, recipe.source, HINT, "learner"
    )


def verify_recipe(recipe: Recipe) -> None:
    """Raise UsageError unless the learner exists and fits the rest of the recipe.

    It must be able to give what snapshots and the curve need of it.
    """
    verify_opponents(recipe.definition, learner_settings(recipe))
    hold, play = recipe.snapshots.hold, parse_play_settings(recipe.play)
    if not hold or not set(hold) <= {AVERAGE, GREEDY}:
        raise UsageError(
            f"[snapshots] hold = {list(hold)}", f"expected {AVERAGE}, {GREEDY} or both"
        )
    if WHOLE % recipe.snapshots.steps:
        raise UsageError(
            f"[snapshots] steps = {recipe.snapshots.steps}", f"expected a divisor of {WHOLE}"
        )
    if recipe.menu is not None:
        _verify_no_limit(recipe)
    if recipe.curve.measure.flops or learner_kind(recipe).takes_boards:
        verify_lines(recipe.definition)
        if not recipe.abstraction:
            raise UsageError(
                f"{recipe.source}: boards are drawn, and there is no [abstraction]",
                "it is for hold'em with buckets of hands",
            )
    if not learner_kind(recipe).has_estimates and (GREEDY in hold or play.mode == GREEDY):
        raise UsageError(
            f"{recipe.learner_name} has no {GREEDY} policy", f"hold and play its {AVERAGE}"
        )
    if (GREEDY if play.mode == GREEDY else AVERAGE) not in hold:
        raise UsageError(
            f"play = {recipe.play!r}, and [snapshots] hold = {list(hold)}",
            "hold what is to be played",
        )


def _verify_no_limit(recipe: Recipe) -> None:
    """Raise UsageError for settings that only limit games have."""
    if not learner_kind(recipe).takes_bets:
        able = ", ".join([name for name, kind in _KINDS.items() if kind.takes_bets])
        raise UsageError(
            f"{recipe.learner_name} learns limit games only", f"no-limit games are for {able}"
        )
    if recipe.curve.opponents:
        hint = "leave [curve] out, and let the snapshot play with acpcbot match"
        raise UsageError("[curve] has opponents, who play limit games only", hint)
    if recipe.curve.has_points and not recipe.curve.measure.flops:
        verify_root(BettingRules(recipe.definition).start)


def make_learner(recipe: Recipe, game: AbstractGame | MenuGame) -> Learner:
    """Return the learner of a recipe that samples."""
    kind = learner_kind(recipe)
    maker: Callable[..., Learner] = getattr(_module(kind), kind.maker)
    return maker(game, learner_settings(recipe))


def statistics_bytes(recipe: Recipe, num_buckets: tuple[int, ...], num_slots: int) -> int:
    """Return the memory of the learner's statistics: a pair of numbers for each slot.

    A learner of whole boards has more, and room for each thread.
    """
    if learner_kind(recipe).takes_boards:
        settings = learner_settings(recipe)
        menu = recipe.menu or LIMIT_MENU
        return learner_bytes(recipe.definition, menu, num_buckets, settings, recipe.threads)
    return num_slots * BYTES_PER_SLOT[getattr(learner_settings(recipe), "storage", "float64")]


def results_bytes(recipe: Recipe, num_slots: int) -> int:
    """Return the peak memory of a snapshot or a point of the curve beside the statistics.

    An average strategy is float64 before it becomes a byte a slot; greedy actions, and what is
    played from them, are bytes.
    """
    plays_average = recipe.curve.opponents and parse_play_settings(recipe.play).mode != GREEDY
    return num_slots * (10 if plays_average or AVERAGE in recipe.snapshots.hold else 2)


def _vector(**fixed: float) -> LearnerKind:
    return LearnerKind(
        "acpcbot.learning.vector_cfr", "VectorCFR", "DiscountSettings", dict(fixed), is_vector=True
    )


_KINDS = {
    "uct": LearnerKind(
        "acpcbot.learning.uct",
        "UCTLearner",
        "UCTSettings",
        {"gamma": 1.0, "eta": 1.0, "d": 0.0},
        has_estimates=True,
    ),
    "smooth_uct": LearnerKind(
        "acpcbot.learning.uct", "UCTLearner", "UCTSettings", {}, has_estimates=True
    ),
    "external_sampling": LearnerKind(
        "acpcbot.learning.external_sampling",
        "ExternalSamplingLearner",
        "ExternalSamplingSettings",
        {},
        takes_bets=True,
    ),
    "outcome_sampling": LearnerKind(
        "acpcbot.learning.outcome_sampling", "OutcomeSamplingLearner", "OutcomeSamplingSettings", {}
    ),
    "public_sampling": LearnerKind(
        "acpcbot.betting_lines.public_sampling",
        "PublicSamplingLearner",
        "PublicSamplingSettings",
        {},
        takes_bets=True,
        takes_boards=True,
    ),
    "cfr_br": LearnerKind(
        "acpcbot.betting_lines.cfr_br",
        "CFRBRLearner",
        "CFRBRSettings",
        {},
        takes_bets=True,
        takes_boards=True,
    ),
    "cfr": _vector(alpha=inf, beta=inf, gamma=0.0),
    "cfr+": _vector(alpha=inf, beta=-inf, gamma=1.0),
    "linear_cfr": _vector(alpha=1.0, beta=1.0, gamma=1.0),
    "dcfr": _vector(),
}
LEARNER_NAMES = tuple(_KINDS)


def _module(kind: LearnerKind) -> Any:
    return import_module(kind.module)
