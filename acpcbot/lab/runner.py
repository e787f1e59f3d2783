"""Units of an experiment in worker processes, their rows kept as each is finished.

A unit is begun and ended in one process, and depends on nothing but its settings and its seed: rows
are the same at any number of processes. Rows and notes of units in progress come through pipes, for
the line of progress; what is kept are the rows of finished units.
"""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait

from acpcbot.errors import AcpcbotError, UsageError
from acpcbot.jit import CompileEvent, on_compile
from acpcbot.lab.catalogue import find_experiment
from acpcbot.lab.experiment import Budget, Experiment, Note, Row, Unit
from acpcbot.lab.results import Results
from acpcbot.worker_processes import WorkerProcess, spawn_worker

POLL_S = 0.1


@dataclass(frozen=True, slots=True)
class RowFound:
    """A row that a unit in progress has yielded, or a note."""

    row: Row | Note


@dataclass(frozen=True, slots=True)
class UnitDone:
    """The end of a unit, with the seconds of CPU that it took."""

    cpu_seconds: float


@dataclass(frozen=True, slots=True)
class UnitFailed:
    """The error that ended a unit, and its hint."""

    error: str
    hint: str = ""


Message = RowFound | UnitDone | UnitFailed | CompileEvent
Listener = Callable[[Unit, Message], None]
"""Called with each message of a unit in progress."""


@dataclass(slots=True)
class _Worker:
    """A worker process, its unit, and the rows of that so far."""

    link: WorkerProcess
    unit: Unit
    rows: list[Row]


def run_experiment(
    experiment: Experiment,
    budget: Budget,
    results: Results,
    num_processes: int,
    listener: Listener,
    on_tick: Callable[[], None] = lambda: None,
) -> None:
    """Do all units that *results* lacks, in at most *num_processes* worker processes.

    *on_tick* is called ten times a second. Raises UsageError if a unit fails; finished ones are
    kept.
    """
    results.begin()
    waiting, workers = results.missing, list[_Worker]()
    idle: list[WorkerProcess] = []
    try:
        while waiting or workers:
            while waiting and len(workers) < num_processes:
                link = idle.pop() if idle else spawn_worker(_work, experiment.name, budget)
                workers.append(_Worker(link, waiting.pop(0), []))
                folder = results.scratch_folder(workers[-1].unit)
                folder.mkdir(parents=True, exist_ok=True)
                link.orders.send((workers[-1].unit, folder))
            ready = {id(worker.link.orders): worker for worker in workers}
            for pipe in wait([worker.link.orders for worker in workers], timeout=POLL_S):
                worker = ready[id(pipe)]
                message = _receive(worker)
                listener(worker.unit, message)
                if isinstance(message, UnitFailed):
                    raise UsageError(f"{worker.unit.name}: {message.error}", message.hint)
                if isinstance(message, RowFound) and not isinstance(message.row, Note):
                    worker.rows.append(message.row)
                if isinstance(message, UnitDone):
                    results.keep(worker.unit, worker.rows, message.cpu_seconds)
                    workers.remove(worker)
                    idle.append(worker.link)
            on_tick()
    finally:
        for link in [*idle, *(worker.link for worker in workers)]:
            link.terminate()
        results.close()


def _receive(worker: _Worker) -> Message:
    try:
        message: Message = worker.link.orders.recv()
    except (EOFError, ConnectionResetError):
        worker.link.process.join()
        status = worker.link.process.exitcode
        return UnitFailed(
            f"its process ended with status {status}",
            "the same command goes on; --jobs 1 takes least memory",
        )
    return message


def _work(orders: Connection, name: str, budget: Budget) -> None:
    """Run a worker: receive units, do them and send messages, until it is terminated."""
    # Threads of an experiment may compile kernels, which is reported too.
    one_at_a_time = threading.Lock()

    def send(message: Message) -> None:
        with one_at_a_time:
            orders.send(message)

    on_compile(send)
    experiment = find_experiment(name)
    while True:
        unit, folder = orders.recv()
        start_s = time.process_time()
        try:
            for row in experiment.run(unit, budget, folder):
                send(RowFound(row))
            send(UnitDone(time.process_time() - start_s))
        except (AcpcbotError, OSError) as error:
            send(UnitFailed(str(error), getattr(error, "hint", "")))
        except Exception as error:  # a fault of ours: the traceback is for its report
            traceback.print_exc()
            send(UnitFailed(f"{type(error).__name__}: {error}"))
