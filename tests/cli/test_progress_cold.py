"""Every command that takes longer than two seconds has said something by then, with nothing
compiled and nothing kept.

Each is run under a pseudo-terminal with an empty cache. The clock is the processor's time that its
processes have used, which a busy machine does not stretch as it stretches seconds. A slow machine
does: there the limit is a multiple of what loading the compiler takes, half a second elsewhere.
"""

from __future__ import annotations

import contextlib
import os
import pty
import resource
import select
import shutil
import signal
import socketserver
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not Path("/proc/self/stat").exists(), reason="the system has no /proc to ask for CPU times"
    ),
]

ROOT = Path(__file__).parents[2]
LIMIT_S, LIMIT_LOADS = 2.0, 2.0
POLL_S = 0.05
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
LIMIT = "strategies/holdem.limit.2p.reverse_blinds"
LEDUC = "strategies/leduc.limit.2p/dcfr"
NO_LIMIT_LEDUC = "strategies/leduc.nolimit.2p/external_sampling"
BOTS = """
[[bot]]
strategy = "{strategy}"
game = "holdem.limit.2p.reverse_blinds"
host = "127.0.0.1"
port = {port}
"""
COMMANDS = {
    "match": [
        "match",
        f"{LIMIT}/external_sampling",
        f"{LIMIT}/smooth_uct",
        "--hands",
        "20",
        "-o",
        "{tmp}/new",
    ],
    "match of baselines": [
        "match",
        "call",
        "tight",
        "--game",
        "leduc.limit.2p",
        "--hands",
        "5000",
        "-o",
        "{tmp}/new",
    ],
    "tournament": ["tournament", "run", "call", "tight", LEDUC, "--hands", "20", "-o", "{tmp}/new"],
    "show": ["show", f"{LIMIT}/external_sampling", "MATCHSTATE:0:0:r:AsKd|"],
    "show search": ["show", "strategies/leduc.nolimit.2p/search", "MATCHSTATE:0:0::Ks|"],
    "report": ["report", "{played}/match"],
    "report page": ["report", "{played}/match", "-o", "{tmp}/report.html"],
    "log check": ["log", "check", "{played}/large.log", "--game", "leduc.limit.2p"],
    "log all-in": [
        "log",
        "all-in",
        "{played}/large.log",
        "--game",
        "leduc.limit.2p",
        "-o",
        "{tmp}/fair.log",
    ],
    "log to-phh": ["log", "to-phh", "{played}/match/table000.log", "{tmp}/match.phhs"],
    "exploitability": ["exploitability", LEDUC],
    "exploitability with all hands": [
        "exploitability",
        "strategies/flop_holdem.limit.2p/external_sampling",
    ],
    "evaluate": ["evaluate", "{played}/match"],
    "lbr": ["lbr", f"{LIMIT}/smooth_uct", "--deals", "20"],
    "explain": ["explain", "{played}/match", "--hand", "3", "--strategy", f"{LIMIT}/smooth_uct"],
    "solve": ["solve", "--board", "KsTd9h4s2c", "--pot", "100", "--stack", "400"],
    "solve game": ["solve", "--game", "leduc.limit.2p"],
    "train": [
        "train",
        f"{LEDUC}/recipe.toml",
        "--run-dir",
        "{tmp}/run",
        "--output",
        "{tmp}/snapshot",
    ],
    "arena": ["arena", LEDUC, f"{LEDUC}?play=purified", "--deals", "2000"],
    "build-preflop-values": [
        "build-preflop-values",
        NO_LIMIT_LEDUC,
        "--run-dir",
        "{tmp}/run",
        "--output",
        "{tmp}/values",
    ],
    "play": [
        "play",
        f"{LIMIT}/external_sampling",
        "127.0.0.1",
        "{port}",
        "--game",
        "holdem.limit.2p.reverse_blinds",
    ],
    "serve": ["serve", "{tmp}/bots.toml"],
    "table": [
        "table",
        f"{LIMIT}/external_sampling",
        "--game",
        "holdem.limit.2p.reverse_blinds",
        "-o",
        "{tmp}/tables",
    ],
    "strategies": ["strategies", "verify"],
    "warmup": ["warmup", "--jobs", "1"],
}
INTERRUPTED = 130


@pytest.fixture(scope="module")
def limit_s() -> float:
    """Return the limit of this machine, in seconds of a processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", "import numba"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    loading_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return max(LIMIT_S, LIMIT_LOADS * loading_s)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a match that reports read, and with a log of many hands."""
    folder = tmp_path_factory.mktemp("played")
    shown = ["call", f"{LIMIT}/smooth_uct", "--hands", "20", "-o", str(folder / "match")]
    run = [sys.executable, "-m", "acpcbot", "match"]
    subprocess.run([*run, *shown], cwd=ROOT, check=True, capture_output=True)
    many = [
        "call",
        "tight",
        "--game",
        "leduc.limit.2p",
        "--in-process",
        "--hands",
        "100000",
        "-o",
        str(folder / "many"),
    ]
    subprocess.run([*run, *many], cwd=ROOT, check=True, capture_output=True)
    shutil.copy(folder / "many" / "table000.log", folder / "large.log")
    return folder


class AskingDealer(socketserver.StreamRequestHandler):
    """Asks the first client for one action, and hears all that is said after that."""

    def handle(self) -> None:
        assert self.rfile.readline().startswith(b"VERSION:2.0.0")
        self.wfile.write(b"MATCHSTATE:1:0::|AsKd\r\n")
        while self.rfile.readline():
            pass


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """Return the port at which a dealer waits for a bot."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), AskingDealer) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        yield server.server_address[1]
        server.shutdown()
        serving.join()


@pytest.mark.parametrize("name", COMMANDS)
def test_something_is_on_the_terminal_within_two_seconds(
    name: str, played: Path, port: int, limit_s: float, tmp_path: Path
) -> None:
    (tmp_path / "bots.toml").write_text(
        BOTS.format(strategy=ROOT / LIMIT / "external_sampling", port=port)
    )
    known = {"played": played, "tmp": tmp_path, "port": port}
    words = [word.format_map(known) for word in COMMANDS[name]]
    environment = {
        **os.environ,
        "ACPCBOT_CACHE": str(tmp_path / "cache"),
        "TERM": "xterm",
        "COLUMNS": "100",
    }
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "acpcbot", *words]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdout=theirs,
        stderr=theirs,
        stdin=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    try:
        first_s, said = heard_after(process.pid, ours)
        os.killpg(process.pid, signal.SIGINT)  # the rest of its work is for other tests
        said_later = rest(ours)
        status = process.wait()
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        os.close(ours)
    assert status in (0, INTERRUPTED, -signal.SIGINT), said_later.decode()
    assert said
    assert b"error" not in said
    assert first_s < limit_s, f"{first_s:.1f} s of CPU before the first word: {said[:200]!r}"


def heard_after(pid: int, terminal: int) -> tuple[float, bytes]:
    """Processor time that the session of *pid* had used when it first wrote to the *terminal*,
    and what it wrote.
    """
    used_s = 0.0
    while not select.select([terminal], [], [], POLL_S)[0]:
        used_s = max(used_s, session_s(pid))
    try:
        return used_s, os.read(terminal, 4096)
    except OSError:
        return used_s, b""


def rest(terminal: int) -> bytes:
    """Return what comes from the *terminal* until all who could write to it have gone."""
    said = b""
    with contextlib.suppress(OSError):
        while more := os.read(terminal, 65536):
            said += more
    return said


def session_s(leader: int) -> float:
    """Processor time of all living processes of the session that *leader* leads."""
    ticks = 0
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:  # it has ended meanwhile
                continue
            if int(fields[3]) == leader:
                ticks += int(fields[11]) + int(fields[12])
    return ticks / TICKS
