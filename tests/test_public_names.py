"""The public names: a list that is short, sorted and true."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

import acpcbot


def test_the_list_is_short_and_sorted() -> None:
    assert list(acpcbot.__all__) == sorted(set(acpcbot.__all__))
    assert 15 <= len(acpcbot.__all__) <= 32


@pytest.mark.parametrize("name", acpcbot.__all__)
def test_every_public_name_can_be_imported_and_is_documented(name: str) -> None:
    value = getattr(acpcbot, name)
    assert inspect.isclass(value) or inspect.isfunction(value)
    assert value.__name__ == name
    assert value.__doc__
    assert not value.__doc__.startswith(f"{name}(")


@pytest.mark.parametrize("name", acpcbot.__all__)
def test_public_methods_are_documented_or_plain(name: str) -> None:
    """A method without a docstring of its own has one by inheritance or is private."""
    value = getattr(acpcbot, name)
    methods = inspect.getmembers(value, inspect.isfunction) if inspect.isclass(value) else []
    own = [(title, method) for title, method in methods if method.__module__.startswith("acpcbot")]
    assert [title for title, method in own if title[0] != "_" and not inspect.getdoc(method)] == []


def test_a_star_gives_exactly_the_public_names() -> None:
    names: dict[str, object] = {}
    exec("from acpcbot import *", names)
    assert set(names) - {"__builtins__"} == set(acpcbot.__all__)


def test_public_names_are_listed_by_dir() -> None:
    assert set(acpcbot.__all__) <= set(dir(acpcbot))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="Nonsense"):
        acpcbot.Nonsense  # type: ignore[attr-defined]  # noqa: B018


def test_the_package_itself_imports_nothing_heavy() -> None:
    """A client that needs little must start fast; and there is no work at import."""
    script = "import sys, acpcbot; print(*sorted(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not any(name.startswith("acpcbot.") and name != "acpcbot.exports" for name in loaded)
    assert not {"numpy", "numba", "asyncio", "uvloop", "rich", "structlog", "msgspec"} & set(loaded)
