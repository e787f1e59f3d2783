"""Progress of loading and compiling while the page is already open, and what went wrong.

Strategies need numba, kernels and large arrays: seconds, or half a minute where nothing is compiled
yet. They are loaded in a thread, which tells a ``Loading`` how far it is. The thread never touches
the event loop's objects.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol, TextIO

from acpcbot.errors import AcpcbotError
from acpcbot.web.connection import Host

Message = dict[str, Any]
DETAIL_S = 0.25
"""Kernels are compiled by the hundred: one is told of as often as this."""


class Service(Host, Protocol):
    """Answers browsers, once it is made.

    ``prepare`` makes ready what is most likely to be played.
    """

    def prepare(self, loading: Loading) -> None:
        """Load and compile; called in the loading thread."""

    async def open(self) -> None:
        """Begin to serve, in the event loop."""

    def is_prepared(self) -> None:
        """All is loaded."""

    async def close(self) -> None:
        """End all matches."""

    def card(self, game: int, strategy: int) -> str | None:
        """Return the strength card of a strategy of the lobby; None where there is none."""


class LoadingStopped(Exception):
    """The server stops: nothing more is to be loaded."""


class Loading:
    """Progress of loading.

    *tell* is called in the loading thread, with a message for every open page.
    """

    def __init__(self, tell: Callable[[Message], None], talk: TextIO | None = None) -> None:
        self._tell, self._talk = tell, talk or sys.stderr
        self._text, self._detail, self._done, self._total = "starting", "", 0, 0
        self._failures: list[str] = []
        self._is_over = False
        self._lock = threading.Lock()
        self._num_compiled, self._depth, self._kernel = 0, 0, ""
        self._told_s = self._started_s = time.monotonic()
        self._stopped = threading.Event()

    def step(self, text: str, done: int = 0, total: int = 0) -> None:
        """*text* is done now, after *done* of *total* steps; raises LoadingStopped."""
        self._text, self._done, self._total = text, done, total
        print(f"{text} ...", file=self._talk, flush=True)
        self._told_s = time.monotonic()
        self._send()

    def compiled(self, kernel: str, *, is_over: bool) -> None:
        """Count *kernel*, whose compiling begins or is over.

        Also when all was loaded and something new is played.
        """
        with self._lock:
            self._num_compiled += is_over
            self._depth += -1 if is_over else 1
            if not is_over and self._depth == 1:
                self._kernel = kernel
            is_due = not self._depth or time.monotonic() - self._told_s >= DETAIL_S
            self._detail = (
                f"compiling, once: {self._num_compiled} functions, now {self._kernel}"
                if self._depth
                else ""
            )
        if is_due and not self._stopped.is_set():
            self._told_s = time.monotonic()
            with suppress(LoadingStopped):  # nothing can stop a compiler half-way
                self._tell(self.plain())

    def fail(self, what: str, error: Exception) -> None:
        """*what* could not be loaded; the rest goes on. Raises LoadingStopped."""
        is_plain = isinstance(error, AcpcbotError | OSError)
        text = f"{what}: {error}" if is_plain else f"{what}: {type(error).__name__}: {error}"
        self._failures.append(text)
        print(f"error: {text}", file=self._talk, flush=True)
        self._send()

    def finish(self) -> None:
        """All is loaded that can be; raises LoadingStopped."""
        self._text, self._is_over = "", True
        print(
            f"ready after {time.monotonic() - self._started_s:.1f} s", file=self._talk, flush=True
        )
        self._send()

    def stop(self) -> None:
        """Let the thread end with what it tells next."""
        self._stopped.set()

    def plain(self) -> Message:
        """Return what a page shows."""
        return {
            "type": "loading",
            "text": ": ".join(filter(None, (self._text, self._detail))),
            "done": self._done,
            "total": self._total,
            "failures": list(self._failures),
            "isOver": self._is_over,
        }

    def _send(self) -> None:
        if self._stopped.is_set():
            raise LoadingStopped
        self._tell(self.plain())
