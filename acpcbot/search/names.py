"""Detection of search folders, and of the games of stored strategies, without loading any."""

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
HINT = "docs/guides/search.md describes search.toml"


@dataclass(frozen=True, slots=True)
class SearchOutline:
    """The top level of a ``search.toml``: the *blueprint*'s folder, and its profiles in order.

    *rest* are all other entries, and *tables* the profiles as they stand in the file.
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
    """Return whether *name* leads to a folder with a ``search.toml``."""
    folder = find_folder(name.partition("?")[0])
    return folder is not None and (folder / FILE).exists()


def searches_below(folder: Path) -> list[Path]:
    """Return the folders of all search strategies in and below *folder*, ordered by name."""
    return sorted([path.parent for path in folder.rglob(FILE)])


def read_outline(folder: Path) -> SearchOutline:
    """Return the top level of the ``search.toml`` in *folder*; raises UsageError."""
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
    """Return the default profile and the table of preflop values that *outline* names.

    Raises UsageError where there are other entries.
    """
    rest = dict(outline.rest)
    usual, values = rest.pop("profile", None), rest.pop("preflop_values", None)
    if rest or not isinstance(values, str | None) or not isinstance(usual, str | None):
        raise _incomplete(outline.path)
    return usual, values


def _incomplete(path: Path) -> UsageError:
    expected = "a blueprint, tables [profiles.NAME], and at most profile and preflop_values"
    return UsageError(f"{path}: expected {expected}", HINT)


def game_of(name: str) -> tuple[str, GameDefinition] | None:
    """Return the label and the definition of the game of the stored or search strategy *name*.

    None where it is neither. Raises BadSnapshot, UsageError.
    """
    folder = find_folder(name.partition("?")[0])
    if folder is not None and (folder / FILE).exists():
        folder = read_outline(folder).blueprint
    elif folder is None or not (folder / MANIFEST_FILE).exists():
        return None
    return read_definition(folder)
