"""The lobby: games, and the strategies that play each. A browser names both by number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from acpcbot.agents.registry import verify_name
from acpcbot.errors import AcpcbotError, BadRequest, UsageError
from acpcbot.networks.names import is_network, networks_below
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.shipped import SHIPPED_NAMES, shipped_definition
from acpcbot.search.names import searches_below
from acpcbot.strategies.finding import SEARCH_FILE, find_folder, short_name, snapshots_below
from acpcbot.strategies.manifest import read_manifest
from acpcbot.web.table_settings import HUMAN

STRATEGIES = "strategies"
SIMPLE = ("tight", "random", "call", "raise")
FAVOURITE = "holdem.limit.2p.reverse_blinds"
NOTES = {
    "tight": "plays by rules",
    "random": "does anything",
    "call": "never folds, never raises",
    "raise": "raises all it can",
    "fold": "gives up",
}


@dataclass(frozen=True, slots=True)
class LobbyGame:
    """A game, and the names of the strategies that may be played there."""

    name: str
    definition: GameDefinition
    strategies: tuple[str, ...]

    @property
    def num_bots(self) -> int:
        """Number of seats besides that of the person."""
        return self.definition.num_players - 1

    def plain(self) -> dict[str, Any]:
        """Return what the page needs to know."""
        return {
            "name": self.name,
            "numBots": self.num_bots,
            "strategies": [
                {"name": name.removeprefix(f"{STRATEGIES}/"), "note": _note(name)}
                for name in self.strategies
            ],
        }


def chosen_offer(name: str, definition: GameDefinition, strategies: Sequence[str]) -> LobbyGame:
    """The game *name* with these *strategies* alone.

    Raises UsageError, UnknownStrategy, BadSnapshot.
    """
    for strategy in strategies:
        if strategy == HUMAN:
            raise UsageError("the person sits at the page", "name the strategies to play against")
        verify_name(strategy, definition)
    return LobbyGame(name, definition, tuple(strategies))


def found_offers(game: tuple[str, GameDefinition] | None = None) -> list[LobbyGame]:
    """List *game*, or every shipped one, with all strategies found and the simple ones."""
    games = [game] if game else [(name, shipped_definition(name)) for name in SHIPPED_NAMES]
    names = _trained_names()
    offers = [
        LobbyGame(name, definition, (*[own for own in names if _plays(own, definition)], *SIMPLE))
        for name, definition in games
    ]
    return sorted(
        offers, key=lambda offer: (len(offer.strategies) == len(SIMPLE), offer.name != FAVOURITE)
    )


def _trained_names() -> list[str]:
    """Return all names, those of strategies that search first: they are the stronger ones."""
    folder = find_folder(STRATEGIES)
    if folder is None:
        return []
    searching = [*searches_below(folder), *networks_below(folder)]
    return [*map(short_name, searching), *map(short_name, snapshots_below(folder))]


def _plays(name: str, definition: GameDefinition) -> bool:
    """Return True if *name* is whole and plays by the rules of this game."""
    try:
        verify_name(name, definition)
    except AcpcbotError:
        return False
    return True


def _note(name: str) -> str:
    if name in NOTES:
        return NOTES[name]
    folder = find_folder(name)
    try:
        return f"{read_manifest(folder).training.learner}" if folder else ""
    except AcpcbotError:
        searches = folder and ((folder / SEARCH_FILE).exists() or is_network(folder))
        return "thinks at the table" if searches else ""


def find_seats(
    offers: Sequence[LobbyGame], game: int, bots: Sequence[int]
) -> tuple[LobbyGame, tuple[str, ...]]:
    """The offer and the strategies that a browser named by their places; raises BadRequest."""
    asked = f"game {game}, bots {list(bots)}"
    if game >= len(offers):
        raise BadRequest(asked, "there is no such game")
    offer = offers[game]
    if len(bots) != offer.num_bots or any(bot >= len(offer.strategies) for bot in bots):
        raise BadRequest(
            asked, f"{offer.name} takes {offer.num_bots} of the strategies that are offered"
        )
    return offer, tuple([offer.strategies[bot] for bot in bots])
