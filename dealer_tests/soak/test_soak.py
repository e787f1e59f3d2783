"""A short soak as a user starts it: every fault strikes and is told of, and nothing is left,
interrupted or not.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOAK = (sys.executable, "-m", "dealer_tests.soak")
LONGEST_S = 240
FULL_DISK = "disk full (ENOSPC), then room again"
FAULTS = {
    "dealer killed (SIGKILL), resumed",
    "dealer terminated (SIGTERM), resumed",
    "peers that say nothing, rubbish, half a line to serve's metrics",
    "no room for the files (RLIMIT_FSIZE), then room again",
    FULL_DISK,
    "bot stopped beyond the response limit (SIGSTOP, SIGCONT)",
    "a dealer that says nothing, rubbish, half a line to a bot of serve",
    "serve drained (SIGTERM), started again",
    "serve told to leave between two matches (SIGTERM)",
}
pytestmark = pytest.mark.skipif(
    not Path("/proc/self/smaps_rollup").exists(), reason="needs Linux's /proc"
)


WORDS = (
    "--limit-hands",
    "5000",
    "--no-limit-hands",
    "0",
    "--legs",
    "served",
    "--response-ms",
    "1500",
)


def start(folder: Path, *more: object) -> subprocess.Popen[str]:
    """A soak that keeps everything below *folder*, which is also a mark on all of its processes."""
    return subprocess.Popen(
        [*SOAK, *WORDS, *map(str, more)],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.slow
@pytest.mark.timeout(LONGEST_S)
def test_a_short_soak_through_every_fault_of_a_served_match_is_good(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    with start(tmp_path, "--json", report) as soak:
        table, talk = soak.communicate(timeout=LONGEST_S)
    assert soak.returncode == 0, table + talk
    findings = json.loads(report.read_text())["findings"]
    assert {finding["what"] for finding in findings if finding["kind"] == "fault"} == FAULTS
    missed = {finding["what"] for finding in findings if finding["verdict"] != "ok"}
    assert missed <= {FULL_DISK}  # mounting a disk may not be allowed
    assert "1,500 of 1,500 played to their end" in table
    report.unlink()
    verify_nothing_is_left(tmp_path)


@pytest.mark.timeout(LONGEST_S)
@pytest.mark.parametrize(
    ("number", "status"),
    [(signal.SIGINT, 130), pytest.param(signal.SIGTERM, 143, marks=pytest.mark.slow)],
)
def test_a_soak_that_is_interrupted_leaves_nothing_behind(
    number: signal.Signals, status: int, tmp_path: Path
) -> None:
    with start(tmp_path) as soak:
        while soak.poll() is None and not any(
            b"STATE:" in log.read_bytes() for log in tmp_path.glob("*/served/*.log")
        ):
            time.sleep(0.01)
        soak.send_signal(number)
        talk = soak.communicate(timeout=LONGEST_S)[1]
    assert soak.returncode == status, talk
    verify_nothing_is_left(tmp_path)


def verify_nothing_is_left(folder: Path) -> None:
    assert list(folder.iterdir()) == []
    assert processes_with(f"TMPDIR={folder}") == []
    assert str(folder) not in Path("/proc/mounts").read_text()


def processes_with(variable: str) -> list[int]:
    """The processes that have *variable* in their environment."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if variable.encode() in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
        except OSError:
            pass
    return found
