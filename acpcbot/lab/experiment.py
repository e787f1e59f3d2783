"""The contract of experiments: budgets, units of work, rows, comparisons and charts.

An experiment reproduces a table or a figure of a paper. Its work is cut into *units*, each done
whole in one process; the rows that a unit yields are kept, and an experiment that was interrupted
goes on with the units that are missing. At the end rows are compared with the paper's figures.

An experiment is the object ``EXPERIMENT`` of its module, which ``catalogue.py`` names. It imports
nothing of the command line, and prints nothing.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from acpcbot.errors import UsageError
from acpcbot.rng import Stream

Value = str | int | float
Row = dict[str, Value]
"""A line of the CSV, by column."""
Option = Literal["games", "simulations"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The work that the command line asks for; None stands for the experiment's default.

    ``games``        matches or games a cell, or runs
    ``simulations``  simulations a move, or samples of a run
    ``is_full``      whether defaults are the paper's budgets
    """

    is_full: bool = False
    seed: int = 1
    games: int | None = None
    simulations: int | None = None

    def __post_init__(self) -> None:
        for name, value in (("games", self.games), ("simulations", self.simulations)):
            if value is not None and value < 1:
                raise UsageError(f"--{name} {value}: expected at least 1", f"omit --{name}")
        if not 0 <= self.seed < 2**32:
            raise UsageError(f"--seed {self.seed}: expected 0 to {2**32 - 1}", "omit --seed")

    def num_games(self, default: int, full: int) -> int:
        """Return the games a cell: as asked for, or the *full* or the *default* number."""
        return self.games or (full if self.is_full else default)

    def num_simulations(self, default: int, full: int) -> int:
        """Return the simulations: as asked for, or the *full* or the *default* number."""
        return self.simulations or (full if self.is_full else default)


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of work that is done whole in one process, and whose rows are then kept.

    ``name``      unique in the experiment, such as "II-GS(6), OOS, run 2"
    ``settings``  by name; they become columns in front of those that ``run`` yields
    ``weight``    its work relative to other units, for the time left
    """

    name: str
    settings: tuple[tuple[str, Value], ...]
    weight: float = 1.0

    def text(self, setting: str) -> str:
        """Return a setting that is text."""
        return str(dict(self.settings)[setting])

    def whole(self, setting: str) -> int:
        """Return a setting that is a whole number."""
        return int(dict(self.settings)[setting])

    def number(self, setting: str) -> float:
        """Return a setting that is a number."""
        return float(dict(self.settings)[setting])


@dataclass(frozen=True, slots=True)
class Note:
    """A line of progress of a unit, such as "37 of 100 games, 61 %"; shown, not kept."""

    text: str


@dataclass(frozen=True, slots=True)
class Estimate:
    """The work of all units together: seconds of one core, and the memory of one process."""

    cpu_seconds: float
    memory_bytes: int


@dataclass(frozen=True, slots=True)
class Compared:
    """A line of the table at the end.

    ``ours``         None where rows are missing
    ``half_width``   of the 95 % interval; None where the figure has none
    ``paper``        a number, or words such as "rises"; None where the paper has nothing
    ``explanation``  of the difference; where it is empty, the table says whether the paper's
                     figure lies within our interval
    """

    what: str
    ours: float | None
    half_width: float | None = None
    paper: float | str | None = None
    explanation: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The table at the end, with its *unit* ("NashConv", "% won"), and sentences below it."""

    unit: str
    lines: Sequence[Compared]
    notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of a chart, with a band where *half_widths* are given; the paper's is dashed.

    *color* is a number: lines of the same number in a panel have the same colour.
    """

    label: str
    xs: Sequence[float]
    ys: Sequence[float]
    half_widths: Sequence[float] = ()
    is_paper: bool = False
    color: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One plot of a chart; with *names* the lines' points lie beside them, at 1, 2 and so on."""

    title: str
    x_label: str
    y_label: str
    lines: Sequence[Line]
    is_log_x: bool = True
    is_log_y: bool = False
    names: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Chart:
    """Plots side by side."""

    title: str
    panels: Sequence[Panel]


class Experiment(Protocol):
    """A table or a figure of a paper, to be reproduced.

    ``name``     as the command line has it, such as "oos-root"
    ``title``    at most 45 characters
    ``source``   paper, table or figure, at most 45 characters
    ``options``  the options of budgets that it takes; others are refused
    """

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def options(self) -> Sequence[Option]: ...

    def estimate(self, budget: Budget) -> Estimate:
        """Return the work of all units."""
        ...

    def units(self, budget: Budget) -> list[Unit]:
        """Return all units in the order of work; the same ones for the same budget."""
        ...

    def run(self, unit: Unit, budget: Budget, folder: Path) -> Iterator[Row | Note]:
        """Do a unit, and yield its rows as they come.

        The columns that tell most come last: the progress line shows the last three. *folder* is
        the unit's own, for checkpoints of long work; what it holds when ``run`` is called was
        written by a process that was killed. It is deleted once the unit is done.
        """
        ...

    def comparison(self, rows: list[Row], budget: Budget) -> Comparison:
        """Return the table of our figures and the paper's.

        *rows* have the columns "unit", the unit's settings and what it yielded; units may be
        missing.
        """
        ...

    def chart(self, rows: list[Row], budget: Budget) -> Chart | None:
        """Return the plot; None for one dot with its interval a line of the comparison."""
        ...


def unit_seed(budget: Budget, unit: Unit, number: int = 0) -> int:
    """Return the seed of something random in *unit*; *number* tells several apart.

    The same at any number of processes, and in any order of units.
    """
    return Stream(budget.seed, zlib.crc32(unit.name.encode()), number).bits() >> 1
