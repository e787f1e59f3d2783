"""Worker processes with a pipe for orders and messages, which end with their parent process.

``spawn_worker`` starts one. A worker ignores interrupts, which a terminal sends to all processes of
a command: the parent hears them and ends its workers in good order. However the parent ends, its
workers end as well; ``end_with_parent`` makes that so for a worker of a process pool.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection


@dataclass(slots=True)
class WorkerProcess:
    """A worker process, and the pipe for orders and messages."""

    process: multiprocessing.process.BaseProcess
    orders: Connection

    def terminate(self) -> None:
        """End the worker, even in the middle of its work, and wait until it has ended."""
        self.process.terminate()
        self.process.join()
        self.orders.close()


def spawn_worker(main: Callable[..., None], *arguments: object) -> WorkerProcess:
    """Return a new process that calls *main* with its end of the pipe, and with *arguments*."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_run_worker, args=(main, theirs, arguments), daemon=True)
    with interrupts_postponed():
        process.start()
    theirs.close()
    return WorkerProcess(process, ours)


@contextmanager
def interrupts_postponed() -> Iterator[None]:
    """Start processes with SIGINT blocked; one that comes meanwhile is raised here at the end.

    In another thread than the main one only new processes are spared: the main thread hears the
    signal.
    """
    if threading.current_thread() is not threading.main_thread():
        with _interrupts_blocked():
            yield
        return
    late: list[int] = []
    heard = signal.signal(signal.SIGINT, lambda number, _frame: late.append(number))
    try:
        with _interrupts_blocked():
            yield
    finally:
        signal.signal(signal.SIGINT, heard)
        if late:
            signal.raise_signal(signal.SIGINT)


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Block SIGINT in this thread; processes that it starts inherit that."""
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # its own start would unblock the signal
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


def _run_worker(
    main: Callable[..., None],
    orders: Connection,
    arguments: tuple[object, ...],
) -> None:
    end_with_parent()
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    main(orders, *arguments)


def end_with_parent(interrupt: signal.Handlers = signal.SIG_IGN) -> None:
    """Let this worker end when its parent does, in the middle of its work, too.

    What an *interrupt* does is set as well. Without this the workers of a pool would go on with
    their part after a parent that was killed, and then wait for ever: each holds the queue open for
    the others.
    """
    signal.signal(signal.SIGINT, interrupt)
    threading.Thread(target=_exit_after_parent, daemon=True).start()


def _exit_after_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None, "called in a worker process"
    parent.join()
    os._exit(1)
