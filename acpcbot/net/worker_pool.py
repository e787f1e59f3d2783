"""A pool of worker processes that play tables one after another, and report how each ended.

A worker ends with its parent process, however that ends. If a worker ends early, its table fails,
and a new worker is spawned for the next table. Tables that need the same port are not played at
the same time.

``concurrent.futures.ProcessPoolExecutor`` is not used: after the death of one worker it fails all
its futures, and its workers cannot report opened ports and compiled kernels while they work.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path

from acpcbot.errors import AcpcbotError
from acpcbot.jit import CompileEvent, on_compile
from acpcbot.matches.plan import MatchPlan, TablePlan
from acpcbot.net.players import OnOpen, PortOpened, RemotePorts
from acpcbot.worker_processes import WorkerProcess, spawn_worker

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
    """A worker process and the table that it plays."""

    link: WorkerProcess
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
                worker.link.orders.send(task)

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
        busy = {
            id(worker.link.orders): worker for worker in self._workers if worker.task is not None
        }
        for pipe in wait([worker.link.orders for worker in busy.values()], timeout=POLL_S):
            yield self._receive(busy[id(pipe)])

    def _receive(self, worker: _Worker) -> Message:
        assert worker.task is not None
        try:
            message: Message = _received(worker.link.orders.recv(), worker.task)
        except (EOFError, ConnectionResetError):
            worker.link.process.join()
            message = TableReport(
                worker.task.name,
                fault=f"its process ended with status {worker.link.process.exitcode}",
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
        worker.link.terminate()


def _received(message: PortOpened | TableReport | CompileEvent, task: TableTask) -> Message:
    """Return what a worker sent, with the table that it concerns."""
    return CompileNotice(task.name, message) if isinstance(message, CompileEvent) else message


def _spawn(work: Work, remote_ports: RemotePorts) -> _Worker:
    return _Worker(spawn_worker(_worker_main, work, remote_ports))


def _worker_main(orders: Connection, work: Work, remote_ports: RemotePorts) -> None:
    """Run a worker: receive tasks, play them and send messages, until it is terminated."""
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
