"""The compiler's flags, set once, and the place where compiled code is kept.

Three decorators:

* ``kernel``: machine code, without the interpreter lock, cached on disk. Give a
  signature where a kernel calls itself (two specialisations of a cached
  recursive function crash) or where its first call must be fast.
* ``shared``: one text, two uses. The function stays plain Python for callers in
  Python, and kernels may call it as well.
* ``shared_methods``: the same for methods. It marks a protocol; on whatever
  NamedTuple has its methods, kernels may call them. They are compiled for each
  such type, so that a kernel generic over types pays nothing for it.

numba notices a changed kernel by its own file only: neither a changed helper in
another file nor a changed table. So the cache folder is named after the text of
the whole package, and code that is out of date can never be loaded.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, overload

import numba
from numba import types
from numba.extending import overload_method, register_jitable

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)

_njit: Any = numba.njit
_overload_method: Any = overload_method
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
        _keep_our_types_only(compiled)
        return compiled

    return compile_it if function is None else compile_it(function)


def _keep_our_types_only(compiled: Any) -> None:
    """Leave out of the cache what is compiled for records of other packages.

    Their text is not in the folder's name, so it may have changed; and a program without
    them could not even read the list of what the cache holds.
    """
    save = compiled._cache.save_overload

    def save_ours(argument_types: tuple[Any, ...], code: Any) -> None:
        modules = [kind.instance_class.__module__ for kind in argument_types if hasattr(kind, "instance_class")]
        if all(module.startswith(f"{__package__}.") for module in modules):
            save(argument_types, code)

    compiled._cache.save_overload = save_ours


def shared(function: F) -> F:
    """Let kernels call *function* too, while Python keeps calling it as it is."""
    registered: F = register_jitable(function)
    return registered


def shared_methods(protocol: C) -> C:
    """Let kernels call the public methods of *protocol* on any NamedTuple that has them."""
    for name, method in vars(protocol).items():
        if not name.startswith("_"):
            for kind in (types.NamedTuple, types.NamedUniTuple):
                _overload_method(kind, name, strict=False)(_method_finder(name, inspect.signature(method)))
    return protocol


def _method_finder(name: str, signature: inspect.Signature) -> Callable[..., Any]:
    """What tells the compiler where the method *name* of a NamedTuple is: a function of that *signature*."""

    def find(self: Any, *_arguments: Any) -> Any:
        return getattr(self.instance_class, name, None)

    find.__signature__ = signature  # type: ignore[attr-defined]
    return find


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
