"""Log lines at a bounded rate: of each kind a few within a period, then one line that counts the rest.

Peers cause many of the lines that a server writes: refused messages, comments, connections that break off. However
many they cause, the log grows by ``MOST_LINES`` lines of a kind within ``PERIOD_S`` seconds and a summary.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

MOST_LINES = 20
PERIOD_S = 10.0
MOST_KINDS = 1024
OWN_FIELDS = ("bot", "player", "table")
"""Fields that hold names of our own, which tell lines of one event apart. What a peer said never does."""

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
    """A structlog processor that drops what is too much of one kind, and tells later how much that was.

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
