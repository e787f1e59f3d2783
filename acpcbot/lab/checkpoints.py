"""Checkpoints of a long unit: a search by information set, its counts, and the rows so far.

One file, replaced as a whole, so that a process that is killed leaves the old checkpoint or the new
one.
"""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from acpcbot.errors import UsageError
from acpcbot.lab.experiment import Row
from acpcbot.lab.results import write_whole
from acpcbot.tree_search.infoset_table import InfosetTable
from acpcbot.tree_search.is_mcts import InfosetSearch
from acpcbot.tree_search.oos import OOSSearch

FILE = "search.npz"


@dataclass(slots=True)
class Position:
    """The work of a search so far: samples, seconds of CPU, and the rows that they gave."""

    samples: int
    seconds: float
    rows: list[Row]


def save_search(folder: Path, search: OOSSearch | InfosetSearch, position: Position) -> None:
    """Write a checkpoint to *folder*.

    OOS has to stand between two pairs of samples, so that an even number has been drawn.
    """
    assert position.samples % 2 == 0, "both seats have updated as often"
    table, data = search.table, io.BytesIO()
    counts = {"samples": position.samples, "seconds": position.seconds, "rows": position.rows}
    np.savez(
        data,
        places=table.places,
        sums=table.sums,
        used=table.used,
        random_state=search.random_state,
        position=np.frombuffer(json.dumps(counts).encode(), np.uint8),
    )
    write_whole(folder / FILE, data.getvalue())


def load_search(folder: Path, search: OOSSearch | InfosetSearch) -> Position:
    """Return the position of the checkpoint in *folder*, with *search* as it was there.

    Where there is none, the position is the beginning.
    """
    path = folder / FILE
    if not path.exists():
        return Position(0, 0.0, [])
    try:
        with np.load(path, allow_pickle=False) as found:
            counts = json.loads(found["position"].tobytes())
            search.table = InfosetTable(found["places"], found["sums"], found["used"])
            search.random_state[:] = found["random_state"]
    except (OSError, ValueError, KeyError, BadZipFile) as error:
        raise UsageError(
            f"{path}: this checkpoint cannot be read ({error})",
            "delete it: its unit is begun anew",
        ) from None
    return Position(counts["samples"], counts["seconds"], counts["rows"])
