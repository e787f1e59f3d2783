"""This version against another commit, alternately in the same minute: ratios with intervals.

A machine that others use changes its speed by a half within a day, and by a tenth within minutes:
absolute times of two versions say little unless both were taken together. Here each version is a
process of its own. They take turns, a fraction of a second each, and the ratio of two neighbouring
times is one observation. Where its arrays lie makes a process faster or slower by a tenth for as
long as it lives, so that each version is started several times.

A benchmark NAME that can be paired has a script ``paired_NAME.py`` with its ``MEASURES``. It is run
from this version with the other's packages, so that the other may be older than the script. A
figure is how many times as long as this version the other one takes.
"""

from __future__ import annotations

import importlib
import io
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random

from benchmarks.figure import Figure

ROOT = Path(__file__).parents[1]
STARTS, ROUNDS = 5, 7
RESAMPLES = 2000
CONFIDENCE = 0.95


def compare(name: str, ref: str, measures: list[str]) -> Iterator[Figure]:
    """Yield the ratio of each measure of the benchmark *name*, of commit *ref* to this version.

    *measures* are beginnings of names; without any, all but the long ones are taken.
    """
    script = ROOT / "benchmarks" / f"paired_{name}.py"
    module = importlib.import_module(f"benchmarks.paired_{name}")
    known = (*module.MEASURES, *module.LONG_MEASURES)
    chosen = [
        measure
        for measure in (known if measures else module.MEASURES)
        if not measures or any(measure.startswith(wanted) for wanted in measures)
    ]
    with tempfile.TemporaryDirectory() as folder:
        extract(ref, Path(folder))
        for measure in chosen:
            others, own = list[float](), list[float]()
            for _ in range(STARTS):
                with ExitStack() as stack:
                    other = stack.enter_context(timer(script, Path(folder)))
                    this = stack.enter_context(timer(script, ROOT))
                    found = alternate(other, this, measure)
                    for times, of_start in zip((others, own), found, strict=True):
                        times += of_start
            yield ratio(measure, others, own)


def extract(ref: str, folder: Path) -> None:
    """Write the packages of commit *ref* to *folder*; raises CalledProcessError."""
    words = ["git", "-C", str(ROOT), "archive", ref, "acpcbot", "benchmarks"]
    packed = subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")


@contextmanager
def timer(script: Path, root: Path) -> Iterator[subprocess.Popen[str]]:
    """Run *script* with the packages below *root*; it ends with its input."""
    words = [sys.executable, "-P", str(script)]
    env = os.environ | {"PYTHONPATH": str(root)}
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True, env=env, cwd=root) as process:
        yield process


def alternate(
    other: subprocess.Popen[str], this: subprocess.Popen[str], measure: str
) -> tuple[list[float], list[float]]:
    """Return the milliseconds of both in each round; the order changes from round to round."""
    for process in (other, this):  # these runs compile
        ask(process, measure)
    others, own = list[float](), list[float]()
    for number in range(ROUNDS):
        if number % 2:
            own.append(ask(this, measure))
        others.append(ask(other, measure))
        if not number % 2:
            own.append(ask(this, measure))
    return others, own


def ask(process: subprocess.Popen[str], measure: str) -> float:
    """Return the milliseconds of *measure* that *process* needs now."""
    if process.stdin is None or process.stdout is None:
        raise ValueError("expected a process with pipes")
    process.stdin.write(measure + "\n")
    process.stdin.flush()
    answer = process.stdout.readline()
    if not answer:
        raise RuntimeError(f"the process that was to measure {measure!r} ended without an answer")
    return float(answer)


def ratio(measure: str, others: list[float], own: list[float]) -> Figure:
    """Return the ratio of a measure, from the milliseconds of each round."""
    ratios = [other / this for other, this in zip(others, own, strict=True)]
    low, high = interval(ratios)
    times = f"{statistics.median(others):.4g} and {statistics.median(own):.4g} ms"
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    note = f"{low:.3f} to {high:.3f}; {times}{load}"
    return Figure(name=measure, value=statistics.median(ratios), unit="times", note=note)


def interval(ratios: list[float]) -> tuple[float, float]:
    """Return a bootstrap interval of the median of *ratios*."""
    random = Random(1)
    medians = sorted(
        statistics.median(random.choices(ratios, k=len(ratios))) for _ in range(RESAMPLES)
    )
    tail = (1 - CONFIDENCE) / 2
    return medians[int(tail * RESAMPLES)], medians[int((1 - tail) * RESAMPLES) - 1]
