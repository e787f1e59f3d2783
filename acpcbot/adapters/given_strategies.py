"""Strategies as adapters are given them: by name, loaded, or any object with ``table``."""

from __future__ import annotations

from acpcbot.abstraction.deal_sources import DealSources
from acpcbot.agents.public_strategies import ANY_GAME, find_strategy
from acpcbot.errors import UsageError
from acpcbot.poker.definition import GameDefinition
from acpcbot.research.strategies import load_strategy
from acpcbot.strategies.public_strategy import PublicStrategy


def public_strategy(
    strategy: PublicStrategy | str, definition: GameDefinition, hint: str
) -> PublicStrategy:
    """Return *strategy*, loaded where it is a name.

    Raises UsageError with *hint* if it is one of another game than *definition*.
    """
    if isinstance(strategy, str):
        if strategy in ANY_GAME:  # they play any game
            return find_strategy(strategy, DealSources(definition))
        strategy = load_strategy(strategy)
    own = getattr(strategy, "definition", definition)
    if own != definition:
        raise UsageError(f"{strategy!r} plays another game than the adapter's", hint)
    return strategy
