"""A game as learners see it: its betting tree and the number of buckets on each street."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.jit import kernel
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition
from acpcbot.trees.bet_menu import BetMenu
from acpcbot.trees.betting_tree import BettingTree, build_betting_tree
from acpcbot.trees.infosets import BucketTree, InfosetLayout, infoset_layout
from acpcbot.trees.public_tree import PublicTree, build_tree


@dataclass(frozen=True, slots=True)
class BucketGame:
    """*tree* with *num_buckets* by street; ``layout`` maps information sets to slots."""

    tree: BucketTree
    num_buckets: tuple[int, ...]
    layout: InfosetLayout = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "layout", infoset_layout(self.tree.size, self.num_buckets))

    @property
    def definition(self) -> GameDefinition:
        """The definition of the game."""
        return self.tree.definition

    def normalised(self, weights: NDArray[Any]) -> NDArray[np.float64]:
        """Probabilities [slot] in proportion to *weights* [slot].

        Uniform where an information set has none.
        """
        result = np.empty(self.layout.num_slots)
        for street in range(len(self.num_buckets)):
            rows = self.layout.street_rows(weights, street), self.layout.street_rows(result, street)
            _normalise(*self.tree.street_nodes(street), *rows)
        return result


@dataclass(frozen=True, slots=True)
class AbstractGame(BucketGame):
    """A limit game."""

    tree: PublicTree


@dataclass(frozen=True, slots=True)
class MenuGame(BucketGame):
    """A game for two in which the sizes of a menu can be bet."""

    tree: BettingTree


def make_game(
    definition: GameDefinition, menu: BetMenu | None, num_buckets: tuple[int, ...]
) -> AbstractGame | MenuGame:
    """Return the game with the bets of *menu*, or without one a limit game.

    Raises UsageError for games without a tree.
    """
    if menu is None:
        return AbstractGame(build_tree(definition), num_buckets)
    return MenuGame(build_betting_tree(BettingRules(definition).start, menu), num_buckets)


@kernel
def _normalise(
    slots: NDArray[np.int32], counts: NDArray[np.int32], weights: NDArray[Any], result: NDArray[Any]
) -> None:
    """Write *weights* [bucket, slot of the row] as probabilities into *result*."""
    # Rows are gone through as they lie in memory: all nodes of a bucket, then the next bucket.
    for bucket in range(len(weights)):
        for node in range(len(slots)):
            first, count = slots[node], counts[node]
            total = 0.0
            for slot in range(first, first + count):
                total += weights[bucket, slot]
            for slot in range(first, first + count):
                result[bucket, slot] = weights[bucket, slot] / total if total > 0 else 1 / count
