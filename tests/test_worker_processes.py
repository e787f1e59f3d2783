"""Worker processes: interrupts, and their end with the process that started them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from multiprocessing.connection import Connection

import pytest

from acpcbot.worker_processes import interrupts_postponed, spawn_worker


def answer(orders: Connection, more: int) -> None:
    """Add *more* to each number that comes."""
    while True:
        orders.send(orders.recv() + more)


def test_a_worker_answers_and_ends_when_it_is_told_to() -> None:
    """Caught: a worker that hears the terminal's interrupt and ends."""
    worker = spawn_worker(answer, 3)
    worker.orders.send(4)
    assert worker.orders.recv() == 7
    assert worker.process.pid is not None
    os.kill(worker.process.pid, signal.SIGINT)
    worker.orders.send(5)
    assert worker.orders.recv() == 8
    worker.terminate()
    assert not worker.process.is_alive()


def test_an_interrupt_while_a_worker_is_hired_comes_afterwards_and_is_not_lost() -> None:
    reached: list[str] = []

    def hire() -> None:
        with interrupts_postponed():
            signal.raise_signal(signal.SIGINT)
            reached.append("the end")

    with pytest.raises(KeyboardInterrupt):
        hire()
    assert reached == ["the end"]
    with pytest.raises(KeyboardInterrupt):  # as before, there are no others to come
        signal.raise_signal(signal.SIGINT)


@pytest.mark.skipif(sys.platform == "win32", reason="signals to processes")
def test_a_process_that_is_started_meanwhile_does_not_hear_an_interrupt() -> None:
    """Caught: a mask that the start of multiprocessing's tracker lifts again."""
    deaf = "import os, signal; os.kill(os.getpid(), signal.SIGINT); print('alive')"
    with interrupts_postponed():
        done = subprocess.run(
            [sys.executable, "-c", deaf], capture_output=True, text=True, check=False
        )
    assert (done.stdout, done.stderr) == ("alive\n", "")
