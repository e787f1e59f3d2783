"""Run benchmarks: ``python -m benchmarks [--keep] [NAME ...]``, one figure a line.

With ``NAME --against REF [MEASURE ...]`` this version and the commit REF are timed alternately, and
the ratios are printed with their intervals (see ``paired.py``).

With --keep they go to ``docs/measured.md`` (see ``kept.py``). A name stands for all benchmarks
that it begins, and without names all are run, except those that say ``ONLY_BY_NAME`` because they
take minutes: these want their full name.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import platform
import re
import sys
from datetime import date
from pathlib import Path
from types import ModuleType

import benchmarks
from benchmarks.kept import PAGE, Kept, all_kept, keep, keep_beside_others, page
from benchmarks.paired import compare

KEEP, AGAINST = "--keep", "--against"
PAIRED = "paired_"
HEADINGS = f"{'figure':<50} {'value':>13} {'unit':<12} {'target':>12}"


def main(words: list[str]) -> int:
    """Print the figures of the benchmarks that *words* select, and --keep them.

    Status 2 if a name selects none.
    """
    if AGAINST in words:
        others = [word for word in words if word != KEEP]
        return print_comparison(others, is_kept=KEEP in words)
    modules, names = find_benchmarks(), [word for word in words if word != KEEP]
    for name in names:
        if not any(is_selected(module, [name]) for module in modules):
            known = ", ".join(short_name(module) for module in modules)
            print(f"error: no benchmark {name!r}\n\nhint: benchmarks: {known}", file=sys.stderr)
            return 2
    print(f"{describe_machine()}\n\n{HEADINGS}", flush=True)
    for module in modules:
        if is_selected(module, names):
            measure(module, is_kept=KEEP in words)
    if KEEP in words:
        write_page()
    return 0


def write_page() -> None:
    """Write the page of all that is kept."""
    PAGE.write_text(page(all_kept(), kept_modules()), encoding="utf-8")


def print_comparison(words: list[str], *, is_kept: bool) -> int:
    """Print ratios of this version and another commit: *words* are NAME --against REF [MEASURE ...].

    They are kept beside those of other measures. Status 2 if *words* are something else, or if the
    benchmark cannot be paired.
    """
    paired = {
        entry.name.removeprefix(PAIRED)
        for entry in pkgutil.iter_modules(benchmarks.__path__)
        if entry.name.startswith(PAIRED)
    }
    if len(words) < 3 or words[1] != AGAINST or words[0] not in paired:
        known = ", ".join(sorted(paired))
        print(
            f"error: expected NAME {AGAINST} REF [{KEEP}] [MEASURE ...]\n\nhint: NAME is one of: {known}",
            file=sys.stderr,
        )
        return 2
    machine, name = describe_machine(), PAIRED + words[0]
    print(f"{machine}\n\n{HEADINGS}", flush=True)
    for figure in compare(words[0], words[2], words[3:]):
        print(figure, flush=True)
        if is_kept:
            against = f"{words[0]} {AGAINST} {words[2]}"
            today = date.today().isoformat()
            keep_beside_others(Kept(name, today, machine, (figure,), against))
            write_page()
    return 0


def measure(module: ModuleType, *, is_kept: bool) -> None:
    """Print the figures of *module*, and keep them if that is wanted once all are there.

    Those of a module that ``KEEPS_OTHERS`` are kept one by one, beside what it did not measure.
    """
    machine, figures, today = describe_machine(), [], date.today().isoformat()
    for figure in module.figures():
        print(figure, flush=True)
        figures.append(figure)
        if is_kept and getattr(module, "KEEPS_OTHERS", False):
            keep_beside_others(Kept(short_name(module), today, machine, (figure,)))
    if is_kept and not getattr(module, "KEEPS_OTHERS", False):
        keep(Kept(short_name(module), today, machine, tuple(figures)))


def find_benchmarks() -> list[ModuleType]:
    """Return every module of this package that has figures, by name."""
    return [module for module in kept_modules() if hasattr(module, "figures")]


def kept_modules() -> list[ModuleType]:
    """Return every module of this package that has figures or paired measures, by name."""
    found = sorted(
        entry.name
        for entry in pkgutil.iter_modules(benchmarks.__path__)
        if entry.name != "__main__"
    )
    modules = [importlib.import_module(f"benchmarks.{name}") for name in found]
    return [module for module in modules if hasattr(module, "figures") or is_paired(module)]


def is_paired(module: ModuleType) -> bool:
    """Return whether *module* has measures of two versions."""
    return short_name(module).startswith(PAIRED)


def is_selected(module: ModuleType, names: list[str]) -> bool:
    """Return whether *names* ask for *module*."""
    name = short_name(module)
    if getattr(module, "ONLY_BY_NAME", False):
        return name in names
    return not names or any(name.startswith(wanted) for wanted in names)


def short_name(module: ModuleType) -> str:
    """Return the name of *module* without its package."""
    return module.__name__.rpartition(".")[2]


def describe_machine() -> str:
    """Return the machine and the versions that figures depend on, on one line."""
    load = f"load average {os.getloadavg()[0]:.2f}, " if hasattr(os, "getloadavg") else ""
    return f"{load}{os.cpu_count()} cores ({processor()}), Python {platform.python_version()}"


def processor() -> str:
    """Return the name of the processor, if the system tells it."""
    about = Path("/proc/cpuinfo")
    found = (
        re.search(r"^model name\s*: (.*)$", about.read_text(), re.MULTILINE)
        if about.exists()
        else None
    )
    return found[1].strip() if found else platform.machine()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
