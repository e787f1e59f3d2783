"""Progress bars on stderr: a line for each task, with its share, a note and the time left."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from acpcbot.cli.phases import are_shown, bar_moved
from acpcbot.cli.status_line import FIRST_LINE_S, NEXT_LINE_S

Advance = Callable[[int, int], None]
LARGE_FILE = 16 << 20


_SHOWN: list[_NotedProgress] = []


class _NotedProgress(Progress):
    """Progress bars with a row for what delays them all."""

    _delay: TaskID | None = None
    _phase: TaskID | None = None

    def start(self) -> None:
        super().start()
        if not self.disable and self.console.is_terminal:
            _SHOWN.append(self)

    def stop(self) -> None:
        if self in _SHOWN:
            _SHOWN.remove(self)
        super().stop()

    def show_delay(self, text: str, note: str, num_done: int, total: int | None) -> None:
        """Show *text*, a *note* and how far that is in a row of its own."""
        if self._delay is None:
            self._delay = self.add_task(text, total=total, note="")
        self.update(
            self._delay,
            description=text,
            note=note.rpartition(".")[2],
            completed=num_done,
            total=total,
        )

    def end_delay(self) -> None:
        """Take the row away."""
        if self._delay is not None:
            self.remove_task(self._delay)
            self._delay = None

    def show_phase(self, text: str) -> None:
        """Show *text* in a row of its own, without a measure."""
        if self._phase is None:
            self._phase = self.add_task(text, total=None, note="")
        self.update(self._phase, description=text)

    def end_phase(self) -> None:
        """Take that row away."""
        if self._phase is not None:
            self.remove_task(self._phase)
            self._phase = None


def shown_bars() -> _NotedProgress | None:
    """Return the bars that stand on the terminal now, the innermost ones of several."""
    return _SHOWN[-1] if _SHOWN else None


def make_bars(*, in_files: bool = True) -> Progress:
    """Bars for ``new_bar``.

    With *in_files* false none are drawn at the end where stderr is no terminal.
    """
    console = Console(file=sys.stderr)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>5.1f}%"),
        TextColumn("{task.fields[note]}"),
        TimeRemainingColumn(),
    )
    return _NotedProgress(*columns, console=console, disable=not (in_files or console.is_terminal))


def new_bar(bars: Progress, name: str) -> Advance:
    """Return the function that advances a new bar; it takes the work done and the total.

    Where stderr is no terminal a line tells the share after the first second, and then every ten.
    """
    tasks: list[TaskID] = []
    lines = ShareLines(name, bars.console) if are_shown() and not bars.console.is_terminal else None

    def advance(done: int, total: int) -> None:
        if not tasks:
            tasks.append(bars.add_task(name, total=total, note=""))
        bars.update(tasks[0], completed=done, total=total)
        if lines is not None:
            lines.tell(done, total)
        elif not bars.disable:
            bar_moved()

    return advance


class ShareLines:
    """Lines with the share of *name* that is done, after a second and then every ten."""

    def __init__(
        self, name: str, console: Console, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._name, self._console, self._clock = name, console, clock
        self._due_s: float | None = None

    def tell(self, done: int, total: int) -> None:
        """Write the line if it is due."""
        now_s = self._clock()
        if self._due_s is None:
            self._due_s = now_s + FIRST_LINE_S
        if now_s >= self._due_s and done < total:
            self._due_s = now_s + NEXT_LINE_S
            self._console.print(
                f"{self._name}: {done / total:.1%}", markup=False, highlight=False, soft_wrap=True
            )
            bar_moved()


@contextmanager
def watched(path: Path) -> Iterator[BinaryIO]:
    """The file at *path*, with a progress bar where it is large and somebody watches."""
    console = Console(stderr=True)
    is_worth_a_bar = console.is_terminal and path.stat().st_size >= LARGE_FILE
    with (
        _NotedProgress(console=console, transient=True, disable=not is_worth_a_bar) as progress,
        progress.open(path, "rb", description=path.name) as file,
    ):
        yield file
