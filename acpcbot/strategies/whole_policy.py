"""Whole policies at once: the tables that the arena plays.

Policies are flat, [slot] in the layout of ``trees/infosets.py``. They are worked out in blocks of
rows: nodes with equal numbers of actions are taken together, so that arrays are [bucket, node,
action]. ``TablePolicy`` is a policy with its abstraction.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.card_abstraction import Abstraction
from acpcbot.errors import UsageError
from acpcbot.poker.definition import GameDefinition
from acpcbot.strategies.policy import (
    WHOLE,
    PlaySettings,
    Probabilities,
    greedy_probabilities,
    played_probabilities,
    to_bytes,
    to_steps,
    unpacked_actions,
    verify_settings,
)
from acpcbot.strategies.snapshot import Snapshot
from acpcbot.trees.infosets import BucketGame

BLOCK_SLOTS = 1 << 22


@dataclass(frozen=True, slots=True, eq=False)
class TablePolicy:
    """A policy that plays in the arena under *name*.

    *probabilities* are uint8 [slot] in the layout for *num_buckets* by street; each information set
    has the sum 255. *abstraction* gives the buckets of the cards; without one the cards are
    ignored, and there is one bucket a street.
    """

    name: str
    num_buckets: tuple[int, ...]
    probabilities: NDArray[np.uint8]
    abstraction: Abstraction | None = None


def num_buckets_of(definition: GameDefinition, abstraction: Abstraction | None) -> tuple[int, ...]:
    """Return the number of buckets by street: 1 where there is no abstraction."""
    return (1,) * definition.num_streets if abstraction is None else abstraction.num_buckets


def played_policy(
    snapshot: Snapshot,
    game: BucketGame,
    settings: PlaySettings | None = None,
    dtype: type[np.floating[Any] | np.unsignedinteger[Any]] = np.float64,
) -> NDArray[Any]:
    """Return the probabilities played in every information set, [slot], as *dtype*.

    In unsigned integers the largest is 1. *game* is the snapshot's own, with its tree; raises UsageError if it is
    another.
    """
    _verify_game(snapshot, game)
    settings = settings or snapshot.own_settings
    verify_settings(snapshot.path, snapshot.manifest, settings)
    played = np.zeros(game.layout.num_slots, dtype)
    for block in blocks(game):
        probabilities = _block_probabilities(snapshot, block, settings)
        targets = game.layout.street_rows(played, block.street)
        if issubclass(dtype, np.unsignedinteger):
            targets[block.slots] = to_steps(probabilities, np.iinfo(dtype).max)
        else:
            targets[block.slots] = probabilities
    return played


def sharpened_policy(
    game: BucketGame, policy: NDArray[Any], settings: PlaySettings
) -> NDArray[np.uint8]:
    """Return the average *policy* [slot] played with *settings*, in steps of 1/255.

    The settings are other than greedy.
    """
    played = np.zeros(len(policy), np.uint8)
    for block in blocks(game):
        rows, targets = (game.layout.street_rows(flat, block.street) for flat in (policy, played))
        targets[block.slots] = to_bytes(
            played_probabilities(rows[block.slots].astype(np.float64), settings)
        )
    return played


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Some buckets of one street and its nodes with one number of actions."""

    street: int
    buckets: NDArray[np.int64]
    """[bucket, 1]"""
    street_nodes: NDArray[np.int64]
    """The nodes' numbers among those of the street, [node]."""
    columns: NDArray[np.int64]
    """The columns of the nodes' actions in a bucket's row, [node, action]."""

    @property
    def num_actions(self) -> int:
        """Number of actions at each of the nodes."""
        return len(self.columns[0])

    @property
    def slots(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Indices of the block's entries [bucket, node, action] among its street's rows."""
        return self.buckets[:, :, None], self.columns[None]


def blocks(game: BucketGame) -> Iterator[Block]:
    """Yield blocks that hold every information set of *game* once."""
    for street, num_buckets in enumerate(game.num_buckets):
        slots, own_counts = game.tree.street_nodes(street)
        for count in np.unique(own_counts):
            street_nodes = np.flatnonzero(own_counts == count)
            columns = slots[street_nodes, None].astype(np.int64) + np.arange(count)
            num_rows = max(1, BLOCK_SLOTS // columns.size)
            for first in range(0, num_buckets, num_rows):
                buckets = np.arange(first, min(first + num_rows, num_buckets))[:, None]
                yield Block(street, buckets, street_nodes, columns)


def _block_probabilities(snapshot: Snapshot, block: Block, settings: PlaySettings) -> Probabilities:
    """Return the probabilities played in a block, [bucket, node, action]."""
    if settings.mode == "greedy":
        assert snapshot.greedy is not None
        numbers = (
            block.buckets * snapshot.places.whole().num_nodes[block.street] + block.street_nodes
        )
        return greedy_probabilities(
            unpacked_actions(snapshot.greedy[block.street], numbers), block.num_actions
        )
    assert snapshot.policy is not None
    stored = snapshot.policy[block.street][block.slots]
    return played_probabilities(stored / WHOLE if stored.dtype == np.uint8 else stored, settings)


def _verify_game(snapshot: Snapshot, game: BucketGame) -> None:
    if (
        snapshot.definition != game.definition
        or snapshot.abstraction.num_buckets != game.num_buckets
    ):
        hint = (
            f"build the tree of {snapshot.manifest.game_label},"
            " with as many buckets as the snapshot has"
        )
        raise UsageError(f"{snapshot.path} is of another game or abstraction", hint)
