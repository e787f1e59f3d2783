"""``./dev wheels [FOLDER]``: build both distributions, acpcbot and acpcbot-strategies."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tooling.progress import Failed, run

ROOT = Path(__file__).resolve().parents[1]
PROJECTS = (ROOT, ROOT / "strategies")


def main(words: list[str]) -> int:
    """Build into the folder that *words* name, by default dist, and print the wheels' paths."""
    folder = Path(words[0] if words else ROOT / "dist").resolve()
    for project in PROJECTS:
        print(build_wheel(project, folder))
    return 0


def build_wheel(project: Path, folder: Path) -> Path:
    """Build the wheel of *project* into *folder* by the hatchling that is installed here."""
    words = [
        sys.executable,
        "-m",
        "hatchling",
        "build",
        "--target",
        "wheel",
        "--directory",
        str(folder),
    ]
    said = run(f"building {project.name}", words, folder=str(project))
    return Path(said.strip().splitlines()[-1])


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (Failed, subprocess.SubprocessError) as error:
        sys.exit(f"error: {error}")
