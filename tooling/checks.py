"""``./dev check``: every tool that judges the source, one after another."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tooling.installers import find_uv, pip_command
from tooling.progress import Failed

BANDIT = ["bandit", "--quiet", "--configfile", "pyproject.toml", "--recursive", "acpcbot", "docker"]


def check(root: str, python: str) -> int:
    """Run all tools, even after one has failed; return the worst status."""
    scripts = Path(python).parent
    commands = [
        ["ruff", "check", "."],
        ["ruff", "format", "--check", "."],
        ["mypy"],
        ["lint-imports"],
        ["vulture"],
        BANDIT,
    ]
    statuses = [
        subprocess.run([scripts / name, *words], cwd=root, check=False).returncode
        for name, *words in commands
    ]
    return max(
        *statuses, subprocess.run(fitting_words(Path(python)), cwd=root, check=False).returncode
    )


def fitting_words(python: Path) -> list[str]:
    """Return the command that tells whether all that is installed fits together."""
    try:
        return [str(find_uv(python)), "pip", "check", "--python", str(python)]
    except Failed:
        return [*pip_command(python), "--python", str(python), "check"]
