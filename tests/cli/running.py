"""Commands as processes of their own, and what is expected of a refusal."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from acpcbot.net.journal import open_journal
from acpcbot.net.match_runner import play_table
from acpcbot.net.worker_pool import TableTask
from dealer_tests.adversity import child_processes, state_lines
from tests.support.fresh_programs import run_python

LONGEST_S = 120.0
COMMAND = (sys.executable, "-m", "acpcbot")
REFUSAL = re.compile(r"(error|ERROR): [^\n]+\n(\nhint: [^\n]+\n)?")


def acpcbot(folder: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """Run one command in *folder* to its end."""
    return run_python("-m", "acpcbot", *words, folder=folder)


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


def logs(folder: Path) -> dict[str, list[str]]:
    """The STATE lines of each table, of a match or of all matches below *folder*."""
    paths = sorted(folder.rglob("table*.log"))
    return {path.relative_to(folder).as_posix(): state_lines(path) for path in paths}


def num_hands(folder: Path) -> int:
    """The finished hands in all logs below *folder*."""
    return sum(path.read_bytes().count(b"STATE:") for path in folder.rglob("table*.log"))


def kill_after(limit: int, process: subprocess.Popen[str], folder: Path) -> None:
    """Kill *process* when so many hands are in the logs, and wait until its workers are gone
    too.
    """
    try:
        wait_until(
            lambda: num_hands(folder) > limit or process.poll() is not None,
            f"{limit} hands are played",
        )
        workers = children_of(process)
    finally:
        process.kill()
        process.communicate(timeout=LONGEST_S)
    wait_until(lambda: not any(map(is_alive, workers)), "the workers are gone", longest_s=20.0)


def uninterrupted(tasks: Iterable[TableTask], folder: Path) -> dict[str, list[str]]:
    """The STATE lines of *tasks* played here below *folder*, one table after another, without
    sockets.
    """
    for task in tasks:
        task.folder.mkdir(exist_ok=True)
        play_table(
            replace(task, plan=replace(task.plan, is_in_process=True)), open_journal(level="error")
        )
    return logs(folder)


def children_of(process: subprocess.Popen[str]) -> list[int]:
    """The ids of a process's children."""
    return [int(child) for child in child_processes(process.pid)]


def is_worker(process_id: int) -> bool:
    """Return True if a process is one of a match's workers, its program loaded."""
    path = Path(f"/proc/{process_id}/cmdline")
    return path.exists() and b"spawn_main" in path.read_bytes()


def is_alive(process_id: int) -> bool:
    """Return True if a process is still there and no zombie."""
    try:
        stat = Path(f"/proc/{process_id}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"
