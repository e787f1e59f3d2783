"""``./dev check``: every tool that judges the source, one after another.

Pages that are made from the program come first: ``references.py`` names what is out of date.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from tooling.installers import find_uv, pip_command
from tooling.page_scripts import check_page_scripts
from tooling.progress import Failed, refuse

BANDIT = ["bandit", "--quiet", "--configfile", "pyproject.toml", "--recursive", "acpcbot", "docker"]
REFERENCES = ["-m", "tooling.references"]
NO_SKIPS = "--no-skips"


def check(root: str, python: str, words: list[str]) -> int:
    """Run all tools, even after one has failed; return the worst status.

    With ``--no-skips`` among *words* it is a failure when a tool cannot run for want of node.
    """
    if unknown := [word for word in words if word != NO_SKIPS]:
        refuse(f"unknown word: {unknown[0]}", f"check takes {NO_SKIPS}, or nothing")
    scripts = Path(python).parent
    # First, because it takes seconds and is what a change forgets most easily.
    references = subprocess.run([python, *REFERENCES], cwd=root, check=False).returncode
    commands = [
        ["ruff", "check", "."],
        ["ruff", "format", "--check", "."],
        ["mypy"],
        ["lint-imports"],
        ["vulture"],
        BANDIT,
    ]
    statuses = [
        subprocess.run([scripts / name, *rest], cwd=root, check=False).returncode
        for name, *rest in commands
    ]
    return max(
        references,
        *statuses,
        check_page_scripts(Path(root), is_required=NO_SKIPS in words),
        subprocess.run(fitting_words(Path(python)), cwd=root, check=False).returncode,
    )


def fitting_words(python: Path) -> list[str]:
    """Return the command that tells whether all that is installed fits together."""
    try:
        return [str(find_uv(python)), "pip", "check", "--python", str(python)]
    except Failed:
        return [*pip_command(python), "--python", str(python), "check"]
