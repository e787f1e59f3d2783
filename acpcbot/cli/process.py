"""The process of a command: signals that end it, and garbage that is collected rarely.

Long work ends in good order, and no interrupt is lost. Python swallows interrupts within
finalizers and callbacks from C. The compiler does both all the time, so that one Ctrl-C in ten at
its start went unheard.
"""

from __future__ import annotations

import _thread
import gc
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

AGAIN_S = 0.05
NEW_OBJECTS = 100_000
"""As many come into being before Python looks for rings of objects that nobody else refers to."""


@contextmanager
def stopping(tell: Callable[[], None] = lambda: None) -> Iterator[Callable[[], bool]]:
    """Let SIGINT and SIGTERM end the work after the current step.

    *tell* is called at once; the yielded function returns True once a signal has come.
    """
    came: list[int] = []

    def stop(number: int, _frame: FrameType | None) -> None:
        came.append(number)
        tell()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: bool(came)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


_swallowed: list[type[BaseException]] = []


def repeat_lost_interrupts() -> None:
    """Send an interrupt that Python swallows to the main thread again, a moment later.

    Report other errors as ever.
    """
    sys.unraisablehook = _repeat


def interrupt_was_swallowed() -> bool:
    """Return whether Python has swallowed an interrupt; errors after that are of its making.

    The compiler, for one, swallows it where compiled code is handed over, and then complains that
    there is none.
    """
    return bool(_swallowed)


def _repeat(what: sys.UnraisableHookArgs) -> None:
    if not issubclass(what.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(what)
        return
    _swallowed.append(what.exc_type)
    timer = threading.Timer(AGAIN_S, _interrupt_main_thread)
    timer.daemon = True
    timer.start()


def _interrupt_main_thread() -> None:
    main = threading.main_thread().ident
    if main is not None and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main, signal.SIGINT)  # which also ends a wait within the system
    else:
        _thread.interrupt_main()


def look_rarely() -> None:
    """Collect garbage rarely from now on, and leave what there is alone: for play and dealing.

    Nothing in a match refers to itself, so that looking for rings of objects finds nothing.
    """
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS)
