"""Write the lock files anew: Python's by the uv that the present lock pins, npm's by npm."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from tooling.environment import INSTALLER_LOCK
from tooling.installers import fetch_uv, find_uv, read_pip_settings, uv_settings
from tooling.page_scripts import write_package_lock
from tooling.progress import Failed, environment_with, refuse, run


def write_locks(root: str, python: str, locks: Mapping[str, str], words: Sequence[str]) -> int:
    """Write each of *locks*.

    *words* (such as ``--upgrade``) go to uv. What is pinned stays so without them.
    """
    try:
        uv = _find_or_fetch(Path(root), Path(python))
        environment = environment_with(uv_settings(read_pip_settings(Path(python)), os.environ))
        for name, what in locks.items():
            command = [
                str(uv),
                "pip",
                "compile",
                *what.split(),
                "--universal",
                "--generate-hashes",
                "--no-header",
            ]
            command += ["--python-version", "3.11", "--quiet", "--output-file", name, *words]
            run(f"writing {name}", command, environment=environment, folder=root)
    except Failed as failure:
        refuse("the locks could not be written", failure.talk.strip())
    write_package_lock(Path(root))
    return 0


def _find_or_fetch(root: Path, python: Path) -> Path:
    try:
        return find_uv(python)
    except Failed:
        return fetch_uv(python, root / INSTALLER_LOCK)
