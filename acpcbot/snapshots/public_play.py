"""A snapshot's play with all hands at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.buckets import Buckets
from acpcbot.abstraction.holdem_abstraction import HoldemAbstraction
from acpcbot.abstraction.table_lookup import table_row
from acpcbot.matches.public_strategy import ActionTable
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.hands import all_hands, hands_without
from acpcbot.snapshots.policy import PlaySettings
from acpcbot.snapshots.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class TableRow:
    """Where a strategy's table has an answer: the number of the node among its street's, and the hand's bucket."""

    node: int
    bucket: int


class SnapshotStrategy:
    """What *snapshot* does when it is played by *settings*: a ``PublicStrategy``.

    With the *tables* of its hold'em abstraction, by street, hands are looked up and not
    worked out, which is twenty times as fast on the flop.
    """

    def __init__(
        self, snapshot: Snapshot, settings: PlaySettings | None = None, tables: Sequence[Buckets] = ()
    ) -> None:
        self.snapshot = snapshot
        self.settings = settings or snapshot.own_settings
        self._tables = tables

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        """What the actor after *betting* does with every hand."""
        place = self.snapshot.place(betting)
        free = hands_without(self.snapshot.definition, board)
        probabilities = np.zeros((len(free), len(place.kinds)))
        buckets = self.buckets(place.street, board)[free]
        probabilities[free] = self.snapshot.probabilities(place, buckets, self.settings)
        return ActionTable(tuple(map(Action, place.kinds)), probabilities)

    def row(self, betting: BettingState, hole_cards: Sequence[int], board: Sequence[int]) -> TableRow:
        """Where the answer stands that the actor after *betting* gets with *hole_cards*."""
        place = self.snapshot.place(betting)
        return TableRow(place.street_node, self.snapshot.bucket(place, hole_cards, board))

    def buckets(self, street: int, board: Sequence[int]) -> NDArray[Any]:
        return table_row(self._tables[street], board) if self._tables else all_buckets(self.snapshot, street, board)


def all_buckets(snapshot: Snapshot, street: int, board: Sequence[int]) -> NDArray[Any]:
    """The bucket of every hand on *street*, [hand]; that of hands which *board* blocks means nothing."""
    if isinstance(snapshot.abstraction, HoldemAbstraction):
        return snapshot.abstraction.board_buckets(street, board)
    free = hands_without(snapshot.definition, board).tolist()
    hands = all_hands(snapshot.definition).tolist()
    bucket = snapshot.abstraction.bucket
    return np.array([bucket(street, hand, board) if is_free else 0 for hand, is_free in zip(hands, free, strict=True)])
