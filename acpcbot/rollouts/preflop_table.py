"""Values of the states in which the first street of a no-limit game ends, kept on disk for
searchers.

A folder with ``preflop_values.json`` and two arrays:

    values.npy  int8 [state, way, class of seat 0, class of seat 1]: what seat 0 wins, where a row's largest is 127
    scales.npy  float32 [state, way, class of seat 0]: what 1 of a row stands for, in shares of the pot

A *way* is one of those in which both may play on: the blueprint (0), then seat 0 with each of the
other biases while seat 1 plays the blueprint, then seat 1 with each while seat 0 does. The values
of two classes are the mean over their pairs of hands that share no card.

The record tells of which strategy the values are, by a checksum over all of it that is played.
Arrays are never unpickled; whatever is not as the record says raises BadSnapshot with the reason.

Making a table of values, in parts: the sums so far lie in a folder, and whoever comes again goes on
from there.

``sums.npz`` holds the arrays of ``RollOutSums`` by half, chooser and name, how many boards they are
of, and a checksum of what they are sums of. It is renamed into place, so that a run that is killed
leaves the last one.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats32
from acpcbot.errors import BadSnapshot, UsageError
from acpcbot.poker.hand_classes import num_class_pairs
from acpcbot.rollouts.preflop_accumulation import PreflopRollOuts
from acpcbot.strategies.files import checksum, put_in_place
from acpcbot.strategies.manifest import RECIPE_FILE, Manifest
from acpcbot.strategies.snapshot import Snapshot

FORMAT = 1
RECORD_FILE, VALUES_FILE, SCALES_FILE = "preflop_values.json", "values.npy", "scales.npy"
LARGEST = 127
HINT = "acpcbot build-preflop-values makes a table for the strategy that is there now"


@dataclass(frozen=True, slots=True)
class TableRecord:
    """What a table is: ``biases`` are those of fold, call and raise, ``errors`` those of a pair
    of classes.

    Errors are standard errors in shares of the pot, by state.
    """

    blueprint: str
    states: tuple[str, ...]
    biases: tuple[tuple[float, float, float], ...]
    num_boards: int
    seed: int
    errors: tuple[float, ...]

    @property
    def num_ways(self) -> int:
        """How many ways to play on there are."""
        return 2 * len(self.biases) - 1


@dataclass(frozen=True, slots=True, eq=False)
class PreflopValues:
    """A table: the *record*, and what seat 0 wins in shares of the pot, *won* [state, way,
    class, class].
    """

    record: TableRecord
    won: Floats32

    def of_other(self, state: int, chooser: int) -> Floats32:
        """What the other seat wins by each continuation of the *chooser*, [continuation, its
        class, the chooser's].
        """
        count = len(self.record.biases)
        if chooser == 0:
            return -self.won[state, :count].transpose(0, 2, 1)
        own: Floats32 = self.won[state, [0, *range(count, 2 * count - 1)]]
        return own


def strategy_checksum(manifest: Manifest) -> str:
    """What tells the strategy of *manifest* from others: all that is played, but not how it
    came to be.
    """
    files = {name: digest for name, digest in manifest.files.items() if name != RECIPE_FILE}
    played = [
        manifest.game_fingerprint,
        manifest.play,
        manifest.storage,
        manifest.abstraction,
        manifest.bets,
        files,
    ]
    return hashlib.sha256(json.dumps(played, sort_keys=True).encode()).hexdigest()


def save_preflop_values(folder: Path, table: PreflopValues) -> None:
    """Save *table* as *folder*, in place of one that lies there.

    Raises UsageError where something else does.
    """
    if folder.is_file() or (
        folder.is_dir() and any(folder.iterdir()) and not (folder / RECORD_FILE).exists()
    ):
        raise UsageError(f"{folder} is there and holds no table of values", "name a new folder")
    draft = folder.with_name(f".{folder.name}.new")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    try:
        scales = np.abs(table.won).max(axis=3) / np.float32(LARGEST)
        steps = np.divide(
            table.won, scales[..., None], out=np.zeros_like(table.won), where=scales[..., None] > 0
        )
        np.save(draft / VALUES_FILE, np.rint(steps).astype(np.int8), allow_pickle=False)
        np.save(draft / SCALES_FILE, scales, allow_pickle=False)
        found = {"format": FORMAT, **asdict(table.record), "files": _checksums(draft)}
        text = json.dumps({**found, "checksum": _digest(found)}, indent=1)
        (draft / RECORD_FILE).write_text(text + "\n", encoding="utf-8")
        put_in_place(draft, folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def load_preflop_values(folder: Path, snapshot: Snapshot) -> PreflopValues:
    """The table in *folder*, which must be one of *snapshot*, every byte of it checked.

    Raises BadSnapshot.
    """
    try:
        record = _read_record(folder)
        if record.blueprint != strategy_checksum(snapshot.manifest):
            raise ValueError(f"it is a table of another strategy than {snapshot.path}; {HINT}")
        num_classes = len(num_class_pairs(snapshot.definition))
        shape = len(record.states), record.num_ways, num_classes
        values = _read_array(folder / VALUES_FILE, np.int8, (*shape, num_classes))
        scales = _read_array(folder / SCALES_FILE, np.float32, shape)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise BadSnapshot(str(folder), str(error)) from None
    except OSError as error:
        raise BadSnapshot(
            str(folder), f"cannot be read ({error.strerror or error}); {HINT}"
        ) from None
    return PreflopValues(record, values * scales[..., None])


def _read_record(folder: Path) -> TableRecord:
    """The record in *folder*, after a look at all checksums.

    Raises ValueError, TypeError or KeyError.
    """
    found = json.loads((folder / RECORD_FILE).read_text(encoding="utf-8"))
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise ValueError(f"{RECORD_FILE} is no table of format {FORMAT}")
    if found.pop("checksum", None) != _digest(found):
        raise ValueError(f"{RECORD_FILE} does not match its own checksum")
    if found["files"] != _checksums(folder):
        raise ValueError("its arrays do not match their checksums")
    given: Mapping[str, Any] = {item.name: found[item.name] for item in fields(TableRecord)}
    biases = tuple(
        [(float(folds), float(calls), float(raises)) for folds, calls, raises in given["biases"]]
    )
    lists = {"biases": biases, "states": tuple(given["states"]), "errors": tuple(given["errors"])}
    return TableRecord(**{**given, **lists})


def _read_array(path: Path, kind: type[np.generic], shape: tuple[int, ...]) -> NDArray[Any]:
    array: NDArray[Any] = np.load(path, allow_pickle=False)
    if array.dtype != kind or array.shape != shape:
        raise ValueError(
            f"{path.name} is {array.dtype} {list(array.shape)} and should be {np.dtype(kind)} {list(shape)}"
        )
    return array


def _checksums(folder: Path) -> dict[str, str]:
    return {name: checksum(folder / name) for name in (VALUES_FILE, SCALES_FILE)}


def _digest(found: Mapping[str, object]) -> str:
    return hashlib.sha256(json.dumps(found).encode()).hexdigest()


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
    """Give *roll_outs* what was kept in *folder*, if anything.

    Raises UsageError where that is damaged or another's.
    """
    path = folder / SUMS_FILE
    if not path.exists():
        return
    try:
        with np.load(path, allow_pickle=False) as kept:
            if not np.array_equal(kept[IDENTITY], _identity(roll_outs)):
                raise UsageError(
                    f"{path} is of another strategy, seed or number of boards",
                    "name another --run-dir",
                )
            found = {name: kept[name] for name, _ in _arrays(roll_outs)}
            num_done = int(kept[DONE])
    except (ValueError, KeyError, EOFError, OSError, zipfile.BadZipFile) as error:
        raise UsageError(
            f"{path} is damaged ({error})", "remove it, and the boards are gone through anew"
        ) from None
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
