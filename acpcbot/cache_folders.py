"""The folders of compiled kernels: one for each version of a module and of what it imports.

A kernel's machine code contains the kernels and functions that it calls and the constants that it
reads. All of them come from its own module, or from modules that this one imports. So compiled code
lies in ``CACHE/kernels/MODULE/KEY``, where KEY is a checksum of the texts of the module, of all
modules that it imports directly or indirectly (its *closure*), of the tables (``*.npy``) beside
them, and of the versions of the compiler and of numpy. An edit moves the kernels of the modules
that depend on the edited one, and no others; and checkouts with the same text share what one of
them compiled, wherever they lie and however old their files are.

The closure follows ``import`` statements at the start of a line. Imports within functions
or under TYPE_CHECKING cannot bring anything into a kernel, for a kernel sees only the
globals of its module.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
KEPT_VERSIONS = 3
UNUSED_S = 24 * 3600.0
MARK_EVERY_S = 3600.0
KERNELS = "kernels"
KEY_DIGITS = 16

_IMPORT = re.compile(
    r"^(?:from\s+(?P<source>[\w.]+)\s+import\s+(?P<names>\([^)]*\)|[^\n#]*)"
    r"|import\s+(?P<modules>[^\n#]*))",
    re.MULTILINE,
)
_NAME = re.compile(r"([\w.]+)(?:\s+as\s+\w+)?")
_COMMENT = re.compile(r"#[^\n]*")
# Before each module had a key of its own, a folder in the root held the kernels of one version of
# the whole package.
_OLD_FOLDER = re.compile(f"[0-9a-f]{{{KEY_DIGITS}}}")


def cache_root() -> Path:
    """Return the folder of compiled code and tables: ``ACPCBOT_CACHE`` or the user's cache."""
    chosen = os.environ.get("ACPCBOT_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home()))
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return base / "acpcbot" if _is_writable(base) else Path(tempfile.gettempdir()) / "acpcbot"


def kernel_folder(name: str, path: Path, versions: str) -> Path:
    """Return the folder for the kernels of the module called *name*, whose text is at *path*."""
    return cache_root() / KERNELS / name / module_key(name, path, versions)


@cache
def module_key(name: str, path: Path, versions: str) -> str:
    """Return a checksum of all that the compiled code of the module *name* at *path* depends on."""
    digest = hashlib.sha256(versions.encode())
    for member in sorted(closure(path, _import_root(name, path))):
        digest.update(_digest(member))
    return digest.hexdigest()[:KEY_DIGITS]


def closure(path: Path, root: Path) -> frozenset[Path]:
    """Return the files that the module at *path* depends on: itself, its imports and their tables.

    Modules below *root* and of this package count; the standard library and other packages do not.
    """
    found: set[Path] = set()
    waiting = [path]
    while waiting:
        member = waiting.pop()
        if member not in found:
            found.add(member)
            waiting.extend(_imported(member, root))
    tables = {table for folder in {member.parent for member in found} for table in _tables(folder)}
    return frozenset(found | tables)


def drop_old_kernels() -> None:
    """Delete compiled code of old versions, but for a module's newest few and those in use.

    A version counts as in use for a day after a process has loaded from it.
    """
    root = cache_root()
    if not root.exists():
        return
    for folder in root.iterdir():
        if _OLD_FOLDER.fullmatch(folder.name):
            shutil.rmtree(folder, ignore_errors=True)
    for module in (root / KERNELS).glob("*"):
        ages = sorted(
            ((_last_used_s(version), version) for version in module.iterdir()), reverse=True
        )
        for last_used_s, version in ages[KEPT_VERSIONS:]:
            if time.time() - last_used_s > UNUSED_S:
                shutil.rmtree(version, ignore_errors=True)


def mark_used(version: Path) -> None:
    """Note that the kernels in the folder *version* are in use; at most one write an hour."""
    if 0.0 < _last_used_s(version) < time.time() - MARK_EVERY_S:
        with contextlib.suppress(OSError):
            os.utime(version)


def _last_used_s(version: Path) -> float:
    try:
        return version.stat().st_mtime
    except OSError:  # another process has deleted it
        return 0.0


def _import_root(name: str, path: Path) -> Path:
    """Return the folder from which the module *name* at *path* is imported."""
    depth = name.count(".") + (path.name == "__init__.py")
    return path.parents[depth] if depth < len(path.parents) else path.parent


@cache
def _imported(path: Path, root: Path) -> tuple[Path, ...]:
    """Return the files of the modules that the module at *path* names in its imports."""
    found: list[Path] = []
    for match in _IMPORT.finditer(path.read_text(encoding="utf-8")):
        if match["modules"]:
            modules = _NAME.findall(match["modules"])
        else:
            names = _NAME.findall(_COMMENT.sub("", match["names"]).strip("()"))
            modules = [f"{match['source']}.{name}" for name in names]
        for module in modules:
            file = _file_of(module, root)
            if file is not None and file != path:
                found.append(file)
    return tuple(dict.fromkeys(found))


@cache
def _file_of(module: str, root: Path) -> Path | None:
    """Return the file of *module*, or of the module that defines this name.

    None outside the package and *root*.
    """
    parts = module.split(".")
    for folder in {PACKAGE.parent, root}:
        for end in (len(parts), len(parts) - 1):
            place = folder.joinpath(*parts[:end])
            for file in (place.with_name(f"{place.name}.py"), place / "__init__.py"):
                if end and file.is_file():
                    return file
    return None


@cache
def _tables(folder: Path) -> tuple[Path, ...]:
    """Return the tables beside the modules in *folder*, where it is one of this package."""
    return tuple(folder.glob("*.npy")) if folder.is_relative_to(PACKAGE) else ()


@cache
def _digest(path: Path) -> bytes:
    return hashlib.sha256(path.name.encode() + b"\0" + path.read_bytes()).digest()


def _is_writable(folder: Path) -> bool:
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    return os.access(existing, os.W_OK)
