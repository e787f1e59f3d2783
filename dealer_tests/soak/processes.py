"""The soak's own processes: started with a mark in their environment, by which everything of
theirs is found again.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from dealer_tests.soak.findings import SoakFailure

MARK = "ACPCBOT_SOAK"
COMMAND = (sys.executable, "-m", "acpcbot")
LONGEST_S = 120.0
STALLED_S = 60.0
POLL_S = 0.004
LISTENING = "0A"


def wait_until(condition: Callable[[], bool], what: str, longest_s: float = LONGEST_S) -> None:
    """Look again and again until *condition* holds; raises SoakFailure."""
    deadline_s = time.monotonic() + longest_s
    while not condition():
        if time.monotonic() > deadline_s:
            raise SoakFailure(f"waited {longest_s:g} s in vain until {what}")
        time.sleep(POLL_S)


class Program:
    """One command at work; what it says goes to two files."""

    def __init__(
        self, talk: Path, words: tuple[str, ...], folder: Path, environment: Mapping[str, str]
    ) -> None:
        self.name = talk.name
        self._out, self._err = talk.with_suffix(".out"), talk.with_suffix(".err")
        with self._out.open("wb") as out, self._err.open("wb") as err:
            self._popen = subprocess.Popen(
                [*COMMAND, *words],
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                process_group=0,  # Ctrl-C is ours; a session of its own would be scheduled against ours
            )
        self.pid = self._popen.pid

    @property
    def is_running(self) -> bool:
        return self._popen.poll() is None

    @property
    def out(self) -> str:
        return self._out.read_text(encoding="utf-8", errors="replace")

    @property
    def err(self) -> str:
        return self._err.read_text(encoding="utf-8", errors="replace")

    def send(self, number: signal.Signals) -> None:
        """Send a signal; raises SoakFailure where nobody is left to hear it."""
        if not self.is_running:
            raise SoakFailure(f"{self.name} had ended by itself before {number.name}")
        self._popen.send_signal(number)

    def wait(self, longest_s: float = LONGEST_S) -> int:
        """The exit status; raises SoakFailure when there is none in time."""
        try:
            return self._popen.wait(longest_s)
        except subprocess.TimeoutExpired:
            raise SoakFailure(f"{self.name} did not end within {longest_s:g} s") from None

    def end(self) -> None:
        """End it at once, stopped or not."""
        if self.is_running:
            self._popen.kill()
        self._popen.wait()


def await_hands(look: Callable[[], int], wanted: int, program: Program) -> None:
    """Wait until *look* sees so many hands.

    Raises SoakFailure when *program* ends or stands still before.
    """
    wait_until(
        lambda: look() >= wanted or not program.is_running,
        f"{program.name} plays hand {wanted}",
        STALLED_S,
    )
    if look() < wanted:
        raise SoakFailure(
            f"{program.name} ended at hand {look()} and said: {program.err.strip()[-300:]}"
        )


class Yard:
    """The place where all programs of one soak are started.

    What they say goes to the folder *talk*. Leaving it ends all.
    """

    def __init__(self, talk: Path) -> None:
        talk.mkdir(parents=True, exist_ok=True)
        self.mark = f"{os.getpid()}-{time.monotonic_ns()}"
        self._talk = talk
        self._programs: list[Program] = []
        self._count = 0

    def __enter__(self) -> Yard:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def clear(self) -> None:
        """End every program, and whatever came of them."""
        for program in self._programs:
            program.end()
        for process in self.leftovers():
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def start(
        self, name: str, folder: Path, *words: object, environment: Mapping[str, str] | None = None
    ) -> Program:
        """Start ``acpcbot`` with *words* in *folder*."""
        self._count += 1
        everything = {**os.environ, **(environment or {}), MARK: self.mark}
        program = Program(
            self._talk / f"{self._count:03d}-{name}", tuple(map(str, words)), folder, everything
        )
        self._programs = [other for other in self._programs if other.is_running] + [program]
        return program

    def leftovers(self) -> list[int]:
        """Processes of this soak that nobody here waits for any more: workers, grandchildren,
        forgotten ones.
        """
        awaited = {program.pid for program in self._programs if program.is_running}
        return [process for process in marked_processes(self.mark) if process not in awaited]


def marked_processes(mark: str) -> list[int]:
    """The living processes with *mark* in their environment, but for this one."""
    wanted = f"{MARK}={mark}".encode()
    processes = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
    return [
        process
        for process in processes
        if process != os.getpid() and wanted in _environment(process)
    ]


def _environment(process: int) -> list[bytes]:
    try:
        return Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
    except OSError:  # it is somebody else's, or gone
        return []


def is_stopped(process: int) -> bool:
    """Return True if a SIGSTOP holds *process*."""
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "T"


def listening(ports: set[int]) -> set[int]:
    """Those of *ports* on which somebody listens."""
    rows = [
        line.split()
        for path in (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
        if path.exists()
        for line in path.read_text().splitlines()[1:]
    ]
    return ports & {int(row[1].rpartition(":")[2], 16) for row in rows if row[3] == LISTENING}
