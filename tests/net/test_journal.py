"""Structured logs: JSON for machines, text for people, and never a byte on stdout."""

from __future__ import annotations

import io
import json
from datetime import datetime

import pytest

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


def test_a_terminal_gets_text() -> None:
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


def test_what_is_bound_stands_in_every_event_of_that_journal_only() -> None:
    stream = io.StringIO()
    journal = open_journal(stream, as_json=True)
    journal.bind(bot="ann").info("one")
    journal.info("two")
    first, second = map(json.loads, stream.getvalue().splitlines())
    assert first["bot"] == "ann"
    assert "bot" not in second
