"""The process that solves spots: orders come through a pipe, answers and progress go back.

Solving takes all cores for seconds or minutes, and gigabytes. It happens here, so that tables go on
meanwhile, and so that it can be ended whatever it is doing. Solved spots stay in memory, the last
``NUM_KEPT`` of them, so that any decision of theirs can be read; older ones make room.

Sizes are known before anything large is made: the betting is counted without being built, then
the boards are made, which a flop's 2,400 bound, and only then the sums of regrets.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection

from acpcbot.cards.deck import parse_cards
from acpcbot.errors import AcpcbotError, UsageError
from acpcbot.memory import available_bytes, verify_memory
from acpcbot.poker.spots import holdem_spot
from acpcbot.reports.solution import solution_json
from acpcbot.reports.solved_study import decision_study
from acpcbot.subgames.game import RangeGame, make_range_game
from acpcbot.subgames.solution import place_after, read_solution, street_decisions
from acpcbot.subgames.solver import Progress, RangeCFR, fast_settings, solver_bytes
from acpcbot.trees.bet_menu import parse_menu
from acpcbot.trees.betting_tree import betting_bytes, betting_size
from acpcbot.web.solver.orders import (
    Answer,
    Effort,
    Measure,
    Phase,
    Read,
    Reading,
    Refusal,
    Report,
    Size,
    Solve,
    Stop,
    Study,
    StudyFile,
    Waiting,
)
from acpcbot.web.solver.spot import Plain, SolverSpot

NUM_KEPT = 2
MOST_SHARE = 0.8
"""Of the memory that is free: the rest is for the table, and for reading solutions."""
MEMORY_HINT = (
    "fewer sizes of bets, a later street or smaller stacks take less, and sums in 16 bits half"
)
NICENESS = 5
CELLS_A_SECOND = 3e8
"""Before anything was solved here: regrets that two cores update in a second."""
USUAL_ITERATIONS, USUAL_TARGET, TARGET_POWER = 80, 0.5, 0.7
"""Spots take some eighty iterations to 0.5 % of the pot, and 2^0.7 times as many to half of it."""
REPORTS_A_SECOND = 10.0


def run_solver(orders: Connection) -> None:
    """Do what comes through the pipe until it is closed."""
    if sys.platform != "win32":
        os.nice(NICENESS)
    Solving(orders).run()


class Stopped(Exception):
    """The spot is to be solved no further, and there is nothing to show of it yet."""


@dataclass(slots=True)
class Solved:
    """A solved spot, whose decisions can be read."""

    spot: SolverSpot
    solver: RangeCFR
    progress: Progress

    def read(self, words: tuple[str, ...]) -> str:
        """Return the decisions of the street that *words* lead to, as ``acpcbot solve`` does."""
        place = place_after(self.solver.game, words)
        return solution_json(read_solution(self.solver, self.progress, place), self.spot.label)

    def study(self, words: tuple[str, ...]) -> str:
        """Return the study of the decision that *words* lead to, as JSON."""
        place = place_after(self.solver.game, words)
        return _json(decision_study(next(street_decisions(self.solver, place))))

    @property
    def num_bytes(self) -> int:
        """The memory that it takes."""
        return _solver_bytes(self.solver.game, self.spot)


@dataclass(slots=True)
class Solving:
    """The process's state: solved spots by the numbers of their jobs, and orders that wait."""

    pipe: Connection
    _solved: dict[int, Solved] = field(default_factory=dict)
    _orders: queue.Queue[Waiting | None] = field(default_factory=queue.Queue)
    _stopped: set[int] = field(default_factory=set)
    _rate: float = CELLS_A_SECOND

    def run(self) -> None:
        """Do one order after another; those that stop a job are heard at once."""
        threading.Thread(target=self._receive, daemon=True).start()
        while (order := self._orders.get()) is not None:
            self._do(order)

    def _receive(self) -> None:
        try:
            while True:
                order = self.pipe.recv()
                if isinstance(order, Stop):
                    self._stopped.add(order.job)
                else:
                    self._orders.put(order)
        except (EOFError, OSError):
            self._orders.put(None)

    def _do(self, order: Waiting) -> None:
        try:
            match order:
                case Measure(number, spot):
                    self.pipe.send(Answer(number, self._measured(spot)))
                case Read(number, job, words):
                    self.pipe.send(Answer(number, self._find(job).read(words)))
                case Study(number, job, words):
                    self.pipe.send(Answer(number, self._find(job).study(words)))
                case StudyFile(number, decision):
                    self.pipe.send(Answer(number, _json(decision.study())))
                case Solve(job, spot):
                    self._solve(job, spot)
        except (AcpcbotError, MemoryError) as error:
            reason = error_text(error)
            if isinstance(order, Solve):
                self.pipe.send(Report(order.job, "failed", reason=reason))
            else:
                self.pipe.send(Refusal(order.number, reason))

    def _find(self, job: int) -> Solved:
        if job not in self._solved:
            raise UsageError(
                f"solution {job} is no longer in memory", "solve the spot again to go on in it"
            )
        return self._solved[job]

    # Sizes

    def _measured(self, spot: SolverSpot) -> Size:
        game = self._game(spot)
        size = self._size(spot, game)
        self._verify(game, spot, size.free_bytes)
        return size

    def _game(self, spot: SolverSpot) -> RangeGame:
        """Return the game of *spot*; raises AcpcbotError where its betting alone is too large."""
        board = parse_cards(spot.board)
        root, menu = holdem_spot(len(board), spot.pot, spot.stacks), parse_menu(spot.bets)
        needed = {"betting tree": betting_bytes(betting_size(root, menu))}
        verify_memory(needed, self._allowed(), "solving", MEMORY_HINT)
        return make_range_game(root, board, menu, spot.ranges())

    def _size(self, spot: SolverSpot, game: RangeGame) -> Size:
        num_bytes = _solver_bytes(game, spot)
        num_cells = _num_cells(game)
        num_iterations = USUAL_ITERATIONS * (USUAL_TARGET / spot.target) ** TARGET_POWER
        return Size(
            decisions=sum(game.tree.size.num_nodes),
            boards=len(game.boards.boards),
            num_bytes=num_bytes,
            free_bytes=self._allowed(),
            seconds=num_iterations * num_cells / self._rate,
        )

    def _allowed(self) -> int | None:
        """Return the memory that a spot may take, that of spots solved before included."""
        free = available_bytes()
        kept = sum([solved.num_bytes for solved in self._solved.values()])
        return None if free is None else int(MOST_SHARE * (free + kept))

    def _verify(self, game: RangeGame, spot: SolverSpot, allowed: int | None) -> None:
        needed = {
            "betting": betting_bytes(game.tree.size),
            "boards": game.row_bytes,
            "regrets and averages": solver_bytes(game, is_int16=spot.int16),
        }
        verify_memory(needed, allowed, "solving", MEMORY_HINT)

    # Solving

    def _solve(self, job: int, spot: SolverSpot) -> None:
        try:
            self.pipe.send(Report(job, "building"))
            game = self._game(spot)
            size = self._size(spot, game)
            self._verify(game, spot, size.free_bytes)
            self._make_room(size)
            self._verify_unstopped(job)
            solver = RangeCFR(
                game,
                fast_settings(game),
                num_threads=os.cpu_count() or 1,
                is_int16=spot.int16,
            )
            self._verify_unstopped(job)
            self.pipe.send(Report(job, "solving", size=size))
            progress = self._iterate(job, spot, solver)
        except Stopped:
            self.pipe.send(Report(job, "stopped", reason="stopped before the first iteration"))
            return
        self._solved[job] = Solved(spot, solver, progress)
        if progress.seconds > 0.5:
            self._rate = _num_cells(game) * progress.num_iterations / progress.seconds
        phase: Phase = "stopped" if job in self._stopped else "solved"
        self.pipe.send(Report(job, phase, _effort(progress), kept=tuple(self._solved)))

    def _make_room(self, size: Size) -> None:
        """Forget the oldest solutions: all but the last, and this one too if it is in the way."""
        free = available_bytes()
        while self._solved and (
            len(self._solved) >= NUM_KEPT
            or (free is not None and size.num_bytes > MOST_SHARE * free)
        ):
            del self._solved[next(iter(self._solved))]
            free = available_bytes()

    def _verify_unstopped(self, job: int) -> None:
        if job in self._stopped:
            raise Stopped

    def _iterate(self, job: int, spot: SolverSpot, solver: RangeCFR) -> Progress:
        told_s = 0.0
        for progress in self._progress(job, spot, solver):
            if progress.seconds - told_s >= 1 / REPORTS_A_SECOND or told_s == 0:
                told_s = progress.seconds
                self.pipe.send(Report(job, "solving", _effort(progress)))
            self._do_reads()
        return progress

    def _progress(self, job: int, spot: SolverSpot, solver: RangeCFR) -> Iterator[Progress]:
        return solver.solve(
            target=spot.target * spot.pot / 100,
            deadline_s=spot.seconds,
            most=sys.maxsize,
            is_stopped=lambda: job in self._stopped,
        )

    def _do_reads(self) -> None:
        """Read solutions for those who wait, in the middle of a job."""
        waiting = []
        while not self._orders.empty():
            waiting.append(self._orders.get())
        for order in waiting:
            if isinstance(order, Reading):
                self._do(order)
            else:
                self._orders.put(order)


def error_text(error: BaseException) -> str:
    """Return *error* with its hint, as one sentence for the page."""
    if isinstance(error, MemoryError):
        return f"the memory did not suffice; {MEMORY_HINT}"
    hint = error.hint if isinstance(error, AcpcbotError) else ""
    return f"{error}; {hint}" if hint else str(error)


def _json(study: Plain) -> str:
    return json.dumps(study, ensure_ascii=False, separators=(",", ":"))


def _effort(progress: Progress) -> Effort:
    return Effort(progress.num_iterations, progress.seconds, progress.exploitability)


def _num_cells(game: RangeGame) -> int:
    return solver_bytes(game) // 8


def _solver_bytes(game: RangeGame, spot: SolverSpot) -> int:
    learnt = solver_bytes(game, is_int16=spot.int16)
    return betting_bytes(game.tree.size) + game.row_bytes + learnt
