"""Checkpoints: all arrays that a run depends on, written so that a kill at any moment leaves a whole one.

A checkpoint is a folder of .npy files and ``checkpoint.json``, written under another name
and renamed. The newest of those that are complete counts; older ones are deleted after
the rename, so the disk holds two for a moment.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.errors import UsageError

PREFIX = "checkpoint-"
RECORD = "checkpoint.json"


def save_checkpoint(folder: Path, number: int, arrays: dict[str, NDArray[Any]], record: dict[str, Any]) -> None:
    """Keep *arrays* and *record* as checkpoint *number* of the run in *folder*; older ones go."""
    unfinished = folder / "unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    for name, array in arrays.items():
        with (unfinished / f"{name}.npy").open("wb") as file:
            np.save(file, array, allow_pickle=False)
            _to_disk(file.fileno())
    with (unfinished / RECORD).open("w", encoding="utf-8") as text:
        json.dump(record, text, indent=1)
        _to_disk(text.fileno())
    finished = folder / f"{PREFIX}{number}"
    shutil.rmtree(finished, ignore_errors=True)
    unfinished.rename(finished)
    for older in _checkpoints(folder)[:-1]:
        shutil.rmtree(older)


def read_record(folder: Path) -> dict[str, Any] | None:
    """The record of the newest checkpoint, or None where there is none."""
    found = _checkpoints(folder)
    if not found:
        return None
    record: dict[str, Any] = json.loads((found[-1] / RECORD).read_text(encoding="utf-8"))
    return record


def restore_arrays(folder: Path, arrays: dict[str, NDArray[Any]]) -> None:
    """Fill *arrays* in place from the newest checkpoint; raises UsageError where they do not fit."""
    newest = _checkpoints(folder)[-1]
    for name, array in arrays.items():
        try:
            kept = np.load(newest / f"{name}.npy", mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError, EOFError):
            raise UsageError(f"{newest} has no sound array {name}", "begin anew in another folder") from None
        if kept.shape != array.shape or kept.dtype != array.dtype:
            raise UsageError(f"{newest} belongs to another kind of training", "begin anew in another folder")
        array[...] = kept


def _checkpoints(folder: Path) -> list[Path]:
    found = [path for path in folder.glob(f"{PREFIX}*") if (path / RECORD).exists()]
    return sorted(found, key=lambda path: int(path.name.removeprefix(PREFIX)))


def _to_disk(descriptor: int) -> None:
    os.fsync(descriptor)
