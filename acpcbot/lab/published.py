"""The papers' figures with which experiments compare theirs: numbers in ``papers/*.json``.

A file begins with its ``source``. What stands below it is for the experiment that reads it.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "papers"


@cache
def read(paper: str) -> dict[str, Any]:
    """Return the figures of *paper*, the name of a file."""
    found: dict[str, Any] = json.loads((FOLDER / f"{paper}.json").read_text(encoding="utf-8"))
    return found
