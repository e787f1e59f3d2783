"""Playing all tables of a match in worker processes, so that it may be killed at any moment.

Each worker plays one table after another, over sockets or in process. What was
played is what the tables' logs hold: progress is counted there, and a match that
is run again plays only what is missing. A worker ends when the process that
started it does, however that ends.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path

from acpcbot.agents.registry import KNOWN, is_router, make_agent
from acpcbot.errors import AcpcbotError
from acpcbot.matches.in_process import play_in_process
from acpcbot.matches.log_progress import LogProgress
from acpcbot.matches.match_files import MatchFiles
from acpcbot.matches.plan import MatchPlan, TablePlan
from acpcbot.net.journal import Journal, open_journal
from acpcbot.net.loop import run
from acpcbot.net.socket_table import Player, Program, play_over_sockets
from acpcbot.rng import Stream

POLL_S = 0.1


@dataclass(frozen=True, slots=True)
class TableReport:
    """How one table ended: its fallbacks, or what went wrong."""

    table: str
    num_fallbacks: int = 0
    fault: str = ""


@dataclass
class _Worker:
    """A worker process, the tables' pipe and the pipe whose end tells it that we are gone."""

    process: multiprocessing.process.BaseProcess
    orders: Connection
    lifeline: Connection
    table: TablePlan | None = field(default=None)


def run_match(
    plan: MatchPlan, folder: Path, *, num_workers: int, on_progress: Callable[[int], None]
) -> list[TableReport]:
    """Play what is missing of *plan* in *folder*; *on_progress* is told the number of finished hands."""
    tables = plan.tables()
    progress = [LogProgress(folder / f"{table.name}.log") for table in tables]
    on_progress(sum(log.num_hands() for log in progress))
    waiting = deque(table for table, log in zip(tables, progress, strict=True) if not log.is_scored)
    workers = [_hire(plan, folder) for _ in range(min(num_workers, len(waiting)))]
    reports: list[TableReport] = []
    try:
        for worker in workers:
            _order(worker, waiting)
        while any(worker.table for worker in workers):
            for worker in _answering(workers):
                reports.append(_receive(worker))
                _order(worker, waiting)
            on_progress(sum(log.num_hands() for log in progress))
    finally:
        for worker in workers:
            _dismiss(worker)
    return reports


def _hire(plan: MatchPlan, folder: Path) -> _Worker:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    lifeline, their_lifeline = context.Pipe()
    process = context.Process(target=_work, args=(theirs, their_lifeline, plan, folder), daemon=True)
    heard = signal.signal(signal.SIGINT, signal.SIG_IGN)  # inherited: an interrupt is ours alone
    process.start()
    signal.signal(signal.SIGINT, heard)
    theirs.close()
    their_lifeline.close()
    return _Worker(process, ours, lifeline)


def _order(worker: _Worker, waiting: deque[TablePlan]) -> None:
    worker.table = waiting.popleft() if waiting and worker.process.is_alive() else None
    if worker.table is not None:
        worker.orders.send(worker.table)


def _answering(workers: list[_Worker]) -> list[_Worker]:
    busy = {id(worker.orders): worker for worker in workers if worker.table is not None}
    return [busy[id(pipe)] for pipe in wait([worker.orders for worker in busy.values()], timeout=POLL_S)]


def _receive(worker: _Worker) -> TableReport:
    try:
        report: TableReport = worker.orders.recv()
        return report
    except EOFError:
        worker.process.join()
        name = worker.table.name if worker.table else ""
        return TableReport(name, fault=f"its process ended with status {worker.process.exitcode}")


def _dismiss(worker: _Worker) -> None:
    worker.process.terminate()
    worker.process.join()
    worker.orders.close()
    worker.lifeline.close()


def _work(orders: Connection, lifeline: Connection, plan: MatchPlan, folder: Path) -> None:
    """A worker's life: tables in, reports out, until it is ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_die_with_parent, args=(lifeline,), daemon=True).start()
    journal = open_journal((folder / "clients.log").open("a", encoding="utf-8"), level="warning", as_json=True)
    while True:
        table: TablePlan = orders.recv()
        try:
            report = TableReport(table.name, play_table(plan, table, folder, journal))
        except (AcpcbotError, OSError) as error:
            report = TableReport(table.name, fault=str(error))
        orders.send(report)


def _die_with_parent(lifeline: Connection) -> None:
    with contextlib.suppress(EOFError, OSError):
        lifeline.recv_bytes()
    os._exit(1)


def play_table(plan: MatchPlan, table: TablePlan, folder: Path, journal: Journal) -> int:
    """Play what is missing of one table; the number of fallbacks."""
    settings = plan.settings(table, folder)
    files = MatchFiles(settings.name, keeps_log=True, keeps_transactions=settings.keeps_transactions, appends=True)
    try:
        for line in settings.header:
            files.log(line)
        players = [player_for(plan, table, entrant) for entrant in table.seating]
        if plan.is_in_process:
            return play_in_process(settings, [p for p in players if not isinstance(p, Program)], files)
        return run(play_over_sockets(settings, players, files, journal))
    finally:
        files.close()


def player_for(plan: MatchPlan, table: TablePlan, entrant: int) -> Player:
    """Entrant number *entrant* at *table*, with a seed of his own there."""
    strategy = plan.strategies[entrant]
    if is_program(strategy):
        return Program(Path(strategy))
    seed = Stream(plan.seed, table.number, entrant).bits() >> 33
    return make_agent(strategy, plan.definition, seed)


def is_program(strategy: str) -> bool:
    """Whether *strategy* is an executable file, to be started as ``PROGRAM HOST PORT``."""
    if strategy in KNOWN or is_router(strategy):
        return False
    return Path(strategy).is_file() and os.access(strategy, os.X_OK)
