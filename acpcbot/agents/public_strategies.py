"""From a name to a strategy that tells its play with every hand: stored ones, and those that do
not look at cards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from acpcbot.abstraction.buckets import Buckets
from acpcbot.abstraction.deal_sources import DealSources
from acpcbot.abstraction.dealing import HoldemDeals
from acpcbot.errors import UsageError
from acpcbot.poker.actions import CALLING, FOLDING, LIMIT_RAISING, Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import all_hands
from acpcbot.poker.rules import RAISE
from acpcbot.search.names import is_search
from acpcbot.strategies.by_name import find_played
from acpcbot.strategies.finding import find_folder
from acpcbot.strategies.manifest import MANIFEST_FILE
from acpcbot.strategies.policy import parse_name
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.strategies.public_strategy import ActionTable, PublicStrategy
from acpcbot.strategies.snapshot import Snapshot

if TYPE_CHECKING:
    from acpcbot.search.strategy import SearchStrategy


class CardlessStrategy:
    """Takes each of the actions that *choose* names for a state equally often, with every hand."""

    def __init__(
        self, definition: GameDefinition, choose: Callable[[BettingState], tuple[Action, ...]]
    ) -> None:
        self._num_hands = len(all_hands(definition))
        self._choose = choose

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        """The same row for every hand."""
        actions = self._choose(betting)
        return ActionTable(actions, np.full((self._num_hands, len(actions)), 1 / len(actions)))


def find_strategy(name: str, dealer: DealSources) -> PublicStrategy:
    """The strategy called *name*, of the dealer's game.

    Raises UsageError, UnknownStrategy, BadSnapshot.
    """
    definition = dealer.definition
    if name in BLIND:
        if name == "random" and not definition.is_limit:
            raise UsageError(
                "random has too many no-limit actions to tell them all", "leave it unknown"
            )
        return CardlessStrategy(definition, BLIND[name])
    if is_search(name):
        return _find_search(name, dealer)
    snapshot, settings = find_played(name, definition)
    return SnapshotStrategy(snapshot, settings, _tables(snapshot, dealer))


def _find_search(name: str, dealer: DealSources) -> SearchStrategy:
    from acpcbot.search.folder import find_search, make_search  # the solver with it

    found = find_search(name)
    if found.definition != dealer.definition:
        raise UsageError(f"{name} plays another game", "name one that plays this game")
    snapshot = found.load()
    return make_search(found, snapshot, _tables(snapshot, dealer))


def _tables(snapshot: Snapshot, dealer: DealSources) -> Sequence[Buckets]:
    """The buckets of all hands, if they are from tables."""
    source = dealer.source(snapshot.abstraction)
    return source.tables if isinstance(source, HoldemDeals) else ()


def can_tell(name: str, definition: GameDefinition) -> bool:
    """Whether *name* is a stored strategy's, or one's that does not look at its cards."""
    return name != "random" or definition.is_limit if name in BLIND else is_stored(name)


def is_stored(name: str) -> bool:
    """Whether *name* is the folder of a strategy that training left, with or without how to
    play it.
    """
    folder = find_folder(parse_name(name)[0] if "?play=" in name else name)
    return folder is not None and (folder / MANIFEST_FILE).exists()


def stored_name(name: str) -> str | None:
    """The stored strategy that *name* is, or from which it searches; None if there is none."""
    if is_search(name):
        from acpcbot.search.folder import find_search

        return str(find_search(name).folder.blueprint)
    return name if is_stored(name) else None


def _call(_betting: BettingState) -> tuple[Action, ...]:
    return (CALLING,)


def _fold(betting: BettingState) -> tuple[Action, ...]:
    return (FOLDING if betting.can_act(FOLDING) else CALLING,)


def _raise(betting: BettingState) -> tuple[Action, ...]:
    legal = betting.raise_range
    return (CALLING if legal is None else Action(RAISE, legal[0]),)


def _random(betting: BettingState) -> tuple[Action, ...]:
    return tuple(
        [action for action in (FOLDING, CALLING, LIMIT_RAISING) if betting.can_act(action)]
    )


BLIND = {"call": _call, "fold": _fold, "raise": _raise, "random": _random}
