"""Lines with colours on stdout, where that is a terminal and ``NO_COLOR`` is not set."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.text import Text


def print_lines(lines: Iterable[Text | str]) -> None:
    """Print *lines* as they are: nothing in a name or a state is taken for markup or an emoji."""
    console = Console(markup=False, emoji=False, highlight=False, soft_wrap=True)
    for line in lines:
        console.print(line)
