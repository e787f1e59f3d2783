"""Big tables kept on disk, in the folder ``tables`` of the cache: made once, then mapped into
memory.

Beside NAME.npy lies NAME.sha256, the checksum of the table's *recipe* (anything that
changes when the table has to) and of the file. A table that does not fit its checksum is
made again, so neither a damaged file nor one of an older version is ever used. Files are
renamed into place, so that of several processes none sees half a table.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.cache_folders import cache_root

_BLOCK = 1 << 20


def cached_table(name: str, recipe: bytes, make: Callable[[], NDArray[Any]]) -> NDArray[Any]:
    """The table *name*, read-only and mapped from its file.

    *make* makes it if there is no good file.
    """
    path = cache_root() / "tables" / f"{name}.npy"
    if not _is_sound(path, recipe):
        _save(path, recipe, make())
    table: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    return table


def _is_sound(path: Path, recipe: bytes) -> bool:
    try:
        return path.with_suffix(".sha256").read_text() == _checksum(path, recipe)
    except (OSError, UnicodeDecodeError):
        return False


def _checksum(path: Path, recipe: bytes) -> str:
    digest = hashlib.sha256(recipe)
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _save(path: Path, recipe: bytes, table: NDArray[Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with _renamed_to(path) as unfinished:
        with unfinished.open("wb") as file:
            np.save(file, table, allow_pickle=False)
        checksum = _checksum(unfinished, recipe)
    with _renamed_to(path.with_suffix(".sha256")) as unfinished:
        unfinished.write_text(checksum)


@contextmanager
def _renamed_to(path: Path) -> Iterator[Path]:
    """A new file beside *path* that takes its name in the end, or goes if anything fails."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    os.close(handle)
    unfinished = Path(name)
    try:
        yield unfinished
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
