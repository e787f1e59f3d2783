"""Choice of the workers for a command: processes of this machine, or a Ray cluster."""

from __future__ import annotations

import os
from collections.abc import Callable

from acpcbot.cluster.local import LocalProcesses
from acpcbot.cluster.work import Workers
from acpcbot.errors import UsageError

ADDRESS_VARIABLE = "RAY_ADDRESS"


def cluster_address(given: str | None) -> str | None:
    """Return the address of the cluster: the one *given*, else ``RAY_ADDRESS``, else None."""
    return given or os.environ.get(ADDRESS_VARIABLE) or None


def choose_workers(
    cluster: str | None,
    num_jobs: int | None,
    default_jobs: int,
    *,
    part_bytes: int = 0,
    tell: Callable[[str], None] | None = None,
) -> Workers:
    """Return the workers of the cluster at *cluster* or at ``RAY_ADDRESS``, else local processes.

    ``num_jobs``      most parts at the same time; None for *default_jobs*, or the whole cluster
    ``part_bytes``    memory that each takes
    ``tell``          called with a line about the cluster

    Raises UsageError for fewer than one job, where Ray is not installed, and where nothing listens.
    """
    if num_jobs is not None and num_jobs < 1:
        raise UsageError(f"--jobs {num_jobs}: expected at least 1", "omit it to use the default")
    address = cluster_address(cluster)
    if address is None:
        return LocalProcesses(num_jobs or default_jobs)
    from acpcbot.cluster.ray_cluster import RayCluster, load_ray, verify_address

    load_ray(address)
    verify_address(address)
    return RayCluster(address, num_jobs, part_bytes, tell)
