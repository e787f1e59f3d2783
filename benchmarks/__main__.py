"""Run benchmarks: ``python -m benchmarks [NAME ...]``, one figure a line.

A name stands for all benchmarks that it begins, and without names all are run, except
those that say ``ONLY_BY_NAME`` because they take minutes: these want their full name.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import platform
import sys
from types import ModuleType

import benchmarks

HEADINGS = f"{'figure':<50} {'value':>13} {'unit':<12} {'target':>12}"


def main(names: list[str]) -> int:
    """Print the figures of the benchmarks that *names* select; status 2 if a name selects none."""
    modules = find_benchmarks()
    for name in names:
        if not any(is_selected(module, [name]) for module in modules):
            known = ", ".join(short_name(module) for module in modules)
            print(f"error: no benchmark {name!r}\n\nhint: benchmarks: {known}", file=sys.stderr)
            return 2
    print(f"{describe_machine()}\n\n{HEADINGS}", flush=True)
    for module in modules:
        if is_selected(module, names):
            for figure in module.figures():
                print(figure, flush=True)
    return 0


def find_benchmarks() -> list[ModuleType]:
    """Every module of this package that has figures, by name."""
    found = sorted(entry.name for entry in pkgutil.iter_modules(benchmarks.__path__) if entry.name != "__main__")
    modules = [importlib.import_module(f"benchmarks.{name}") for name in found]
    return [module for module in modules if hasattr(module, "figures")]


def is_selected(module: ModuleType, names: list[str]) -> bool:
    """Whether *names* ask for *module*."""
    name = short_name(module)
    if getattr(module, "ONLY_BY_NAME", False):
        return name in names
    return not names or any(name.startswith(wanted) for wanted in names)


def short_name(module: ModuleType) -> str:
    """The name of *module* without its package."""
    return module.__name__.rpartition(".")[2]


def describe_machine() -> str:
    """What the figures depend on, on one line."""
    load = f"load average {os.getloadavg()[0]:.2f}, " if hasattr(os, "getloadavg") else ""
    return f"{load}{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
