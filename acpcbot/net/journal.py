"""Structured logs: readable on a terminal, one JSON object a line otherwise; never on stdout.

What peers cause is written at a bounded rate (``log_rate.py``), and long texts are cut.
"""

from __future__ import annotations

import sys
from typing import Any, TextIO

from acpcbot.net.log_rate import MOST_LINES, PERIOD_S, RateLimit

Journal = Any
"""A structlog logger; ``journal.info("event", key=value)``."""

LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}
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
    import structlog  # which brings rich and asyncio: who opens no journal needs neither

    target = stream or sys.stderr
    if as_json is None:
        as_json = not target.isatty()
    renderer: Any = structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer()
    written = [
        _cut_texts,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        renderer,
    ]
    unlimited = _logger(target, level, written)
    if most_lines is None:
        return unlimited
    rate = RateLimit(
        lambda method, event, fields: getattr(unlimited, method)(event, **fields),
        most_lines=most_lines,
        period_s=period_s,
    )
    return _logger(target, level, [rate, *written])


def _logger(target: TextIO, level: str, processors: list[Any]) -> Journal:
    import structlog

    return structlog.wrap_logger(
        structlog.PrintLogger(target),
        processors=processors,
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        cache_logger_on_first_use=True,
    )


def _cut_texts(_logger: object, method: str, event: Any) -> Any:
    """Cut what may be a peer's line of any length; debugging shows lines whole."""
    if method != "debug":
        for name, value in event.items():
            if isinstance(value, str) and len(value) > LONGEST_TEXT:
                event[name] = f"{value[:LONGEST_TEXT]} … ({len(value)} characters)"
    return event
