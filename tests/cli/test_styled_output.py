"""Grids of hands have colours on a terminal, and nowhere else."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHOW = [
    sys.executable,
    "-c",
    "from rich.text import Text; from acpcbot.cli.output import print_lines;"
    "print_lines([Text('82', style='white on red'), ':smile: [bold]x[/]'])",
]


def on_a_terminal(**variables: str) -> str:
    """Return the text that a terminal gets."""
    controller, terminal = pty.openpty()
    hidden = ("NO_COLOR", "FORCE_COLOR")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    environment |= {"TERM": "xterm-256color", **variables}
    try:
        subprocess.run(SHOW, cwd=ROOT, stdout=terminal, env=environment, check=True)
    finally:
        os.close(terminal)
    shown = os.read(controller, 4096).decode()
    os.close(controller)
    return shown


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_a_terminal_gets_colours_unless_it_wants_none() -> None:
    assert "\x1b[37;41m82" in on_a_terminal()
    assert "82" in on_a_terminal(NO_COLOR="1")
    assert "41m" not in on_a_terminal(NO_COLOR="1")
    assert ":smile: [bold]x[/]" in on_a_terminal()


def test_a_pipe_gets_plain_text() -> None:
    done = subprocess.run(SHOW, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "82\n:smile: [bold]x[/]\n"
