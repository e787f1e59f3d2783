"""The lobby: games, and the strategies that play each. A browser names both by number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from acpcbot.agents.registry import verify_name
from acpcbot.errors import AcpcbotError, BadRequest, UsageError
from acpcbot.networks.names import networks_below
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.game_titles import game_title
from acpcbot.poker.shipped import SHIPPED_NAMES, shipped_definition
from acpcbot.search.names import searches_below
from acpcbot.strategies.finding import find_folder, short_name, snapshots_below
from acpcbot.web.table_settings import HUMAN
from acpcbot.web.titles import strategy_title

STRATEGIES = "strategies"
SIMPLE = ("tight", "random", "call", "raise")
FAVOURITE = "holdem.limit.2p.reverse_blinds"


@dataclass(frozen=True, slots=True)
class LobbyGame:
    """A game, and the names of the strategies that may be played there."""

    name: str
    definition: GameDefinition
    strategies: tuple[str, ...]
    place: int = 0
    """Its place in the lobby."""

    @property
    def num_bots(self) -> int:
        """Number of seats besides that of the person."""
        return self.definition.num_players - 1

    def card_address(self, strategy: str) -> str | None:
        """Return the address of a strategy's strength card; None where there is none."""
        if strategy_title(strategy).card is None:
            return None
        return f"/card/{self.place}/{self.strategies.index(strategy)}"

    def plain(self) -> dict[str, Any]:
        """Return what the page needs to know."""
        return {
            "name": self.name,
            "title": game_title(self.definition),
            "numBots": self.num_bots,
            "strategies": [
                {
                    "name": name.removeprefix(f"{STRATEGIES}/"),
                    "title": strategy_title(name).title,
                    "card": self.card_address(name),
                }
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
    offers.sort(key=lambda offer: (len(offer.strategies) == len(SIMPLE), offer.name != FAVOURITE))
    return [replace(offer, place=place) for place, offer in enumerate(offers)]


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


def read_card(offers: Sequence[LobbyGame], game: int, strategy: int) -> str | None:
    """Return the strength card of a strategy, both by their places; None where there is none."""
    if game >= len(offers) or strategy >= len(offers[game].strategies):
        return None
    card = strategy_title(offers[game].strategies[strategy]).card
    return None if card is None else card.read_text(encoding="utf-8")


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
