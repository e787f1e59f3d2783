"""Version of the program that stored strategies are marked with."""

from __future__ import annotations

import subprocess  # nosec B404 # for git, whose words are all our own
from importlib.metadata import PackageNotFoundError, version

from acpcbot.cache_folders import PACKAGE


def program_version() -> str:
    """Return the commit of the source tree, or the installed version where there is none."""
    try:
        command = [
            "git",
            "-C",
            str(PACKAGE.parent),
            "describe",
            "--always",
            "--dirty",
            "--abbrev=12",
        ]
        # No shell, and no words from outside.
        done = subprocess.run(command, capture_output=True, text=True, check=True)  # nosec B603
        return done.stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        pass
    try:
        return version("acpcbot")
    except PackageNotFoundError:
        return "unknown"
