"""``--jobs`` and ``--cluster``: the processes or the machines that share work out."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from acpcbot.cluster.work import Workers

CLUSTER_HELP = (
    "share the work out on the Ray cluster with this head; the result is the same"
    " [RAY_ADDRESS, else this machine]"
)


def add_worker_arguments(parser: argparse.ArgumentParser, jobs_help: str) -> None:
    """Add ``--jobs`` and ``--cluster``."""
    parser.add_argument("--jobs", type=int, metavar="N", help=jobs_help)
    parser.add_argument("--cluster", metavar="HOST:PORT", help=CLUSTER_HELP)


def add_kept_argument(parser: argparse.ArgumentParser, parts: str) -> None:
    """Add ``--run-dir``, where *parts* that are done are kept."""
    parser.add_argument(
        "--run-dir",
        type=Path,
        metavar="FOLDER",
        help=f"keep {parts} that are done there: the same command goes on after an interrupt",
    )


def asked_workers(
    arguments: argparse.Namespace, default_jobs: int, *, part_bytes: int = 0
) -> Workers:
    """Return the workers that the options ask for; see ``choose_workers``."""
    from acpcbot.cluster.choosing import choose_workers

    def tell(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    return choose_workers(
        arguments.cluster, arguments.jobs, default_jobs, part_bytes=part_bytes, tell=tell
    )
