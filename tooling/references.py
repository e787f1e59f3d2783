"""Pages that programs write, compared with what they would write: ``python -m tooling.references``.

It runs with the packages of the tests, because pages are made from the program itself.
"""

from __future__ import annotations

import runpy
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MAKERS = ("docs/make_api_reference.py", "docs/make_cli_reference.py", "docs/make_strategy_cards.py")


def outdated(root: Path, maker: str, files: Mapping[Path, str]) -> list[str]:
    """Return the names of pages below *root* that are not the *files* which *maker* would write.

    Beside them pages that say they are of this maker and that it does not write any more.
    """
    changed = [path for path, text in files.items() if not _holds(path, text)]
    beside = {page for path in files for page in path.parent.glob("*.md")} - set(files)
    left = [page for page in beside if f"by `{maker}`" in page.read_text(encoding="utf-8")]
    return sorted(path.relative_to(root).as_posix() for path in [*changed, *left])


def _holds(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text(encoding="utf-8") == text


def main(root: Path = ROOT) -> int:
    """Name every page that is out of date, and the command that writes it; return the status."""
    status = 0
    for maker in MAKERS:
        files = runpy.run_path(str(root / maker))["files"]()
        if names := outdated(root, maker, files):
            status = 1
            sys.stderr.write(f"error: out of date: {', '.join(names)}\n\nhint: python {maker}\n")
    return status


if __name__ == "__main__":
    raise SystemExit(main())
