"""Making a table of values, in parts: the sums so far lie in a folder, and whoever comes again goes on from there.

``sums.npz`` holds the arrays of ``RollOutSums`` by half, chooser and name, how many boards they are of, and a
checksum of what they are sums of. It is renamed into place, so that a run that is killed leaves the last one.
"""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.errors import UsageError
from acpcbot.snapshots.preflop_sums import PreflopRollOuts
from acpcbot.snapshots.preflop_values import PreflopValues, TableRecord, strategy_checksum

SUMS_FILE = "sums.npz"
DONE, IDENTITY = "num_done", "identity"


def save_sums(folder: Path, roll_outs: PreflopRollOuts) -> None:
    """Keep what *roll_outs* have so far in *folder*."""
    draft = folder / f".{SUMS_FILE}.new"
    told = {DONE: np.array(roll_outs.num_done), IDENTITY: _identity(roll_outs)}
    with draft.open("wb") as file:
        np.savez(file, **told, **dict(_arrays(roll_outs)))  # type: ignore[arg-type]
    os.replace(draft, folder / SUMS_FILE)


def restore_sums(folder: Path, roll_outs: PreflopRollOuts) -> None:
    """Give *roll_outs* what was kept in *folder*, if anything; raises UsageError where that is damaged or another's."""
    path = folder / SUMS_FILE
    if not path.exists():
        return
    try:
        with np.load(path, allow_pickle=False) as kept:
            if not np.array_equal(kept[IDENTITY], _identity(roll_outs)):
                raise UsageError(f"{path} is of another strategy, seed or number of boards", "name another --folder")
            found = {name: kept[name] for name, _ in _arrays(roll_outs)}
            num_done = int(kept[DONE])
    except (ValueError, KeyError, EOFError, OSError, zipfile.BadZipFile) as error:
        raise UsageError(f"{path} is damaged ({error})", "remove it, and the boards are gone through anew") from None
    for name, array in _arrays(roll_outs):
        array[...] = found[name]
    roll_outs.num_done = num_done


def finished_table(roll_outs: PreflopRollOuts) -> PreflopValues:
    """The table that comes of *roll_outs*."""
    won, errors = roll_outs.values()
    settings = roll_outs.settings
    record = TableRecord(
        blueprint=strategy_checksum(roll_outs.blueprint.snapshot.manifest),
        states=tuple([state.text for state in roll_outs.states]),
        biases=tuple([(bias.folds, bias.calls, bias.raises) for bias in settings.biases]),
        num_boards=roll_outs.num_done,
        seed=settings.seed,
        errors=tuple(np.round(errors, 6).tolist()),
    )
    return PreflopValues(record, won.astype(np.float32))


def _arrays(roll_outs: PreflopRollOuts) -> Iterator[tuple[str, NDArray[Any]]]:
    for half, by_chooser in enumerate(roll_outs.halves):
        for chooser, sums in enumerate(by_chooser):
            for name, array in sums.arrays.items():
                yield f"{half}.{chooser}.{name}", array


def _identity(roll_outs: PreflopRollOuts) -> NDArray[np.uint8]:
    """What the sums are sums of."""
    what = [strategy_checksum(roll_outs.blueprint.snapshot.manifest), asdict(roll_outs.settings)]
    return np.frombuffer(hashlib.sha256(json.dumps(what).encode()).digest(), np.uint8)
