"""``acpcbot lab`` in this process, with worker processes of its own, and its files."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

from acpcbot.cli.dispatch import main


def run_lab(folder: Path, *words: object) -> None:
    """Run an experiment whose files go to *folder*."""
    assert main(["lab", *map(str, words), "-o", str(folder)]) == 0


def table(folder: Path) -> list[dict[str, str]]:
    """The rows of the CSV in *folder*."""
    with (folder / "table.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def kept_units(folder: Path) -> list[str]:
    """The names of the finished units in *folder*, in the order in which they ended."""
    path = folder / "rows.jsonl"
    lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
    return [json.loads(line)["unit"] for line in lines]


def document(output: str) -> dict[str, Any]:
    """The document that ``--json`` printed."""
    found: dict[str, Any] = json.loads(output)
    return found
