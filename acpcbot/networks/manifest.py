"""``network.json``: the interface of a stored network, its layers and its training.

It is one JSON object: the format, the interface (game, rows, features, actions), the hidden layers,
facts of the training, the checksum of the array, and one over all of this. Reading raises
UsageError with the reason, and loads no array.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from acpcbot.decoding import decode
from acpcbot.errors import UsageError
from acpcbot.networks.names import NETWORK_FILE
from acpcbot.networks.shape import NetworkInterface, Sizes

FORMAT = 1
DAMAGED = "fetch the network again, or train it again"

Record = dict[str, Any]
"""A JSON object."""


@dataclass(frozen=True, slots=True)
class NetworkManifest:
    """Everything about a stored network except its parameters.

    *files* has the SHA-256 of the array by its name.
    """

    interface: NetworkInterface
    hidden: Sizes
    training: Record
    files: dict[str, str]


def write_network_manifest(folder: Path, manifest: NetworkManifest) -> None:
    """Write *manifest* into *folder*; equal manifests give equal bytes."""
    table = json.loads(json.dumps({"format": FORMAT, **asdict(manifest)}))
    text = json.dumps({**table, "checksum": _checksum(table)}, indent=2)
    (folder / NETWORK_FILE).write_text(text + "\n", encoding="utf-8")


def read_network_manifest(folder: Path) -> NetworkManifest:
    """Return the manifest in *folder*; raises UsageError."""
    try:
        return _manifest(json.loads((folder / NETWORK_FILE).read_text(encoding="utf-8")))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{folder}: {error}", DAMAGED) from None
    except OSError as error:
        raise UsageError(
            f"{folder} cannot be read as a network ({error.strerror or error})", DAMAGED
        ) from None


def _manifest(table: object) -> NetworkManifest:
    """Return the JSON value *table* as a manifest; raises ValueError with the reason."""
    if not isinstance(table, dict):
        raise ValueError(f"{NETWORK_FILE}: expected an object, found {type(table).__name__}")
    if table.get("format") != FORMAT:
        raise ValueError(f"{NETWORK_FILE}: expected format {FORMAT}, found {table.get('format')!r}")
    if table.pop("checksum", None) != _checksum(table):
        raise ValueError(f"{NETWORK_FILE} does not match its own checksum")
    del table["format"]
    return decode(NetworkManifest, table, "")


def _checksum(table: Record) -> str:
    return hashlib.sha256(json.dumps(table).encode()).hexdigest()
