"""What lies beyond a subgame that ends with its street: roll-outs of the blueprint, as the settings have them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol
from zlib import crc32

from acpcbot.errors import UsageError
from acpcbot.rng import Stream
from acpcbot.search.settings import StreetSettings
from acpcbot.snapshots.public_play import SnapshotStrategy
from acpcbot.snapshots.roll_outs import BIASES, RollOutSettings, roll_out_leaves
from acpcbot.solvers.leaf_values import LeafValues
from acpcbot.solvers.range_game import RangeGame


class LeafMaker(Protocol):
    """Makes leaf values."""

    def __call__(self, game: RangeGame, chooser: int, street: StreetSettings, left_s: float) -> LeafValues:
        """What lies beyond *game*, where the *chooser* takes a continuation, made in about *left_s* seconds."""
        ...


@dataclass(frozen=True, slots=True)
class RolledOut:
    """Leaf values by roll-outs of *blueprint* on boards that *seed* and the state decide."""

    blueprint: SnapshotStrategy
    seed: int
    num_threads: int

    def __call__(self, game: RangeGame, chooser: int, street: StreetSettings, left_s: float) -> LeafValues:
        """The blueprint, and for further values it with more folds, calls or raises, none worth more than it."""
        root = game.tree.root
        stream = Stream(self.seed, crc32(root.text.encode()), *game.boards.boards[0], chooser)
        settings = RollOutSettings(BIASES[: street.values], street.boards, street.groups, street.views, levelled=True)
        return roll_out_leaves(game, self.blueprint, chooser, settings, stream, self.num_threads, left_s)


def verify_values(street: StreetSettings) -> None:
    """Raise UsageError unless there are so many continuations."""
    if street.values > len(BIASES):
        raise UsageError(f"{street.values} values of a state", f"at most {len(BIASES)}")
