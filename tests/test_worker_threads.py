"""Threads that are left when somebody interrupts, and waited for otherwise."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import Future
from pathlib import Path
from threading import Event

import pytest

from acpcbot.worker_threads import worker_threads

ROOT = Path(__file__).parents[1]


def test_all_work_is_done_at_the_end() -> None:
    done: list[int] = []
    with worker_threads(2) as threads:
        for number in range(10):
            threads.submit(done.append, number)
    assert sorted(done) == list(range(10))


def test_a_caller_who_fails_waits_for_nothing() -> None:
    """Catches an interrupt that lasts as long as what was begun: the thread here would never
    end by itself.
    """
    go, begun = Event(), Event()
    late: list[int] = []
    running: list[Future[None]] = []

    def wait() -> None:
        begun.set()
        go.wait()

    def be_interrupted() -> None:
        with worker_threads(1) as threads:
            running.append(threads.submit(wait))
            threads.submit(late.append, 1)
            begun.wait()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        be_interrupted()
    assert running[0].running()
    go.set()
    running[0].result()
    assert not late


PROGRAM = """
import threading
from acpcbot.worker_threads import leave_at_once, worker_threads
begun = threading.Event()
try:
    with worker_threads(1) as threads:
        threads.submit(lambda: (begun.set(), threading.Event().wait()))
        begun.wait()
        raise KeyboardInterrupt
except KeyboardInterrupt:
    print("left", end="")
    leave_at_once(130)
"""


def test_a_process_may_end_in_the_middle_of_its_threads_work() -> None:
    """Catches python's own wait at the end: this process would never end."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, timeout=60
    )
    assert (result.returncode, result.stdout) == (130, "left")
