"""Tasks of Ray's workers: one part of work each, after the work was received and prepared once.

Only workers call these functions; Ray finds them by their names in this package, which is installed
on every node.
"""

from __future__ import annotations

import socket
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from acpcbot.cluster.build import Build, current_build, difference
from acpcbot.cluster.shared_folders import SharedFolders, node_lock, receive_folders
from acpcbot.cluster.work import Work
from acpcbot.errors import UsageError

SAME_BUILD = "install the same acpcbot, Python, numpy and numba on every node as on this machine"


@dataclass(frozen=True, slots=True)
class Order:
    """Work as workers receive it, once each, from the object store of their node.

    ``references`` are those of the contents of the folders' files, which are fetched only where a
    node lacks them.
    """

    key: str
    work: Work[Any, Any]
    build: Build
    folders: SharedFolders
    references: tuple[Any, ...]


_prepared: dict[str, Work[Any, Any]] = {}


def do_part(key: str, order: Sequence[Any], part: object) -> object:
    """Return the result of *part*; *order* holds the reference of the ``Order`` called *key*.

    (A reference within a list is fetched when we ask for it, and not for every task.)
    """
    if key not in _prepared:
        _prepared[key] = _prepare(order[0])
    return _prepared[key].part(part)


def tell_build() -> Build:
    """Return the build of this node."""
    return current_build()


def verify_build(expected: Build, found: Build, node: str) -> None:
    """Raise UsageError unless *node* runs the build of the driver."""
    words = difference(expected, found)
    if words:
        raise UsageError(f"node {node} has {words}", SAME_BUILD)


def _prepare(reference: Any) -> Work[Any, Any]:
    import ray

    order: Order = ray.get(reference)
    verify_build(order.build, current_build(), socket.gethostname())
    work = order.work
    if order.folders.files:
        root = receive_folders(order.folders, lambda index: ray.get(order.references[index]).data)
        work = work.moved(order.folders.move(root))
    # One worker of a node at a time: tables that the first one makes are there for the others.
    with node_lock("prepare"):
        work.prepare()
    return work
