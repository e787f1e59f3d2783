"""The pool without processes: who is given which table when, and what is made of a worker's end."""

from __future__ import annotations

from dataclasses import replace
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from acpcbot.matches.plan import MatchPlan
from acpcbot.net import worker_pool as crew_module
from acpcbot.net.players import PortOpened, RemotePorts
from acpcbot.net.worker_pool import (
    TableReport,
    TableTask,
    Work,
    WorkerPool,
    _Worker,
    tasks_of,
)
from acpcbot.poker.definition import format_definition
from acpcbot.worker_processes import WorkerProcess
from tests.support.games import KUHN, definition_of

PLAN = MatchPlan(
    ("call", "remote:a"),
    KUHN,
    format_definition(definition_of(KUHN)),
    10,
    seed=7,
    is_duplicate=True,
)
OTHERS = replace(PLAN, strategies=("call", "raise"))
DOORS = RemotePorts(ports={"a": 5})


class Process:
    """The part of a process that a pool needs."""

    exitcode = 7

    def terminate(self) -> None: ...
    def join(self) -> None: ...


class Workers:
    """The other ends of the pipes of all workers that were hired."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ends: list[Connection] = []
        monkeypatch.setattr(crew_module, "_spawn", self._spawn)

    def _spawn(self, work: Work, doors: RemotePorts) -> _Worker:
        ours, theirs = Pipe()
        self.ends.append(theirs)
        return _Worker(WorkerProcess(Process(), ours))  # type: ignore[arg-type]


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> Workers:
    return Workers(monkeypatch)


def crew_of(size: int, doors: RemotePorts = DOORS) -> WorkerPool:
    return WorkerPool(lambda task, doors, on_open: 0, size, doors)


def tasks_for(*plans: MatchPlan) -> list[TableTask]:
    return [
        task for number, plan in enumerate(plans) for task in tasks_of(plan, Path(f"m{number}"))
    ]


def test_no_more_tables_are_taken_than_there_are_workers(workers: Workers) -> None:
    pool, waiting = crew_of(3), tasks_for(OTHERS, OTHERS)
    tables = list(waiting)
    pool.take(waiting)
    assert (pool.tasks, waiting) == (tables[:3], tables[3:])
    assert [end.recv() for end in workers.ends] == tables[:3]


def test_workers_are_not_hired_for_nothing(workers: Workers) -> None:
    pool = crew_of(30)
    pool.take(tasks_for(OTHERS))
    assert len(workers.ends) == 2


def test_tables_that_need_the_same_port_wait_for_each_other_and_for_nobody_else(
    workers: Workers,
) -> None:
    pool, waiting = crew_of(4), tasks_for(PLAN, OTHERS)
    first, second, *others = list(waiting)
    pool.take(waiting)
    assert pool.tasks == [first, *others]
    workers.ends[0].send(TableReport(first.name))
    assert list(pool.messages()) == [TableReport(first.name)]
    pool.take(waiting)
    assert pool.tasks == [second, *others]
    assert not waiting


def test_ports_of_the_systems_choice_keep_nobody_waiting(workers: Workers) -> None:
    pool = crew_of(2, RemotePorts())
    pool.take(tasks_for(PLAN))
    assert len(pool.tasks) == 2


def test_a_door_is_told_of_and_its_table_goes_on(workers: Workers) -> None:
    pool = crew_of(1)
    pool.take(tasks_for(PLAN))
    door = PortOpened("m0/table000", "a", "127.0.0.1", 5)
    workers.ends[0].send(door)
    assert list(pool.messages()) == [door]
    assert len(pool.tasks) == 1


def test_a_worker_that_ends_fails_its_table_and_another_takes_the_next(workers: Workers) -> None:
    pool, waiting = crew_of(1), tasks_for(OTHERS)
    first, second = list(waiting)
    pool.take(waiting)
    workers.ends[0].close()
    assert list(pool.messages()) == [
        TableReport(first.name, fault="its process ended with status 7")
    ]
    pool.take(waiting)
    assert pool.tasks == [second]
    assert workers.ends[1].recv() == second
