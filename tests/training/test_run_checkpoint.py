"""Checkpoints: whole or not there."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from acpcbot.errors import UsageError
from acpcbot.training.run import read_record, restore_arrays, save_checkpoint


def arrays(fill: int) -> dict[str, np.ndarray]:
    return {"counts": np.full((4, 2), fill, np.uint32), "state": np.array([fill, 7], np.uint64)}


def test_a_checkpoint_comes_back_into_the_same_arrays(tmp_path: Path) -> None:
    save_checkpoint(tmp_path, 5, arrays(3), {"seconds": 1.5})
    live = arrays(0)
    counts = live["counts"]
    restore_arrays(tmp_path, live)
    assert read_record(tmp_path) == {"seconds": 1.5}
    assert counts.tolist() == arrays(3)["counts"].tolist()


def test_only_the_newest_is_kept_and_counts(tmp_path: Path) -> None:
    for number in (9, 10, 100):
        save_checkpoint(tmp_path, number, arrays(number), {"number": number})
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint-100"]
    assert read_record(tmp_path) == {"number": 100}


def test_a_folder_without_checkpoints_has_no_record(tmp_path: Path) -> None:
    assert read_record(tmp_path) is None


@pytest.mark.parametrize("step", ["save", "dump", "fsync", "rename"])
def test_a_save_that_is_cut_short_leaves_the_last_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    save_checkpoint(tmp_path, 1, arrays(1), {"number": 1})

    def dies(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    targets = {
        "save": (np, "save"),
        "dump": (json, "dump"),
        "fsync": (os, "fsync"),
        "rename": (Path, "rename"),
    }
    owner, name = targets[step]
    with monkeypatch.context() as patches:
        patches.setattr(owner, name, dies)
        with pytest.raises(KeyboardInterrupt):
            save_checkpoint(tmp_path, 2, arrays(2), {"number": 2})
    live = arrays(0)
    restore_arrays(tmp_path, live)
    assert live["counts"][0, 0] == 1
    save_checkpoint(tmp_path, 3, arrays(3), {"number": 3})
    assert read_record(tmp_path) == {"number": 3}


def test_arrays_of_another_shape_are_refused(tmp_path: Path) -> None:
    save_checkpoint(tmp_path, 1, arrays(1), {})
    with pytest.raises(UsageError, match=r"counts is uint32 .* expected uint32 \[5, 2\]"):
        restore_arrays(tmp_path, {"counts": np.zeros((5, 2), np.uint32)})


def test_a_damaged_array_is_refused(tmp_path: Path) -> None:
    save_checkpoint(tmp_path, 1, arrays(1), {})
    (tmp_path / "checkpoint-1" / "counts.npy").write_bytes(b"nothing")
    with pytest.raises(UsageError, match="no readable array counts"):
        restore_arrays(tmp_path, arrays(0))
