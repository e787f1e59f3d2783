"""Folders of strategies that search, and the games of stored strategies, read without loading
any.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from acpcbot.errors import UsageError
from acpcbot.poker.definition import GameDefinition
from acpcbot.strategies.finding import SEARCH_FILE, find_folder
from acpcbot.strategies.manifest import MANIFEST_FILE, read_definition

FILE = SEARCH_FILE
HINT = "docs/guides/search.md tells what a search.toml holds"


@dataclass(frozen=True, slots=True)
class SearchOutline:
    """The part of a ``search.toml`` that names things: the *blueprint*'s folder, and the
    *profiles* in their order.

    *rest* is what stands there besides, and *tables* are the profiles as they stand there.
    """

    path: Path
    blueprint: Path
    tables: dict[str, Any]
    rest: dict[str, Any]

    @property
    def profiles(self) -> tuple[str, ...]:
        """The names of the profiles."""
        return tuple(self.tables)


def is_search(name: str) -> bool:
    """Whether *name* leads to a folder with a ``search.toml``."""
    folder = find_folder(name.partition("?")[0])
    return folder is not None and (folder / FILE).exists()


def searches_below(folder: Path) -> list[Path]:
    """The folders of all strategies that search in and below *folder*, in the order of their
    names.
    """
    return sorted([path.parent for path in folder.rglob(FILE)])


def read_outline(folder: Path) -> SearchOutline:
    """What the ``search.toml`` in *folder* names; raises UsageError."""
    path = folder / FILE
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: {error}", HINT) from None
    blueprint, profiles = table.pop("blueprint", None), table.pop("profiles", None)
    if not isinstance(blueprint, str) or not isinstance(profiles, dict) or not profiles:
        raise _incomplete(path)
    return SearchOutline(path, folder / blueprint, profiles, table)


def verify_rest(outline: SearchOutline) -> tuple[str | None, str | None]:
    """The usual profile and the table of values that *outline* names.

    Raises UsageError where there is more.
    """
    rest = dict(outline.rest)
    usual, values = rest.pop("profile", None), rest.pop("preflop_values", None)
    if rest or not isinstance(values, str | None) or not isinstance(usual, str | None):
        raise _incomplete(outline.path)
    return usual, values


def _incomplete(path: Path) -> UsageError:
    problem = "needs a blueprint and profiles, and beside them at most the usual profile and preflop_values"
    return UsageError(f"{path} {problem}", HINT)


def game_of(name: str) -> tuple[str, GameDefinition] | None:
    """The label and the rules of the game of the stored or searching strategy *name*.

    None where it is neither.

    Raises BadSnapshot, UsageError.
    """
    folder = find_folder(name.partition("?")[0])
    if folder is not None and (folder / FILE).exists():
        folder = read_outline(folder).blueprint
    elif folder is None or not (folder / MANIFEST_FILE).exists():
        return None
    return read_definition(folder)
