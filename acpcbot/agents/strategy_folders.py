"""Folders behind a strategy's name, for machines to which they are sent, and its name there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from acpcbot.search.names import is_search, read_outline
from acpcbot.strategies.finding import find_folder


def strategy_folders(name: str) -> tuple[Path, ...]:
    """Return the folders that the strategy called *name* is read from; none for a baseline.

    A search has its blueprint's, and those of its values. Raises UsageError.
    """
    place = name.partition("?")[0]
    folder = find_folder(place)
    if folder is None:
        return ()
    if not is_search(place):
        return (folder,)
    outline = read_outline(folder)
    more = (outline.blueprint, outline.preflop_values, outline.values)
    return (folder, *[path for path in more if path is not None])


def moved_name(name: str, move: Callable[[Path], Path]) -> str:
    """Return the name of the same strategy where *move* says that its folders lie.

    An absolute path need not exist on this machine.
    """
    place, mark, settings = name.partition("?")
    folder = Path(place) if Path(place).is_absolute() else find_folder(place)
    return name if folder is None else f"{move(folder)}{mark}{settings}"
