"""Public names of packages, imported when they are first used."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module


def export(package: str, homes: Mapping[str, str]) -> None:
    """Let *package* have the names of *homes*, each from the module of the package that it is
    mapped to.

    A package that imports its modules at once would load numba for whoever wants one light
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
