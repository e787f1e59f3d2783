"""Commands as processes of their own, and what is expected of a refusal."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

LONGEST_S = 120.0
COMMAND = (sys.executable, "-m", "acpcbot")
REFUSAL = re.compile(r"(error|ERROR): [^\n]+\n(\nhint: [^\n]+\n)?")


def acpcbot(folder: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """Run one command in *folder* to its end."""
    command = [*COMMAND, *map(str, words)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=LONGEST_S, check=False)


def start(folder: Path, *words: object) -> subprocess.Popen[str]:
    """Start one command in *folder*, in a process group of its own."""
    return subprocess.Popen(
        [*COMMAND, *map(str, words)],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def wait_until(condition: Callable[[], bool], what: str, *, longest_s: float = LONGEST_S) -> None:
    """Look again and again until *condition* holds."""
    deadline = time.monotonic() + longest_s
    while not condition():
        assert time.monotonic() < deadline, f"waited in vain until {what}"
        time.sleep(0.01)


def num_hands(folder: Path) -> int:
    """The finished hands in all logs of a match's folder."""
    return sum(path.read_bytes().count(b"STATE:") for path in folder.glob("table*.log"))


def children_of(process: subprocess.Popen[str]) -> list[int]:
    """The ids of a process's children."""
    paths = Path(f"/proc/{process.pid}/task").glob("*/children")
    return [int(child) for path in paths for child in path.read_text().split()]


def is_worker(process_id: int) -> bool:
    """Whether a process is one of a match's workers, its program loaded."""
    path = Path(f"/proc/{process_id}/cmdline")
    return path.exists() and b"spawn_main" in path.read_bytes()


def is_alive(process_id: int) -> bool:
    """Whether a process is still there and no zombie."""
    try:
        stat = Path(f"/proc/{process_id}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"
