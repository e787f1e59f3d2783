"""Status line while kernels are compiled: the kernel, the share that is done, and the seconds.

Above a progress bar it is a row of the bar's own (``status_line.py`` says what it is elsewhere).
Kernels that are loaded from the cache are not counted. Once a process has compiled something, the
compiled code of older versions is deleted at its end.
"""

from __future__ import annotations

import atexit
import sys
import threading
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import TextIO

from acpcbot.cli.renamed import renamed
from acpcbot.cli.status_line import DelayBars, StatusLine, shown_bars
from acpcbot.jit import CompileEvent, on_compile

TICK_S = 0.2
QUIET_S = 0.3
"""Shorter than this is not worth a line on a terminal."""
GROUPS = ("log", "tournament")
"""Commands whose second word says what they do."""

# How many functions a command compiles with an empty cache, its callees and numba's own included: a
# line can tell how far it is. Measured by `./dev bench compiling`.
TYPICAL_FUNCTIONS = {
    "match": 39,
    "exploitability": 116,
    "evaluate": 184,
    "lbr": 97,
    "explain": 172,
    "solve": 128,
}


class CompileDisplay:
    """Listener to the compiler, with its line on *stream* or in the bars that are shown."""

    def __init__(
        self,
        stream: TextIO,
        total: int | None = None,
        *,
        shown_bars: Callable[[], DelayBars | None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._line = StatusLine(stream, quiet_s=QUIET_S)
        self._total = total
        self._shown_bars = shown_bars
        self._clock = clock
        self._lock = threading.Lock()
        self._compiling: dict[str, list[str]] = {}
        self._num_done = 0
        self._busy_s = 0.0
        self._since_s = 0.0
        self._bars: DelayBars | None = None
        self._ticker: threading.Thread | None = None

    def __call__(self, event: CompileEvent, source: str = "") -> None:
        """Count the kernel of *event*.

        The line stands while any *source*, this process or another, compiles.
        """
        with self._lock:
            if not event.is_over:
                if not self._compiling:
                    self._since_s = self._clock()
                    self._start_ticker()
                self._compiling.setdefault(source, []).append(event.kernel)
                return
            kernels = self._compiling.get(source)
            if kernels is None:
                return  # its start was lost: an interrupt can fall into the lines above
            self._num_done += 1
            kernels.pop()
            if not kernels:
                self._forget(source)

    @property
    def is_compiling(self) -> bool:
        """True while anything is being compiled."""
        return bool(self._compiling)

    @property
    def num_done(self) -> int:
        """Number of functions compiled so far, callees and numba's own included."""
        return self._num_done

    def end(self, source: str) -> None:
        """Forget what *source* was compiling: it is gone."""
        with self._lock:
            if source in self._compiling:
                self._forget(source)

    def _forget(self, source: str) -> None:
        del self._compiling[source]
        if not self._compiling:
            self._busy_s += self._clock() - self._since_s
            self._erase()

    def tick(self) -> None:
        """Bring the line up to date, where compiling has lasted long enough for one."""
        with self._lock:
            if not self._compiling:
                return
            took_s = self._busy_s + self._clock() - self._since_s
            self._bars = self._shown_bars()
            if self._bars is not None:
                self._bars.show_delay(
                    "compiling, once", self._current(), self._num_done, self._known_total()
                )
            else:
                self._line.show(self._text(took_s), took_s)

    def _text(self, took_s: float) -> str:
        total = self._known_total()
        of_total = f" of about {total}" if total else ""
        done = f"{self._num_done}{of_total} functions, {took_s:.0f} s"
        return f"compiling, once: {done}, now {self._current()}"

    def _known_total(self) -> int | None:
        """Return the usual number of functions of this command, None once there are more."""
        return self._total if self._total and self._total > self._num_done else None

    def _current(self) -> str:
        return ", ".join(sorted({kernels[0] for kernels in self._compiling.values()}))

    def _erase(self) -> None:
        if self._bars is not None:
            self._bars.end_delay()
            self._bars = None
        self._line.erase()

    def _start_ticker(self) -> None:
        if self._ticker is None:
            atexit.register(_drop_old_kernels)
            self._ticker = threading.Thread(target=self._keep_ticking, daemon=True)
            self._ticker.start()

    def _keep_ticking(self) -> None:
        while True:
            time.sleep(TICK_S)
            self.tick()


@cache
def compile_display() -> CompileDisplay:
    """Return the display of this process, which processes that it started share."""
    return CompileDisplay(
        sys.stderr, TYPICAL_FUNCTIONS.get(command_of(sys.argv[1:])), shown_bars=shown_bars
    )


def show_compiling() -> None:
    """Tell on stderr of all that this process compiles."""
    on_compile(compile_display())


def command_of(words: Sequence[str]) -> str:
    """Return the words of a command line that name the command, in today's spelling.

    >>> command_of(["evaluate", "exact", "call"]), command_of(["log", "check", "x"]), command_of([])
    ('exploitability', 'log check', '')
    """
    words = renamed(words).words
    return " ".join(words[: 2 if words[:1] and words[0] in GROUPS else 1])


def _drop_old_kernels() -> None:
    # A process that compiles has loaded this module; a dealer never does.
    from acpcbot.cache_folders import drop_old_kernels

    drop_old_kernels()
