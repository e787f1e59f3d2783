"""Structured logs: readable on a terminal, one JSON object a line otherwise; never on stdout.

What peers cause is written at a bounded rate (``log_rate.py``), and long texts are cut.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any, TextIO

from acpcbot.net.json_journal import DEBUG, ERROR, INFO, WARNING, JsonJournal
from acpcbot.net.log_rate import MOST_LINES, PERIOD_S, RateLimit, Tell

Journal = Any
"""A structlog logger, or what writes the same as JSON; ``journal.info("event", key=value)``."""

LEVELS = {"debug": DEBUG, "info": INFO, "warning": WARNING, "error": ERROR}
LONGEST_TEXT = 1000


def open_journal(
    stream: TextIO | None = None,
    *,
    level: str = "info",
    as_json: bool | None = None,
    most_lines: int | None = MOST_LINES,
    period_s: float = PERIOD_S,
) -> Journal:
    """A logger that writes to *stream* (stderr unless given); JSON unless that is a terminal.

    Of one kind it writes *most_lines* within *period_s*, and counts the rest; None is for every line.
    """
    target = stream or sys.stderr
    if as_json is None:
        as_json = not target.isatty()
    if not as_json:
        return _for_people(target, level, most_lines, period_s)
    unlimited = JsonJournal(target, LEVELS[level], _cut_texts)
    if most_lines is None:
        return unlimited
    rate = RateLimit(_teller(unlimited), most_lines=most_lines, period_s=period_s)
    return replace(unlimited, lets_through=rate.lets_through)


def _for_people(target: TextIO, level: str, most_lines: int | None, period_s: float) -> Journal:
    """A logger that writes lines for a terminal."""
    import structlog  # which brings rich and asyncio: what is written for machines needs neither

    written = [
        _cut_event,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        structlog.dev.ConsoleRenderer(),
    ]
    unlimited = _logger(target, level, written)
    if most_lines is None:
        return unlimited
    rate = RateLimit(_teller(unlimited), most_lines=most_lines, period_s=period_s)
    return _logger(target, level, [rate, *written])


def _teller(journal: Journal) -> Tell:
    """What tells *journal* of the lines that were held back."""
    return lambda method, event, fields: getattr(journal, method)(event, **fields)


def _logger(target: TextIO, level: str, processors: list[Any]) -> Journal:
    import structlog

    return structlog.wrap_logger(
        structlog.PrintLogger(target),
        processors=processors,
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        cache_logger_on_first_use=True,
    )


def _cut_event(_logger: object, method: str, event: Any) -> Any:
    """``_cut_texts`` as a processor of structlog."""
    _cut_texts(method, event)
    return event


def _cut_texts(method: str, event: dict[str, Any]) -> None:
    """Cut what may be a peer's line of any length; debugging shows lines whole."""
    if method != "debug":
        for name, value in event.items():
            if isinstance(value, str) and len(value) > LONGEST_TEXT:
                event[name] = f"{value[:LONGEST_TEXT]} … ({len(value)} characters)"
