"""Recordings of the official programs: a selection that comes with the tests, and the complete
set where it is present.

Rows of ``*.jsonl`` files; a test that takes ``BOTH_SETS`` runs once on each set.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

OWN_SET = Path(__file__).parents[1] / "data" / "gold"
COMPLETE_SET = Path(__file__).parents[3] / "shared" / "gold" / "unit"

BOTH_SETS = pytest.mark.parametrize("gold", [OWN_SET, COMPLETE_SET], ids=["own", "complete"])

Row = dict[str, Any]


def read_gold(folder: Path, name: str) -> str:
    """The text of a recording; skips the test where the set is absent."""
    if not folder.exists():
        pytest.skip(f"the complete set of recordings is not at {folder}")
    return (folder / name).read_text(encoding="utf-8")


def gold_rows(folder: Path, name: str) -> list[Row]:
    """The rows of a recording; skips the test where the set is absent."""
    return [json.loads(line) for line in read_gold(folder, name).splitlines()]
