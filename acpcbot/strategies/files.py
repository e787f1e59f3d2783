"""Snapshots on disk: a folder with ``manifest.json`` and ``.npy`` arrays, loaded and saved.

    policy.<street>.npy     [bucket, slot]: float64 where the manifest's *storage* is "exact"; uint8
                            where it is "bytes_but_last", without the last slot of each decision,
                            which has what is left of 255; with all where it is "bytes", as
                            earlier versions wrote it
    greedy.<street>.npy     uint8, the actions of four information sets in a byte
    abstraction.<name>.npy  arrays of the card abstraction; in hold'em flop_table, the bucket of
                            every hand on every flop, is optional: flops are slower without it

Arrays of more than a megabyte are compressed, and their files end in ``.npy.gz``. Beside the arrays:

    recipe.toml             the recipe, with which it can be trained again
    README.md               a card for people; may be missing, and is not checked

Loading checks every byte and plays from exactly the bytes that were checked, in the process's own
memory: memory-mapped files that are truncated or overwritten during play would crash the player or
change its strategy. Nothing is ever unpickled. Any deviation from the manifest, or from the size
that the game's tree demands, raises BadSnapshot with the reason.

Saving writes a draft beside the folder, reads it back, and renames it into place. Equal contents
give equal bytes.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.card_abstraction import Abstraction, restore_abstraction
from acpcbot.checked_files import (
    ARRAY_SUFFIX,
    COMPRESSED_SUFFIX,
    array_from_bytes,
    array_name,
    verified_files,
    write_compressed,
)
from acpcbot.checked_files import checksum as checksum
from acpcbot.checked_files import put_in_place as put_in_place
from acpcbot.errors import AcpcbotError, BadSnapshot, UsageError
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition, format_definition
from acpcbot.poker.shipped import recognise
from acpcbot.strategies.last_actions import with_last, without_last
from acpcbot.strategies.manifest import (
    CARD_FILE,
    MANIFEST_FILE,
    RECIPE_FILE,
    Manifest,
    Record,
    Training,
    read_manifest,
    stored_definition,
    write_manifest,
)
from acpcbot.strategies.policy import ACTIONS_PER_BYTE, WHOLE, packed_actions, parse_play_settings
from acpcbot.strategies.snapshot import PolicyArrays, Snapshot
from acpcbot.trees.bet_menu import BetMenu, menu_from_settings
from acpcbot.trees.infosets import Places, SubtreeSizes, TreeSize

if TYPE_CHECKING:
    from acpcbot.trees.infosets import BucketGame

EXACT, BYTES, BYTES_BUT_LAST = "exact", "bytes", "bytes_but_last"
DTYPES: dict[str, type[np.float64] | type[np.uint8]] = {
    EXACT: np.float64,
    BYTES: np.uint8,
    BYTES_BUT_LAST: np.uint8,
}
ABSTRACTION, POLICY, GREEDY = "abstraction", "policy", "greedy"
MAX_PLAIN_BYTES = 1_000_000
"""Size of an array up to which it is stored as it is; greedy actions of a large game are six times
as small compressed, probabilities half as large."""
UNCHECKED = (MANIFEST_FILE, CARD_FILE)
"""Files of a strategy's folder without a checksum in its manifest."""

Arrays = dict[str, NDArray[Any]]
MAX_EXACT_SLOTS = 100_000
"""Number of slots up to which probabilities are stored exactly."""


def load_snapshot(folder: Path) -> Snapshot:
    """Return the snapshot in *folder*, every byte of it checked; raises BadSnapshot."""
    manifest = read_manifest(folder)
    try:
        return _snapshot(folder, manifest, verified_files(folder, manifest.files, UNCHECKED))
    except (AcpcbotError, ValueError) as error:
        raise BadSnapshot(str(folder), str(error)) from None
    except OSError as error:
        raise BadSnapshot(str(folder), f"cannot be read ({error.strerror or error})") from None


def save_snapshot(folder: Path, content: SnapshotContent) -> None:
    """Save *content* as *folder*, in place of a snapshot that lies there.

    An interrupted save leaves the old one. Raises UsageError where *folder* exists and is no
    snapshot, OSError where it cannot be written.
    """
    verify_place(folder)
    draft = folder.with_name(f".{folder.name}.new")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    try:
        _write(draft, content)
        load_snapshot(draft)
        put_in_place(draft, folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


@dataclass(frozen=True, slots=True, eq=False)
class SnapshotContent:
    """Contents to save: a policy, greedy actions, or both.

    *policy* is [slot] in the layout of *game*: probabilities, stored exactly in small games and
    rounded in large ones, to 1/*steps*, or uint8 where 255 is 1. *greedy* is [infoset], street after street, each
    in row order [bucket, node of the street]: the index of the legal action with the highest
    estimated value. *play* are the default play settings, *recipe* the text of the recipe, if there
    is one.
    """

    game: BucketGame
    abstraction: Abstraction
    training: Training
    policy: NDArray[Any] | None = None
    greedy: NDArray[np.uint8] | None = None
    play: str = "average"
    strength: tuple[Record, ...] = ()
    recipe: str = ""
    steps: int = WHOLE

    @property
    def bets(self) -> Record:
        """Bet sizes of the game's tree, in the form of the manifest."""
        # Imported late: trees and kernels, which a player does not need.
        from acpcbot.trees.betting_tree import MenuGame

        if not isinstance(self.game, MenuGame):
            return {}
        assert isinstance(self.game.tree.menu, BetMenu)
        return dict(self.game.tree.menu.for_streets(self.game.definition.num_streets).spec())

    @property
    def storage(self) -> str:
        """Storage type of the probabilities."""
        is_byte = self.policy is not None and self.policy.dtype == np.uint8
        is_rounded = is_byte or self.steps != WHOLE
        is_large = self.game.layout.num_slots > MAX_EXACT_SLOTS
        return BYTES_BUT_LAST if is_rounded or is_large else EXACT


def _snapshot(folder: Path, manifest: Manifest, contents: dict[str, bytes]) -> Snapshot:
    places = _places(stored_definition(manifest), manifest)
    arrays = {
        array_name(name): array_from_bytes(name, data)
        for name, data in contents.items()
        if name != RECIPE_FILE
    }
    if len(arrays) < len(contents.keys() - {RECIPE_FILE}):
        raise ValueError("it holds an array twice, as it is and compressed")
    own = {
        name.partition(".")[2]: array
        for name, array in arrays.items()
        if name.startswith(f"{ABSTRACTION}.")
    }
    abstraction = restore_abstraction(places.definition, manifest.abstraction, own)
    kinds = {name.partition(".")[0] for name in arrays} & {POLICY, GREEDY}
    if not kinds or manifest.storage not in DTYPES:
        raise ValueError(f"it holds no policy that is stored as {', '.join(DTYPES)}")
    if (GREEDY if parse_play_settings(manifest.play).mode == GREEDY else POLICY) not in kinds:
        raise ValueError(f"it holds nothing that is played as {manifest.play}")
    expected = _expected_arrays(places.whole(), abstraction.num_buckets, manifest.storage)
    by_kind = {kind: _verified(arrays, expected[kind]) for kind in kinds}
    if len(arrays) != len(own) + sum(map(len, by_kind.values())):
        raise ValueError("it holds arrays that no strategy of its game has")
    policy = by_kind.get(POLICY)
    if policy is not None and manifest.storage == BYTES_BUT_LAST:
        policy = _with_last_actions(policy, places)
    return Snapshot(folder, manifest, abstraction, places, policy, by_kind.get(GREEDY))


def _with_last_actions(policy: tuple[NDArray[Any], ...], places: Places) -> PolicyArrays:
    """Return *policy* by street with the actions that files leave out, read-only."""
    whole = []
    for street, stored in enumerate(policy):
        rows = with_last(stored, places.action_counts(street))
        rows.flags.writeable = False
        whole.append(rows)
    return tuple(whole)


def _places(definition: GameDefinition, manifest: Manifest) -> Places:
    """Return the places of the game's decisions, with the bets of *manifest*.

    Raises UsageError, ValueError.
    """
    if not definition.is_limit:
        if not manifest.bets:
            raise ValueError("it plays a no-limit game and does not say which bets it has")
        # Imported late: its kernels load the compiler, which limit games do not need.
        from acpcbot.trees.betting_tree import BettingPlaces, build_betting_tree

        menu = menu_from_settings(manifest.bets, definition)
        return BettingPlaces(build_betting_tree(BettingRules(definition).start, menu))
    if manifest.bets:
        raise ValueError("a limit game has no bets of its own")
    return SubtreeSizes(definition)


def _expected_arrays(
    size: TreeSize, num_buckets: tuple[int, ...], storage: str
) -> dict[str, dict[str, tuple[type[np.generic], tuple[int, ...]]]]:
    """Return, by kind, the type and the shape that each array must have."""
    shapes = list(zip(num_buckets, size.num_slots, size.num_nodes, strict=True))
    lacks_last = storage == BYTES_BUT_LAST
    return {
        POLICY: {
            f"{POLICY}.{street}": (DTYPES[storage], (buckets, slots - nodes * lacks_last))
            for street, (buckets, slots, nodes) in enumerate(shapes)
        },
        GREEDY: {
            f"{GREEDY}.{street}": (np.uint8, (-(-buckets * nodes // ACTIONS_PER_BYTE),))
            for street, (buckets, _, nodes) in enumerate(shapes)
        },
    }


def _verified(
    arrays: Arrays, expected: dict[str, tuple[type[np.generic], tuple[int, ...]]]
) -> tuple[NDArray[Any], ...]:
    """Return the *expected* ones of *arrays*.

    Raises ValueError where one is missing or of another shape or type.
    """
    for name, (wanted_type, shape) in expected.items():
        if name not in arrays:
            raise ValueError(f"{name}{ARRAY_SUFFIX} is missing")
        array = arrays[name]
        if array.dtype != wanted_type or array.shape != shape:
            wanted = f"{np.dtype(wanted_type)} {list(shape)}"
            raise ValueError(
                f"{name}{ARRAY_SUFFIX} is {array.dtype} {list(array.shape)} and should be {wanted}"
            )
    return tuple([arrays[name] for name in expected])


def verify_place(folder: Path) -> None:
    """Raise UsageError unless *folder* is free, is a snapshot, or holds only the recipe of one."""
    names = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    if folder.is_file() or not (MANIFEST_FILE in names or names <= {RECIPE_FILE}):
        raise UsageError(f"{folder} is there and holds no strategy", "name a new folder")


def _write(folder: Path, content: SnapshotContent) -> None:
    definition = content.game.definition
    files = {}
    for name, array in _arrays(content):
        if array.nbytes > MAX_PLAIN_BYTES:
            path = folder / f"{name}{COMPRESSED_SUFFIX}"
            write_compressed(path, array)
        else:
            path = folder / f"{name}{ARRAY_SUFFIX}"
            np.save(path, array, allow_pickle=False)
        files[path.name] = checksum(path)
    if content.recipe:
        (folder / RECIPE_FILE).write_text(content.recipe, encoding="utf-8", newline="\n")
        files[RECIPE_FILE] = checksum(folder / RECIPE_FILE)
    manifest = Manifest(
        game_name=recognise(definition) or "",
        game_fingerprint=definition.fingerprint,
        game_text=format_definition(definition),
        storage=content.storage,
        play=content.play,
        abstraction=content.abstraction.spec(),
        training=content.training,
        strength=content.strength,
        files=files,
        bets=content.bets,
    )
    write_manifest(folder / MANIFEST_FILE, manifest)


def _arrays(content: SnapshotContent) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield every array with its name."""
    for name, array in content.abstraction.arrays().items():
        yield f"{ABSTRACTION}.{name}", array
    if content.policy is not None:
        policy = _stored_policy(content)
        for street in range(len(content.game.num_buckets)):
            rows = content.game.layout.street_rows(policy, street)
            if content.storage == BYTES_BUT_LAST:
                rows = without_last(rows, content.game.tree.street_nodes(street)[1])
            yield f"{POLICY}.{street}", rows
    if content.greedy is not None:
        for street, rows in enumerate(_greedy_rows(content.game, content.greedy)):
            yield f"{GREEDY}.{street}", packed_actions(rows)


def _stored_policy(content: SnapshotContent) -> NDArray[Any]:
    """Return the policy of *content* in the type of its storage, after checking its sums."""
    from acpcbot.strategies.whole_policy import blocks  # see ``bets``

    game, policy, storage = content.game, content.policy, content.storage
    assert policy is not None
    whole = WHOLE if policy.dtype == np.uint8 else 1
    for block in blocks(game):
        rows = game.layout.street_rows(policy, block.street)[block.slots]
        assert np.all(np.abs(rows.sum(axis=2, dtype=np.float64) - whole) < 1e-5), (
            "probabilities that do not sum to 1"
        )
    if storage != EXACT and policy.dtype != np.uint8:
        from acpcbot.learning.policies import byte_probabilities  # see ``bets``

        return byte_probabilities(policy, game, content.steps)
    return policy.astype(DTYPES[storage], copy=False)


def _greedy_rows(game: BucketGame, greedy: NDArray[np.uint8]) -> list[NDArray[np.uint8]]:
    """Return, by street, actions [bucket, node of the street], after checking that they exist."""
    from acpcbot.strategies.whole_policy import blocks  # see ``bets``

    sizes = [
        buckets * nodes
        for buckets, nodes in zip(game.num_buckets, game.tree.size.num_nodes, strict=True)
    ]
    assert len(greedy) == sum(sizes), (len(greedy), sizes)
    parts = np.split(greedy, np.cumsum(sizes)[:-1])
    rows = [
        part.reshape(buckets, -1) for part, buckets in zip(parts, game.num_buckets, strict=True)
    ]
    for block in blocks(game):
        assert np.all(rows[block.street][block.buckets, block.street_nodes] < block.num_actions), (
            "no such action"
        )
    return rows
