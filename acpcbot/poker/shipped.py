"""The game definitions that come with the project, found by name, path or rules.

``SHIPPED_NAMES`` lists them, as ``acpcbot games`` does. Games of one kind often differ in their
stacks alone. So a name may end with other stacks in chips: ``holdem.nolimit.6p@10000`` for all,
``holdem.nolimit.2p.reverse_blinds@10000,5000`` by position.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from functools import cache
from importlib import resources
from pathlib import Path

from acpcbot.errors import UsageError
from acpcbot.poker.definition import GameDefinition, load_definition, with_stacks
from acpcbot.spelling import nearest_hint

SUFFIX = ".game"
STACKS_MARK = "@"
_STACKS = re.compile(r"[1-9][0-9]{0,9}(?:,[1-9][0-9]{0,9})*")
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
    """Return the path of the shipped definition *name*, with or without ".game".

    Raises ``UsageError``.
    """
    plain_name = name.removesuffix(SUFFIX)
    if plain_name not in SHIPPED_NAMES:
        near = nearest_hint(plain_name, SHIPPED_NAMES)
        hint = f"{near}give the path of a definition file, or one of: {', '.join(SHIPPED_NAMES)}"
        raise UsageError(f"no game definition {name!r}", hint)
    return Path(str(resources.files("acpcbot.poker"))) / "definitions" / f"{plain_name}{SUFFIX}"


@cache
def shipped_definition(name: str) -> GameDefinition:
    """Return the shipped game *name*, with or without ".game", with the stacks that it ends with.

    Raises ``UsageError`` and ``BadDefinition``.
    """
    plain_name, mark, stacks = name.partition(STACKS_MARK)
    definition = load_definition(shipped_path(plain_name))
    return (
        with_stacks(definition, parse_stacks(stacks.removesuffix(SUFFIX))) if mark else definition
    )


def find_definition(name_or_path: str) -> tuple[str, GameDefinition]:
    """Return the name and the rules of the game file at this path, else of the shipped game.

    A file's name is without folders and ".game". Raises ``UsageError`` if there is
    neither or the file cannot be read, and ``BadDefinition`` if it defines no game.
    """
    path, mark, stacks = name_or_path.rpartition(STACKS_MARK)
    if mark and not os.path.isfile(name_or_path):
        return restacked(find_definition(path), stacks.removesuffix(SUFFIX))
    name = Path(name_or_path).name.removesuffix(SUFFIX)
    if not os.path.isfile(name_or_path):
        return name, shipped_definition(name_or_path)
    try:
        return name, load_definition(name_or_path)
    except OSError as error:
        raise UsageError(f"cannot read {name_or_path!r}: {error.strerror}") from error


def restacked(game: tuple[str, GameDefinition], text: str) -> tuple[str, GameDefinition]:
    """Return the name and the rules of *game* with the stacks of *text*.

    Raises ``UsageError`` and ``BadDefinition``.
    """
    name, definition = game
    return f"{name.partition(STACKS_MARK)[0]}{STACKS_MARK}{text}", with_stacks(
        definition, parse_stacks(text)
    )


def parse_stacks(text: str) -> tuple[int, ...]:
    """Return the stacks of *text*, chips with commas between; raises ``UsageError``."""
    if not _STACKS.fullmatch(text):
        raise UsageError(
            f"expected stacks, got {text!r}",
            "chips for all, as in 10000, or by position, as in 10000,5000",
        )
    return tuple(map(int, text.split(",")))


def recognise(definition: GameDefinition) -> str | None:
    """Return the shipped name of the game with these rules, or None.

    The name ends with the stacks if these alone differ.
    """
    for name in SHIPPED_NAMES:
        if shipped_definition(name) == definition:
            return name
    for name in SHIPPED_NAMES:
        shipped = shipped_definition(name)
        if shipped.has_stacks and replace(shipped, stacks=definition.stacks) == definition:
            return f"{name}{STACKS_MARK}{stacks_text(definition)}"
    return None


def stacks_text(definition: GameDefinition) -> str:
    """Return the stacks of *definition* as names spell them: one number if all are equal."""
    stacks = definition.stacks
    return ",".join(map(str, stacks[:1] if len(set(stacks)) == 1 else stacks))
