"""The compiler's flags, set once, and the place where compiled code is kept.

Two decorators:

* ``kernel``: machine code, without the interpreter lock, cached on disk. Give a
  signature where a kernel calls itself (two specialisations of a cached
  recursive function crash) or where its first call must be fast.
* ``shared``: one text, two uses. The function stays plain Python for callers in
  Python, and kernels may call it as well.

numba notices a changed kernel by its own file only: neither a changed helper in
another file nor a changed table. So the cache folder is named after the text of
the whole package, and code that is out of date can never be loaded.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, overload

import numba
from numba.extending import register_jitable

F = TypeVar("F", bound=Callable[..., Any])

_njit: Any = numba.njit
PACKAGE = Path(__file__).resolve().parent
KEPT_CACHES = 3
FINGERPRINT = re.compile("[0-9a-f]{16}")


@overload
def kernel(function: F, /) -> F: ...


@overload
def kernel(*, signature: object = None, inline: bool = False) -> Callable[[F], F]: ...


def kernel(function: F | None = None, /, *, signature: object = None, inline: bool = False) -> F | Callable[[F], F]:
    """Compile *function* for arrays and numbers; see the module's words on signatures.

    With *inline* the function is merged into the kernels that call it.
    """
    options = {"cache": True, "nogil": True, "error_model": "numpy", "inline": "always" if inline else "never"}

    def compile_it(text: F) -> F:
        compiled: F = _njit(signature, **options)(text) if signature is not None else _njit(**options)(text)
        return compiled

    return compile_it if function is None else compile_it(function)


def shared(function: F) -> F:
    """Let kernels call *function* too, while Python keeps calling it as it is."""
    registered: F = register_jitable(function)
    return registered


def cache_folder() -> Path:
    """Where compiled kernels of exactly this package text lie."""
    return cache_root() / package_fingerprint()


def cache_root() -> Path:
    """The folder above all versions' caches: ``ACPCBOT_CACHE``, or the user's own cache."""
    chosen = os.environ.get("ACPCBOT_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home()))
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return base / "acpcbot" if _is_writable(base) else Path(tempfile.gettempdir()) / "acpcbot"


def package_fingerprint() -> str:
    """A name for the text of every module and table of the package."""
    digest = hashlib.sha256()
    for path in sorted([*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.npy")]):
        digest.update(str(path.relative_to(PACKAGE)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def drop_old_caches() -> None:
    """Delete the caches of older texts, all but the newest few; tables that lie beside them stay."""
    if not cache_root().exists():
        return
    caches = [folder for folder in cache_root().iterdir() if FINGERPRINT.fullmatch(folder.name)]
    folders = sorted(caches, key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in folders[KEPT_CACHES:]:
        if folder != cache_folder():
            shutil.rmtree(folder, ignore_errors=True)


def _is_writable(folder: Path) -> bool:
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    return os.access(existing, os.W_OK)


# The one piece of work at import: numba reads this setting when it meets the first kernel.
_config: Any = numba.config
if not _config.CACHE_DIR:
    _config.CACHE_DIR = str(cache_folder())
