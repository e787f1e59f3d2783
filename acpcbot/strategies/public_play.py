"""A snapshot's play with all hands at once."""

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
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import all_hands, hands_without
from acpcbot.strategies.policy import PlaySettings, Probabilities
from acpcbot.strategies.public_strategy import ActionTable
from acpcbot.strategies.snapshot import Snapshot
from acpcbot.strategies.translation import Board, Seen, TranslatedPlay, translations


@dataclass(frozen=True, slots=True)
class TableRow:
    """Where a strategy's table has an answer: the number of the node among its street's, and
    the hand's bucket.
    """

    node: int
    bucket: int


class SnapshotStrategy:
    """What *snapshot* does when it is played by *settings*: a ``PublicStrategy``.

    With the *tables* of its hold'em abstraction, by street, hands are looked up and not
    worked out, which is twenty times as fast on the flop. Bets that its tree does not have
    are translated, as ``TranslatedPlay`` says.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        settings: PlaySettings | None = None,
        tables: Sequence[Buckets] = (),
    ) -> None:
        self.snapshot = snapshot
        self.settings = settings or snapshot.own_settings
        self._tables = tables
        self.translated = TranslatedPlay(snapshot.definition, snapshot.place, self.probabilities)

    @property
    def definition(self) -> GameDefinition:
        """The game."""
        return self.snapshot.definition

    def table(self, betting: BettingState, board: Board) -> ActionTable:
        """What the actor after *betting* does with every hand."""
        if self.snapshot.definition.is_limit:
            place = self.snapshot.place(betting)
            return ActionTable(place.actions, self.probabilities(betting, board))
        return self.translated.table(betting, board)

    def row(
        self, betting: BettingState, hole_cards: Sequence[int], board: Board
    ) -> TableRow | None:
        """Where the answer stands that the actor after *betting* gets with *hole_cards*.

        None if in more places.
        """
        seen = self._only_view(betting)
        if seen is None:
            return None
        place = self.snapshot.place(seen)
        return TableRow(place.street_node, self.snapshot.bucket(place, hole_cards, board))

    def probabilities(self, betting: BettingState, board: Board) -> Probabilities:
        """How likely each action of the decision after *betting*, which the tree has, is with
        every hand.
        """
        place = self.snapshot.place(betting)
        free = hands_without(self.snapshot.definition, board)
        probabilities = np.zeros((len(free), len(place.actions)))
        buckets = self.buckets(place.street, board)[free]
        probabilities[free] = self.snapshot.probabilities(place, buckets, self.settings)
        return probabilities

    def every_bucket(self, betting: BettingState) -> Probabilities:
        """How likely each action of the decision after *betting*, which the tree has, is,
        [bucket, action].
        """
        place = self.snapshot.place(betting)
        every = np.arange(self.snapshot.abstraction.num_buckets[place.street])
        return self.snapshot.probabilities(place, every, self.settings)

    def buckets(self, street: int, board: Board) -> NDArray[Any]:
        """The bucket of every hand, [hand]; that of hands which *board* blocks means nothing."""
        if self._tables:
            return table_row(self._tables[street], board)
        return all_buckets(self.snapshot.definition, self.snapshot.abstraction, street, board)

    def _only_view(self, betting: BettingState) -> Seen:
        """The one way in which *betting* is seen, if there is one."""
        if self.snapshot.definition.is_limit:
            return betting
        try:
            ways = translations(self.snapshot.place, betting)
        except UsageError:
            return None
        return ways[0].seen[-1] if len(ways) == 1 else None


def all_buckets(
    definition: GameDefinition, abstraction: Abstraction, street: int, board: Board
) -> NDArray[Any]:
    """The bucket of every hand on *street*, [hand].

    That of hands which *board* blocks means nothing.
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
