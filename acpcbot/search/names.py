"""What tells the folder of a searching strategy, for those who do not load one."""

from __future__ import annotations

from pathlib import Path

from acpcbot.snapshots.finding import find_folder

FILE = "search.toml"


def is_search(name: str) -> bool:
    """Whether *name* leads to a folder with a ``search.toml``."""
    folder = find_folder(name.partition("?")[0])
    return folder is not None and (folder / FILE).exists()


def searches_below(folder: Path) -> list[Path]:
    """The folders of all strategies that search in and below *folder*, in the order of their names."""
    return sorted([path.parent for path in folder.rglob(FILE)])
