"""Parts of every soak: the folder, the processes, randomness, findings, and the progress bar."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from dealer_tests.adversity import free_ports
from dealer_tests.soak.findings import FAULT, MEASURE, Finding
from dealer_tests.soak.measures import Track, judge_files, judge_memory
from dealer_tests.soak.processes import Yard, listening, wait_until

DISK_KB, DISK_KB_PER_HAND = 1 << 10, 1
PIECE = bytes(1 << 20)
GOODBYE_S = 15.0


@dataclass(slots=True)
class Stage:
    """One soak at work in *folder*."""

    folder: Path
    yard: Yard
    seed: int
    response_ms: int
    bar: Progress
    task: TaskID
    findings: list[Finding] = field(default_factory=list)
    ports: set[int] = field(default_factory=set)
    hands: dict[str, int] = field(default_factory=dict)
    doing: str = ""

    def chance(self, leg: str) -> random.Random:
        """The random numbers of a leg, which do not depend on the other legs."""
        return random.Random(f"{self.seed} {leg}")

    def free_ports(self, count: int) -> list[int]:
        """Ports that nobody listens on, and nobody may listen on when all is over."""
        ports = free_ports(count)
        self.ports.update(ports)
        return ports

    def note(self, finding: Finding) -> None:
        """Take a finding, and show it."""
        self.findings.append(finding)
        text = f"{finding.verdict:9} {finding.leg}: {finding.what}: {finding.seen}"
        self.bar.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def struck(self, leg: str, what: str, seen: str) -> None:
        """A fault struck and did no harm."""
        self.note(Finding(FAULT, leg, what, True, seen))

    def measured(self, leg: str, track: Track) -> None:
        """Judge the memory and the files of a process; its samples are kept."""
        track.write(self.folder / f"{leg}.{track.name}.csv")
        self.note(judge_memory(leg, track))
        self.note(judge_files(leg, track))

    def tell(self, text: str) -> None:
        """Show the present step."""
        self.doing = text
        self.bar.update(self.task, description=text)

    def advance(self, num_hands: int) -> None:
        """So many more hands are on disk."""
        self.bar.advance(self.task, num_hands)

    def judge_tidiness(self) -> None:
        """Note as a finding whether any process or listening socket is left."""
        with suppress(Exception):
            wait_until(
                lambda: not self.yard.leftovers() and not listening(self.ports),
                "all is gone",
                GOODBYE_S,
            )
        processes, ports = self.yard.leftovers(), listening(self.ports)
        self.note(
            Finding(
                MEASURE,
                "all",
                "processes left",
                not processes,
                f"{len(processes)} {processes or ''}".strip(),
            )
        )
        seen = f"{len(ports)} of {len(self.ports)} ports"
        self.note(Finding(MEASURE, "all", "listening sockets left", not ports, seen))


@contextmanager
def open_stage(
    folder: Path | None, seed: int, response_ms: int, total_hands: int
) -> Iterator[Stage]:
    """A stage in *folder*, a new one below the system's unless given.

    It is kept where something failed.
    """
    place = Path(folder or tempfile.mkdtemp(prefix="acpcbot-soak-"))
    place.mkdir(parents=True, exist_ok=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,.0f} hands"),
        TimeElapsedColumn(),
    )
    is_kept = True
    try:
        with (
            Progress(*columns, console=Console(file=sys.stderr)) as bar,
            Yard(place / "talk") as yard,
        ):
            stage = Stage(place, yard, seed, response_ms, bar, bar.add_task("", total=total_hands))
            yield stage
            is_kept = folder is not None or any(
                finding.is_good is False for finding in stage.findings
            )
    except (KeyboardInterrupt, SystemExit):
        is_kept = folder is not None
        raise
    finally:
        if is_kept:
            print(f"the logs are in {place}", file=sys.stderr)
        else:
            shutil.rmtree(place, ignore_errors=True)


@contextmanager
def small_disk(yard: Yard, folder: Path, num_hands: int) -> Iterator[bool]:
    """Let *folder* be a disk of its own with room for so many hands, where that is allowed;
    whether it is.
    """
    folder.mkdir(parents=True, exist_ok=True)
    size_kb = DISK_KB + num_hands * DISK_KB_PER_HAND
    command = [
        "mount",
        "-t",
        "tmpfs",
        "-o",
        f"size={size_kb}k,mode=700",
        "acpcbot-soak",
        str(folder),
    ]
    try:
        is_mounted = subprocess.run(command, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        is_mounted = False
    try:
        yield is_mounted
    except BaseException:
        yard.clear()  # nobody may write there any more
        raise
    finally:
        if is_mounted:
            _give_back(folder)


def _give_back(folder: Path) -> None:
    """Take the small disk away, and leave what it held in its place."""
    copy = folder.with_name(f"{folder.name}.copy")
    shutil.copytree(folder, copy)
    subprocess.run(["umount", "--lazy", str(folder)], capture_output=True, check=False)
    folder.rmdir()
    copy.rename(folder)


@contextmanager
def full_disk(folder: Path) -> Iterator[None]:
    """Fill the small disk that *folder* is to its last byte; behind it there is room again."""
    ballast = folder / "ballast"
    try:
        with ballast.open("wb", buffering=0) as file, suppress(OSError):
            while file.write(PIECE):
                pass
        yield
    finally:
        ballast.unlink(missing_ok=True)
