"""Structured logs: readable on a terminal, one JSON object a line otherwise; never on stdout.

What peers cause is written at a bounded rate (``journal.py``), and long texts are cut.

Log lines at a bounded rate: of each kind a few within a period, then one line that counts the rest.

Peers cause many of the lines that a server writes: refused messages, comments, connections that
break off. However many they cause, the log grows by ``MOST_LINES`` lines of a kind within
``PERIOD_S`` seconds and a summary.
"""

from __future__ import annotations

import atexit
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, TextIO

from acpcbot.net.json_journal import DEBUG, ERROR, INFO, WARNING, JsonJournal

MOST_LINES = 20
PERIOD_S = 10.0
MOST_KINDS = 1024
OWN_FIELDS = ("bot", "player", "table")
"""Fields that hold names of our own, which tell lines of one event apart. What a peer said
never does.
"""

Event = Any
Tell = Callable[[str, str, dict[str, Any]], None]
Kind = tuple[str, ...]


@dataclass(slots=True)
class _Period:
    """What was written and held back of one kind since *started_s*."""

    method: str
    fields: dict[str, Any]
    started_s: float
    num_lines: int = 0
    num_held_back: int = 0


class RateLimit:
    """A structlog processor that drops what is too much of one kind, and tells later how much
    that was.

    *tell* is called with a method of the journal, an event and its fields, from a thread of its own when a period
    ends in which lines were held back. Debugging lines are asked for one by one: they all pass.
    """

    def __init__(
        self,
        tell: Tell,
        *,
        most_lines: int = MOST_LINES,
        period_s: float = PERIOD_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tell, self._clock = tell, clock
        self._most_lines, self._period_s = most_lines, period_s
        self._periods: dict[Kind, _Period] = {}
        self._lock = threading.Lock()
        self._holds_back = False

    def __call__(self, _logger: object, method: str, event: Event) -> Event:
        """Return *event*, or raise DropEvent where its kind has had its lines."""
        if not self.lets_through(method, event):
            from structlog import DropEvent

            raise DropEvent
        return event

    def flush(self) -> None:
        """Tell now what was held back."""
        for kind in list(self._periods):
            self._end(kind)

    def lets_through(self, method: str, event: Event) -> bool:
        """Whether *event* is to be written; False where its kind has had its lines."""
        if method == "debug":
            return True
        fields = {name: event[name] for name in OWN_FIELDS if name in event}
        kind = (str(event.get("event")), *map(str, fields.values()))
        with self._lock:
            period = self._period(kind, method, fields)
            period.num_lines += 1
            if period.num_lines <= self._most_lines:
                return True
            period.num_held_back += 1
            if period.num_held_back == 1:
                self._tell_later(kind, period)
        return False

    def _period(self, kind: Kind, method: str, fields: dict[str, Any]) -> _Period:
        """The period of *kind* that runs now; one that held lines back runs until that is told."""
        found, now_s = self._periods.get(kind), self._clock()
        if found is not None and (found.num_held_back or now_s - found.started_s < self._period_s):
            return found
        if len(self._periods) >= MOST_KINDS:
            self._forget_ended(now_s)
        self._periods[kind] = _Period(method, fields, now_s)
        return self._periods[kind]

    def _forget_ended(self, now_s: float) -> None:
        for kind, period in list(self._periods.items()):
            if not period.num_held_back and now_s - period.started_s >= self._period_s:
                del self._periods[kind]

    def _tell_later(self, kind: Kind, period: _Period) -> None:
        left_s = max(0.0, period.started_s + self._period_s - self._clock())
        timer = threading.Timer(left_s, self._end, [kind])
        timer.daemon = True
        timer.start()
        if not self._holds_back:
            self._holds_back = True
            atexit.register(self.flush)  # a process that ends first still tells

    def _end(self, kind: Kind) -> None:
        with self._lock:
            period = self._periods.pop(kind, None)
        if period is not None and period.num_held_back:
            passed_s = self._clock() - period.started_s
            summary = f"{period.num_held_back} more like this in the last {round(passed_s, 1):g} s"
            with suppress(ValueError):  # the stream was closed meanwhile: nobody reads on
                self._tell(period.method, summary, {"like": kind[0], **period.fields})


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

    Of one kind it writes *most_lines* within *period_s*, and counts the rest; None is for every
    line.
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
