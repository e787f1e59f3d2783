"""Phases of a command: a status line once the command has been silent for a second.

Where bars are shown it is a row among them (``status_line.py`` says what it is elsewhere).
Compiling has a line of its own, which goes first. A phase ends before its results are printed.
Starts are told on terminals alone, and earlier: they are long on a slow or busy machine only, where
the interpreter has taken its time before.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TextIO

from acpcbot.cli.compile_display import compile_display
from acpcbot.cli.status_line import FIRST_LINE_S, PhaseBars, StatusLine, shown_bars

TICK_S = 0.2
START_QUIET_S = 0.4


class Phase:
    """One phase and its line.

    *clock* is in seconds, *is_busy* tells whether another line is in the way.

    That of a start comes earlier than others, and on terminals alone.
    """

    def __init__(
        self,
        text: str,
        stream: TextIO,
        *,
        is_start: bool = False,
        rows: Callable[[], PhaseBars | None] = lambda: None,
        is_busy: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.text = text
        self._line = StatusLine(stream, in_files=not is_start)
        self._after_s = START_QUIET_S if is_start else FIRST_LINE_S
        self._rows, self._is_busy, self._clock = rows, is_busy, clock
        self._began_s = clock()
        self._shown_in: PhaseBars | None = None

    def tick(self, quiet_since_s: float) -> None:
        """Bring the line up to date; nothing else has been shown since *quiet_since_s*."""
        now_s = self._clock()
        if self._is_busy() or now_s - max(self._began_s, quiet_since_s) < self._after_s:
            self.erase()
            return
        took_s = now_s - self._began_s
        rows = self._rows()
        if rows is not None:
            rows.show_phase(self._words(took_s))
            self._shown_in = rows
        else:
            self._line.show(self._words(took_s), took_s)

    def erase(self) -> None:
        """Take away what is shown on a terminal."""
        if self._shown_in is not None:
            self._shown_in.end_phase()
            self._shown_in = None
        self._line.erase()

    def _words(self, took_s: float) -> str:
        return f"{self.text}, {took_s:.0f} s"


class _Phases:
    """The phases of this process, the innermost last; a thread ticks while there are any."""

    def __init__(self) -> None:
        self.are_shown = False
        self._open: list[Phase] = []
        self._lock = threading.Lock()
        self._quiet_since_s = 0.0
        self._ticker: threading.Thread | None = None
        self._wakes = threading.Event()

    @property
    def are_open(self) -> bool:
        return bool(self._open)

    def enter(self, phase: Phase) -> None:
        with self._lock:
            if self._open:
                self._open[-1].erase()
            self._open.append(phase)
            if self._ticker is None:
                self._ticker = threading.Thread(target=self._keep_ticking, daemon=True)
                self._ticker.start()
        self._wakes.set()

    def leave(self, phase: Phase) -> None:
        with self._lock:
            self._open.remove(phase)
            phase.erase()
            self._quiet_since_s = time.monotonic()

    def tell_of_bar(self) -> None:
        """Something else has moved: no line is needed for a while."""
        self._quiet_since_s = time.monotonic()

    def tick(self) -> None:
        with self._lock:
            if self._open:
                self._open[-1].tick(self._quiet_since_s)
            else:
                self._wakes.clear()

    def _keep_ticking(self) -> None:
        while True:
            self._wakes.wait()
            time.sleep(TICK_S)
            self.tick()


_PHASES = _Phases()


def show_phases() -> None:
    """Tell of phases from now on: this process runs a command and nothing else."""
    _PHASES.are_shown = True


def are_shown() -> bool:
    """Return whether this process tells of phases."""
    return _PHASES.are_shown


@contextmanager
def phase(text: str, *, is_start: bool = False) -> Iterator[None]:
    """Tell on stderr that *text* goes on, as long as this lasts and nothing else is shown."""
    if not _PHASES.are_shown:
        yield
        return
    busy = compile_display()
    entered = Phase(
        text, sys.stderr, is_start=is_start, rows=shown_bars, is_busy=lambda: busy.is_compiling
    )
    _PHASES.enter(entered)
    try:
        yield
    finally:
        _PHASES.leave(entered)


def start_phase(text: str) -> AbstractContextManager[None]:
    """Return the phase *text* of a start; nothing where a phase is open, which goes on."""
    return nullcontext() if _PHASES.are_open else phase(text, is_start=True)


def bar_moved() -> None:
    """Tell phases that a bar or a line of something else has just been shown."""
    _PHASES.tell_of_bar()
