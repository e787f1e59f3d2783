"""Probabilities of a snapshot with all hands at once: ``SnapshotStrategy``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.buckets import Buckets
from acpcbot.abstraction.card_abstraction import Abstraction
from acpcbot.abstraction.holdem_abstraction import HoldemAbstraction
from acpcbot.abstraction.table_lookup import table_row
from acpcbot.errors import UsageError
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import all_hands, hands_without
from acpcbot.strategies.policy import PlaySettings, Probabilities
from acpcbot.strategies.public_strategy import ActionTable
from acpcbot.strategies.snapshot import Snapshot
from acpcbot.strategies.translation import Board, Seen, TranslatedPlay, translations


@dataclass(frozen=True, slots=True)
class TableRow:
    """Place of an answer in a strategy's table: the node among its street's, and the bucket."""

    node: int
    bucket: int


class SnapshotStrategy:
    """A ``PublicStrategy``: *snapshot* played with *settings*.

    With the *tables* of its hold'em abstraction, by street, buckets are looked up instead of
    computed, which is twenty times as fast on the flop. Bets that its tree lacks are translated, as
    ``TranslatedPlay`` says, and so is no-limit betting with other stacks than the snapshot's.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        settings: PlaySettings | None = None,
        tables: Sequence[Buckets] = (),
    ) -> None:
        self.snapshot = snapshot
        self.settings = settings or snapshot.own_settings
        self.tables = tables
        self.start = BettingRules(snapshot.definition).start
        """The start of a hand in the game of the snapshot."""
        self.translated = TranslatedPlay(
            snapshot.definition,
            snapshot.place,
            self.probabilities,
            self.start,
            nearest=snapshot.nearest,
        )

    @property
    def definition(self) -> GameDefinition:
        """Game of the snapshot."""
        return self.snapshot.definition

    def table(self, betting: BettingState, board: Board) -> ActionTable:
        """Return the probabilities of the actor after *betting* with every hand."""
        if self.snapshot.definition.is_limit:
            place = self.snapshot.place(betting)
            return ActionTable(place.actions, self.probabilities(betting, board))
        return self.translated.table(betting, board)

    def row(
        self, betting: BettingState, hole_cards: Sequence[int], board: Board
    ) -> TableRow | None:
        """Return the place of the probabilities after *betting* with *hole_cards*.

        None if they mix several places, as translated betting can.
        """
        seen = self._only_view(betting)
        if seen is None:
            return None
        place = self.snapshot.place(seen)
        return TableRow(place.street_node, self.snapshot.bucket(place, hole_cards, board))

    def probabilities(self, betting: BettingState, board: Board) -> Probabilities:
        """Return the action probabilities after *betting* of the tree, [hand, action]."""
        place = self.snapshot.place(betting)
        free = hands_without(self.snapshot.definition, board)
        probabilities = np.zeros((len(free), len(place.actions)))
        buckets = self.buckets(place.street, board)[free]
        probabilities[free] = self.snapshot.probabilities(place, buckets, self.settings)
        return probabilities

    def every_bucket(self, betting: BettingState) -> Probabilities:
        """Return the action probabilities after *betting* of the tree, [bucket, action]."""
        place = self.snapshot.place(betting)
        every = np.arange(self.snapshot.abstraction.num_buckets[place.street])
        return self.snapshot.probabilities(place, every, self.settings)

    def buckets(self, street: int, board: Board) -> NDArray[Any]:
        """Return the bucket of every hand, [hand]; undefined for hands that *board* blocks."""
        if self.tables:
            return table_row(self.tables[street], board)
        return all_buckets(self.snapshot.definition, self.snapshot.abstraction, street, board)

    def _only_view(self, betting: BettingState) -> Seen:
        """Return the tree's betting for *betting*, None if there are several."""
        if self.snapshot.definition.is_limit:
            return betting
        try:
            ways = translations(
                self.snapshot.place, betting, self.start, nearest=self.snapshot.nearest
            )
        except UsageError:
            return None
        return ways[0].seen[-1] if len(ways) == 1 else None


def all_buckets(
    definition: GameDefinition, abstraction: Abstraction, street: int, board: Board
) -> NDArray[Any]:
    """Return the bucket of every hand on *street*, [hand].

    Buckets of hands that *board* blocks are undefined.
    """
    if isinstance(abstraction, HoldemAbstraction):
        return abstraction.board_buckets(street, board)
    free, hands, bucket = (
        hands_without(definition, board).tolist(),
        all_hands(definition).tolist(),
        abstraction.bucket,
    )
    return np.array(
        [
            bucket(street, hand, board) if is_free else 0
            for hand, is_free in zip(hands, free, strict=True)
        ]
    )
