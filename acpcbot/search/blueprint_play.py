"""The blueprint at the table: what it does with every hand, after any betting, fast enough to be asked often."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.buckets import Buckets
from acpcbot.errors import UsageError
from acpcbot.matches.public_strategy import ActionTable
from acpcbot.poker.betting import BettingState
from acpcbot.rng import Stream
from acpcbot.snapshots.policy import PlaySettings
from acpcbot.snapshots.public_play import SnapshotStrategy
from acpcbot.snapshots.snapshot import Snapshot
from acpcbot.snapshots.translation import drawn_translation

T = TypeVar("T")

MOST_BOARDS, MOST_TABLES = 64, 512


class Recent(OrderedDict[Hashable, T]):
    """The last *most* values by their keys."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def find(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value of *key*, made where it is not known any more."""
        if key not in self:
            self.keep(key, make())
        self.move_to_end(key)
        return self[key]

    def keep(self, key: Hashable, value: T) -> None:
        """Remember *value*, and forget what was asked for least recently."""
        self[key] = value
        while len(self) > self._most:
            self.popitem(last=False)


class BlueprintPlay(SnapshotStrategy):
    """What a snapshot does, remembered by state.

    Where a hand can be seen in more ways than can be mixed, one is drawn by *seed*: the same
    from its first action to its last, whoever asks.
    """

    def __init__(
        self, snapshot: Snapshot, settings: PlaySettings | None = None, tables: Sequence[Buckets] = (), seed: int = 0
    ) -> None:
        super().__init__(snapshot, settings, tables)
        self._seed = seed
        self._boards = Recent[NDArray[Any]](MOST_BOARDS)
        self._asked = Recent[ActionTable](MOST_TABLES)

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        """What the actor after *betting* does with every hand."""
        return self._asked.find((betting.text, tuple(board)), lambda: self._table(betting, board))

    def buckets(self, street: int, board: Sequence[int]) -> NDArray[Any]:
        """The bucket of every hand, [hand]."""
        return self._boards.find((street, tuple(board)), lambda: super(BlueprintPlay, self).buckets(street, board))

    def _table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        try:
            return super().table(betting, board)
        except UsageError:
            return self._drawn_table(betting, board)

    def _drawn_table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        """What is done in one view of the hand."""
        seen = drawn_translation(self.snapshot.place, betting, lambda index: self._draw(betting, index))
        played = self.translated.in_view(betting, seen, board)
        return ActionTable(tuple(played), np.stack(list(played.values()), axis=1))

    def _draw(self, betting: BettingState, index: int) -> float:
        """A number in [0, 1) for the action after *index* others, by the betting up to it."""
        before = [state.text for state, _ in betting.decisions()]
        following = [*before[1:], betting.text][index]
        return Stream(self._seed, crc32(following.encode()), index).unit()
