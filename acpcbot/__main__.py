"""``python -m acpcbot`` and the ``acpcbot`` command."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from acpcbot.cli.compile_display import show_compiling
from acpcbot.cli.dispatch import main as run_command

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command, this process's own unless *argv* is given, and tell of what the process compiles for its own."""
    if argv is None:
        show_compiling()
    return run_command(argv)


if __name__ == "__main__":
    sys.exit(main())
