"""What aiohttp and asyncio log of connections, in our journal: a line each, and no traceback for a peer's fault."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from aiohttp.http_exceptions import HttpProcessingError

from acpcbot.net.journal import Journal

FOREIGN = ("aiohttp", "asyncio")


class JournalHandler(logging.Handler):
    """Writes records of Python's own logs into *journal*."""

    def __init__(self, journal: Journal) -> None:
        super().__init__(logging.WARNING)
        self._journal = journal

    def emit(self, record: logging.LogRecord) -> None:
        """Write *record*: a request that is none is a warning, whatever else failed an error."""
        fault = record.exc_info[1] if record.exc_info else None
        if isinstance(fault, HttpProcessingError):
            self._journal.warning("bad request", reason=fault.message, source=record.getMessage())
        elif fault is not None:
            self._journal.error("failed", reason=record.getMessage(), exc_info=fault)
        else:
            self._journal.warning(record.name, reason=record.getMessage())


@contextmanager
def foreign_logs(journal: Journal) -> Iterator[None]:
    """Within, what these libraries log stands in *journal* alone."""
    handler = JournalHandler(journal)
    loggers = [logging.getLogger(name) for name in FOREIGN]
    before = [logger.propagate for logger in loggers]
    for logger in loggers:
        logger.addHandler(handler)
        logger.propagate = False
    try:
        yield
    finally:
        for logger, propagate in zip(loggers, before, strict=True):
            logger.removeHandler(handler)
            logger.propagate = propagate
