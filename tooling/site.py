"""``./dev site [FOLDER]``: build the documentation as a site, by default into ``site``.

A warning of mkdocs, such as a link that leads nowhere, is an error. No network is needed.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

from tooling.progress import Failed, environment_with, refuse, run

ROOT = Path(__file__).resolve().parents[1]
SEARCH_INDEX = Path("search", "search_index.json")


def main(words: list[str]) -> int:
    """Build into the folder that *words* name, by default site, and print its first page."""
    if len(words) > 1 or any(word.startswith("-") for word in words):
        refuse(f"site: expected at most one folder, got {' '.join(words)}", "type ./dev site")
    print(build_site(Path(words[0] if words else ROOT / "site").resolve()))
    return 0


def build_site(folder: Path, root: Path = ROOT) -> Path:
    """Build the site of the project in *root* in *folder* and return its first page.

    mkdocs empties the folder. So one that holds anything but an earlier site is refused.
    """
    if find_spec("mkdocs") is None or find_spec("material") is None:
        refuse("mkdocs-material is not installed", "it is in the extra docs: ./dev extras")
    if folder.exists() and not _is_replaceable(folder):
        refuse(f"{folder} holds something other than a site", "name a new or an empty folder")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    environment = environment_with({"NO_MKDOCS_2_WARNING": "1"})
    try:
        run("building the site", command, environment=environment, folder=str(root))
    except Failed as failure:
        refuse("the site could not be built", failure.talk.strip())
    return folder / "index.html"


def _is_replaceable(folder: Path) -> bool:
    return folder.is_dir() and (
        (folder / SEARCH_INDEX).is_file() or next(folder.iterdir(), None) is None
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
