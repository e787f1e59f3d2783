"""Networks on disk: a folder with ``network.json`` and ``parameters.npy``.

Beside them may lie the recipe of the training and a card for people, which saving keeps.
``manifest.py`` describes ``network.json``. Equal networks give equal bytes.

Loading checks every byte, unpickles nothing, and refuses with UsageError whatever does not fit: a
damaged folder, numbers that are not finite, an array of another size, a network of another
interface than the one asked for. Saving writes a draft beside the folder, reads it back and
renames it into place; what is no network is never overwritten.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from acpcbot.checked_files import array_from_bytes, checksum, put_in_place, verified_files
from acpcbot.errors import UsageError
from acpcbot.networks.manifest import (
    DAMAGED,
    NetworkManifest,
    Record,
    read_network_manifest,
    write_network_manifest,
)
from acpcbot.networks.mlp import Network
from acpcbot.networks.names import CARD_FILE, NETWORK_FILE, PARAMETERS_FILE, RECIPE_FILE
from acpcbot.networks.shape import NetworkInterface

KEPT = (CARD_FILE, RECIPE_FILE)
"""Files of a network's folder that are no part of it: they are kept, and not checked."""

UNFIT = "name a network that was trained for this search, or train one"


@dataclass(frozen=True, slots=True, eq=False)
class StoredNetwork:
    """A *network*, what its inputs and outputs mean, and facts of its *training*."""

    interface: NetworkInterface
    network: Network
    training: Record


def save_network(folder: Path, stored: StoredNetwork) -> None:
    """Save *stored* as *folder*, in place of a network that lies there.

    Raises UsageError where *folder* exists and holds no network or parameters are not finite,
    OSError where it cannot be written.
    """
    names = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    if folder.is_file() or names - {NETWORK_FILE, PARAMETERS_FILE, *KEPT}:
        raise UsageError(f"{folder} is there and holds no network", "name a new folder")
    draft = folder.with_name(f".{folder.name}.new")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    try:
        _write(draft, stored)
        load_network(draft, stored.interface)
        for name in names.intersection(KEPT):
            shutil.copyfile(folder / name, draft / name)
        put_in_place(draft, folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def load_network(folder: Path, interface: NetworkInterface | None = None) -> StoredNetwork:
    """Return the network in *folder*, every byte of it checked.

    Raises UsageError if it is damaged, or if its interface is not *interface*, if that is given.
    """
    manifest = read_network_manifest(folder)
    try:
        contents = verified_files(folder, manifest.files, (NETWORK_FILE, *KEPT))
        if contents.keys() != {PARAMETERS_FILE}:
            expected = f"expected {PARAMETERS_FILE}, found {', '.join(contents) or 'nothing'}"
            raise ValueError(f"files: {expected}")
        parameters = array_from_bytes(PARAMETERS_FILE, contents[PARAMETERS_FILE])
        # Kernels and BLAS take arrays in the machine's byte order; others are refused as types.
        network = Network(manifest.interface.shape(manifest.hidden), parameters)
    except ValueError as error:
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
    manifest = NetworkManifest(
        interface=stored.interface,
        hidden=stored.network.shape.hidden,
        training=stored.training,
        files={PARAMETERS_FILE: checksum(path)},
    )
    write_network_manifest(folder, manifest)
