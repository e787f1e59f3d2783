"""Structured logs: readable on a terminal, else one JSON object a line; never on stdout.

Peers cause many of the lines that a server writes: refused messages, comments, broken connections.
So lines are written at a bounded rate: of each kind at most ``MAX_LINES`` within ``PERIOD_S``
seconds, then one line that counts the rest. Long texts are cut.

Lines of JSON are those of structlog's ``JSONRenderer``, with a level and a UTC time in ISO format.
structlog itself writes for terminals only: it imports its terminal renderer, a tenth of a second
that bots and tables in the background do not need.
"""

from __future__ import annotations

import atexit
import json
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, TextIO

MAX_LINES = 20
PERIOD_S = 10.0
MAX_KINDS = 1024
MAX_TEXT_LENGTH = 1000
OWN_FIELDS = ("bot", "player", "table")
"""Fields with names of our own, which distinguish kinds of one event; peers' texts never do."""

DEBUG, INFO, WARNING, ERROR = 10, 20, 30, 40
LEVELS = {"debug": DEBUG, "info": INFO, "warning": WARNING, "error": ERROR}


Journal = Any
"""A structlog logger, or a ``JsonJournal``: ``journal.info("event", key=value)``."""

Event = dict[str, Any]
LetsThrough = Callable[[str, Event], bool]
"""Decides by a method's name and an event with its fields whether to write the event."""
Report = Callable[[str, str, dict[str, Any]], None]
Kind = tuple[str, ...]


def open_journal(
    stream: TextIO | None = None,
    *,
    level: str = "info",
    as_json: bool | None = None,
    max_lines: int | None = MAX_LINES,
    period_s: float = PERIOD_S,
) -> Journal:
    """Return a logger that writes to *stream* (default stderr); JSON unless it is a terminal.

    Of one kind it writes *max_lines* within *period_s*, and counts the rest; with None it writes
    every line.
    """
    target = stream or sys.stderr
    if as_json is None:
        as_json = not target.isatty()
    if not as_json:
        return _terminal_journal(target, level, max_lines, period_s)
    unlimited = JsonJournal(target, LEVELS[level], _cut_texts)
    if max_lines is None:
        return unlimited
    rate = RateLimit(_reporter(unlimited), max_lines=max_lines, period_s=period_s)
    return replace(unlimited, lets_through=rate.lets_through)


def _terminal_journal(
    target: TextIO, level: str, max_lines: int | None, period_s: float
) -> Journal:
    """Return a logger that writes lines for a terminal."""
    import structlog  # imported here, as it loads rich and asyncio, which JSON does not need

    written = [
        _cut_event,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        structlog.dev.ConsoleRenderer(),
    ]
    unlimited = _logger(target, level, written)
    if max_lines is None:
        return unlimited
    rate = RateLimit(_reporter(unlimited), max_lines=max_lines, period_s=period_s)
    return _logger(target, level, [rate, *written])


def _reporter(journal: Journal) -> Report:
    """Return the function that reports withheld lines to *journal*."""
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
    """Cut the texts of *event*, as a processor of structlog."""
    _cut_texts(method, event)
    return event


def _cut_texts(method: str, event: Event) -> None:
    """Cut texts longer than ``MAX_TEXT_LENGTH``, except in debug lines."""
    if method != "debug":
        for name, value in event.items():
            if isinstance(value, str) and len(value) > MAX_TEXT_LENGTH:
                event[name] = f"{value[:MAX_TEXT_LENGTH]} … ({len(value)} characters)"


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


class RateLimit:
    """A structlog processor that drops excess lines of one kind, and reports their number later.

    *report* is called with a method of the journal, an event and its fields, from a thread of its
    own, at the end of a period in which lines were withheld. Debug lines are never dropped.
    """

    def __init__(
        self,
        report: Report,
        *,
        max_lines: int = MAX_LINES,
        period_s: float = PERIOD_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._report, self._clock = report, clock
        self._max_lines, self._period_s = max_lines, period_s
        self._periods: dict[Kind, _Period] = {}
        self._lock = threading.Lock()
        self._reports_at_exit = False

    def __call__(self, _logger: object, method: str, event: Event) -> Event:
        """Return *event*, or raise DropEvent if its kind has reached its limit."""
        if not self.lets_through(method, event):
            from structlog import DropEvent

            raise DropEvent
        return event

    def flush(self) -> None:
        """Report now all withheld lines."""
        for kind in list(self._periods):
            self._end(kind)

    def lets_through(self, method: str, event: Event) -> bool:
        """Return whether *event* is to be written: False if its kind has reached its limit."""
        if method == "debug":
            return True
        fields = {name: event[name] for name in OWN_FIELDS if name in event}
        kind = (str(event.get("event")), *map(str, fields.values()))
        with self._lock:
            period = self._period(kind, method, fields)
            period.num_lines += 1
            if period.num_lines <= self._max_lines:
                return True
            period.num_withheld += 1
            if period.num_withheld == 1:
                self._report_later(kind, period)
        return False

    def _period(self, kind: Kind, method: str, fields: dict[str, Any]) -> _Period:
        """Return the current period of *kind*; one with withheld lines lasts until its report."""
        found, now_s = self._periods.get(kind), self._clock()
        if found is not None and (found.num_withheld or now_s - found.started_s < self._period_s):
            return found
        if len(self._periods) >= MAX_KINDS:
            self._forget_ended(now_s)
        self._periods[kind] = _Period(method, fields, now_s)
        return self._periods[kind]

    def _forget_ended(self, now_s: float) -> None:
        for kind, period in list(self._periods.items()):
            if not period.num_withheld and now_s - period.started_s >= self._period_s:
                del self._periods[kind]

    def _report_later(self, kind: Kind, period: _Period) -> None:
        left_s = max(0.0, period.started_s + self._period_s - self._clock())
        timer = threading.Timer(left_s, self._end, [kind])
        timer.daemon = True
        timer.start()
        if not self._reports_at_exit:
            self._reports_at_exit = True
            atexit.register(self.flush)  # a process that ends first still reports

    def _end(self, kind: Kind) -> None:
        with self._lock:
            period = self._periods.pop(kind, None)
        if period is not None and period.num_withheld:
            passed_s = self._clock() - period.started_s
            summary = f"{period.num_withheld} more like this in the last {round(passed_s, 1):g} s"
            with suppress(ValueError):  # the stream was closed meanwhile
                self._report(period.method, summary, {"like": kind[0], **period.fields})


@dataclass(slots=True)
class _Period:
    """The counts of written and withheld lines of one kind since *started_s*."""

    method: str
    fields: dict[str, Any]
    started_s: float
    num_lines: int = 0
    num_withheld: int = 0
