"""Folders behind a strategy's name, for machines to which they are sent, and its name there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from acpcbot.checked_files import checksum
from acpcbot.networks.names import NETWORK_FILE
from acpcbot.search.names import read_outline
from acpcbot.strategies.finding import SEARCH_FILE, find_folder
from acpcbot.strategies.manifest import CARD_FILE, MANIFEST_FILE

FILES = (MANIFEST_FILE, SEARCH_FILE, NETWORK_FILE)
"""A stored strategy's folder has one of them."""


def strategy_folders(name: str) -> tuple[Path, ...]:
    """Return the folders that the strategy called *name* is read from; none for a baseline.

    A search has its blueprint's, and those of its values. Raises UsageError.
    """
    folder = _folder(name)
    if folder is None:
        return ()
    if not (folder / SEARCH_FILE).exists():
        return (folder,)
    outline = read_outline(folder)
    more = (outline.blueprint, outline.preflop_values, outline.values)
    return (folder, *[path for path in more if path is not None])


def strategy_identity(name: str) -> dict[str, object]:
    """Return the *name* of a strategy, and by folder the checksums of the files it is read from."""
    folders = [
        {
            path.name: checksum(path)
            for path in sorted(folder.iterdir())
            if path.is_file() and path.name != CARD_FILE
        }
        for folder in strategy_folders(name)
    ]
    return {"name": name, "folders": folders}


def moved_name(name: str, move: Callable[[Path], Path]) -> str:
    """Return the name of the same strategy where *move* says that its folders lie.

    An absolute path need not exist on this machine.
    """
    place, mark, settings = name.partition("?")
    folder = Path(place) if Path(place).is_absolute() else _folder(name)
    return name if folder is None else f"{move(folder)}{mark}{settings}"


def _folder(name: str) -> Path | None:
    """Return the folder of the stored strategy, search or network called *name*."""
    folder = find_folder(name.partition("?")[0])
    if folder is None or not any((folder / file).exists() for file in FILES):
        return None
    return folder
