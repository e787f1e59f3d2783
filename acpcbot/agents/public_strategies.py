"""Public strategies by name: those that give their probabilities for every hand.

They are stored strategies, searching ones, with a network or without, baselines that ignore their
cards, and the tight player.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from acpcbot.abstraction.buckets import Buckets
from acpcbot.abstraction.deal_sources import DealSources
from acpcbot.abstraction.dealing import HoldemDeals
from acpcbot.agents.names import searches_rules
from acpcbot.agents.tight_strategy import TightStrategy
from acpcbot.errors import UsageError
from acpcbot.poker.actions import Action
from acpcbot.poker.baselines import BASELINES, chosen_actions
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import all_hands
from acpcbot.search.names import is_search
from acpcbot.strategies.by_name import find_played, verify_same_game
from acpcbot.strategies.finding import find_folder
from acpcbot.strategies.manifest import MANIFEST_FILE
from acpcbot.strategies.network_strategy import find_network
from acpcbot.strategies.policy import parse_name
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.strategies.public_strategy import ActionTable, PublicStrategy
from acpcbot.strategies.snapshot import Snapshot
from acpcbot.worker_threads import Progress

if TYPE_CHECKING:
    from acpcbot.search.strategy import SearchStrategy


TIGHT = "tight"
ANY_GAME = (*BASELINES, TIGHT)
"""Names of players of any game."""


class CardlessStrategy:
    """Strategy that ignores its cards: a uniform choice among the actions of *choose*."""

    def __init__(
        self, definition: GameDefinition, choose: Callable[[BettingState], tuple[Action, ...]]
    ) -> None:
        self._num_hands = len(all_hands(definition))
        self._choose = choose

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        """Return the same row for every hand."""
        actions = self._choose(betting)
        return ActionTable(actions, np.full((self._num_hands, len(actions)), 1 / len(actions)))


def find_strategy(name: str, deal_sources: DealSources) -> PublicStrategy:
    """Return the strategy called *name*, for the game of *deal_sources*.

    Raises UsageError, UnknownStrategy, BadSnapshot.
    """
    definition = deal_sources.definition
    if name == TIGHT:
        return TightStrategy(definition)
    if name in BASELINES:
        if name == "random" and not definition.is_limit:
            raise UsageError(
                "random has too many no-limit actions to list them all", "leave it unknown"
            )
        return CardlessStrategy(definition, CARDLESS[name])
    if is_search(name):
        return _find_search(name, deal_sources)
    if find_network(name) is not None:
        return _find_network(name, definition)
    if searches_rules(name):
        agent = name.partition("?")[0]
        raise UsageError(
            f"{agent} finds its strategy as it plays",
            "let oos save it in a match, as in oos?save=FOLDER, and name the folder",
        )
    snapshot, settings = find_played(name, definition, any_stacks=True)
    return SnapshotStrategy(snapshot, settings, _tables(snapshot, deal_sources))


_LOADED: dict[tuple[GameDefinition, str], PublicStrategy] = {}
_SOURCES: dict[GameDefinition, DealSources] = {}


def loaded_strategy(
    definition: GameDefinition, name: str, on_progress: Progress | None = None
) -> PublicStrategy:
    """Return what ``find_strategy`` does, loaded once in a process; strategies share card tables."""
    key = definition, name
    if key not in _LOADED:
        sources = _SOURCES.setdefault(definition, DealSources(definition, on_progress))
        _LOADED[key] = find_strategy(name, sources)
    return _LOADED[key]


def _find_search(name: str, deal_sources: DealSources) -> SearchStrategy:
    from acpcbot.search.folder import find_search, make_search  # the solver with it

    found = find_search(name)
    definition = deal_sources.definition
    verify_same_game(found.folder.path, found.definition, definition, any_stacks=True)
    snapshot = found.load()
    return make_search(found, snapshot, _tables(snapshot, deal_sources), definition)


def _find_network(name: str, definition: GameDefinition) -> PublicStrategy:
    from acpcbot.agents.tree_search.sog import sog_maker  # the search with it

    maker = sog_maker(name)
    maker.verify_game(definition)
    return maker.strategy()


def _tables(snapshot: Snapshot, deal_sources: DealSources) -> Sequence[Buckets]:
    """Return the buckets of all hands by street, if the abstraction has tables of them."""
    source = deal_sources.source(snapshot.abstraction)
    return source.tables if isinstance(source, HoldemDeals) else ()


def is_public(name: str, definition: GameDefinition) -> bool:
    """Return True if *name* is a stored strategy's, or one's of ANY_GAME that can be asked."""
    if name in ANY_GAME:
        return name != "random" or definition.is_limit
    return is_stored(name)


def is_stored(name: str) -> bool:
    """Return True if *name* is the folder of a stored strategy, with play settings or without."""
    folder = find_folder(parse_name(name)[0] if "?play=" in name else name)
    return folder is not None and (folder / MANIFEST_FILE).exists()


def blueprint_name(name: str) -> str | None:
    """Return the stored strategy that *name* is, or from which it searches, None if none."""
    if is_search(name):
        from acpcbot.search.folder import find_search

        return str(find_search(name).folder.blueprint)
    return name if is_stored(name) else None


CARDLESS: dict[str, Callable[[BettingState], tuple[Action, ...]]] = {
    name: partial(chosen_actions, name) for name in BASELINES
}
"""The choice of each baseline by its name."""
