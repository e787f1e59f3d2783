"""Small no-limit games with few bets, ready for solvers: the tree, the exact buckets, exact
best responses.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial

import numpy as np

from acpcbot.abstraction.card_abstraction import ExactAbstraction
from acpcbot.arrays import Floats
from acpcbot.games.best_response_result import BestResponse
from acpcbot.poker import rules
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition, parse_definition
from acpcbot.strategies.public_play import all_buckets
from acpcbot.strategies.range_play import tabulate_policy
from acpcbot.subgames.best_response import response_values
from acpcbot.subgames.game import make_range_game
from acpcbot.trees.bet_menu import BetMenu, parse_menu
from acpcbot.trees.betting_tree import (
    ACTION_KIND,
    NODE_FIRST_ACTION,
    NODE_STREET,
    BettingPlaces,
    MenuGame,
    build_betting_tree,
)
from tests.support.games import LEDUC_NOLIMIT, definition_of

MENU = parse_menu("0.5,1,all-in/0.75,all-in;1,2,all-in")

SIDE_POTS = parse_definition("""GAMEDEF
nolimit
numPlayers = 3
numRounds = 2
stack = 400 900 600
blind = 50 100 0
firstPlayer = 3 1
numSuits = 2
numRanks = 4
numHoleCards = 1
numBoardCards = 0 1
END GAMEDEF
""")
"""Leduc hold'em for three with unequal stacks, so that showdowns have side pots."""


@dataclass(frozen=True, slots=True)
class MenuSmallGame:
    """A game with its exact buckets."""

    abstraction: ExactAbstraction
    game: MenuGame

    @property
    def definition(self) -> GameDefinition:
        return self.game.definition

    @property
    def places(self) -> BettingPlaces:
        return BettingPlaces(self.game.tree)

    def respond(self, policy: Floats) -> BestResponse:
        """Return the values of *policy* [slot] and of best responses to it."""
        ranged = make_range_game(self.game.tree.root, menu=self.game.tree.menu)
        play = tabulate_policy(
            ranged,
            self.game.layout,
            policy,
            partial(all_buckets, self.definition, self.abstraction),
        )
        return response_values(ranged, (play, play))


@cache
def menu_game(name: str | GameDefinition = LEDUC_NOLIMIT, menu: BetMenu = MENU) -> MenuSmallGame:
    """The game *name* with the bets of *menu*; the same object each time."""
    definition = definition_of(name) if isinstance(name, str) else name
    abstraction = ExactAbstraction(definition)
    tree = build_betting_tree(
        BettingRules(definition).start, menu.for_streets(definition.num_streets)
    )
    return MenuSmallGame(abstraction, MenuGame(tree, abstraction.num_buckets))


def silly_menu_policies(small: MenuSmallGame) -> dict[str, Floats]:
    """Return policies that no learner may be mistaken for."""
    kinds = {"fold": rules.FOLD, "call": rules.CALL, "raise": rules.RAISE}
    return {
        "uniform": small.game.normalised(np.zeros(small.game.layout.num_slots)),
        **{name: _always(small, kind) for name, kind in kinds.items()},
    }


def _always(small: MenuSmallGame, kind: int) -> Floats:
    """The actions of *kind* wherever there are any, and else a call."""
    game, weights = small.game, np.zeros(small.game.layout.num_slots)
    for street in range(len(game.num_buckets)):
        rows = game.layout.street_rows(weights, street)
        nodes = np.flatnonzero(game.tree.nodes[:, NODE_STREET] == street)
        for node, slot, count in zip(nodes, *game.tree.street_nodes(street), strict=True):
            first = game.tree.nodes[node, NODE_FIRST_ACTION]
            kinds = game.tree.actions[first : first + count, ACTION_KIND]
            rows[:, slot : slot + count] = kinds == (kind if kind in kinds else rules.CALL)
    return game.normalised(weights)
