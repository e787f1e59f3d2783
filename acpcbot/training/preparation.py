"""All that a recipe needs to start: the tree, the cards' buckets, the learner, in the memory that was announced."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.card_abstraction import EXACT, Abstraction, make_abstraction
from acpcbot.abstraction.dealing import DealSource, HoldemDeals, SmallGameDeals, make_deal_source
from acpcbot.abstraction.small_games import ExactAbstraction, all_deals, merge_deals
from acpcbot.errors import UsageError
from acpcbot.evaluation.arena_deals import table_bytes
from acpcbot.memory import available_bytes, verify_memory
from acpcbot.poker.betting import BettingRules
from acpcbot.solvers.abstract_game import AbstractGame, MenuGame, make_game
from acpcbot.solvers.sampling import SamplingSolver
from acpcbot.solvers.vector_cfr import VectorCFR
from acpcbot.training.learners import (
    learner_kind,
    learner_settings,
    make_learner,
    results_bytes,
    statistics_bytes,
    verify_recipe,
)
from acpcbot.training.recipe import Recipe
from acpcbot.trees.betting_tree import betting_bytes, betting_size
from acpcbot.trees.infosets import infoset_layout
from acpcbot.trees.public_tree import tree_bytes
from acpcbot.trees.subtree_sizes import SubtreeSizes

Progress = Callable[[str, int, int], None]


class Solver(Protocol):
    """What trains: a sampling learner with its deals and threads, or one that sweeps all deals."""

    @property
    def num_done(self) -> int:
        """Episodes or iterations so far."""

    @property
    def round_length(self) -> int:
        """Steps of a multiple of this can be cut anywhere between multiples without changing the result."""

    @property
    def state(self) -> dict[str, NDArray[Any]]:
        """The live arrays that the rest of the run depends on."""

    @property
    def learner(self) -> Any:
        """What has learnt."""

    def step(self, count: int) -> None:
        """Train for so many episodes or iterations."""


class SweepingSolver:
    """A learner that sweeps all deals of a small game in every iteration."""

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


@dataclass(frozen=True, slots=True)
class Workplace:
    """What *recipe* trains on and with; *lanes* are the distinct deals of a small game and their probabilities."""

    recipe: Recipe
    game: AbstractGame | MenuGame
    abstraction: Abstraction
    source: SmallGameDeals | HoldemDeals
    lanes: tuple[NDArray[np.uint16], NDArray[np.float64]] | None
    solver: Solver


def prepare(recipe: Recipe, on_memory: Callable[[dict[str, int]], None], on_progress: Progress) -> Workplace:
    """Build everything; *on_memory* hears what it takes before it is taken. Raises UsageError."""
    verify_recipe(recipe)
    definition = recipe.definition
    abstraction = make_abstraction(
        definition, recipe.abstraction or EXACT, lambda done, total: on_progress("hand strengths", done, total)
    )
    needed = needed_bytes(recipe, abstraction.num_buckets)
    on_memory(needed)
    verify_memory(needed, available_bytes(), "training", 'a coarser abstraction or storage = "float32" takes less')
    source = make_deal_source(definition, abstraction, lambda done, total: on_progress("card tables", done, total))
    game = make_game(definition, recipe.menu, abstraction.num_buckets)
    lanes = merge_deals(all_deals(definition, abstraction)) if isinstance(abstraction, ExactAbstraction) else None
    return Workplace(recipe, game, abstraction, source, lanes, _make_solver(recipe, game, source, lanes))


def needed_bytes(recipe: Recipe, num_buckets: tuple[int, ...]) -> dict[str, int]:
    """The memory that a training takes, by purpose."""
    definition = recipe.definition
    if recipe.menu is None:
        size, tree = SubtreeSizes(definition).whole(), tree_bytes(definition)
    else:
        size = betting_size(BettingRules(definition).start, recipe.menu)
        tree = betting_bytes(size)
    layout = infoset_layout(size, num_buckets)
    return {
        "tree": tree,
        "statistics": statistics_bytes(recipe, layout.num_slots),
        "card tables": table_bytes(num_buckets) if recipe.abstraction else 0,
        "results": results_bytes(recipe, layout.num_slots),
    }


def _make_solver(
    recipe: Recipe,
    game: AbstractGame | MenuGame,
    source: DealSource,
    lanes: tuple[NDArray[np.uint16], NDArray[np.float64]] | None,
) -> Solver:
    if not learner_kind(recipe).is_vector:
        learner = make_learner(recipe, game)
        return SamplingSolver(learner, source, seed=recipe.seed, num_threads=recipe.threads)
    if lanes is None:
        raise UsageError(
            f"{recipe.learner_name} sweeps all deals, and {recipe.game_name} has too many", "let it sample"
        )
    assert isinstance(game, AbstractGame), "verify_recipe let it through"
    return SweepingSolver(VectorCFR(game, *lanes, learner_settings(recipe)))
