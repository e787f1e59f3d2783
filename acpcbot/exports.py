"""Public names of packages, imported when they are first used."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module


def export(package: str, homes: Mapping[str, str]) -> None:
    """Give *package* the public names in *homes*, which maps each name to its module.

    A package that imports its modules at once would load numba for a caller that wants one light
    function. So a name is imported when it is first asked for (PEP 562), and kept.
    """
    module = sys.modules[package]

    def get(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(import_module(f"{package}.{homes[name]}"), name)
        setattr(module, name, value)
        return value

    module.__dict__.update(
        __all__=sorted(homes), __getattr__=get, __dir__=lambda: sorted({*vars(module), *homes})
    )
