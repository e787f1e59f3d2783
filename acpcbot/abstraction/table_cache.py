"""Tables that are made once, kept in the folder ``tables`` of the cache and mapped into memory.

Beside NAME.npy lies NAME.sha256, the checksum of the table's *recipe* and of the file. The recipe
is whatever changes when the table has to: mostly the code of the modules that make it
(``code_of``). A table that does not fit its checksum is made again, so neither a damaged file nor
one of an older version is ever used. Files are renamed into place, so that of several processes
none sees half a table.
"""

from __future__ import annotations

import ast
import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.cache_folders import PACKAGE, cache_root

_BLOCK = 1 << 20


def cached_table(name: str, recipe: bytes, make: Callable[[], NDArray[Any]]) -> NDArray[Any]:
    """Return the table *name*, read-only and mapped from its file.

    *make* makes it if the file is missing, damaged, or of another *recipe*.
    """
    path = cache_root() / "tables" / f"{name}.npy"
    if not _is_sound(path, recipe):
        _save(path, recipe, make())
    table: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    return table


@cache
def code_of(*modules: str) -> bytes:
    """Return a checksum of the code of *modules*, by their full names, for a recipe.

    Comments, docstrings and the layout of the text make no difference: the syntax trees are hashed,
    without positions and without strings that stand as statements. So prose can be edited without
    making minutes of tables again.
    """
    digest = hashlib.sha256()
    for module in modules:
        path = PACKAGE.parent.joinpath(*module.split(".")).with_suffix(".py")
        digest.update(_code_digest(path.read_text(encoding="utf-8")))
    return digest.digest()


def _code_digest(text: str) -> bytes:
    tree = ast.parse(text)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            body[:] = [child for child in body if not _is_docstring(child)]
    return hashlib.sha256(ast.dump(tree).encode()).digest()


def _is_docstring(statement: ast.stmt) -> bool:
    """Return True for a bare string: a docstring, or one below a constant."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


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
    """Yield a new file beside *path*; it takes that name in the end, and goes if anything fails."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    os.close(handle)
    unfinished = Path(name)
    try:
        yield unfinished
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
