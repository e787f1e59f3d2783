"""The program as a user has it, for benchmarks of whole commands."""

from __future__ import annotations

import subprocess
import sys


def acpcbot(*words: str) -> str:
    """Return the output of ``acpcbot`` with these *words*; raises CalledProcessError."""
    command = [sys.executable, "-m", "acpcbot", *words]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
