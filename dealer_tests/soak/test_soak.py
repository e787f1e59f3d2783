"""A short soak as a user starts it: every fault strikes and is told of, and nothing is left, interrupted or not."""

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
FAULTS = {
    "dealer killed (SIGKILL), resumed",
    "dealer terminated (SIGTERM), resumed",
    "peers that say nothing, rubbish, half a line to serve's metrics",
    "no room for the files (RLIMIT_FSIZE), then room again",
    "disk full (ENOSPC), then room again",
    "bot stopped beyond the response limit (SIGSTOP, SIGCONT)",
    "a dealer that says nothing, rubbish, half a line to a bot of serve",
    "serve drained (SIGTERM), started again",
    "serve told to leave between two matches (SIGTERM)",
}
pytestmark = pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="needs Linux's /proc")


def words(folder: Path, *more: object) -> list[str]:
    options = ("--limit-hands", 5000, "--no-limit-hands", 0, "--legs", "served", "--response-ms", 1500)
    return [*SOAK, *map(str, (*options, "-o", folder / "soak", *more))]


@pytest.mark.timeout(LONGEST_S)
def test_a_short_soak_through_every_fault_of_a_served_match_is_good(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    done = subprocess.run(
        words(tmp_path, "--json", report), cwd=ROOT, capture_output=True, text=True, timeout=LONGEST_S, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    findings = json.loads(report.read_text())["findings"]
    struck = {finding["what"] for finding in findings if finding["kind"] == "fault"}
    assert struck == FAULTS
    assert all(finding["verdict"] == "ok" for finding in findings if finding["what"] not in FAULTS)
    assert "1,500 of 1,500 played to their end" in done.stdout
    assert not (tmp_path / "soak" / "served").is_mount()


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_soak_that_is_interrupted_leaves_nothing_behind(number: signal.Signals, status: int, tmp_path: Path) -> None:
    marked = {**os.environ, "SOAK_TEST": str(tmp_path)}
    log = tmp_path / "soak" / "served" / "soak.log"
    with subprocess.Popen(
        words(tmp_path), cwd=ROOT, env=marked, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as soak:
        while not (log.exists() and b"STATE:" in log.read_bytes()) and soak.poll() is None:
            time.sleep(0.01)
        soak.send_signal(number)
        _, talk = soak.communicate(timeout=LONGEST_S)
    assert soak.returncode == status, talk.decode()
    assert processes_with(f"SOAK_TEST={tmp_path}") == []
    assert not log.parent.is_mount()


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
