"""The tools that check the scripts of the pages: pinned by ``package-lock.json``, run by node.

npm installs them below ``node_modules`` when they are first used, and again when a pin changes.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tooling.environment import only_one
from tooling.progress import Failed, refuse, run, say

PACKAGES, LOCK = "package.json", "package-lock.json"
MODULES = "node_modules"
STAMP = "acpcbot.stamp"
COMMANDS = (
    ("@biomejs/biome/bin/biome", "ci", "--log-level=warn"),
    ("typescript/bin/tsc", "--project", "."),
)
INSTALL = ("ci", "--ignore-scripts", "--no-audit", "--no-fund")
RELOCK = ("install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund")
NEEDED = "node 16.20 or later with npm (on Debian and Ubuntu: apt-get install nodejs npm)"


def check_page_scripts(root: Path, *, is_required: bool) -> int:
    """Lint and type-check the scripts of the pages; return the worst status.

    Without node this is skipped with one line, or fails where the check *is_required*.
    """
    programs = find_programs()
    if programs is None:
        word = "error" if is_required else "skipped"
        say(f"{word}: the scripts of the pages are not checked: this needs {NEEDED}")
        return int(is_required)
    node, npm = programs
    try:
        install(root, npm)
    except Failed as failure:
        say(failure.talk.strip())
        say("error: the tools that check the scripts of the pages could not be installed")
        return 1
    return max(_run(root, [node, str(root / MODULES / tool), *words]) for tool, *words in COMMANDS)


def find_programs() -> tuple[str, str] | None:
    """Return the paths of node and npm, None where one of them lacks."""
    node, npm = shutil.which("node"), shutil.which("npm")
    return None if node is None or npm is None else (node, npm)


def install(root: Path, npm: str) -> None:
    """Bring ``node_modules`` to what the lock pins, unless its stamp says that this was done."""
    stamp, wanted = root / MODULES / STAMP, b"\0".join(_pins(root))
    with only_one(root):
        if stamp.exists() and stamp.read_bytes() == wanted:
            return
        stamp.unlink(missing_ok=True)
        run("installing the tools that check scripts", [npm, *INSTALL], folder=str(root))
        stamp.write_bytes(wanted)


def _pins(root: Path) -> list[bytes]:
    return [(root / name).read_bytes() for name in (PACKAGES, LOCK)]


def _run(root: Path, command: Sequence[str | os.PathLike[str]]) -> int:
    return subprocess.run(command, cwd=root, check=False).returncode


def write_package_lock(root: Path) -> None:
    """Write the lock of what ``package.json`` names; without node it stays as it is."""
    programs = find_programs()
    if programs is None:
        say(f"skipped: {LOCK} stays as it is: writing it needs {NEEDED}")
        return
    try:
        run(f"writing {LOCK}", [programs[1], *RELOCK], folder=str(root))
    except Failed as failure:
        refuse(f"{LOCK} could not be written", failure.talk.strip())
    lock = json.loads((root / LOCK).read_text(encoding="utf-8"))
    text = json.dumps(without_addresses(lock), indent=2, ensure_ascii=False)
    (root / LOCK).write_text(f"{text}\n", encoding="utf-8")


def without_addresses(lock: dict[str, Any]) -> dict[str, Any]:
    """Return *lock* with versions and hashes alone, so that any registry can serve it.

    >>> without_addresses({"packages": {"a": {"version": "1", "resolved": "https://a/a.tgz"}}})
    {'packages': {'a': {'version': '1'}}}
    """
    packages = {
        name: {key: value for key, value in entry.items() if key not in ("resolved", "funding")}
        for name, entry in lock["packages"].items()
    }
    return {**lock, "packages": packages}
