"""Detection of search folders, and of the games of stored strategies, without loading any."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from acpcbot.decoding import decode_settings
from acpcbot.errors import UsageError
from acpcbot.strategies.finding import SEARCH_FILE, find_folder
from acpcbot.strategies.manifest import MANIFEST_FILE, read_definition
from acpcbot.strategies.network_strategy import find_network, network_game

if TYPE_CHECKING:
    from acpcbot.poker.definition import GameDefinition

FILE = SEARCH_FILE
HINT = "docs/guides/search.md describes search.toml"


@dataclass(frozen=True, slots=True)
class _SearchFile:
    """The top level of a ``search.toml`` as it stands in the file."""

    blueprint: str
    profiles: dict[str, Any]
    profile: str | None = None
    preflop_values: str | None = None
    values: str | None = None


@dataclass(frozen=True, slots=True)
class SearchOutline:
    """The top level of a ``search.toml``: folders, and its profiles in order, *tables* by name.

    *usual* is the profile that plays where none is asked for.
    """

    path: Path
    blueprint: Path
    tables: dict[str, Any]
    usual: str
    preflop_values: Path | None
    values: Path | None

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
    import tomllib  # 4 ms, which commands that read no such file do not pay

    path = folder / FILE
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: {error}", HINT) from None
    found = decode_settings(_SearchFile, table, str(path), HINT)
    if not found.profiles:
        raise UsageError(f"{path}, profiles: expected tables [profiles.NAME], found none", HINT)
    if found.preflop_values is not None and found.values is not None:
        raise UsageError(
            f"{path}: expected preflop_values or values, found both", "remove one of them"
        )
    return SearchOutline(
        path,
        blueprint=folder / found.blueprint,
        tables=found.profiles,
        usual=found.profile or next(iter(found.profiles)),
        preflop_values=_below(folder, found.preflop_values),
        values=_below(folder, found.values),
    )


def _below(folder: Path, name: str | None) -> Path | None:
    return None if name is None else folder / name


def game_of(name: str) -> tuple[str, GameDefinition] | None:
    """Return the label and the definition of the game of the strategy *name*, of any kind.

    None where it is no stored one, none that searches, and no network. Raises BadSnapshot,
    UsageError.
    """
    folder = find_network(name)
    if folder is not None:
        return network_game(folder)
    folder = find_folder(name.partition("?")[0])
    if folder is not None and (folder / FILE).exists():
        folder = read_outline(folder).blueprint
    elif folder is None or not (folder / MANIFEST_FILE).exists():
        return None
    return read_definition(folder)
