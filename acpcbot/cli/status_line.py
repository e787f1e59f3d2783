"""A line on stderr that says what goes on, progress bars that may show it instead, and durations.

On a terminal the line is written over itself and vanishes at the end. Elsewhere, as in a log file,
a line is printed after a second and then every ten.
"""

from __future__ import annotations

import sys
from typing import Protocol, TextIO

FIRST_LINE_S = 1.0
NEXT_LINE_S = 10.0
ERASE_LINE = "\r\x1b[2K"
UNITS = ((86_400.0, "days"), (3600.0, "hours"), (60.0, "minutes"), (1.0, "s"))
# Under two of a unit the next smaller one says more.
LEAST_UNITS = 2


class DelayBars(Protocol):
    """Progress bars that can show a row for what delays them all, as compiling does."""

    def show_delay(self, text: str, note: str, num_done: int, total: int | None) -> None:
        """Show *text*, a *note* and how far that is in a row of its own."""

    def end_delay(self) -> None:
        """Take the row away."""


class PhaseBars(Protocol):
    """Progress bars that can show a row for the phase that a command is in."""

    def show_phase(self, text: str) -> None:
        """Show *text* in a row of its own."""

    def end_phase(self) -> None:
        """Take the row away."""


class ShownBars(DelayBars, PhaseBars, Protocol):
    """Progress bars that stand on the terminal."""


def shown_bars() -> ShownBars | None:
    """Return the bars that are shown, if any: a command without bars has not imported them."""
    module = sys.modules.get("acpcbot.cli.progress_bars")
    find = getattr(module, "shown_bars", None)  # none while they are being imported
    bars: ShownBars | None = find() if find is not None else None
    return bars


class StatusLine:
    """The line of one task on *stream*: from *quiet_s* seconds on, where that is a terminal.

    With *in_files* false nothing is printed elsewhere.
    """

    def __init__(self, stream: TextIO, *, quiet_s: float = 0.0, in_files: bool = True) -> None:
        self._stream, self._quiet_s, self._in_files = stream, quiet_s, in_files
        self._next_line_s = FIRST_LINE_S
        self._is_drawn = False

    def show(self, text: str, took_s: float) -> None:
        """Show *text* of a task that has taken *took_s* seconds, if a line is due.

        Nothing is shown on a stream that is closed: a program that runs commands may have closed it
        while something is being compiled.
        """
        if self._stream.closed:
            return
        if self._stream.isatty():
            if took_s >= self._quiet_s:
                self._stream.write(f"{ERASE_LINE}{text}")
                self._stream.flush()
                self._is_drawn = True
        elif self._in_files and took_s >= self._next_line_s:
            self._next_line_s = took_s + NEXT_LINE_S
            print(text, file=self._stream, flush=True)

    def erase(self) -> None:
        """Take the line away from the terminal."""
        if self._is_drawn and not self._stream.closed:
            self._stream.write(ERASE_LINE)
            self._stream.flush()
            self._is_drawn = False


def duration_text(seconds: float) -> str:
    """*seconds* in the unit that suits them, to two digits or so.

    >>> duration_text(0.64), duration_text(93), duration_text(150), duration_text(7560)
    ('0.6 s', '93 s', '2.5 minutes', '2.1 hours')
    """
    size, unit = next((found for found in UNITS if seconds >= LEAST_UNITS * found[0]), UNITS[-1])
    number = seconds / size
    return f"{number:.0f} {unit}" if number >= 10 else f"{number:.1f} {unit}"
