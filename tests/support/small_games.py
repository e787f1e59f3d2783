"""Small games ready for solvers: the tree, the exact buckets, and all distinct deals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.card_abstraction import ExactAbstraction, all_deals, merge_deals
from acpcbot.arrays import Floats
from acpcbot.evaluation.exploitability.small_games import best_response_values
from acpcbot.games.best_response_result import BestResponse
from acpcbot.poker import rules
from acpcbot.poker.definition import GameDefinition
from acpcbot.trees.public_tree import (
    LIMIT_INFO,
    LIMIT_SLOT,
    AbstractGame,
    action_kind,
    build_tree,
    info_kinds,
    info_street,
    num_actions,
)
from tests.support.games import definition_of
from tests.support.menu_games import MenuSmallGame

KUHN_3P = "kuhn.limit.3p"


@dataclass(frozen=True, slots=True)
class SmallGame:
    """A game, and its distinct deals *rows* [lane, column] with their probabilities *weights*
    [lane].
    """

    abstraction: ExactAbstraction
    game: AbstractGame
    rows: NDArray[np.uint16]
    weights: Floats

    @property
    def definition(self) -> GameDefinition:
        return self.game.tree.definition

    def respond(self, policy: Floats) -> BestResponse:
        """Return the values of *policy* [slot] and of best responses to it."""
        return best_response_values(self.game, self.rows, self.weights, policy)

    def slots(self, node: int, bucket: int) -> slice:
        """Return the places of the legal actions at *node* for a hand of *bucket*."""
        layout, record = self.game.layout, self.game.tree.nodes[node]
        street, count = info_street(record[LIMIT_INFO]), num_actions(info_kinds(record[LIMIT_INFO]))
        first = (
            int(layout.row_starts[street])
            + bucket * int(layout.row_widths[street])
            + int(record[LIMIT_SLOT])
        )
        return slice(first, first + count)


def small_game(definition: GameDefinition) -> SmallGame:
    """The game of *definition*."""
    abstraction = ExactAbstraction(definition)
    game = AbstractGame(build_tree(definition), abstraction.num_buckets)
    return SmallGame(abstraction, game, *merge_deals(all_deals(definition, abstraction)))


@cache
def shipped_small_game(name: str) -> SmallGame:
    """The game *name*; the same object each time."""
    return small_game(definition_of(name))


def uniform_policy(small: SmallGame) -> Floats:
    """Every legal action alike."""
    return small.game.normalised(np.zeros(small.game.layout.num_slots))


def random_policy(small: SmallGame | MenuSmallGame, seed: int) -> Floats:
    """Any probabilities, some of them zero."""
    weights = np.random.default_rng(seed).random(small.game.layout.num_slots)
    return small.game.normalised(np.where(weights < 0.25, 0, weights))


def always(small: SmallGame, kind: int) -> Floats:
    """The action of *kind* wherever it is legal, and else a call."""
    policy = np.zeros(small.game.layout.num_slots)
    for node, record in enumerate(small.game.tree.nodes):
        kinds = info_kinds(record[LIMIT_INFO])
        legal = [action_kind(kinds, action) for action in range(num_actions(kinds))]
        for bucket in range(small.game.num_buckets[info_street(record[LIMIT_INFO])]):
            policy[small.slots(node, bucket)][
                legal.index(kind if kind in legal else rules.CALL)
            ] = 1
    return policy


def silly_policies(small: SmallGame) -> dict[str, Floats]:
    """Return policies that no learner may be mistaken for."""
    kinds = {"fold": rules.FOLD, "call": rules.CALL, "raise": rules.RAISE}
    return {
        "uniform": uniform_policy(small),
        **{name: always(small, kind) for name, kind in kinds.items()},
    }
