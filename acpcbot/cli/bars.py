"""Progress bars on stderr: a task a line, with its share, the time left, and a note where there is one."""

from __future__ import annotations

import sys
from collections.abc import Callable

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

Advance = Callable[[int, int], None]


def make_bars(*, in_files: bool = True) -> Progress:
    """Bars for ``new_bar``; with *in_files* false none are drawn where stderr is no terminal."""
    console = Console(file=sys.stderr)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>5.1f}%"),
        TextColumn("{task.fields[note]}"),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=console, disable=not (in_files or console.is_terminal))


def new_bar(bars: Progress, name: str) -> Advance:
    """What advances a bar, shown from its first call on: called with what is done, and the total."""
    tasks: list[TaskID] = []

    def advance(done: int, total: int) -> None:
        if not tasks:
            tasks.append(bars.add_task(name, total=total, note=""))
        bars.update(tasks[0], completed=done, total=total)

    return advance
