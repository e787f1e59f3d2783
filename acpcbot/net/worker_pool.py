"""A pool of worker processes that play tables one after another, and report how each ended.

A worker ends with its parent process, however that ends. If a worker ends early, its table fails,
and a new worker is spawned for the next table. Tables that need the same port are not played at
the same time.

``concurrent.futures.ProcessPoolExecutor`` is not used: after the death of one worker it fails all
its futures, and its workers cannot report opened ports and compiled kernels while they work.
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
        """The path of its files, without their suffix."""
        return str(self.folder / self.table.name)

    @property
    def log(self) -> Path:
        """The path of its log."""
        return Path(f"{self.name}.log")


def tasks_of(plan: MatchPlan, folder: Path) -> list[TableTask]:
    """Return the tasks of all tables of the match in *folder*."""
    return [TableTask(plan, folder, table) for table in plan.tables()]


@dataclass(frozen=True, slots=True)
class TableReport:
    """The result of one table: the number of fallbacks, or the error."""

    table: str
    num_fallbacks: int = 0
    fault: str = ""


@dataclass(frozen=True, slots=True)
class CompileNotice:
    """A kernel that a worker compiles for a table; *event* is None when that table is over."""

    table: str
    event: CompileEvent | None


Message = PortOpened | TableReport | CompileNotice
Work = Callable[[TableTask, RemotePorts, OnOpen], int]
"""Plays a table, reports each remote port that it opens, and returns the number of fallbacks."""


@dataclass(slots=True)
class _Worker:
    """A worker process, the pipe for tasks and messages, and the pipe that shows that we live.

    Nothing is sent through *parent_pipe*. When this process ends, the system closes our end, and
    the worker exits.
    """

    process: multiprocessing.process.BaseProcess
    orders: Connection
    parent_pipe: Connection
    task: TableTask | None = None


class WorkerPool:
    """A pool of at most *size* workers, spawned on demand; *work* plays a table in a worker."""

    def __init__(self, work: Work, size: int, remote_ports: RemotePorts) -> None:
        self._work = work
        self._size = size
        self._remote_ports = remote_ports
        self._workers: list[_Worker] = []

    @property
    def tasks(self) -> list[TableTask]:
        """The tasks in play."""
        return [worker.task for worker in self._workers if worker.task is not None]

    def take(self, waiting: list[TableTask]) -> None:
        """Give every free worker a table from *waiting*."""
        while (task := self._playable(waiting)) and (worker := self._free_worker()):
            waiting.remove(task)
            worker.task = task
            with contextlib.suppress(BrokenPipeError):  # it has ended, as ``messages`` will report
                worker.orders.send(task)

    def _playable(self, waiting: list[TableTask]) -> TableTask | None:
        """Return the first of *waiting* whose ports are free."""
        taken = {port for task in self.tasks for port in self._remote_ports.own_ports(task.plan)}
        return next(
            (task for task in waiting if taken.isdisjoint(self._remote_ports.own_ports(task.plan))),
            None,
        )

    def _free_worker(self) -> _Worker | None:
        free = next((worker for worker in self._workers if worker.task is None), None)
        if free is None and len(self._workers) < self._size:
            free = _spawn(self._work, self._remote_ports)
            self._workers.append(free)
        return free

    def messages(self) -> Iterator[Message]:
        """Yield the messages of workers, after waiting at most ``POLL_S`` for one."""
        busy = {id(worker.orders): worker for worker in self._workers if worker.task is not None}
        for pipe in wait([worker.orders for worker in busy.values()], timeout=POLL_S):
            yield self._receive(busy[id(pipe)])

    def _receive(self, worker: _Worker) -> Message:
        assert worker.task is not None
        try:
            message: Message = _received(worker.orders.recv(), worker.task)
        except (EOFError, ConnectionResetError):
            worker.process.join()
            message = TableReport(
                worker.task.name, fault=f"its process ended with status {worker.process.exitcode}"
            )
            self._terminate(worker)
        if isinstance(message, TableReport):
            worker.task = None
        return message

    def close(self) -> None:
        """Terminate all workers, even in the middle of a table."""
        for worker in list(self._workers):
            self._terminate(worker)

    def _terminate(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        worker.process.terminate()
        worker.process.join()
        worker.orders.close()
        worker.parent_pipe.close()


def _received(message: PortOpened | TableReport | CompileEvent, task: TableTask) -> Message:
    """Return what a worker sent, with the table that it concerns."""
    return CompileNotice(task.name, message) if isinstance(message, CompileEvent) else message


def _spawn(work: Work, remote_ports: RemotePorts) -> _Worker:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    parent_pipe, their_parent_pipe = context.Pipe()
    process = context.Process(
        target=_worker_main, args=(theirs, their_parent_pipe, work, remote_ports), daemon=True
    )
    with interrupts_postponed():
        process.start()
    theirs.close()
    their_parent_pipe.close()
    return _Worker(process, ours, parent_pipe)


@contextmanager
def interrupts_postponed() -> Iterator[None]:
    """Start processes with SIGINT blocked; one that comes meanwhile is raised here at the end."""
    late: list[int] = []
    heard = signal.signal(signal.SIGINT, lambda number, _frame: late.append(number))
    try:
        if sys.platform == "win32":
            yield
        else:
            resource_tracker.ensure_running()  # its own start would unblock the signal
            # Processes inherit the mask.
            blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            try:
                yield
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
    finally:
        signal.signal(signal.SIGINT, heard)
        if late:
            signal.raise_signal(signal.SIGINT)


def _worker_main(
    orders: Connection, parent_pipe: Connection, work: Work, remote_ports: RemotePorts
) -> None:
    """Run a worker: receive tasks, play them and send messages, until it is terminated."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_exit_with_parent, args=(parent_pipe,), daemon=True).start()
    # Agents think in threads of their own, where kernels may be compiled and reported.
    one_at_a_time = threading.Lock()

    def send(message: PortOpened | TableReport | CompileEvent) -> None:
        with one_at_a_time:
            orders.send(message)

    on_compile(send)
    while True:
        task: TableTask = orders.recv()
        try:
            report = TableReport(task.name, work(task, remote_ports, send))
        except (AcpcbotError, OSError) as error:
            report = TableReport(task.name, fault=str(error))
        send(report)


def _exit_with_parent(parent_pipe: Connection) -> None:
    with contextlib.suppress(EOFError, OSError):
        parent_pipe.recv_bytes()
    os._exit(1)
