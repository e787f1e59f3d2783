"""Logs grow at a bounded rate, whatever peers do, and what is left out is counted."""

from __future__ import annotations

import io
import time
from typing import Any

from structlog import DropEvent

from acpcbot.net import journal as log_rate
from acpcbot.net.journal import MAX_TEXT_LENGTH, RateLimit, open_journal
from tests.support.journals import journal_events

NO_LIMIT_S = 30.0


def test_a_flood_is_some_lines_and_a_count() -> None:
    """Catches a peer that fills the disk by one message after another, and lines that vanish
    uncounted.
    """
    stream = io.StringIO()
    journal = open_journal(stream, as_json=True, max_lines=5, period_s=0.1)
    for number in range(6000):
        journal.bind(peer=f"10.0.0.{number % 200}").warning(
            "refused", reason=f"fault {number}", text="x" * number
        )
    deadline_s = time.monotonic() + NO_LIMIT_S
    told: list[dict[str, Any]] = []
    while sum(map(num_held_back, told)) + written(told) < 6000:
        assert time.monotonic() < deadline_s, told[-1]
        time.sleep(0.01)
        told = journal_events(stream)
    summaries = [event for event in told if "more like this" in event["event"]]
    assert written(told) <= 5 * (1 + len(summaries))
    assert all((event["level"], event["like"]) == ("warning", "refused") for event in summaries)


def num_held_back(event: dict[str, Any]) -> int:
    return int(event["event"].split()[0]) if "more like this" in event["event"] else 0


def written(told: list[dict[str, Any]]) -> int:
    return sum(event["event"] == "refused" for event in told)


def test_kinds_do_not_hide_each_other() -> None:
    """Catches a bot's flood that hides another bot, another event, or the next period's lines."""
    now_s, told = 0.0, []
    rate = RateLimit(
        lambda method, event, fields: told.append((method, event, fields)),
        max_lines=2,
        period_s=1e6,
        clock=lambda: now_s,
    )

    def is_written(event: str, **fields: str) -> bool:
        try:
            rate(None, "warning", {"event": event, **fields})
        except DropEvent:
            return False
        return True

    assert [is_written("fallback", bot="ann") for _ in range(4)] == [True, True, False, False]
    assert is_written("fallback", bot="ben")
    assert is_written("match over", bot="ann")
    now_s = 30.0
    rate.flush()
    assert told == [
        ("warning", "2 more like this in the last 30 s", {"like": "fallback", "bot": "ann"})
    ]
    assert is_written("fallback", bot="ann")


def test_a_period_that_held_nothing_back_ends_by_itself() -> None:
    """Catches a rare line that is dropped because many came long ago, and a table of kinds
    without a bound.
    """
    now_s = 0.0
    rate = RateLimit(lambda *_: None, max_lines=1, period_s=10.0, clock=lambda: now_s)
    for number in range(3 * log_rate.MAX_KINDS):
        now_s += 1.0
        rate(None, "info", {"event": "table opened", "table": str(number)})
        rate(None, "info", {"event": f"rare {number % 20}"})
    assert len(rate._periods) <= log_rate.MAX_KINDS


def test_events_asked_for_line_by_line_are_written() -> None:
    """Catches a limit on debugging, and on the record of a match that is kept whole."""
    stream = io.StringIO()
    journal = open_journal(stream, level="debug", as_json=True, max_lines=1)
    for _ in range(50):
        journal.debug("<", line="MATCHSTATE:0:0::")
    whole = open_journal(stream, as_json=True, max_lines=None)
    for _ in range(50):
        whole.warning("fallback")
    assert len(journal_events(stream)) == 100


def test_the_journal_cuts_long_texts() -> None:
    """Catches a peer that writes its megabytes into the log, twenty times in ten seconds."""
    stream = io.StringIO()
    open_journal(stream, as_json=True).info("comment", text="#" * 60_000)
    assert journal_events(stream)[0]["text"] == f"{'#' * MAX_TEXT_LENGTH} … (60000 characters)"
