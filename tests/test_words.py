"""First lines of docstrings, and names of tests."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACES = ("acpcbot", "benchmarks", "dealer_tests", "docker", "docs", "examples", "tests", "tooling")
QUESTION = re.compile(
    r"(test_)?(what|how|whether|who|whom|whose|where|when|which|why|whatever|whoever)(\b|_)", re.I
)
Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@cache
def documented() -> list[tuple[str, str, str]]:
    """Place, name and docstring of all modules, classes and functions."""
    return [
        (f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}", name, text)
        for place in PLACES
        for path in sorted((ROOT / place).rglob("*.py"))
        for node, name, text in definitions(path)
    ]


def definitions(path: Path) -> Iterator[tuple[Documented, str, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, Documented):
            yield node, getattr(node, "name", ""), ast.get_docstring(node) or ""


def test_no_docstring_begins_with_a_question() -> None:
    """Catches "What the agent does" in place of "Return the agent's action"."""
    assert [place for place, _, text in documented() if QUESTION.match(text)] == []


def test_no_test_is_named_by_a_question() -> None:
    """Catches names that say neither the subject nor the behaviour, such as "what_is_wrong"."""
    names = [(place, name) for place, name, _ in documented() if name.startswith("test_")]
    assert len(names) > 1000
    assert [place for place, name in names if QUESTION.match(name)] == []
