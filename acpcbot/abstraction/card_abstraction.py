"""The card abstraction of any game, made from settings or from what a snapshot holds.

Settings are "exact" for small games (``small_games.py``), or what ``HoldemAbstraction``
takes. Wrong ones, and games that they do not suit, raise ``UsageError``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from acpcbot.errors import UsageError
from acpcbot.poker.definition import GameDefinition

if TYPE_CHECKING:
    from acpcbot.abstraction.buckets import Arrays
    from acpcbot.abstraction.holdem_abstraction import HoldemAbstraction
    from acpcbot.abstraction.small_games import ExactAbstraction
    from acpcbot.worker_threads import Progress

EXACT = "exact"

Abstraction: TypeAlias = "ExactAbstraction | HoldemAbstraction"
"""The buckets of a game's hands, street by street."""


def make_abstraction(
    definition: GameDefinition, settings: object, on_progress: Progress | None = None
) -> Abstraction:
    """Return the abstraction of the game that *settings* ask for."""
    if settings == EXACT:
        return _exact(definition)
    from acpcbot.abstraction.holdem_abstraction import HINT, HoldemAbstraction

    if not isinstance(settings, Mapping):
        raise UsageError(
            f"abstraction: {settings!r} is neither {EXACT!r} nor a setting for each street", HINT
        )
    abstraction = HoldemAbstraction.from_settings(settings, on_progress)
    abstraction.verify_fits(definition)
    return abstraction


def restore_abstraction(
    definition: GameDefinition, spec: Mapping[str, Any], arrays: Arrays
) -> Abstraction:
    """Return the abstraction of which ``spec`` and ``arrays`` were kept.

    Raises ValueError if they are none for the game.
    """
    try:
        if spec.get("kind") == EXACT:
            return _exact(definition)
        from acpcbot.abstraction.holdem_abstraction import HoldemAbstraction

        holdem = HoldemAbstraction.from_spec(spec, arrays)
        holdem.verify_fits(definition)
        return holdem
    except (UsageError, KeyError, TypeError, IndexError) as error:
        raise ValueError(str(error) or repr(error)) from None


def quick_at_the_table(abstraction: Abstraction) -> Abstraction:
    """Return the same buckets, with those of all flops written down, as strategies are stored."""
    from acpcbot.abstraction.small_games import ExactAbstraction

    return (
        abstraction if isinstance(abstraction, ExactAbstraction) else abstraction.with_flop_table()
    )


def make_buckets_ready(spec: Mapping[str, Any]) -> None:
    """Compile or load the kernels for the buckets of all streets, by a manifest's ``abstraction``.

    No array of the strategy is needed, nor its game.
    """
    if spec.get("kind") != EXACT:
        from acpcbot.abstraction.holdem_abstraction import HoldemAbstraction

        HoldemAbstraction.smallest(spec).make_ready()


def _exact(definition: GameDefinition) -> ExactAbstraction:
    # Each kind is imported where it is met: a player of a small game needs none of hold'em's
    # kernels.
    from acpcbot.abstraction.small_games import ExactAbstraction

    return ExactAbstraction(definition)
