"""Where snapshots lie: in the current folder, beside the package, or in the installed package's share."""

from __future__ import annotations

import sys
from pathlib import Path

from acpcbot.cache_folders import PACKAGE
from acpcbot.snapshots.manifest import MANIFEST_FILE


def search_roots() -> tuple[Path, ...]:
    """The folders from which relative names are looked up, in this order; the first is the current folder."""
    return Path(), PACKAGE.parent, Path(sys.prefix) / "share" / "acpcbot"


def find_folder(name: str) -> Path | None:
    """The first folder that *name* leads to, from any of the roots."""
    return next((root / name for root in search_roots() if (root / name).is_dir()), None)


def short_name(folder: Path) -> str:
    """*folder* as it is named from the first root that it lies below."""
    for root in search_roots():
        if folder.resolve().is_relative_to(root.resolve()):
            return folder.resolve().relative_to(root.resolve()).as_posix()
    return str(folder)


def snapshots_below(folder: Path) -> list[Path]:
    """The folders of all snapshots in and below *folder*, in the order of their names."""
    found = [path.parent for path in folder.rglob(MANIFEST_FILE)]
    return sorted([path for path in found if not path.name.startswith(".")])


def places_text() -> str:
    """The roots as a sentence lists them."""
    return ", ".join(str(root.resolve()) for root in search_roots())
