"""Agent that plays Student of Games: growing-tree CFR with a stored network at its leaves.

Each seat keeps a chain of searches of its own through a hand. An answer in a state that the seat's
own policies never lead to, as after a fallback of the client, is that of the last search: it is
reported on stderr as a line of JSON, and counted in ``num_fallbacks``.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path

from acpcbot.agents.table_agent import TableAgent
from acpcbot.agents.tree_search.options import SoGOptions, read_options
from acpcbot.agents.tree_search.public_games import PublicGame, find_public_game
from acpcbot.agents.tree_search.sog_strategy import SoGStrategy
from acpcbot.cards.deck import format_cards
from acpcbot.errors import UsageError
from acpcbot.networks.names import is_network
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition
from acpcbot.protocol.messages import MatchState
from acpcbot.strategies.by_name import verify_same_game
from acpcbot.strategies.finding import find_folder, missing_text
from acpcbot.strategies.network_strategy import network_game
from acpcbot.strategies.public_strategy import ActionTable
from acpcbot.tree_search.growing_cfr import GrowingCFR, GrowingCFRSettings
from acpcbot.tree_search.leaf_evaluators import LeafValues
from acpcbot.tree_search.network_values import NetworkValues
from acpcbot.tree_search.public_tree import PublicTree


class SoGAgent(TableAgent):
    """Agent that plays *strategy*; its first search is made here, so that none is slow later."""

    def __init__(self, definition: GameDefinition, seed: int, strategy: SoGStrategy) -> None:
        super().__init__(definition, seed, strategy)
        self.searches, self.num_fallbacks = strategy, 0
        strategy.table(BettingRules(definition).start, ())

    def table(self, state: MatchState, deadline_s: float) -> ActionTable:
        """Return the probabilities with every hand."""
        if not self.searches.searched(state.betting, state.board).is_reached:
            self.num_fallbacks += 1
            _report_fallback(state)
        return self.searches.table(state.betting, state.board)


@dataclass(frozen=True, slots=True)
class SoGMaker:
    """Maker of the agents with the network in *folder* and these *options*."""

    folder: Path
    options: SoGOptions

    def __call__(self, definition: GameDefinition, seed: int) -> SoGAgent:
        self.verify_game(definition)
        return SoGAgent(definition, seed, self.strategy())

    def verify_game(self, definition: GameDefinition) -> None:
        """Raise UsageError unless the network is one of this game."""
        verify_same_game(self.folder, self.definition, definition)
        find_public_game(definition)

    @property
    def definition(self) -> GameDefinition:
        """The game that the network was trained for; raises UsageError."""
        return network_game(self.folder)[1]

    def strategy(self) -> SoGStrategy:
        """Return the strategy, every byte of its network checked; raises UsageError."""
        game, own = find_public_game(self.definition), self.options
        settings = GrowingCFRSettings(
            simulations=own.s,
            simulations_per_update=own.c,
            exploration=own.exploration,
            averaging_power=own.averaging_power,
        )
        tree = PublicTree(game.encoding.game, own.memory_bytes)
        return SoGStrategy(game, GrowingCFR(tree, settings, self._values(game)), own.seed)

    def _values(self, game: PublicGame) -> LeafValues | None:
        if self.options.network == "no":
            return None
        return NetworkValues.load(self.folder, game.encoding, self.options.temperature)


def sog_maker(name: str) -> SoGMaker:
    """Return the maker of the agents called *name*: a network's folder and options behind it.

    Raises UsageError.
    """
    place = name.partition("?")[0]
    folder = find_folder(place)
    if folder is None or not is_network(folder):
        raise UsageError(f"{place} is no folder of a network", missing_text(place))
    return SoGMaker(folder, read_options(SoGOptions, name))


def _report_fallback(state: MatchState) -> None:
    line = {
        "event": "search fallback",
        "betting": state.betting.text,
        "board": format_cards(state.board),
        "reason": "the seat's own policies never lead here; its last search answers",
    }
    print(json.dumps(line), file=sys.stderr)
