"""How long containers take from ``docker compose up`` to the first hand, the image being there.

The clock stops with the last byte of the log of a match of one hand. An engine is used that runs here, or started and
ended again; the image is built first, unless ACPCBOT_IMAGE names one.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Iterator
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
BOTS = {"tight and call": ("tight", "call"), "trained": (f"{HOLDEM}/external_sampling", f"{HOLDEM}/smooth_uct")}


def figures() -> Iterator[Figure]:
    """One figure for simple bots, one for trained ones."""
    given = os.environ.get("ACPCBOT_IMAGE")
    try:
        with engine() as found:
            if given is None:
                with tempfile.TemporaryDirectory() as folder:
                    build_image(found, IMAGE, Path(folder))
            for name, (alice, bob) in BOTS.items():
                variables = {"IMAGE": given or IMAGE, "ALICE": alice, "BOB": bob, "HANDS": "1"}
                yield Figure(
                    name=f"compose up to the first hand, {name}",
                    value=statistics.median(first_hand_s(found, variables) for _ in range(RUNS)),
                    unit="s",
                    target=TARGET_S,
                    higher_is_better=False,
                )
    except pytest.skip.Exception as reason:
        raise SystemExit(f"error: {reason}") from None


def first_hand_s(found: Engine, variables: dict[str, str]) -> float:
    """Seconds from the start of compose to the end of the first hand."""
    with composed(found, PROJECT, variables) as stack:
        started_s = time.time()
        said(stack.compose("up", "--detach"))
        dealer = said(stack.compose("ps", "--all", "--quiet", "dealer")).strip()
        assert stack.docker("wait", dealer).strip() == "0"
        words = ["run", "--rm", "--entrypoint=stat", f"--volume={PROJECT}_data:/data:ro", variables["IMAGE"]]
        return float(stack.docker(*words, "--format=%.9Y", "/data/match/table000.log")) - started_s
