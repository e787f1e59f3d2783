"""``acpcbot match`` and ``acpcbot tournament run``, ended in the middle and resumed."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from acpcbot.poker.shipped import find_definition
from dealer_tests.soak.findings import SoakFailure
from dealer_tests.soak.judges import judge_log, judge_numbers, judge_twin
from dealer_tests.soak.legs import HandCount, Leg
from dealer_tests.soak.processes import Program, await_hands, wait_until
from dealer_tests.soak.stage import Stage, full_disk

WORKERS_END_S = 15.0
OUTPUT = "played"


@dataclass(frozen=True, slots=True)
class Tables:
    """*num_tables* tables of a match or a tournament (*verb*), so many hands at each."""

    leg: str
    verb: tuple[str, ...]
    game: str
    num_hands: int
    num_tables: int
    seed: int
    strategies: tuple[str, ...]


class TablesLeg(Leg):
    """The tables of *terms*, played in a folder below *folder* by one command after another."""

    def __init__(self, stage: Stage, terms: Tables, folder: Path) -> None:
        self.stage, self.terms, self.folder = stage, terms, folder
        self.name, self.total = terms.leg, terms.num_hands * terms.num_tables
        self.command: Program
        self._count = HandCount()

    def begin(self) -> None:
        """Start the command for the first time."""
        terms = self.terms
        words = (
            *terms.verb,
            *terms.strategies,
            "--game",
            terms.game,
            "--hands",
            terms.num_hands,
            "--seed",
            terms.seed,
        )
        duplicate = ("--duplicate",) if terms.verb == ("match",) else ()
        self.command = self.stage.yard.start(
            terms.leg, self.folder, *words, *duplicate, "-o", OUTPUT
        )

    def resume(self) -> None:
        """Go on, once the workers of the last command have gone and the finished hands are on
        disk once each.
        """
        wait_until(lambda: not self.stage.yard.leftovers(), "the workers are gone", WORKERS_END_S)
        self.look()
        for log in self.logs:
            judge_numbers(log, HandCount(log).look(), is_whole=False)
        if self._count.now >= self.total:
            raise SoakFailure(f"{self.name}: all was played before the fault struck")
        self.command = self.stage.yard.start(
            self.name, self.folder, *self.terms.verb, "--resume", OUTPUT
        )

    @property
    def logs(self) -> list[Path]:
        """The logs of all tables so far."""
        return sorted((self.folder / OUTPUT).rglob("table*.log"))

    def look(self) -> int:
        """Count the hands on disk."""
        before = self._count.now
        self._count.watch(self.logs)
        self.stage.advance(self._count.look() - before)
        return self._count.now

    def play_to(self, num_hands: int) -> None:
        """Watch until so many hands are on disk.

        Raises SoakFailure when the command ends or stands still before.
        """
        while self.look() < num_hands:
            await_hands(self.look, self._count.now + 1, self.command)

    def finish(self) -> None:
        """Play the rest."""
        self.play_to(self.total)
        if self.command.wait() != 0:
            raise SoakFailure(
                f"{self.command.name} ended with {self.command.wait()}: {self.command.err[-300:]}"
            )

    def judge(self) -> str:
        """Return a summary; raises SoakFailure unless every table is whole."""
        logs = self.logs
        if len(logs) != self.terms.num_tables:
            raise SoakFailure(f"{len(logs)} tables instead of {self.terms.num_tables}")
        definition = find_definition(self.terms.game)[1]
        for log in logs:
            judge_log(log, definition, self.terms.num_hands)
        check = self.stage.yard.start("log", self.folder, "log", "check", *logs)
        if check.wait() != 0:
            raise SoakFailure(f"acpcbot log check: {check.err.strip()}")
        return f"{len(logs)} tables of {self.terms.num_hands} hands once each, chips conserved"

    def sibling(self, folder: Path) -> Self:
        """The same tables."""
        return type(self)(self.stage, self.terms, folder)

    def compare(self, twin: Self) -> str:
        """The hands of each table and what the last command printed."""
        for log, other in zip(self.logs, twin.logs, strict=True):
            judge_twin(log, other)
        if self.command.out != twin.command.out:
            raise SoakFailure(f"{self.command.out!r} was printed instead of {twin.command.out!r}")
        return f"{self.total} hands and what is printed alike"


def kill_command(leg: TablesLeg) -> str:
    """killed (SIGKILL), resumed"""
    return _end(leg, signal.SIGKILL)


def terminate_command(leg: TablesLeg) -> str:
    """terminated (SIGTERM), resumed"""
    return _end(leg, signal.SIGTERM)


def interrupt_command(leg: TablesLeg) -> str:
    """interrupted (SIGINT), resumed"""
    return _end(leg, signal.SIGINT)


STATUS = {signal.SIGINT: 130}


def _end(leg: TablesLeg, number: signal.Signals) -> str:
    leg.command.send(number)
    status = leg.command.wait()
    if status != STATUS.get(number, -number):
        raise SoakFailure(f"{leg.command.name} ended with {status}: {leg.command.err[-300:]}")
    leg.resume()
    return f"status {status}, the workers gone, {leg.look()} hands kept"


def fill_disk(leg: TablesLeg) -> str:
    """disk full (ENOSPC), then room again"""
    with full_disk(leg.folder):
        status = leg.command.wait()
        told = [line for line in leg.command.err.splitlines() if line.startswith("error: ")]
        if status != 1 or not told or not all("No space left on device" in line for line in told):
            raise SoakFailure(f"{leg.command.name} ended with {status}: {leg.command.err[-500:]}")
        if not leg.command.err.rstrip().rpartition("\n")[2].startswith("hint: "):
            raise SoakFailure(f"{leg.command.name} gave no hint: {leg.command.err[-500:]}")
    leg.resume()
    return f"{len(told)} tables failed: {told[0]}"
