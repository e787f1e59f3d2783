"""Time of ``acpcbot evaluate`` for 3,000 hands of limit hold'em, and the gain by AIVAT.

The strongest shipped strategy meets Smooth UCT; both are known, and the cards are not exchanged.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figure import Figure

STRATEGIES = "strategies/holdem.limit.2p.reverse_blinds"
NUM_HANDS = 3000
TARGET_S = 60.0
WORTH = re.compile(r"AIVAT.* ([0-9.]+) x the hands")


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        match = Path(folder) / "match"
        names = [f"{STRATEGIES}/external_sampling", f"{STRATEGIES}/smooth_uct"]
        acpcbot("match", *names, "--hands", str(NUM_HANDS), "--in-process", "-o", str(match))
        yield from evaluation(match, "strength", TARGET_S)
        yield from evaluation(match, names[0], None)


def evaluation(match: Path, values: str, target_s: float | None) -> Iterator[Figure]:
    """Return the time of all estimators with these *values*, and AIVAT's variance reduction."""
    start = time.perf_counter()
    lines = acpcbot("evaluate", str(match), "--player", "external_sampling", "--values", values)
    took_s = time.perf_counter() - start
    named = f"values by {Path(values).name}"
    yield Figure(
        name=f"all estimators of a match, {named}",
        value=round(took_s, 1),
        unit="s",
        target=target_s,
        note=f"{NUM_HANDS:,} hands, tables and learning included unless the cache has them",
        higher_is_better=False,
    )
    found = WORTH.search(lines)
    assert found is not None, lines
    yield Figure(
        name=f"hands by chips for one by AIVAT, {named}", value=float(found[1]), unit="hands"
    )


def acpcbot(*words: str) -> str:
    """Return the output of a command."""
    command = [sys.executable, "-m", "acpcbot", *words]
    return subprocess.run(
        command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ).stdout
