"""Time that parts of work take beyond themselves in local processes, and on a Ray cluster.

Each part keeps a processor busy for ten seconds of its own time. The cluster has two nodes with a
processor each, on this machine; it needs the extra ``cluster``. Measure it on a machine with two
processors or more, and no other load.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from acpcbot.cluster import LocalProcesses, RayCluster, Workers
from acpcbot.cluster.ray_cluster import load_ray
from benchmarks.figure import Figure

ONLY_BY_NAME = True

PART_S, NUM_PARTS, NUM_WORKERS = 10.0, 20, 2
STORE_BYTES, MEMORY_BYTES = 80 << 20, 2 << 30
TARGET_PERCENT = 5.0


@dataclass(frozen=True, slots=True)
class BusyParts:
    """Work without folders, whose parts keep a processor busy for *seconds*."""

    seconds: float

    def folders(self) -> tuple[Path, ...]:
        """Return no folder."""
        return ()

    def moved(self, move: Callable[[Path], Path]) -> BusyParts:
        """Return the same work."""
        return self

    def prepare(self) -> None:
        """Prepare nothing."""

    def part(self, part: int) -> int:
        """Return the number of the part, after its time on a processor."""
        start_s = time.process_time()
        while time.process_time() - start_s < self.seconds:
            pass
        return part


def figures() -> Iterator[Figure]:
    """Yield start and overhead of local processes and of a cluster."""
    yield from overhead("local processes", LocalProcesses(NUM_WORKERS))
    with two_nodes() as address:
        yield from overhead("a Ray cluster", RayCluster(address))


def overhead(name: str, workers: Workers) -> Iterator[Figure]:
    """Yield the time to the first result beyond its own, and the overhead of all parts behind it."""
    ends_s: list[float] = []
    start_s = time.monotonic()
    workers.run(
        BusyParts(PART_S), range(NUM_PARTS), lambda _index, _part: ends_s.append(time.monotonic())
    )
    assert len(ends_s) == NUM_PARTS
    yield Figure(
        name=f"start of {name}",
        value=ends_s[0] - start_s - PART_S,
        unit="s",
        note="to the first result, less the part's own time",
        higher_is_better=False,
    )
    # The last results of the workers come at about the same time, as their first ones do.
    own_s = PART_S * (NUM_PARTS / NUM_WORKERS - 1)
    yield Figure(
        name=f"overhead of {name}",
        value=100 * ((ends_s[-1] - ends_s[0]) / own_s - 1),
        unit="%",
        target=TARGET_PERCENT,
        note=f"{NUM_PARTS} parts of {PART_S:.0f} s with {NUM_WORKERS} workers, after the first result",
        higher_is_better=False,
    )


@contextmanager
def two_nodes() -> Iterator[str]:
    """Start a cluster of two nodes with a processor each, on loopback; yield its address."""
    root = str(Path(__file__).parents[1])
    paths = [root, os.environ.get("PYTHONPATH", "")]
    os.environ["PYTHONPATH"] = os.pathsep.join([path for path in paths if path])
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    load_ray("127.0.0.1:0")
    from ray.cluster_utils import Cluster

    cluster = Cluster()
    try:
        for _ in range(NUM_WORKERS):
            cluster.add_node(
                num_cpus=1,
                object_store_memory=STORE_BYTES,
                memory=MEMORY_BYTES,
                include_dashboard=False,
                node_ip_address="127.0.0.1",
            )
        yield str(cluster.address)
    finally:
        cluster.shutdown()
