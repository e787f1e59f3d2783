"""The game that entrants play: the one that is named, else the one that stored strategies among them were made for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from acpcbot.errors import UsageError
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.shipped import SHIPPED_NAMES, find_definition, shipped_definition
from acpcbot.search.names import game_of

Fits = Callable[[GameDefinition], bool]


def choose_game(
    named: str | None, strategies: Sequence[str], fits: Fits, verify: Callable[[str], None]
) -> tuple[str, GameDefinition]:
    """The label and the rules of the game that *named* says, or else *strategies*.

    Where neither says one, *verify* refuses names that lead nowhere, and then the error lists the shipped
    games that *fits* accepts.
    Raises UsageError, UnknownStrategy, BadSnapshot, BadDefinition.
    """
    if named is not None:
        return find_definition(named)
    told = {strategy: game for strategy in dict.fromkeys(strategies) if (game := game_of(strategy)) is not None}
    if not told:
        for strategy in strategies:
            verify(strategy)
        raise UsageError(f"no game is named, and none by {' or '.join(dict.fromkeys(strategies))}", _fitting_text(fits))
    (first, game), *others = told.items()
    for other, its_game in others:
        if its_game[1] != game[1]:
            problem = f"{first} plays {game[0]}, and {other} plays {its_game[0]}"
            raise UsageError(problem, "all entrants have to play one game; acpcbot strategies lists each one's")
    return game


def _fitting_text(fits: Fits) -> str:
    names = [name for name in SHIPPED_NAMES if fits(shipped_definition(name))]
    if not names:
        return "no shipped game has a seat for each of them; acpcbot games lists seats"
    return f"give --game one of {', '.join(names)}, or a game definition file"
