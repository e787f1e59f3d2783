"""``python -m acpcbot`` and the ``acpcbot`` command."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from acpcbot.cli.compile_display import show_compiling
from acpcbot.cli.dispatch import main as run_command
from acpcbot.cli.phases import show_phases, start_phase
from acpcbot.cli.process import repeat_lost_interrupts
from acpcbot.jit import while_loading

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command in *argv*, else this process's own with its progress shown on stderr."""
    if argv is not None:
        return run_command(argv)
    show_compiling()
    show_phases()
    while_loading(lambda: start_phase("loading the compiler"))
    repeat_lost_interrupts()
    return run_command(leave=_leave)


def _leave(status: int) -> None:
    # Imported here: it loads the library of threads, which most commands do without.
    from acpcbot.worker_threads import leave_at_once

    leave_at_once(status)


if __name__ == "__main__":
    sys.exit(main())
