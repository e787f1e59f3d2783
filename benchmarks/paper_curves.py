"""Learning curves in a small game as in a paper: several seeds of each learner.

What is measured are average strategies at log-spaced numbers of episodes; one episode is
one walk of a learner over one deal. Tables and pictures go to docs/figures.
"""

from __future__ import annotations

import csv
import os
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import log10
from pathlib import Path

import numpy as np

from acpcbot.abstraction.card_abstraction import ExactAbstraction, SmallGameDeals
from acpcbot.arrays import Floats
from acpcbot.learning.sampling import Learner, SamplingSolver
from acpcbot.trees.public_tree import AbstractGame
from benchmarks.figure import Figure

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "figures"
QUARTILES = (25, 50, 75)

Measure = Callable[[Floats], float]


@dataclass(frozen=True, slots=True)
class Curve:
    """A learner's curve: *points* in episodes, *values* by measure [seed, point].

    *cpu_s* is how long the seeds were trained, all together.
    """

    label: str
    points: tuple[int, ...]
    values: dict[str, Floats]
    cpu_s: float

    @property
    def num_seeds(self) -> int:
        """The number of times that the learner was trained."""
        return len(next(iter(self.values.values())))

    def median(self, measure: str) -> Floats:
        """Return the median over seeds, [point]."""
        median: Floats = np.median(self.values[measure], axis=0)
        return median

    def at(self, episodes: int, measure: str) -> float:
        """Return the median at a point."""
        return float(self.median(measure)[self.points.index(episodes)])

    @property
    def note(self) -> str:
        """A note on the seeds and their CPU time."""
        rate = self.num_seeds * self.points[-1] / self.cpu_s / 1e6
        seed_s = self.cpu_s / self.num_seeds
        return f"median of {self.num_seeds} seeds, {seed_s:.1f} s of CPU each ({rate:.1f} M/s)"


def log_points(first: int, last: int, per_decade: int, *others: int) -> list[int]:
    """Return *per_decade* points to each power of ten from *first* on, *last*, and *others*."""
    steps = range(int(log10(last / first) * per_decade) + 1)
    return sorted({*[round(first * 10 ** (step / per_decade)) for step in steps], last, *others})


def learning_curves(
    game: AbstractGame,
    learners: Mapping[str, Callable[[], Learner]],
    measures: Mapping[str, Measure],
    points: Sequence[int],
    num_seeds: int,
) -> list[Curve]:
    """Return a curve for each of *learners*; seeds are trained side by side, each on one thread."""
    source = SmallGameDeals(game.tree.definition, ExactAbstraction(game.tree.definition))

    def train(make: Callable[[], Learner], seed: int) -> tuple[list[list[float]], float]:
        solver = SamplingSolver(make(), source, seed=seed)
        table, cpu_s = [], 0.0
        for point in points:
            start_s = time.thread_time()
            solver.step(point - solver.num_done)
            cpu_s += time.thread_time() - start_s
            policy = np.asarray(solver.learner.average_strategy(), np.float64)
            table.append([measure(policy) for measure in measures.values()])
        return table, cpu_s

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        jobs = list(product(learners.values(), range(1, num_seeds + 1)))
        runs = list(threads.map(lambda job: train(*job), jobs))
    curves = []
    for number, label in enumerate(learners):
        tables, cpu_s = zip(*runs[number * num_seeds : (number + 1) * num_seeds], strict=True)
        values = dict(zip(measures, np.moveaxis(np.array(tables), 2, 0), strict=True))
        curves.append(Curve(label, tuple(points), values, sum(cpu_s)))
    return curves


def crossing(ours: Curve, theirs: Curve, measure: str) -> tuple[float, float] | None:
    """Return the episodes and value from which the median of *theirs* stays below that of *ours*.

    None if there are none. Between points the curves are straight lines in logarithms.
    """
    gaps = np.log(theirs.median(measure) / ours.median(measure))
    above = np.flatnonzero(gaps > 0)
    if len(above) == 0 or above[-1] == len(gaps) - 1:
        return None
    last = above[-1]
    share = gaps[last] / (gaps[last] - gaps[last + 1])
    between = partial(np.interp, last + share, np.arange(len(gaps)))
    return float(np.exp(between(np.log(ours.points)))), float(
        np.exp(between(np.log(ours.median(measure))))
    )


def save(
    name: str, title: str, curves: Sequence[Curve], marks: Sequence[tuple[float, float]] = ()
) -> Figure:
    """Write the table and the picture called *name*.

    *marks* are the paper's own points of the first measure.
    """
    FOLDER.mkdir(parents=True, exist_ok=True)
    write_csv(FOLDER / f"{name}.csv", curves)
    is_drawn = draw(FOLDER / f"{name}.png", title, curves, marks)
    note = (
        f"docs/figures/{name}.csv and .png"
        if is_drawn
        else f"docs/figures/{name}.csv; no matplotlib, no picture"
    )
    return Figure(
        name=f"points of each curve, {name}", value=len(curves[0].points), unit="points", note=note
    )


def write_csv(path: Path, curves: Sequence[Curve]) -> None:
    """Write a line for each learner and point: the seeds, and each measure's quartiles and mean."""
    statistics = ("lower_quartile", "median", "upper_quartile", "mean")
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        columns = [
            f"{measure}_{statistic}" for measure in curves[0].values for statistic in statistics
        ]
        writer.writerow(["learner", "episodes", "seeds", *columns])
        for curve in curves:
            for point, episodes in enumerate(curve.points):
                samples = [values[:, point] for values in curve.values.values()]
                numbers = [
                    number
                    for sample in samples
                    for number in (*np.percentile(sample, QUARTILES), sample.mean())
                ]
                writer.writerow(
                    [
                        curve.label,
                        episodes,
                        curve.num_seeds,
                        *[f"{number:.4g}" for number in numbers],
                    ]
                )


def draw(
    path: Path, title: str, curves: Sequence[Curve], marks: Sequence[tuple[float, float]]
) -> bool:
    """Return a panel a measure: medians, with bands from quartile to quartile.

    False without matplotlib.
    """
    try:
        from matplotlib.figure import Figure as Picture
    except ImportError:
        return False
    measures = list(curves[0].values)
    picture = Picture(figsize=(6.5 * len(measures), 4.5), layout="constrained")
    for number, measure in enumerate(measures):
        axes = picture.add_subplot(1, len(measures), number + 1)
        for curve in curves:
            lower, median, upper = np.percentile(curve.values[measure], QUARTILES, axis=0)
            axes.plot(curve.points, median, label=curve.label)
            axes.fill_between(curve.points, lower, upper, alpha=0.25)
        if marks and number == 0:
            axes.plot(*zip(*marks, strict=True), "kx", label="the paper")
        axes.set(xscale="log", yscale="log", xlabel="episodes", ylabel=measure.replace("_", " "))
        axes.grid(visible=True, alpha=0.3)
        axes.legend()
    picture.suptitle(title)
    picture.savefig(path, dpi=100)
    return True
