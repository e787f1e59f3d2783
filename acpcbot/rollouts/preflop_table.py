"""Values of the states that end the first street of a no-limit game: a table on disk.

A folder with ``preflop_values.json`` and two arrays:

    values.npy  int8 [state, profile, class of seat 0, class of seat 1]: the values of seat 0, where
                the largest of a row is 127
    scales.npy  float32 [state, profile, class of seat 0]: the value of 1 in a row, in shares of
                the pot

A *profile* says how both play on: the blueprint (0), then seat 0 with each of the other biases
while seat 1 plays the blueprint, then seat 1 with each while seat 0 does. The values of two classes
are the mean over their pairs of hands that share no card.

The record names its strategy by a checksum over all of it that is played. Arrays are never
unpickled; anything that differs from the record raises BadSnapshot with the reason.

A table may be made in several runs. ``sums.npz`` in its run folder holds the arrays of
``RolloutSums`` by half, chooser and name, the number of their boards, and a checksum of strategy
and settings. It is renamed into place, so that a run that is killed leaves the last one.
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
from acpcbot.checked_files import checksum, put_in_place
from acpcbot.errors import BadSnapshot, UsageError
from acpcbot.poker.hand_classes import num_class_pairs
from acpcbot.rollouts.preflop_accumulation import PreflopRollouts
from acpcbot.strategies.manifest import RECIPE_FILE, Manifest
from acpcbot.strategies.snapshot import Snapshot

FORMAT = 1
RECORD_FILE, VALUES_FILE, SCALES_FILE = "preflop_values.json", "values.npy", "scales.npy"
LARGEST = 127
HINT = "acpcbot build-preflop-values makes a table for the strategy that is there now"


@dataclass(frozen=True, slots=True)
class TableRecord:
    """The description of a table.

    ``biases`` are those of fold, call and raise. ``errors`` are standard errors of a pair of
    classes in shares of the pot, by state.
    """

    blueprint: str
    states: tuple[str, ...]
    biases: tuple[tuple[float, float, float], ...]
    num_boards: int
    seed: int
    errors: tuple[float, ...]

    @property
    def num_profiles(self) -> int:
        """The number of profiles."""
        return 2 * len(self.biases) - 1


@dataclass(frozen=True, slots=True, eq=False)
class PreflopValues:
    """A table: its *record*, and the values *won* of seat 0 in shares of the pot.

    *won* is [state, profile, class, class].
    """

    record: TableRecord
    won: Floats32

    @property
    def states(self) -> tuple[str, ...]:
        """The betting of each state."""
        return self.record.states

    @property
    def num_continuations(self) -> int:
        """The number of continuations of either seat."""
        return len(self.record.biases)

    def of_other(self, state: int, chooser: int) -> Floats32:
        """Return the other seat's values for each continuation of the *chooser*.

        They are [continuation, class of the other, class of the chooser].
        """
        count = len(self.record.biases)
        if chooser == 0:
            return -self.won[state, :count].transpose(0, 2, 1)
        own: Floats32 = self.won[state, [0, *range(count, 2 * count - 1)]]
        return own


def strategy_checksum(manifest: Manifest) -> str:
    """Return a checksum of all that is played of the strategy of *manifest*, without its recipe."""
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
    """Save *table* as *folder*, in place of an older one.

    Raises UsageError where anything else lies there.
    """
    if folder.is_file() or (
        folder.is_dir() and any(folder.iterdir()) and not (folder / RECORD_FILE).exists()
    ):
        raise UsageError(
            f"{folder} exists and is not a table of preflop values", "name a new folder"
        )
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
    """Return the table in *folder*, which must be one of *snapshot*, with all checksums verified.

    Raises BadSnapshot.
    """
    try:
        record = _read_record(folder)
        if record.blueprint != strategy_checksum(snapshot.manifest):
            raise ValueError(f"it is a table of another strategy than {snapshot.path}; {HINT}")
        num_classes = len(num_class_pairs(snapshot.definition))
        shape = len(record.states), record.num_profiles, num_classes
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
    """Return the record in *folder*, with all checksums verified.

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
            f"{path.name}: expected {np.dtype(kind)} {list(shape)}, "
            f"found {array.dtype} {list(array.shape)}"
        )
    return array


def _checksums(folder: Path) -> dict[str, str]:
    return {name: checksum(folder / name) for name in (VALUES_FILE, SCALES_FILE)}


def _digest(found: Mapping[str, object]) -> str:
    return hashlib.sha256(json.dumps(found).encode()).hexdigest()


SUMS_FILE = "sums.npz"
DONE, IDENTITY = "num_done", "identity"


def save_sums(folder: Path, rollouts: PreflopRollouts) -> None:
    """Save the sums of *rollouts* so far in *folder*."""
    draft = folder / f".{SUMS_FILE}.new"
    header = {DONE: np.array(rollouts.num_done), IDENTITY: _identity(rollouts)}
    with draft.open("wb") as file:
        np.savez(file, **header, **dict(_arrays(rollouts)))  # type: ignore[arg-type]
    os.replace(draft, folder / SUMS_FILE)


def restore_sums(folder: Path, rollouts: PreflopRollouts) -> None:
    """Restore the sums of *rollouts* from *folder*, if there are any.

    Raises UsageError where they are damaged or of another run.
    """
    path = folder / SUMS_FILE
    if not path.exists():
        return
    try:
        with np.load(path, allow_pickle=False) as kept:
            if not np.array_equal(kept[IDENTITY], _identity(rollouts)):
                raise UsageError(
                    f"{path} is of another strategy, seed or number of boards",
                    "name another --run-dir",
                )
            found = {name: kept[name] for name, _ in _arrays(rollouts)}
            num_done = int(kept[DONE])
    except (ValueError, KeyError, EOFError, OSError, zipfile.BadZipFile) as error:
        raise UsageError(
            f"{path} is damaged ({error})", "remove it to start again from the first board"
        ) from None
    for name, array in _arrays(rollouts):
        array[...] = found[name]
    rollouts.num_done = num_done


def finished_table(rollouts: PreflopRollouts) -> PreflopValues:
    """Return the table of *rollouts*."""
    won, errors = rollouts.values()
    settings = rollouts.settings
    record = TableRecord(
        blueprint=strategy_checksum(rollouts.blueprint.snapshot.manifest),
        states=tuple([state.text for state in rollouts.states]),
        biases=tuple([(bias.folds, bias.calls, bias.raises) for bias in settings.biases]),
        num_boards=rollouts.num_done,
        seed=settings.seed,
        errors=tuple(np.round(errors, 6).tolist()),
    )
    return PreflopValues(record, won.astype(np.float32))


def _arrays(rollouts: PreflopRollouts) -> Iterator[tuple[str, NDArray[Any]]]:
    for half, by_chooser in enumerate(rollouts.halves):
        for chooser, sums in enumerate(by_chooser):
            for name, array in sums.arrays.items():
                yield f"{half}.{chooser}.{name}", array


def _identity(rollouts: PreflopRollouts) -> NDArray[np.uint8]:
    """Return a checksum of the strategy and the settings that the sums belong to."""
    what = [strategy_checksum(rollouts.blueprint.snapshot.manifest), asdict(rollouts.settings)]
    return np.frombuffer(hashlib.sha256(json.dumps(what).encode()).digest(), np.uint8)
