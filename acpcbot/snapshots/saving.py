"""Snapshots to disk: written beside their place, read back, and put there in one step.

Equal contents give equal bytes. ``loading.py`` tells what the folder holds.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.card_abstraction import Abstraction
from acpcbot.errors import UsageError
from acpcbot.poker.definition import format_definition
from acpcbot.poker.shipped import recognise
from acpcbot.snapshots.loading import (
    ABSTRACTION,
    BYTES,
    DTYPES,
    EXACT,
    GREEDY,
    POLICY,
    SUFFIX,
    checksum,
    load_snapshot,
)
from acpcbot.snapshots.manifest import MANIFEST_FILE, RECIPE_FILE, Manifest, Record, Training, write_manifest
from acpcbot.snapshots.rounding import packed_actions
from acpcbot.snapshots.whole_policy import blocks
from acpcbot.solvers.abstract_game import BucketGame, MenuGame
from acpcbot.solvers.policies import byte_probabilities
from acpcbot.trees.bet_menu import BetMenu

LARGEST_EXACT = 100_000
"""Slots up to which probabilities are stored exactly."""


@dataclass(frozen=True, slots=True, eq=False)
class SnapshotContent:
    """What is to be saved: a policy, greedy actions, or both.

    *policy* is [slot] in the layout of *game*: probabilities, stored exactly in small games
    and rounded in large ones, or uint8 where 255 is 1. *greedy* is [infoset], street after
    street, each in row order [bucket, node of the street]: the index of the legal action
    with the highest estimated value. *play* is how it is played where nobody says otherwise,
    *recipe* the text of the recipe, if there is one.
    """

    game: BucketGame
    abstraction: Abstraction
    training: Training
    policy: NDArray[Any] | None = None
    greedy: NDArray[np.uint8] | None = None
    play: str = "average"
    strength: tuple[Record, ...] = ()
    recipe: str = ""

    @property
    def bets(self) -> Record:
        """The sizes of the game's tree, as the manifest tells them."""
        if not isinstance(self.game, MenuGame):
            return {}
        assert isinstance(self.game.tree.menu, BetMenu)
        return dict(self.game.tree.menu.for_streets(self.game.definition.num_streets).spec())

    @property
    def storage(self) -> str:
        """How the probabilities are stored."""
        is_rounded = self.policy is not None and self.policy.dtype == np.uint8
        return BYTES if is_rounded or self.game.layout.num_slots > LARGEST_EXACT else EXACT


def save_snapshot(folder: Path, content: SnapshotContent) -> None:
    """Save *content* as *folder*, in place of a snapshot that lies there.

    A save that is cut short leaves the old one. Raises UsageError where *folder* is there
    and is no snapshot, OSError where it cannot be written.
    """
    if not _may_become_snapshot(folder):
        raise UsageError(f"{folder} is there and holds no strategy", "name a new folder")
    draft = folder.with_name(f".{folder.name}.new")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    try:
        _write(draft, content)
        load_snapshot(draft)
        put_in_place(draft, folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _may_become_snapshot(folder: Path) -> bool:
    """Whether *folder* is free, is a snapshot, or holds nothing but the recipe of one."""
    names = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    return not folder.is_file() and (MANIFEST_FILE in names or names <= {RECIPE_FILE})


def _write(folder: Path, content: SnapshotContent) -> None:
    definition = content.game.definition
    files = {}
    for name, array in _arrays(content):
        path = folder / f"{name}{SUFFIX}"
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
    """Every array by its name."""
    for name, array in content.abstraction.arrays().items():
        yield f"{ABSTRACTION}.{name}", array
    if content.policy is not None:
        policy = _stored_policy(content.game, content.policy, content.storage)
        for street in range(len(content.game.num_buckets)):
            yield f"{POLICY}.{street}", content.game.layout.street_rows(policy, street)
    if content.greedy is not None:
        for street, rows in enumerate(_greedy_rows(content.game, content.greedy)):
            yield f"{GREEDY}.{street}", packed_actions(rows)


def _stored_policy(game: BucketGame, policy: NDArray[Any], storage: str) -> NDArray[Any]:
    """*policy* as it is stored, after a look at its sums."""
    whole = 255 if policy.dtype == np.uint8 else 1
    for block in blocks(game):
        rows = game.layout.street_rows(policy, block.street)[block.slots]
        assert np.all(np.abs(rows.sum(axis=2, dtype=np.float64) - whole) < 1e-5), "probabilities that do not sum to 1"
    if storage == BYTES and policy.dtype != np.uint8:
        return byte_probabilities(policy, game)
    return policy.astype(DTYPES[storage], copy=False)


def _greedy_rows(game: BucketGame, greedy: NDArray[np.uint8]) -> list[NDArray[np.uint8]]:
    """By street, [bucket, node of the street], after a look at whether the actions are there to be taken."""
    sizes = [buckets * nodes for buckets, nodes in zip(game.num_buckets, game.tree.size.num_nodes, strict=True)]
    assert len(greedy) == sum(sizes), (len(greedy), sizes)
    parts = np.split(greedy, np.cumsum(sizes)[:-1])
    rows = [part.reshape(buckets, -1) for part, buckets in zip(parts, game.num_buckets, strict=True)]
    for block in blocks(game):
        assert np.all(rows[block.street][block.buckets, block.street_nodes] < block.num_actions), "no such action"
    return rows


def put_in_place(draft: Path, folder: Path) -> None:
    """Move the folder *draft* to *folder*; between two renames what was there is kept beside it."""
    retired = folder.with_name(f".{folder.name}.old")
    shutil.rmtree(retired, ignore_errors=True)
    if folder.exists():
        os.rename(folder, retired)
    try:
        os.rename(draft, folder)
    except OSError:
        if retired.exists():
            os.rename(retired, folder)
        raise
    shutil.rmtree(retired, ignore_errors=True)
