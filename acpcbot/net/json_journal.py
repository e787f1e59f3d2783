"""A journal that writes one JSON object a line, as structlog does, without importing it.

structlog imports its terminal renderer, a tenth of a second that bots and tables in the background
do not need. The lines are those of its ``JSONRenderer``, with a level and a UTC time in ISO format.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, TextIO

DEBUG, INFO, WARNING, ERROR = 10, 20, 30, 40

Event = dict[str, Any]
LetsThrough = Callable[[str, Event], bool]
"""Decides by a method's name and an event with its fields whether to write the event."""


@dataclass(frozen=True, slots=True)
class JsonJournal:
    """A journal of events of *least_level* and above on *stream*, each with the *bound* fields.

    *lets_through* may refuse an event, and *prepare* changes its fields before they are written.
    """

    stream: TextIO
    least_level: int
    prepare: Callable[[str, Event], None]
    lets_through: LetsThrough = lambda _method, _event: True
    bound: Mapping[str, Any] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def bind(self, **fields: Any) -> JsonJournal:
        """Return the same journal with *fields* in every event."""
        return replace(self, bound={**self.bound, **fields})

    def is_enabled_for(self, level: int) -> bool:
        """Return whether events of *level* are written."""
        return level >= self.least_level

    def debug(self, event: str, **fields: Any) -> None:
        """Write *event*, a detail for the search for faults."""
        self._write(DEBUG, "debug", event, fields)

    def info(self, event: str, **fields: Any) -> None:
        """Write *event*."""
        self._write(INFO, "info", event, fields)

    def warning(self, event: str, **fields: Any) -> None:
        """Write *event*, a problem that was handled."""
        self._write(WARNING, "warning", event, fields)

    def error(self, event: str, **fields: Any) -> None:
        """Write *event*, a failure."""
        self._write(ERROR, "error", event, fields)

    def exception(self, event: str, **fields: Any) -> None:
        """Write *event* with the exception that is being handled."""
        self.error(event, **{"exc_info": sys.exception(), **fields})

    def _write(self, level: int, method: str, event: str, fields: Event) -> None:
        if level < self.least_level:
            return
        said: Event = {**self.bound, **fields, "event": event}
        if not self.lets_through(method, said):
            return
        self.prepare(method, said)
        said["level"] = method
        said["timestamp"] = datetime.now(UTC).isoformat().replace("+00:00", "Z")
        fault = said.pop("exc_info", None)
        if fault is not None:
            said["exception"] = _traceback(fault)
        with self.lock:
            print(json.dumps(said, default=repr), file=self.stream, flush=True)


def _traceback(fault: BaseException) -> str:
    import traceback  # which few journals need

    return "".join(traceback.format_exception(fault)).removesuffix("\n")
