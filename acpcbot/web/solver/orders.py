"""Orders to the process that solves spots, its answers and its reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from acpcbot.web.solver.file_decision import FileDecision
from acpcbot.web.solver.spot import SolverSpot

Phase: TypeAlias = Literal["building", "solving", "solved", "stopped", "failed"]


@dataclass(frozen=True, slots=True)
class Measure:
    """Tell the ``Size`` of *spot*, in an answer with this *number*."""

    number: int
    spot: SolverSpot


@dataclass(frozen=True, slots=True)
class Read:
    """Read the street of solution *job* that *words* lead to, in an answer with this *number*."""

    number: int
    job: int
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Study:
    """Make the study of the decision of solution *job* that *words* lead to."""

    number: int
    job: int
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StudyFile:
    """Make the study of a *decision* that a file holds."""

    number: int
    decision: FileDecision


@dataclass(frozen=True, slots=True)
class Solve:
    """Solve *spot* and report on it as *job*."""

    job: int
    spot: SolverSpot


@dataclass(frozen=True, slots=True)
class Stop:
    """Solve *job* no further."""

    job: int


Reading: TypeAlias = Read | Study | StudyFile
"""Orders that are done in the middle of a job, too."""
Waiting: TypeAlias = Measure | Reading | Solve
"""Orders that are done one after another."""
Order: TypeAlias = Waiting | Stop


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a spot's game; *free_bytes* are those that it may take, None if unknown.

    *seconds* is a rough forecast of the time to the target.
    """

    decisions: int
    boards: int
    num_bytes: int
    free_bytes: int | None
    seconds: float


@dataclass(frozen=True, slots=True)
class Effort:
    """Iterations and seconds so far, and the exploitability that they led to, in chips.

    The solver's own record is not sent: reading it would load the compiler in the server.
    """

    num_iterations: int
    seconds: float
    exploitability_chips: float


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to the order with this *number*: a size, or a solution or a study as JSON."""

    number: int
    value: Size | str


@dataclass(frozen=True, slots=True)
class Refusal:
    """The *reason* why the order with this *number* is not done."""

    number: int
    reason: str


@dataclass(frozen=True, slots=True)
class Report:
    """Progress of *job*; *kept* are the jobs in memory, once this one is over."""

    job: int
    phase: Phase
    effort: Effort | None = None
    size: Size | None = None
    reason: str = ""
    kept: tuple[int, ...] = ()


Reply: TypeAlias = Answer | Refusal | Report
