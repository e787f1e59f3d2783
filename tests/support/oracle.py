"""OpenSpiel's universal_poker as an independent referee of our betting rules and payoffs.

Its actions are numbers: 0 folds, 1 calls, in limit games 2 raises, in no-limit
games any larger number is the raise to so many chips. Its decks have the lowest
suits and ranks. It says no by raising, with a line on stderr each time.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from acpcbot.poker import rules
from acpcbot.poker.actions import FOLDING, Action
from acpcbot.poker.definition import format_definition
from tests.support.games import definition_of
from tests.support.playouts import raise_ends

ALL_IN = 20_000


@cache
def oracle_game(name: str) -> Any:
    """The game *name* as OpenSpiel plays it, every bet size allowed."""
    import pyspiel

    definition = definition_of(name)
    game = pyspiel.universal_poker.load_universal_poker_from_acpc_gamedef(
        format_definition(definition)
    )
    if definition.is_limit:
        return game
    return pyspiel.load_game(
        "universal_poker", {**game.get_parameters(), "bettingAbstraction": "fullgame"}
    )


@contextmanager
def silent_oracle() -> Iterator[None]:
    """Send what OpenSpiel writes to stderr nowhere."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


@cache
def oracle_cards(name: str) -> dict[int, int]:
    """OpenSpiel's number of each card of the game *name*: suits run fastest, from the lowest
    card of the deck.
    """
    definition = definition_of(name)
    lowest = min(definition.deck)
    return {
        card: (card - lowest) // 4 * definition.num_suits + (card - lowest) % 4
        for card in definition.deck
    }


def oracle_action(action: Action) -> int:
    """OpenSpiel's number of *action*."""
    return action.raise_to or action.kind


def accepts(state: Any, number: int) -> bool:
    """Return True if OpenSpiel lets the player to act take action *number*."""
    import pyspiel

    try:
        state.clone().apply_action(number)
    except pyspiel.SpielError:
        return False
    return True


def verify_ends(actions: Sequence[Action], state: Any) -> None:
    """Fold, and both ends of the raise range with their outer neighbours, are allowed there as
    in *actions*.
    """
    assert accepts(state, rules.FOLD) == (FOLDING in actions)
    if actions[-1].kind != rules.RAISE:
        assert not accepts(state, ALL_IN)
        return
    smallest, largest = raise_ends(actions)
    assert accepts(state, smallest)
    assert accepts(state, largest)
    assert not accepts(state, smallest - 1)
    assert not accepts(state, largest + 1)


def verify_list(actions: Sequence[Action], state: Any) -> None:
    """All legal actions there are *actions*, each size between the raises by itself."""
    numbers = [action.kind for action in actions if action.kind != rules.RAISE]
    if actions[-1].kind == rules.RAISE:
        smallest, largest = raise_ends(actions)
        numbers += range(smallest, largest + 1) if largest else [rules.RAISE]
    assert state.legal_actions() == numbers
