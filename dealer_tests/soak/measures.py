"""Memory and open files of a process over the hands of a match, and whether they grow."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from statistics import median
from typing import NamedTuple

from dealer_tests.soak.findings import MEASURE, Finding

WARM_UP = 0.3
"""The part of the hands that does not count: caches fill."""
SPAN = 10_000
MOST_GROWTH_KB = 1024.0
"""By so much a process may grow in SPAN hands, and in all where it saw fewer."""
LEAST_SAMPLES = 8
MORE_FILES = 3
"""So many may be open for a moment besides: connections that come while others go."""


class Sample(NamedTuple):
    """After so many *hands*: memory in KB that is no file's, and open files."""

    hands: int
    memory_kb: float
    num_files: int


@dataclass(slots=True)
class Track:
    """The samples of one process."""

    name: str
    samples: list[Sample] = field(default_factory=list)

    def add(self, hands: int, process: int) -> None:
        """Look at *process*, which must be alive and told of *hands*."""
        self.samples.append(Sample(hands, memory_kb(process), num_files(process)))

    def write(self, path: Path) -> None:
        """Keep the samples as CSV."""
        rows = [Sample._fields, *self.samples]
        path.write_text("".join(",".join(map(str, row)) + "\n" for row in rows), encoding="utf-8")

    @property
    def warm(self) -> list[Sample]:
        """The samples behind the warm-up, each with the most memory of a time as long as that
        up to it.

        A store that fills, is emptied and fills again is no growth; its highest marks would be.
        """
        first, last = self.samples[0].hands, self.samples[-1].hands
        window = WARM_UP * (last - first)
        return [
            self._peak(sample, window) for sample in self.samples if sample.hands >= first + window
        ]

    def _peak(self, sample: Sample, window: float) -> Sample:
        recent = [
            other.memory_kb
            for other in self.samples
            if sample.hands - window <= other.hands <= sample.hands
        ]
        return sample._replace(memory_kb=max(recent))


def memory_kb(process: int) -> float:
    """The anonymous memory of a process, in RAM and swapped: what it asked for, without mapped
    files.
    """
    rows = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()[1:]
    sizes = {row.split()[0]: float(row.split()[1]) for row in rows}
    return sizes["Anonymous:"] + sizes["Swap:"]


def num_files(process: int) -> int:
    """Return the number of open descriptors."""
    return len(list(Path(f"/proc/{process}/fd").iterdir()))


def slope(samples: list[Sample]) -> float:
    """KB a hand, by Theil and Sen: the median over all pairs, which a few leaps do not move."""
    pairs = [
        (later, sooner) for sooner, later in combinations(samples, 2) if later.hands > sooner.hands
    ]
    return median(
        (later.memory_kb - sooner.memory_kb) / (later.hands - sooner.hands)
        for later, sooner in pairs
    )


def judge_memory(leg: str, track: Track) -> Finding:
    """Return a finding that fails where memory grew by over MOST_GROWTH_KB in SPAN hands."""
    warm = track.warm if track.samples else []
    if len(warm) < LEAST_SAMPLES:
        return Finding(
            MEASURE, leg, f"memory, {track.name}", False, f"{len(warm)} samples tell nothing"
        )
    num_hands = warm[-1].hands - warm[0].hands
    per_span = slope(warm) * SPAN
    is_good = per_span * min(1.0, num_hands / SPAN) < MOST_GROWTH_KB
    seen = (
        f"{per_span:+.0f} KB in {SPAN:,} hands ({len(warm)} samples over {num_hands:,} hands, "
        f"{warm[0].memory_kb / 1024:.1f} MB to {warm[-1].memory_kb / 1024:.1f} MB)"
    )
    return Finding(MEASURE, leg, f"memory, {track.name}", is_good, seen)


def judge_files(leg: str, track: Track) -> Finding:
    """Return a finding that fails where more files are open at the end, or ever many more."""
    counts = [sample.num_files for sample in track.samples]
    if not counts:
        return Finding(MEASURE, leg, f"open files, {track.name}", False, "no samples")
    is_good = counts[-1] <= counts[0] and max(counts) <= counts[0] + MORE_FILES
    seen = f"first {counts[0]}, last {counts[-1]}, most {max(counts)} ({len(counts)} samples)"
    return Finding(MEASURE, leg, f"open files, {track.name}", is_good, seen)
