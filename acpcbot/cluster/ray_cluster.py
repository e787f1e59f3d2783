"""Parts of work as tasks of a Ray cluster.

Ray places tasks, repeats those whose worker or node has died, and carries objects between nodes.
Here is what is ours: parts, their order and count, what their nodes must have installed, and the
end. The driver keeps a few parts more in Ray's hands than there are processors, so an interrupt
leaves no queue, and nodes that join are used.
"""

from __future__ import annotations

import copy
import os
import re
import signal
import socket
import sys
import threading
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from time import monotonic
from typing import Any

import numpy as np

from acpcbot.cluster.build import current_build
from acpcbot.cluster.ray_tasks import Order, do_part, tell_build, verify_build
from acpcbot.cluster.shared_folders import SharedFolders, absolute, list_folders
from acpcbot.cluster.work import PartT, ResultT, Work
from acpcbot.errors import UsageError

LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "::1")
LOOPBACK_VARIABLE = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"
"""Ray keeps to loopback addresses where this is 0, on every system."""
CONNECT_TIMEOUT_S = 10.0
NODE_TIMEOUT_S = 120.0
POLL_S = 1.0
RECOUNT_S = 5.0
CANCEL_TIMEOUT_S = 10.0
QUEUED_PER_CPU = 2
"""Parts in Ray's hands for each processor: the one in work, and the next."""
RETRIES = 5
"""Workers that a part may lose before it is given up; one that takes too much memory kills all."""
INSTALL_HINT = "install the extra: pip install 'acpcbot[cluster]'"
START_HINT = "start it: ray start --head on one machine, ray start --address on the others"
ADDRESS_HINT = "give the head's address and port, as in 10.0.0.1:6379"


@dataclass(frozen=True, slots=True)
class RayCluster:
    """The workers of the Ray cluster whose head is at *address*, which this machine belongs to.

    ``max_parts``    most parts at the same time; all processors of the cluster if None
    ``part_bytes``   memory that a part's process takes; Ray puts no more of them on a node
    ``tell``         called with a line about the cluster
    """

    address: str
    max_parts: int | None = None
    part_bytes: int = 0
    tell: Callable[[str], None] | None = None

    def run(
        self,
        work: Work[PartT, ResultT],
        parts: Sequence[PartT],
        keep: Callable[[int, ResultT], None],
    ) -> None:
        """Carry out *parts*; see ``Workers``."""
        verify_address(self.address)
        ray = load_ray(self.address)
        if not parts:
            return
        with _connected(ray, self.address):
            self._verify_nodes(ray)
            folders = list_folders(work.folders())
            order = Order(
                uuid.uuid4().hex,
                # Names are looked up here, where the folders are.
                work.moved(absolute),
                current_build(),
                folders,
                tuple([_stored(ray, folders, index) for index in range(len(folders.files))]),
            )
            tasks = _Tasks(ray, order, self)
            try:
                for index, result in tasks.results(parts):
                    keep(index, result)
            finally:
                tasks.cancel()

    def _verify_nodes(self, ray: Any) -> None:
        """Raise UsageError unless all nodes that work run our build, and one can take a part."""
        nodes = [node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU")]
        if not nodes:
            raise UsageError(f"the cluster at {self.address} has no processors", START_HINT)
        num_cpus = sum(int(node["Resources"]["CPU"]) for node in nodes)
        if self.tell is not None:
            self.tell(f"cluster {self.address}: nodes: {len(nodes)}, processors: {num_cpus}")
        most = max(int(node["Resources"].get("memory", 0)) for node in nodes)
        if most < self.part_bytes:
            raise UsageError(
                f"a part takes {self.part_bytes >> 20:,} MiB, and the largest node offers"
                f" {most >> 20:,} MiB",
                "add a node with more memory, or give more of it: ray start --memory BYTES",
            )
        probe = ray.remote(tell_build)
        placed = ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy
        builds = [
            (
                node["NodeManagerAddress"],
                probe.options(
                    num_cpus=0, scheduling_strategy=placed(node["NodeID"], soft=False)
                ).remote(),
            )
            for node in nodes
        ]
        gone = ray.exceptions.TaskUnschedulableError, ray.exceptions.NodeDiedError
        for name, reference in builds:
            try:
                build = ray.get(reference, timeout=NODE_TIMEOUT_S)
            except gone:  # a node that has just died, or left
                continue
            except ray.exceptions.RayError as error:
                raise UsageError(
                    f"node {name} cannot run acpcbot: {_last_line(error)}",
                    "install the same acpcbot there, in the Python that ray start runs in",
                ) from None
            verify_build(current_build(), build, name)


class _Tasks:
    """Parts in Ray's hands."""

    def __init__(self, ray: Any, order: Order, cluster: RayCluster) -> None:
        self._ray, self._cluster = ray, cluster
        self._order = [ray.put(order)]
        self._key = order.key
        resources = {"memory": cluster.part_bytes} if cluster.part_bytes else {}
        self._task = ray.remote(do_part).options(num_cpus=1, max_retries=RETRIES, **resources)
        self._running: dict[Any, int] = {}
        self._limit, self._counted_s = 0, -RECOUNT_S

    def results(self, parts: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        """Yield the index and the result of each part, as they are done."""
        waiting = deque(enumerate(parts))
        while waiting or self._running:
            limit = self._most_running()
            while waiting and len(self._running) < limit:
                index, part = waiting.popleft()
                self._running[self._task.remote(self._key, self._order, part)] = index
            done, _ = self._ray.wait(list(self._running), num_returns=1, timeout=POLL_S)
            for reference in done:
                index = self._running.pop(reference)
                yield index, self._result(reference, index)

    def cancel(self) -> None:
        """Drop what is not done, end the processes that are at it, and wait for their ends.

        Ray cancels in the background, and does not say what becomes of a driver that leaves meanwhile.
        """
        references = list(self._running)
        self._running.clear()
        for reference in references:
            self._ray.cancel(reference, force=True)
        if references:
            self._ray.wait(references, num_returns=len(references), timeout=CANCEL_TIMEOUT_S)

    def _most_running(self) -> int:
        """Return how many parts may be in Ray's hands, by the nodes that there are now."""
        if self._cluster.max_parts is not None:
            return self._cluster.max_parts
        if monotonic() - self._counted_s >= RECOUNT_S:
            num_cpus = int(self._ray.cluster_resources().get("CPU", 0))
            self._limit, self._counted_s = max(1, QUEUED_PER_CPU * num_cpus), monotonic()
        return self._limit

    def _result(self, reference: Any, index: int) -> Any:
        exceptions = self._ray.exceptions
        try:
            # A copy: arrays would lie in the object store, whose memory ends with the connection.
            return copy.deepcopy(self._ray.get(reference))
        except exceptions.RayTaskError as error:
            cause = getattr(error, "cause", None)
            raise (cause if isinstance(cause, Exception) else error) from None
        except exceptions.RayError as error:
            raise UsageError(
                f"part {index} was lost with {RETRIES + 1} workers: {_last_line(error)}",
                "is there enough memory for a worker a processor? --jobs N keeps fewer at work",
            ) from None


def load_ray(address: str) -> Any:
    """Return Ray, to reach the cluster at *address*; raises UsageError without it."""
    if _split(address)[0] in LOOPBACK_HOSTS:
        # Ray, if it is not told, takes such an address for that of the network card.
        os.environ.setdefault(LOOPBACK_VARIABLE, "0")
    try:
        import ray
        import ray.util.scheduling_strategies
    except ImportError as error:
        raise UsageError(
            f"a cluster needs Ray, and {error.name} is not installed", INSTALL_HINT
        ) from None
    return ray


def verify_address(address: str) -> None:
    """Raise UsageError unless *address* is HOST:PORT, and something listens there."""
    try:
        socket.create_connection(_split(address), CONNECT_TIMEOUT_S).close()
    except (OSError, OverflowError) as error:
        raise UsageError(f"no cluster at {address}: {error}", START_HINT) from None


def _split(address: str) -> tuple[str, int]:
    """Return host and port; raises UsageError."""
    found = re.fullmatch(r"(?P<host>[^\s/]+):(?P<port>\d{1,5})", address)
    if found is None:
        raise UsageError(f"cluster {address!r}: expected HOST:PORT", ADDRESS_HINT)
    return found["host"].strip("[]"), int(found["port"])


@contextmanager
def _connected(ray: Any, address: str) -> Iterator[None]:
    """Connect to the cluster, unless the caller's program is connected."""
    if ray.is_initialized():
        yield
        return
    # Ray takes SIGTERM for itself, and writes of nodes that died to stdout, which is for data.
    is_main = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGTERM)
    with redirect_stdout(sys.stderr):
        try:
            ray.init(address=address, log_to_driver=False, configure_logging=False)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise UsageError(f"no cluster at {address}: {_last_line(error)}", START_HINT) from None
        finally:
            if is_main and before is not None:
                signal.signal(signal.SIGTERM, before)
        try:
            yield
        finally:
            ray.shutdown()


def _stored(ray: Any, folders: SharedFolders, index: int) -> Any:
    """Return the reference of a file's content in the object store."""
    path = folders.base / folders.files[index].name
    return ray.put(np.fromfile(path, np.uint8))


def _last_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__
