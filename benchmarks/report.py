"""Time and memory of ``acpcbot report`` for 100,000 hands of random play, as a page.

Random play is harder than that of real players: hands are longer, and hardly any betting comes
twice. The all-ins of random play are too many to be averaged, which is left out as it is by
default.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from acpcbot.poker.shipped import shipped_definition
from benchmarks.figure import Figure
from benchmarks.logs import NUM_HANDS, random_lines

GAMES = ("holdem.limit.2p.reverse_blinds", "holdem.nolimit.6p")
NUM_LOGS = 5
TARGET_S, TARGET_MB = 20.0, 1000.0


def figures() -> Iterator[Figure]:
    for game in GAMES:
        with tempfile.TemporaryDirectory() as folder:
            logs = write_logs(game, Path(folder))
            report(game, logs[:1])  # fills the cache
            took_s, memory_mb = report(game, logs)
        label, note = f"report, {game}", f"{NUM_LOGS * NUM_HANDS:,} hands"
        yield Figure(
            name=label, value=took_s, unit="s", target=TARGET_S, note=note, higher_is_better=False
        )
        yield Figure(
            name=f"{label}, memory",
            value=memory_mb,
            unit="MB",
            target=TARGET_MB,
            note=note,
            higher_is_better=False,
        )


def write_logs(game: str, folder: Path) -> list[Path]:
    """Return the same hands under several names."""
    text = "".join(random_lines(shipped_definition(game)))
    paths = [folder / f"{number}.log" for number in range(NUM_LOGS)]
    for path in paths:
        path.write_text(text)
    return paths


def report(game: str, logs: list[Path]) -> tuple[float, float]:
    """Return seconds and peak megabytes of a process that writes a page."""
    words = ["report", *map(str, logs), "--game", game, "-o", str(logs[0].with_suffix(".html"))]
    started_s = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "acpcbot", *words], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    took_s = time.perf_counter() - started_s
    process.returncode = status
    assert status == 0
    return took_s, used.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6
