"""Structured logs: JSON for machines, text for people, and never a byte on stdout."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import structlog

from acpcbot.net.journal import LEVELS, open_journal
from tests.support.terminals import Terminal


def test_each_event_is_one_json_object_when_nobody_watches() -> None:
    stream = io.StringIO()
    journal = open_journal(stream)
    journal.info("match over", hands=3, text="two\nlines")
    journal.warning("fallback", reason="late")
    first, second = map(json.loads, stream.getvalue().splitlines())
    assert (first["event"], first["hands"], first["level"]) == ("match over", 3, "info")
    assert (second["event"], second["reason"], second["level"]) == ("fallback", "late", "warning")
    assert datetime.fromisoformat(first["timestamp"]).tzinfo is not None


def test_the_journal_is_text_on_a_terminal() -> None:
    stream = Terminal()
    open_journal(stream).info("match over", hands=3)
    assert "match over" in stream.getvalue()
    with pytest.raises(ValueError):
        json.loads(stream.getvalue())


def test_the_choice_of_format_may_be_made_by_hand() -> None:
    stream = Terminal()
    open_journal(stream, as_json=True).info("match over")
    assert json.loads(stream.getvalue())["event"] == "match over"


def test_stdout_is_for_data_only(capfd: pytest.CaptureFixture[str]) -> None:
    open_journal().error("something", reason="bad")
    captured = capfd.readouterr()
    assert captured.out == ""
    assert json.loads(captured.err)["event"] == "something"


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_lets_through_itself_and_what_is_graver(level: str) -> None:
    stream = io.StringIO()
    journal = open_journal(stream, level=level, as_json=True)
    for name in LEVELS:
        getattr(journal, name)(name)
    assert [json.loads(line)["event"] for line in stream.getvalue().splitlines()] == list(LEVELS)[
        list(LEVELS).index(level) :
    ]


def test_bound_fields_stand_in_every_event_of_that_journal_only() -> None:
    stream = io.StringIO()
    journal = open_journal(stream, as_json=True)
    journal.bind(bot="ann").info("one")
    journal.info("two")
    first, second = map(json.loads, stream.getvalue().splitlines())
    assert first["bot"] == "ann"
    assert "bot" not in second


def write_failure(journal: Any) -> None:
    try:
        raise ValueError("bad\nline")
    except ValueError:
        journal.exception("failed", reason="x")


def write_fault(journal: Any) -> None:
    journal.error("failed", exc_info=ValueError("only told of"))


@pytest.mark.parametrize(
    "write",
    [
        lambda journal: journal.info(
            "match over", hands=3, share=0.1, late=False, none=None, names=("a", "b")
        ),
        lambda journal: journal.bind(bot="Åke", host="h").warning(
            "fallback", reason="two\nlines", level="own"
        ),
        lambda journal: journal.bind(bot="a").bind(bot="b").debug("<", line="MATCHSTATE:0:0::"),
        lambda journal: journal.error(
            "odd", kind=ValueError, path=Path("x"), fault=OSError(2, "gone")
        ),
        lambda journal: journal.error("nothing", exc_info=None),
        write_failure,
        write_fault,
    ],
)
def test_lines_for_machines_are_those_of_structlog(write: Callable[[Any], None]) -> None:
    ours, theirs = io.StringIO(), io.StringIO()
    write(open_journal(ours, level="debug", as_json=True))
    processors: list[Any] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        structlog.processors.JSONRenderer(),
    ]
    wrapper = structlog.make_filtering_bound_logger(LEVELS["debug"])
    write(
        structlog.wrap_logger(
            structlog.PrintLogger(theirs), processors=processors, wrapper_class=wrapper
        )
    )
    time = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
    assert time.sub("TIME", ours.getvalue()) == time.sub("TIME", theirs.getvalue())
    assert "TIME" in time.sub("TIME", ours.getvalue())


def test_a_journal_for_machines_loads_nothing_for_terminals() -> None:
    """Caught: a tenth of a second of loading colours at the start of every bot that nobody
    watches.
    """
    code = (
        "import sys; from acpcbot.net.journal import open_journal;"
        "open_journal(as_json=True).info('x');"
        "print(*{'structlog', 'rich', 'asyncio', 'traceback'} & set(sys.modules))"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []
