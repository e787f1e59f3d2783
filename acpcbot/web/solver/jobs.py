"""Jobs of the solver: spots, their progress, and the process that solves them.

One spot is solved at a time, and the process begins with the first order. All browsers see the same
jobs; one that is running is stopped by the browser that began it alone.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from acpcbot.errors import UsageError
from acpcbot.net.journal import Journal
from acpcbot.web.solver.file_decision import FileDecision
from acpcbot.web.solver.orders import (
    Answer,
    Effort,
    Measure,
    Order,
    Phase,
    Read,
    Refusal,
    Reply,
    Report,
    Size,
    Solve,
    Stop,
    Study,
    StudyFile,
)
from acpcbot.web.solver.spot import Plain, SolverSpot
from acpcbot.worker_processes import WorkerProcess, spawn_worker

MOST_JOBS = 8
"""Jobs that are listed: what they solved is in memory for the last two of them."""
MOST_POINTS = 400
"""Of a job's curve of exploitability."""
ANSWER_S = 120.0
"""For the first answer: loading the solver takes seconds, compiling it half a minute."""
COUNTING_S = 30.0
"""For any other: betting is counted at two million decisions a second."""
STOPPING_S = 5.0
IDLE_S = 1800.0
"""Solutions that nobody asks about for so long are forgotten, and their memory is free again."""
IS_LOST = "the process that solves has ended; perhaps it took more memory than there is"


class SolverBusy(UsageError):
    """Another spot is being solved."""


@dataclass(slots=True)
class Job:
    """A spot that is solved, for the browser of *guest*."""

    number: int
    guest: str
    spot: SolverSpot
    phase: Phase = "building"
    size: Size | None = None
    reason: str = ""
    began_s: float = field(default_factory=time.monotonic)
    curve: list[Effort] = field(default_factory=list)

    @property
    def is_running(self) -> bool:
        """True until it is solved, stopped or failed."""
        return self.phase in ("building", "solving")

    def hear(self, report: Report) -> None:
        """Note how far it is."""
        self.phase, self.reason = report.phase, report.reason
        self.size = report.size or self.size
        if report.effort is not None:
            self.curve.append(report.effort)
        if len(self.curve) > MOST_POINTS:
            del self.curve[1:-1:2]

    def plain(self, guest: str, kept: frozenset[int]) -> Plain:
        """Return what the page shows of it to *guest*."""
        return {
            "job": self.number,
            "label": self.spot.label,
            "spot": spot_plain(self.spot),
            "phase": self.phase,
            "isOwn": guest == self.guest,
            "isKept": self.number in kept,
            "reason": self.reason,
            "elapsed": time.monotonic() - self.began_s,
            "size": None if self.size is None else size_plain(self.size),
            "curve": [
                [one.num_iterations, one.seconds, 100 * one.exploitability_chips / self.spot.pot]
                for one in self.curve
            ],
        }


class SolverJobs:
    """The jobs of one server, and its one process, which ends after *idle_s* without work.

    Used in the event loop alone.
    """

    def __init__(self, journal: Journal, idle_s: float = IDLE_S) -> None:
        self._journal, self._idle_s = journal, idle_s
        self._idle: asyncio.TimerHandle | None = None
        self._jobs: deque[Job] = deque(maxlen=MOST_JOBS)
        self._kept: frozenset[int] = frozenset()
        self._waiting: dict[int, asyncio.Future[Size | str]] = {}
        self._has_answered = False
        self._num_asked = 0
        self._num_jobs = 0
        self._worker: WorkerProcess | None = None

    def plain(self, guest: str) -> Plain:
        """Return all jobs, the newest first, as the page shows them to *guest*."""
        return {"jobs": [job.plain(guest, self._kept) for job in reversed(self._jobs)]}

    async def measure(self, spot: SolverSpot) -> Plain:
        """Return the size of *spot*; raises AcpcbotError, where it is too large too."""
        self._verify_free()
        spot.verify()
        try:
            size = await self._ask(partial(Measure, spot=spot), self._longest_s)
        except TimeoutError:
            self._end_worker("the betting of a spot could not be counted in time")
            raise UsageError(
                "the betting of this spot is too large to be counted",
                "fewer or larger bets, or smaller stacks, make it smaller",
            ) from None
        assert isinstance(size, Size)
        return size_plain(size)

    def solve(self, spot: SolverSpot, guest: str) -> Plain:
        """Begin to solve *spot* for *guest*; raises AcpcbotError."""
        self._verify_free()
        spot.verify()
        self._num_jobs += 1
        job = Job(self._num_jobs, guest, spot)
        self._jobs.append(job)
        self._send(Solve(job.number, spot))
        self._journal.info("solving", job=job.number, spot=spot.label)
        loop = asyncio.get_running_loop()
        loop.call_later(self._longest_s, self._end_if, job, "building", "too large to be built")
        return job.plain(guest, self._kept)

    def stop(self, number: int, guest: str) -> None:
        """Stop job *number*; what it has found so far is kept. Raises UsageError."""
        job = next((job for job in self._jobs if job.number == number), None)
        if job is None or not job.is_running:
            return
        if job.guest != guest:
            raise UsageError("another browser began this job", "it alone can stop it")
        self._send(Stop(number))
        loop = asyncio.get_running_loop()
        loop.call_later(STOPPING_S, self._end_if, job, "building", "stopped while it was built")

    async def read(self, number: int, words: tuple[str, ...]) -> str:
        """Return a street of solution *number* as JSON; raises AcpcbotError."""
        return await self._text(partial(Read, job=number, words=words))

    async def study(self, number: int, words: tuple[str, ...]) -> str:
        """Return the study of a decision of solution *number* as JSON; raises AcpcbotError."""
        return await self._text(partial(Study, job=number, words=words))

    async def study_file(self, decision: FileDecision) -> str:
        """Return the study of a *decision* of a file as JSON; raises AcpcbotError."""
        decision.verify()
        return await self._text(partial(StudyFile, decision=decision))

    async def _text(self, order: Callable[[int], Order]) -> str:
        try:
            text = await self._ask(order, ANSWER_S)
        except TimeoutError:
            raise UsageError("the solver is busy", "try again when it has finished") from None
        assert isinstance(text, str)
        return text

    def close(self) -> None:
        """End the process, in the middle of its work too."""
        self._end_worker("the server was closed")

    @property
    def _longest_s(self) -> float:
        """The most seconds that the process may take to count or build a game."""
        return COUNTING_S if self._has_answered else ANSWER_S

    def _verify_free(self) -> None:
        running = next((job for job in self._jobs if job.is_running), None)
        if running is not None:
            raise SolverBusy(
                f"the solver is busy with {running.spot.label}",
                "wait until it has finished, or stop it",
            )

    async def _ask(self, order: Callable[[int], Order], longest_s: float) -> Size | str:
        self._num_asked += 1
        number = self._num_asked
        future: asyncio.Future[Size | str] = asyncio.get_running_loop().create_future()
        self._waiting[number] = future
        try:
            self._send(order(number))
            return await asyncio.wait_for(future, longest_s)
        finally:
            del self._waiting[number]

    def _send(self, order: Order) -> None:
        if self._worker is None or not self._worker.process.is_alive():
            self._worker = spawn_worker(_run)
            self._kept, self._has_answered = frozenset(), False
            loop = asyncio.get_running_loop()
            listener = partial(_listen, self._worker, loop, self._hear, self._lose)
            threading.Thread(target=listener, name="solver", daemon=True).start()
        self._worker.orders.send(order)
        self._await_orders()

    def _await_orders(self) -> None:
        """End the process when it has had no order, and solved nothing, for long."""
        if self._idle is not None:
            self._idle.cancel()
        self._idle = asyncio.get_running_loop().call_later(self._idle_s, self._end_idle)

    def _end_idle(self) -> None:
        if any(job.is_running for job in self._jobs) or self._waiting:
            self._await_orders()
        else:
            self._end_worker("nobody has asked for long")

    def _hear(self, worker: WorkerProcess, reply: Reply) -> None:
        if worker is not self._worker:
            return
        self._has_answered = True
        match reply:
            case Answer(number, value):
                if number in self._waiting and not self._waiting[number].done():
                    self._waiting[number].set_result(value)
            case Refusal(number, reason):
                if number in self._waiting and not self._waiting[number].done():
                    self._waiting[number].set_exception(UsageError(reason))
            case Report():
                self._hear_report(reply)

    def _hear_report(self, report: Report) -> None:
        for job in self._jobs:
            if job.number == report.job:
                job.hear(report)
        if report.kept:
            self._kept = frozenset(report.kept)
        if report.phase not in ("building", "solving"):
            self._journal.info(report.phase, job=report.job, reason=report.reason)
            self._await_orders()  # whoever waited for it has all of the time to look at it

    def _lose(self, worker: WorkerProcess) -> None:
        """The process has ended by itself."""
        if worker is self._worker:
            self._journal.error("the solver ended", reason=IS_LOST)
            self._end_worker(IS_LOST)

    def _end_if(self, job: Job, phase: Phase, reason: str) -> None:
        if job.phase == phase:
            self._end_worker(reason)

    def _end_worker(self, reason: str) -> None:
        worker, self._worker, self._kept = self._worker, None, frozenset()
        if self._idle is not None:
            self._idle.cancel()
        if worker is None:
            return
        worker.terminate()
        for job in self._jobs:
            if job.is_running:
                job.hear(Report(job.number, "failed", reason=reason))
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(UsageError(reason))


def _run(orders: Any) -> None:
    """Solve in this process, which loads the compiler now."""
    from acpcbot.web.solver.process import run_solver

    run_solver(orders)


def _listen(
    worker: WorkerProcess,
    loop: asyncio.AbstractEventLoop,
    hear: Callable[[WorkerProcess, Reply], None],
    lose: Callable[[WorkerProcess], None],
) -> None:
    """Tell the event loop what the process sends, until it has ended."""
    try:
        while True:
            reply = worker.orders.recv()
            loop.call_soon_threadsafe(hear, worker, reply)
    except (EOFError, OSError):
        pass
    except RuntimeError:
        return  # the loop has ended
    try:
        loop.call_soon_threadsafe(lose, worker)
    except RuntimeError:
        pass


def spot_plain(spot: SolverSpot) -> Plain:
    """Return *spot* as the page fills its form with it."""
    return {name: getattr(spot, name) for name in SolverSpot.__slots__}


def size_plain(size: Size) -> Plain:
    """Return *size* as the page shows it."""
    return {
        "decisions": size.decisions,
        "boards": size.boards,
        "bytes": size.num_bytes,
        "freeBytes": size.free_bytes,
        "seconds": size.seconds,
    }
