"""First lines of docstrings, and names of tests."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACES = ("acpcbot", "benchmarks", "dealer_tests", "docker", "docs", "examples", "tests", "tooling")
WORDS = "what|how|whether|who|whom|whose|where|when|which|why|whatever|whoever"
QUESTION = re.compile(rf"({WORDS})\b", re.I)
# Only a file in which some string begins so is parsed: to parse all of them takes seconds.
QUESTION_IN_QUOTES = re.compile(rf"""["']\\?\s*({WORDS})\b""", re.I)
TEST = re.compile(r"^ *(?:async )?def (test_\w+)", re.MULTILINE)
TEST_QUESTION = re.compile(rf"test_({WORDS})(_|$)", re.I)
Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@cache
def sources() -> dict[str, str]:
    """The text of every module, by its path."""
    return {
        str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
        for place in PLACES
        for path in sorted((ROOT / place).rglob("*.py"))
    }


def questions(path: str, text: str) -> Iterator[str]:
    """The places of the docstrings that begin with a question."""
    for node in ast.walk(ast.parse(text)) if QUESTION_IN_QUOTES.search(text) else ():
        if isinstance(node, Documented) and QUESTION.match(ast.get_docstring(node) or ""):
            yield f"{path}:{getattr(node, 'lineno', 1)}"


def test_no_docstring_begins_with_a_question() -> None:
    """Catches "What the agent does" in place of "Return the agent's action"."""
    assert [place for path, text in sources().items() for place in questions(path, text)] == []


def test_questions_are_found_in_docstrings_alone() -> None:
    """Catches a search that passes over what it looks for."""
    text = 'def f():\n    """Whether."""\nclass A:\n    """\n    Who.\n    """\n    x = "What"\n'
    assert list(questions("m.py", text)) == ["m.py:1", "m.py:3"]
    assert list(questions("m.py", "'''How it goes.'''\nx = 1")) == ["m.py:1"]
    assert list(questions("m.py", '"""However it goes."""\nx = "why"')) == []


def test_no_test_is_named_by_a_question() -> None:
    """Catches names that say neither the subject nor the behaviour, such as "what_is_wrong"."""
    names = [(path, name) for path, text in sources().items() for name in TEST.findall(text)]
    assert len(names) > 1000
    assert [place for place in names if TEST_QUESTION.match(place[1])] == []
