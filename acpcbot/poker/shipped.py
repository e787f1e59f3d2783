"""The game definitions that come with the project, and the way from a name or a path to a definition."""

from __future__ import annotations

import os
from functools import cache
from importlib import resources
from pathlib import Path

from acpcbot.errors import UsageError
from acpcbot.poker.definition import GameDefinition, load_definition

SUFFIX = ".game"
SHIPPED_NAMES = (
    "flop_holdem.limit.2p",
    "flop_holdem.nolimit.2p",
    "holdem.limit.2p.reverse_blinds",
    "holdem.limit.3p",
    "holdem.nolimit.2p.reverse_blinds",
    "holdem.nolimit.3p",
    "holdem.nolimit.6p",
    "kuhn.limit.2p",
    "kuhn.limit.3p",
    "leduc.limit.2p",
    "leduc.nolimit.2p",
)


def shipped_path(name: str) -> Path:
    """Where the shipped definition *name*, with or without ".game", lies; raises ``UsageError``."""
    plain_name = name.removesuffix(SUFFIX)
    if plain_name not in SHIPPED_NAMES:
        hint = f"give the path of a definition file, or one of: {', '.join(SHIPPED_NAMES)}"
        raise UsageError(f"no game definition {name!r}", hint)
    return Path(str(resources.files("acpcbot.poker"))) / "definitions" / f"{plain_name}{SUFFIX}"


@cache
def shipped_definition(name: str) -> GameDefinition:
    """The shipped game *name*, with or without ".game"; raises ``UsageError``."""
    return load_definition(shipped_path(name))


def find_definition(name_or_path: str) -> tuple[str, GameDefinition]:
    """The name and the rules of a game: a file's if there is one at this path, else a shipped one.

    The name is the file's, without folders and ".game". Raises ``UsageError`` if there is
    neither or the file cannot be read, and ``BadDefinition`` if it defines no game.
    """
    name = Path(name_or_path).name.removesuffix(SUFFIX)
    if not os.path.isfile(name_or_path):
        return name, shipped_definition(name_or_path)
    try:
        return name, load_definition(name_or_path)
    except OSError as error:
        raise UsageError(f"cannot read {name_or_path!r}: {error.strerror}") from error


def recognise(definition: GameDefinition) -> str | None:
    """The shipped name of the game with these very rules, if it is one."""
    return next((name for name in SHIPPED_NAMES if shipped_definition(name) == definition), None)
