"""A measured figure, and how to time one."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

RUNS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A measured value, and the *target* to compare it with, if there is one."""

    name: str
    value: float
    unit: str
    target: float | None = None
    note: str = ""
    higher_is_better: bool = True

    @property
    def verdict(self) -> str:
        """``ok`` or ``below``; nothing without a target."""
        if self.target is None:
            return ""
        met = self.value >= self.target if self.higher_is_better else self.value <= self.target
        return "ok" if met else "below"

    def __str__(self) -> str:
        target = "" if self.target is None else number_text(self.target)
        value = f"{number_text(self.value):>13} {self.unit:<12}"
        return f"{self.name:<50} {value} {target:>12}  {self.verdict:<5}  {self.note}".rstrip()


def seconds(work: Callable[[], object]) -> float:
    """Return the time of *work* in seconds: the median of five runs, after one that may compile."""
    work()
    return statistics.median(_one_run(work) for _ in range(RUNS))


def _one_run(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def number_text(value: float) -> str:
    """Return *value* with three figures, or all of them before the point."""
    return f"{value:,.0f}" if value == int(value) or abs(value) >= 1000 else f"{value:.3g}"
