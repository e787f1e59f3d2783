"""Play of a strategy in many deals at once: the actor's action probabilities, deal by deal.

``SnapshotStrategy.table`` has all hands on one board. Here every deal has its own board and one hand
for each seat; a stored strategy sees them as a bucket for each street and seat, worked out once.
Betting that its tree lacks is translated as ``TranslatedPlay`` does, with deals for hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from acpcbot.agents.public_strategies import CardlessStrategy
from acpcbot.arrays import Flags, Floats, Ints
from acpcbot.errors import UsageError
from acpcbot.evaluation.decisions.hidden_cards import HiddenCards
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.hands import all_hands
from acpcbot.strategies.public_play import SnapshotStrategy
from acpcbot.strategies.public_strategy import PublicStrategy
from acpcbot.strategies.translation import TranslatedPlay, nearest_view

MIN_HANDS_ON_BOARD = 100
"""Fewest deals on one board for which the buckets of all its hands are worked out together."""

RolledOut = SnapshotStrategy | CardlessStrategy
"""Strategies that are asked about many deals at once."""


def as_rolled_out(strategy: PublicStrategy) -> RolledOut | None:
    """Return *strategy* if ``DealPlay`` takes it, else None."""
    return strategy if isinstance(strategy, RolledOut) else None


class DealPlay:
    """The play of *strategy* in the deals of *cards*."""

    def __init__(self, strategy: RolledOut, cards: HiddenCards) -> None:
        self._strategy, self._cards = strategy, cards
        self._buckets = cache(self._find_buckets)

    def table(self, betting: BettingState, deals: Ints) -> tuple[Sequence[Action], Floats]:
        """Return the actor's actions after *betting*, and their probabilities [deal, action].

        *deals* are the places of the deals. Raises UsageError as ``SnapshotStrategy.table`` does.
        """
        if isinstance(self._strategy, CardlessStrategy):
            table = self._strategy.table(betting, ())
            return table.actions, np.tile(table.probabilities[:1], (len(deals), 1))
        if _is_in_tree(self._strategy, betting):
            return self._strategy.snapshot.place(betting).actions, self._in_tree(betting, deals)
        return self._translated(betting, deals)

    def num_decisions(self, betting: BettingState, most: int) -> int:
        """Return the number of decisions from *betting* on, or *most* if there are more.

        Betting that the tree lacks counts as the most similar betting of the tree.
        """
        if betting.is_over or most <= 0:
            return 0
        strategy, count = self._strategy, 1
        if isinstance(strategy, CardlessStrategy):
            actions = strategy.table(betting, ()).actions
        else:
            betting = betting if strategy.definition.is_limit else _seen(strategy, betting)
            if betting.is_over:
                return 0
            actions = strategy.snapshot.place(betting).actions
        for action in actions:
            if count >= most:
                break
            count += self.num_decisions(betting.apply(action), most - count)
        return min(count, most)

    def _in_tree(self, betting: BettingState, deals: Ints) -> Floats:
        strategy = self._strategy
        assert isinstance(strategy, SnapshotStrategy)
        place = strategy.snapshot.place(betting)
        buckets = self._buckets(betting.street, betting.actor)[deals]
        return strategy.snapshot.probabilities(place, buckets, strategy.settings)

    def _translated(self, betting: BettingState, deals: Ints) -> tuple[Sequence[Action], Floats]:
        strategy = self._strategy
        assert isinstance(strategy, SnapshotStrategy)

        def can_hold(_board: Sequence[int]) -> Flags:
            return np.ones(len(deals), np.bool_)

        def probabilities(seen: BettingState, _board: Sequence[int]) -> Floats:
            return self._in_tree(seen, deals)

        snapshot = strategy.snapshot
        play = TranslatedPlay(
            strategy.definition,
            snapshot.place,
            probabilities,
            strategy.start,
            can_hold,
            nearest=snapshot.nearest,
        )
        table = play.table(betting, ())
        return table.actions, table.probabilities

    def _find_buckets(self, street: int, seat: int) -> Ints:
        """Return the bucket of the hand of *seat* on *street* in every deal, [deal]."""
        strategy, definition = self._strategy, self._cards.definition
        assert isinstance(strategy, SnapshotStrategy)
        boards = self._cards.boards[:, : definition.board_size(street)]
        hands = self._cards.hands[:, seat]
        buckets = np.zeros(len(hands), np.int64)
        different, number = np.unique(boards, axis=0, return_inverse=True)
        number = number.reshape(-1)
        order = np.argsort(number, kind="stable")
        ends = np.cumsum(np.bincount(number, minlength=len(different)))
        for board, deals in zip(different.tolist(), np.split(order, ends[:-1]), strict=True):
            buckets[deals] = _board_buckets(strategy, street, board, hands[deals])
        return buckets


def _board_buckets(
    strategy: SnapshotStrategy, street: int, board: Sequence[int], hands: Ints
) -> Ints:
    """Return the bucket of each of *hands* on *board*."""
    different, place = np.unique(hands, return_inverse=True)
    if strategy.tables or len(different) >= MIN_HANDS_ON_BOARD:
        return np.asarray(strategy.buckets(street, board), np.int64)[hands]
    bucket, known = strategy.snapshot.abstraction.bucket, all_hands(strategy.definition)
    found = [bucket(street, known[hand].tolist(), board) for hand in different.tolist()]
    return np.array(found, np.int64)[place.reshape(-1)]


def _is_in_tree(strategy: SnapshotStrategy, betting: BettingState) -> bool:
    if strategy.definition.is_limit:
        return True
    try:
        strategy.snapshot.place(betting)
    except UsageError:
        return False
    return True


def _seen(strategy: SnapshotStrategy, betting: BettingState) -> BettingState:
    if _is_in_tree(strategy, betting):
        return betting
    snapshot = strategy.snapshot
    return nearest_view(snapshot.place, betting, strategy.start, nearest=snapshot.nearest)
