"""Work that falls into independent parts, in local processes or on a Ray cluster.

``work.py`` says what such work is, and ``Workers``, the one interface to what carries it out.
``local.py`` has the processes of this machine, ``ray_cluster.py`` a Ray cluster, the extra
``cluster``; ``choosing.py`` takes one of them. ``ray_tasks.py`` is what a worker of a cluster does,
``shared_folders.py`` brings it the folders that the work reads, and ``build.py`` compares its
version of this package with ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpcbot.exports import export

if TYPE_CHECKING:
    from acpcbot.cluster.choosing import choose_workers as choose_workers
    from acpcbot.cluster.local import LocalProcesses as LocalProcesses
    from acpcbot.cluster.ray_cluster import RayCluster as RayCluster
    from acpcbot.cluster.work import Work as Work
    from acpcbot.cluster.work import Workers as Workers

    __all__: list[str]

export(
    __name__,
    {
        "LocalProcesses": "local",
        "RayCluster": "ray_cluster",
        "Work": "work",
        "Workers": "work",
        "choose_workers": "choosing",
    },
)
