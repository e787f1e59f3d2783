"""Networks on disk: a folder with ``manifest.json`` and ``parameters.npy``.

The manifest is one JSON object: the format, the interface (game, rows, features, actions), the
hidden layers, facts of the training, the checksum of the array, and one over all of this. Equal
networks give equal bytes.

Loading checks every byte, unpickles nothing, and refuses with UsageError whatever does not fit: a
damaged folder, numbers that are not finite, an array of another size, a network of another
interface than the one asked for. Saving writes a draft beside the folder, reads it back and
renames it into place; what is no network is never overwritten.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from acpcbot.checked_files import array_from_bytes, checksum, put_in_place, verified_files
from acpcbot.decoding import decode
from acpcbot.errors import UsageError
from acpcbot.networks.mlp import Network
from acpcbot.networks.shape import NetworkInterface, Sizes

FORMAT = 1
MANIFEST_FILE = "manifest.json"
PARAMETERS_FILE = "parameters.npy"
CARD_FILE = "README.md"
"""For people: no part of the network, and not checked."""

DAMAGED = "fetch the network again, or train it again"
UNFIT = "name a network that was trained for this search, or train one"

Record = dict[str, Any]
"""A JSON object."""


@dataclass(frozen=True, slots=True, eq=False)
class StoredNetwork:
    """A *network*, what its inputs and outputs mean, and facts of its *training*."""

    interface: NetworkInterface
    network: Network
    training: Record


@dataclass(frozen=True, slots=True)
class _Manifest:
    interface: NetworkInterface
    hidden: Sizes
    training: Record
    files: dict[str, str]


def save_network(folder: Path, stored: StoredNetwork) -> None:
    """Save *stored* as *folder*, in place of a network that lies there.

    Raises UsageError where *folder* exists and holds no network or parameters are not finite,
    OSError where it cannot be written.
    """
    names = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    if folder.is_file() or (names and names - {MANIFEST_FILE, PARAMETERS_FILE, CARD_FILE}):
        raise UsageError(f"{folder} is there and holds no network", "name a new folder")
    draft = folder.with_name(f".{folder.name}.new")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    try:
        _write(draft, stored)
        load_network(draft, stored.interface)
        if CARD_FILE in names:
            shutil.copyfile(folder / CARD_FILE, draft / CARD_FILE)
        put_in_place(draft, folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def load_network(folder: Path, interface: NetworkInterface | None = None) -> StoredNetwork:
    """Return the network in *folder*, every byte of it checked.

    Raises UsageError if it is damaged, or if its interface is not *interface*, if that is given.
    """
    try:
        manifest = _read_manifest(folder / MANIFEST_FILE)
        contents = verified_files(folder, manifest.files, (MANIFEST_FILE, CARD_FILE))
        if contents.keys() != {PARAMETERS_FILE}:
            expected = f"expected {PARAMETERS_FILE}, found {', '.join(contents) or 'nothing'}"
            raise ValueError(f"files: {expected}")
        parameters = array_from_bytes(PARAMETERS_FILE, contents[PARAMETERS_FILE])
        # Kernels and BLAS take arrays in the machine's byte order; others are refused as types.
        network = Network(manifest.interface.shape(manifest.hidden), parameters)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{folder}: {error}", DAMAGED) from None
    except OSError as error:
        raise UsageError(
            f"{folder} cannot be read as a network ({error.strerror or error})", DAMAGED
        ) from None
    if interface is not None:
        _verify_interface(folder, manifest.interface, interface)
    return StoredNetwork(manifest.interface, network, manifest.training)


def _verify_interface(folder: Path, found: NetworkInterface, expected: NetworkInterface) -> None:
    """Raise UsageError that names the first field in which *found* is not *expected*."""
    for item in fields(NetworkInterface):
        own, wanted = getattr(found, item.name), getattr(expected, item.name)
        if own != wanted:
            texts = [_text(value) for value in (wanted, own)]
            problem = f"{folder}, {item.name}: expected {texts[0]}, found {texts[1]}"
            raise UsageError(problem, UNFIT)


def _text(value: object) -> str:
    """Return a field of an interface on one line."""
    if isinstance(value, tuple):
        return ", ".join(
            str(entry) if isinstance(entry, str | int) else f"{entry.name} ({entry.size})"
            for entry in value
        )
    return repr(value)


def _write(folder: Path, stored: StoredNetwork) -> None:
    path = folder / PARAMETERS_FILE
    np.save(path, stored.network.parameters, allow_pickle=False)
    manifest = _Manifest(
        interface=stored.interface,
        hidden=stored.network.shape.hidden,
        training=stored.training,
        files={PARAMETERS_FILE: checksum(path)},
    )
    table = json.loads(json.dumps({"format": FORMAT, **asdict(manifest)}))
    text = json.dumps({**table, "checksum": _table_checksum(table)}, indent=2)
    (folder / MANIFEST_FILE).write_text(text + "\n", encoding="utf-8")


def _read_manifest(path: Path) -> _Manifest:
    """Return the manifest at *path*; raises OSError, and ValueError with the reason."""
    table = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(table, dict):
        raise ValueError(f"{MANIFEST_FILE}: expected an object, found {type(table).__name__}")
    if table.get("format") != FORMAT:
        raise ValueError(
            f"{MANIFEST_FILE}: expected format {FORMAT}, found {table.get('format')!r}"
        )
    if table.pop("checksum", None) != _table_checksum(table):
        raise ValueError(f"{MANIFEST_FILE} does not match its own checksum")
    del table["format"]
    return decode(_Manifest, table, "")


def _table_checksum(table: Record) -> str:
    return hashlib.sha256(json.dumps(table).encode()).hexdigest()
