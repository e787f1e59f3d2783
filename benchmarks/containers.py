"""Time to the first hand in containers, from ``docker compose up`` and from their start.

The difference is the engine's work. The clock stops with the last byte of the log of a match of
one hand; the image is there, and nothing is compiled. An engine is used that runs here, or started
and ended again; the image is built first, unless ACPCBOT_IMAGE names one.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from benchmarks.figure import Figure
from tests.containers.engines import Engine, build_image, composed, engine, said

ONLY_BY_NAME = True
TARGET_S = 3.0
RUNS = 3
IMAGE = "acpcbot-bench"
PROJECT = f"acpcbot-bench-{os.getpid()}"
HOLDEM = "strategies/holdem.limit.2p.reverse_blinds"
BOTS = {
    "tight and call": ("tight", "call"),
    "trained": (f"{HOLDEM}/external_sampling", f"{HOLDEM}/smooth_uct"),
}


def figures() -> Iterator[Figure]:
    """Yield one figure for simple bots, one for trained ones."""
    given = os.environ.get("ACPCBOT_IMAGE")
    try:
        with engine() as found:
            if given is None:
                with tempfile.TemporaryDirectory() as folder:
                    build_image(found, IMAGE, Path(folder))
            for name, (alice, bob) in BOTS.items():
                variables = {"IMAGE": given or IMAGE, "ALICE": alice, "BOB": bob, "HANDS": "1"}
                runs = [first_hand_s(found, variables) for _ in range(RUNS)]
                for since, times in zip(
                    ("compose up", "a container's start"), zip(*runs, strict=True), strict=True
                ):
                    yield Figure(
                        name=f"{since} to the first hand, {name}",
                        value=statistics.median(times),
                        unit="s",
                        target=TARGET_S,
                        higher_is_better=False,
                    )
    except pytest.skip.Exception as reason:
        raise SystemExit(f"error: {reason}") from None


def first_hand_s(found: Engine, variables: dict[str, str]) -> tuple[float, float]:
    """Return seconds to the end of the first hand, from the start of compose and of a container."""
    with composed(found, PROJECT, variables) as stack:
        started_s = time.time()
        said(stack.compose("up", "--detach"))
        containers = said(stack.compose("ps", "--all", "--quiet")).split()
        dealer = said(stack.compose("ps", "--all", "--quiet", "dealer")).strip()
        assert stack.docker("wait", dealer).strip() == "0"
        starts = stack.docker("inspect", "--format", "{{.State.StartedAt}}", *containers).split()
        first_s = min(datetime.fromisoformat(start).timestamp() for start in starts)
        words = [
            "run",
            "--rm",
            "--entrypoint=stat",
            f"--volume={PROJECT}_data:/data:ro",
            variables["IMAGE"],
        ]
        ended_s = float(stack.docker(*words, "--format=%.9Y", "/data/match/table000.log"))
        return ended_s - started_s, ended_s - first_s
