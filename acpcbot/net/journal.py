"""Structured logs: readable on a terminal, one JSON object a line otherwise; never on stdout."""

from __future__ import annotations

import sys
from typing import Any, TextIO

import structlog

Journal = Any
"""A structlog logger; ``journal.info("event", key=value)``."""

LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}


def open_journal(stream: TextIO | None = None, *, level: str = "info", as_json: bool | None = None) -> Journal:
    """A logger that writes to *stream* (stderr unless given); JSON unless that is a terminal."""
    target = stream or sys.stderr
    if as_json is None:
        as_json = not target.isatty()
    renderer: Any = structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer()
    return structlog.wrap_logger(
        structlog.PrintLogger(target),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        cache_logger_on_first_use=True,
    )
