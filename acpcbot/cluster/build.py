"""The version of this package and of what computes with it, as driver and workers compare them.

The same parts give the same bytes only with the same source. So the texts of all modules, and the
tables beside them, are part of a build; its version alone would let an edited clone pass.
"""

from __future__ import annotations

import hashlib
import platform
from dataclasses import dataclass, fields
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from acpcbot.cache_folders import PACKAGE

SOURCES = ("*.py", "*.npy")


@dataclass(frozen=True, slots=True)
class Build:
    """Versions, and a checksum of the source; what compares equal gives the same results."""

    acpcbot: str
    source: str
    python: str
    numpy: str
    numba: str


@cache
def current_build() -> Build:
    """Return the build that this process runs."""
    return Build(
        acpcbot=_version("acpcbot"),
        source=_source_checksum(),
        python=platform.python_version(),
        numpy=_version("numpy"),
        numba=_version("numba"),
    )


def difference(ours: Build, theirs: Build) -> str:
    """Return the first difference in words, as *theirs* against *ours*; empty if there is none.

    >>> one = Build("0.2.0", "5d41", "3.12.1", "2.1.0", "0.61.0")
    >>> difference(one, one)
    ''
    >>> difference(one, Build("0.2.0", "5d41", "3.12.1", "2.2.0", "0.61.0"))
    'numpy 2.2.0, expected 2.1.0'
    """
    for field in fields(Build):
        expected, found = getattr(ours, field.name), getattr(theirs, field.name)
        if expected != found:
            return f"{field.name} {found}, expected {expected}"
    return ""


def _source_checksum() -> str:
    digest = hashlib.sha256()
    paths = sorted(path for pattern in SOURCES for path in PACKAGE.rglob(pattern))
    for path in paths:
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
