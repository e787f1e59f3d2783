"""A stored strategy that is asked about the same decisions on one board after another.

``SnapshotStrategy.table`` works out the buckets of a board and the probabilities of a decision each
time. Here the buckets of the last board of each street are kept, and of each decision the
probabilities of all buckets, so that an answer is one look-up.

Betting that its tree lacks is translated exactly, which takes some fifty times as long, or counts
as the most similar betting of the tree.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from acpcbot.arrays import Floats, Ints
from acpcbot.errors import UsageError
from acpcbot.poker.betting import BettingState
from acpcbot.poker.hands import hands_without
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.strategies.public_strategy import ActionTable, PublicStrategy
from acpcbot.strategies.translation import Seen, TranslatedPlay, decided, nearest_view

MAX_KEPT = 1000
"""Most decisions whose probabilities are kept."""


def with_kept_tables(strategy: PublicStrategy, *, mixes: bool = True) -> PublicStrategy:
    """Return *strategy* so that it answers fast if it is asked again and again.

    *mixes* is that of ``RepeatedTables``.
    """
    if not isinstance(strategy, SnapshotStrategy):
        return strategy
    return RepeatedTables(strategy, mixes=mixes)


class RepeatedTables:
    """The play of *strategy*, a ``PublicStrategy``; for one thread at a time.

    Betting that its tree lacks is the mixture of its translations if it *mixes*, else the most
    probable one.
    """

    def __init__(self, strategy: SnapshotStrategy, *, mixes: bool = True) -> None:
        self._strategy, self._mixes = strategy, mixes
        self._seen: dict[str, Seen] = {}
        self._buckets: dict[int, tuple[tuple[int, ...], Ints]] = {}
        self._known: dict[str, Floats | None] = {}
        self._translated = TranslatedPlay(
            strategy.definition,
            strategy.snapshot.place,
            self._in_tree,
            strategy.start,
            nearest=strategy.snapshot.nearest,
        )

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        """Return the probabilities of the actor after *betting* with every hand."""
        if self._strategy.definition.is_limit or self._every_bucket(betting) is not None:
            actions = self._strategy.snapshot.place(betting).actions
            return ActionTable(actions, self._in_tree(betting, board))
        if self._mixes:
            return self._translated.table(betting, board)
        played = self._translated.in_view(betting, self._nearest(betting), board)
        return ActionTable(tuple(played), np.stack(list(played.values()), axis=1))

    @property
    def is_approximate(self) -> bool:
        """True if betting that the tree lacks has counted as the most similar one."""
        return bool(self._seen)

    def _nearest(self, betting: BettingState) -> Seen:
        """Return the most similar betting of the tree, None where that has no decision."""
        text, strategy = betting.text, self._strategy
        if text not in self._seen:
            snapshot = strategy.snapshot
            seen = nearest_view(snapshot.place, betting, strategy.start, nearest=snapshot.nearest)
            self._seen[text] = decided(betting, seen)
        return self._seen[text]

    def _in_tree(self, betting: BettingState, board: Sequence[int]) -> Floats:
        every = self._every_bucket(betting)
        assert every is not None
        # Actions first in memory: what follows takes one action after another.
        return every.take(self._board_buckets(betting.street, tuple(board)), axis=1).T

    def _every_bucket(self, betting: BettingState) -> Floats | None:
        """Return the probabilities after *betting*, [action, bucket]; None if the tree lacks it.

        A last column of zeros is that of hands that the board blocks.
        """
        text = betting.text
        if text not in self._known:
            if len(self._known) >= MAX_KEPT:
                self._known.clear()
            self._known[text] = self._found(betting)
        return self._known[text]

    def _found(self, betting: BettingState) -> Floats | None:
        strategy = self._strategy
        try:
            found = strategy.every_bucket(betting)
        except UsageError:
            if strategy.definition.is_limit:
                raise
            return None
        return np.concatenate([found.T, np.zeros((found.shape[1], 1))], axis=1)

    def _board_buckets(self, street: int, board: tuple[int, ...]) -> Ints:
        """Return the bucket of every hand, [hand]; the last one is of hands that cannot be held."""
        known = self._buckets.get(street)
        if known is None or known[0] != board:
            strategy = self._strategy
            blocked = strategy.snapshot.abstraction.num_buckets[street]
            free = hands_without(strategy.definition, board)
            found = np.where(free, strategy.buckets(street, board), blocked).astype(np.int64)
            known = self._buckets[street] = (board, found)
        return known[1]
