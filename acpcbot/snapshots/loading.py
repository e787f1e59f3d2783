"""Snapshots from disk: a folder with ``manifest.json`` and ``.npy`` arrays.

    policy.<street>.npy     [bucket, slot]: float64 where the manifest's *storage* is "exact", uint8
                            where it is "bytes"
    greedy.<street>.npy     uint8, the actions of four information sets in a byte
    abstraction.<name>.npy  the arrays of the card abstraction; in hold'em flop_table, the bucket of every hand
                            on every flop, may be missing, and then flops take longer
    recipe.toml             the recipe, with which it can be trained again

What is played are the very bytes that were checked, in the process's own memory: mapped files that somebody
cuts or overwrites while they are played would kill the player, or change how it plays. Nothing is ever
unpickled. Whatever is not as the manifest says, and as the size of the game's tree demands, raises
BadSnapshot with the reason.
"""

from __future__ import annotations

import hashlib
import math
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.card_abstraction import restore_abstraction
from acpcbot.errors import AcpcbotError, BadSnapshot
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition
from acpcbot.snapshots.manifest import MANIFEST_FILE, RECIPE_FILE, Manifest, read_manifest, stored_definition
from acpcbot.snapshots.policy import parse_play_settings
from acpcbot.snapshots.rounding import ACTIONS_PER_BYTE
from acpcbot.snapshots.snapshot import Snapshot
from acpcbot.trees.bet_menu import menu_from_settings
from acpcbot.trees.infosets import Places
from acpcbot.trees.subtree_sizes import SubtreeSizes, TreeSize

EXACT, BYTES = "exact", "bytes"
DTYPES: dict[str, type[np.float64] | type[np.uint8]] = {EXACT: np.float64, BYTES: np.uint8}
ABSTRACTION, POLICY, GREEDY = "abstraction", "policy", "greedy"
SUFFIX = ".npy"

HEADER_READERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}

Arrays = dict[str, NDArray[Any]]


def load_snapshot(folder: Path) -> Snapshot:
    """The snapshot in *folder*, every byte of it checked; raises BadSnapshot."""
    manifest = read_manifest(folder)
    try:
        return _snapshot(folder, manifest, _verified_files(folder, manifest))
    except (AcpcbotError, ValueError) as error:
        raise BadSnapshot(str(folder), str(error)) from None
    except OSError as error:
        raise BadSnapshot(str(folder), f"cannot be read ({error.strerror or error})") from None


def checksum(path: Path) -> str:
    """The SHA-256 of the file at *path*."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _verified_files(folder: Path, manifest: Manifest) -> dict[str, bytes]:
    """What is in the files of *manifest*; raises ValueError unless *folder* holds them whole, and no others."""
    found = {path.name: path for path in folder.iterdir() if path.name != MANIFEST_FILE}
    contents = {}
    for name in sorted({*found, *manifest.files}):
        if name not in found:
            raise ValueError(f"{name} is missing")
        if name not in manifest.files or not found[name].is_file():
            raise ValueError(f"{name!r} does not belong there")
        contents[name] = found[name].read_bytes()
        if hashlib.sha256(contents[name]).hexdigest() != manifest.files[name]:
            raise ValueError(f"{name} does not match its checksum")
    return contents


def _snapshot(folder: Path, manifest: Manifest, contents: dict[str, bytes]) -> Snapshot:
    places = _places(stored_definition(manifest), manifest)
    arrays = {name.removesuffix(SUFFIX): _array(name, data) for name, data in contents.items() if name != RECIPE_FILE}
    own = {name.partition(".")[2]: array for name, array in arrays.items() if name.startswith(f"{ABSTRACTION}.")}
    abstraction = restore_abstraction(places.definition, manifest.abstraction, own)
    kinds = {name.partition(".")[0] for name in arrays} & {POLICY, GREEDY}
    if not kinds or manifest.storage not in DTYPES:
        raise ValueError(f"it holds no policy that is stored as {EXACT} or {BYTES}")
    if (GREEDY if parse_play_settings(manifest.play).mode == GREEDY else POLICY) not in kinds:
        raise ValueError(f"it holds nothing that is played as {manifest.play}")
    expected = _expected_arrays(places.whole(), abstraction.num_buckets, DTYPES[manifest.storage])
    by_kind = {kind: _verified(arrays, expected[kind]) for kind in kinds}
    if len(arrays) != len(own) + sum(map(len, by_kind.values())):
        raise ValueError("it holds arrays that no strategy of its game has")
    return Snapshot(folder, manifest, abstraction, places, by_kind.get(POLICY), by_kind.get(GREEDY))


def _places(definition: GameDefinition, manifest: Manifest) -> Places:
    """Where the decisions of the game are, with the bets of *manifest*; raises UsageError, ValueError."""
    if not definition.is_limit:
        if not manifest.bets:
            raise ValueError("it plays a no-limit game and does not say which bets it has")
        # Its kernels bring the compiler, which limit games do without.
        from acpcbot.trees.betting_places import BettingPlaces
        from acpcbot.trees.betting_tree import build_betting_tree

        menu = menu_from_settings(manifest.bets, definition)
        return BettingPlaces(build_betting_tree(BettingRules(definition).start, menu))
    if manifest.bets:
        raise ValueError("a limit game has no bets of its own")
    return SubtreeSizes(definition)


def _array(name: str, data: bytes) -> NDArray[Any]:
    """The array that the bytes of the file *name* hold, read-only and without a copy; raises ValueError."""
    file = BytesIO(data)
    try:
        shape, is_fortran, kind = HEADER_READERS[np.lib.format.read_magic(file)](file)
        array = np.frombuffer(data, kind, math.prod(shape), file.tell())
    except (KeyError, ValueError) as error:
        raise ValueError(f"{name} holds no array of numbers ({error})") from None
    return array.reshape(shape, order="F" if is_fortran else "C")


def _expected_arrays(
    size: TreeSize, num_buckets: tuple[int, ...], policy_type: type[np.generic]
) -> dict[str, dict[str, tuple[type[np.generic], tuple[int, ...]]]]:
    """By kind, the type and the shape that each array must have."""
    shapes = list(zip(num_buckets, size.num_slots, size.num_nodes, strict=True))
    return {
        POLICY: {
            f"{POLICY}.{street}": (policy_type, (buckets, slots)) for street, (buckets, slots, _) in enumerate(shapes)
        },
        GREEDY: {
            f"{GREEDY}.{street}": (np.uint8, (-(-buckets * nodes // ACTIONS_PER_BYTE),))
            for street, (buckets, _, nodes) in enumerate(shapes)
        },
    }


def _verified(
    arrays: Arrays, expected: dict[str, tuple[type[np.generic], tuple[int, ...]]]
) -> tuple[NDArray[Any], ...]:
    """The *expected* ones of *arrays*; raises ValueError where one is missing or of another shape or type."""
    for name, (wanted_type, shape) in expected.items():
        if name not in arrays:
            raise ValueError(f"{name}{SUFFIX} is missing")
        array = arrays[name]
        if array.dtype != wanted_type or array.shape != shape:
            wanted = f"{np.dtype(wanted_type)} {list(shape)}"
            raise ValueError(f"{name}{SUFFIX} is {array.dtype} {list(array.shape)} and should be {wanted}")
    return tuple([arrays[name] for name in expected])
