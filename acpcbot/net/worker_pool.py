"""Worker processes that play tables, one after another, and tell how each ended.

A worker ends when the process that hired it does, however that ends; one that ends
before takes its table with it, and another one is hired for the next table. Tables that
need the same port are not played at the same time.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from pathlib import Path

from acpcbot.errors import AcpcbotError
from acpcbot.jit import CompileEvent, on_compile
from acpcbot.matches.plan import MatchPlan, TablePlan
from acpcbot.net.players import OnOpen, PortOpened, RemotePorts

POLL_S = 0.1


@dataclass(frozen=True, slots=True)
class TableTask:
    """One table of the match that is kept in *folder*."""

    plan: MatchPlan
    folder: Path
    table: TablePlan

    @property
    def name(self) -> str:
        """Folder and name of its files."""
        return str(self.folder / self.table.name)

    @property
    def log(self) -> Path:
        """Where its hands are."""
        return Path(f"{self.name}.log")


def tasks_of(plan: MatchPlan, folder: Path) -> list[TableTask]:
    """All tables of the match in *folder*."""
    return [TableTask(plan, folder, table) for table in plan.tables()]


@dataclass(frozen=True, slots=True)
class TableReport:
    """How one table ended: its fallbacks, or what went wrong."""

    table: str
    num_fallbacks: int = 0
    fault: str = ""


@dataclass(frozen=True, slots=True)
class CompileNotice:
    """A kernel that a worker compiles for a table.

    None when that table is over, whatever was being compiled.
    """

    table: str
    event: CompileEvent | None


Message = PortOpened | TableReport | CompileNotice
Work = Callable[[TableTask, RemotePorts, OnOpen], int]
"""Plays a table, tells of the doors that it opens, and returns the number of fallbacks."""


@dataclass(slots=True)
class _Worker:
    """A worker process, the pipe for tables and messages, and the pipe whose end tells it that
    we are gone.
    """

    process: multiprocessing.process.BaseProcess
    orders: Connection
    lifeline: Connection
    task: TableTask | None = None


class WorkerPool:
    """At most *size* workers, hired when there is something to do for them.

    *work* is what they do.
    """

    def __init__(self, work: Work, size: int, doors: RemotePorts) -> None:
        self._work = work
        self._size = size
        self._doors = doors
        self._workers: list[_Worker] = []

    @property
    def tasks(self) -> list[TableTask]:
        """What is being played."""
        return [worker.task for worker in self._workers if worker.task is not None]

    def take(self, waiting: list[TableTask]) -> None:
        """Give every free worker a table from *waiting*."""
        while (task := self._playable(waiting)) and (worker := self._free_worker()):
            waiting.remove(task)
            worker.task = task
            with contextlib.suppress(BrokenPipeError):  # it has ended, as its messages will tell
                worker.orders.send(task)

    def _playable(self, waiting: list[TableTask]) -> TableTask | None:
        """The first of *waiting* whose ports are free."""
        taken = {port for task in self.tasks for port in self._doors.own_ports(task.plan)}
        return next(
            (task for task in waiting if taken.isdisjoint(self._doors.own_ports(task.plan))), None
        )

    def _free_worker(self) -> _Worker | None:
        free = next((worker for worker in self._workers if worker.task is None), None)
        if free is None and len(self._workers) < self._size:
            free = _hire(self._work, self._doors)
            self._workers.append(free)
        return free

    def messages(self) -> Iterator[Message]:
        """What workers have to say, after a moment at the latest."""
        speakers = {
            id(worker.orders): worker for worker in self._workers if worker.task is not None
        }
        for pipe in wait([worker.orders for worker in speakers.values()], timeout=POLL_S):
            yield self._hear(speakers[id(pipe)])

    def _hear(self, worker: _Worker) -> Message:
        assert worker.task is not None
        try:
            message: Message = _received(worker.orders.recv(), worker.task)
        except (EOFError, ConnectionResetError):
            worker.process.join()
            message = TableReport(
                worker.task.name, fault=f"its process ended with status {worker.process.exitcode}"
            )
            self._dismiss(worker)
        if isinstance(message, TableReport):
            worker.task = None
        return message

    def close(self) -> None:
        """Send all workers away, in the midst of their tables if need be."""
        for worker in list(self._workers):
            self._dismiss(worker)

    def _dismiss(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        worker.process.terminate()
        worker.process.join()
        worker.orders.close()
        worker.lifeline.close()


def _received(message: PortOpened | TableReport | CompileEvent, task: TableTask) -> Message:
    """Return what a worker sent, with the table that it concerns."""
    return CompileNotice(task.name, message) if isinstance(message, CompileEvent) else message


def _hire(work: Work, doors: RemotePorts) -> _Worker:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    lifeline, their_lifeline = context.Pipe()
    process = context.Process(target=_live, args=(theirs, their_lifeline, work, doors), daemon=True)
    with interrupts_postponed():
        process.start()
    theirs.close()
    their_lifeline.close()
    return _Worker(process, ours, lifeline)


@contextmanager
def interrupts_postponed() -> Iterator[None]:
    """Processes that are started here hear no interrupt.

    One that comes meanwhile is ours, and raised at the end.
    """
    late: list[int] = []
    heard = signal.signal(signal.SIGINT, lambda number, _frame: late.append(number))
    try:
        if sys.platform == "win32":
            yield
        else:
            resource_tracker.ensure_running()  # its own start would lift the mask again
            blocked = signal.pthread_sigmask(
                signal.SIG_BLOCK, {signal.SIGINT}
            )  # which processes inherit
            try:
                yield
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
    finally:
        signal.signal(signal.SIGINT, heard)
        if late:
            signal.raise_signal(signal.SIGINT)


def _live(orders: Connection, lifeline: Connection, work: Work, doors: RemotePorts) -> None:
    """A worker's life: tables in, messages out, until it is ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_die_with_parent, args=(lifeline,), daemon=True).start()
    one_at_a_time = (
        threading.Lock()
    )  # agents think in threads of their own, and what they need may be compiled there

    def send(message: PortOpened | TableReport | CompileEvent) -> None:
        with one_at_a_time:
            orders.send(message)

    on_compile(send)
    while True:
        task: TableTask = orders.recv()
        try:
            report = TableReport(task.name, work(task, doors, send))
        except (AcpcbotError, OSError) as error:
            report = TableReport(task.name, fault=str(error))
        send(report)


def _die_with_parent(lifeline: Connection) -> None:
    with contextlib.suppress(EOFError, OSError):
        lifeline.recv_bytes()
    os._exit(1)
