"""Packages export their public names: lazily, and the same ones for type checkers."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import acpcbot

ROOT = Path(acpcbot.__file__).parent
PACKAGES = sorted(
    "acpcbot." + ".".join(path.parent.relative_to(ROOT).parts)
    for path in ROOT.rglob("*/__init__.py")
    if "export(" in path.read_text(encoding="utf-8")
)


def names_for_type_checkers(package: str) -> dict[str, str]:
    """The names that the package imports for type checkers alone, with their modules."""
    path = ROOT.joinpath(*package.split(".")[1:], "__init__.py")
    return {
        alias.asname or "": node.module or ""
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{package}.")
        for alias in node.names
    }


def test_packages_with_public_names_are_found() -> None:
    """Caught: a search for packages that finds none, so that the other tests check nothing."""
    assert len(PACKAGES) >= 20


@pytest.mark.parametrize("package", PACKAGES)
def test_programs_and_type_checkers_see_the_same_names(package: str) -> None:
    """Caught: a name that mypy knows and Python does not, or the other way round."""
    shown = names_for_type_checkers(package)
    module = import_module(package)
    assert sorted(shown) == module.__all__
    for name, home in shown.items():
        assert getattr(module, name) is getattr(import_module(home), name)
    assert set(module.__all__) <= set(dir(module))


@pytest.mark.parametrize("package", PACKAGES)
def test_a_name_is_no_module_of_the_package(package: str) -> None:
    """Caught: a name that becomes a module as soon as somebody imports that module."""
    folder = ROOT.joinpath(*package.split(".")[1:])
    modules = {path.stem for path in folder.iterdir()}
    assert not modules & set(import_module(package).__all__)


@pytest.mark.parametrize("package", PACKAGES)
def test_an_unknown_name_is_refused_as_by_any_module(package: str) -> None:
    """Caught: a package that makes up attributes, which misleads hasattr and doctest."""
    with pytest.raises(AttributeError, match="has no attribute 'no_such_name'"):
        getattr(import_module(package), "no_such_name")  # noqa: B009


def test_packages_load_nothing_before_a_name_is_used() -> None:
    """Caught: an import of a package that loads numba for one light function."""
    code = (
        f"import sys, {', '.join(PACKAGES)}; print('numba' in sys.modules, 'numpy' in sys.modules)"
    )
    output = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert output == "False False\n"
