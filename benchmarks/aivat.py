"""How long ``acpcbot evaluate match`` takes for 3,000 hands of limit hold'em, and what AIVAT is worth there.

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
        start = time.perf_counter()
        lines = acpcbot("evaluate", "match", str(match), "--player", "external_sampling")
        took_s = time.perf_counter() - start
    note = f"{NUM_HANDS:,} hands, card tables included"
    yield Figure(
        name="all estimators of a match",
        value=round(took_s, 1),
        unit="s",
        target=TARGET_S,
        note=note,
        higher_is_better=False,
    )
    found = WORTH.search(lines)
    assert found is not None, lines
    yield Figure(name="hands by chips for one by AIVAT", value=float(found[1]), unit="hands")


def acpcbot(*words: str) -> str:
    """What a command prints."""
    command = [sys.executable, "-m", "acpcbot", *words]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
