"""Time of a cold ``acpcbot play`` to its first reply, compiled kernels being cached.

The clock starts before the process does and stops when its first action arrives.
"""

from __future__ import annotations

import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator

from benchmarks.figure import RUNS, Figure

GAME = "holdem.limit.2p.reverse_blinds"
FIRST_STATE = b"MATCHSTATE:1:0::|AsAd\r\n"
STRATEGIES = ("call", "tight")
TARGET_S = 2.0


def figures() -> Iterator[Figure]:
    for strategy in STRATEGIES:
        first_decision_s(strategy)  # fills the cache
        times = [first_decision_s(strategy) for _ in range(RUNS)]
        yield Figure(
            name=f"first decision of 'acpcbot play {strategy}'",
            value=statistics.median(times),
            unit="s",
            target=TARGET_S,
            higher_is_better=False,
        )


def first_decision_s(strategy: str) -> float:
    """Return seconds from starting the process to its first reply."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        started_s = time.perf_counter()
        words = ["play", strategy, "127.0.0.1", str(port), "--game", GAME]
        client = subprocess.Popen(
            [sys.executable, "-m", "acpcbot", *words], stderr=subprocess.DEVNULL
        )
        connection, _ = listener.accept()
        with connection, connection.makefile("rb") as lines:
            assert lines.readline().startswith(b"VERSION:")
            connection.sendall(FIRST_STATE)
            assert lines.readline().startswith(FIRST_STATE.rstrip())
            took_s = time.perf_counter() - started_s
    client.wait()
    return took_s
