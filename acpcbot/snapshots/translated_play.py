"""What a strategy with few bet sizes does after betting of any sizes, with all hands at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from acpcbot.matches.public_strategy import ActionTable
from acpcbot.poker.actions import CALLING, Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import all_hands, hands_without
from acpcbot.snapshots.translation import FindPlace, Seen, Translation, real_action, translations

Board = Sequence[int]
Chances = NDArray[np.float64]
"""Of each hand, [hand]."""
FindProbabilities = Callable[[BettingState, Board], NDArray[np.float64]]
"""From betting of the strategy's tree and a board to the probabilities of the actions there, [hand, action]."""


class TranslatedPlay:
    """A strategy of *definition*, whose tree is that of *place*, as a ``PublicStrategy`` for any betting.

    Where betting can be seen in several ways the table is their mixture, exactly: a way
    weighs as much as its player would have come there with the hand. Where there are too
    many ways, UsageError says so.
    """

    def __init__(self, definition: GameDefinition, place: FindPlace, probabilities: FindProbabilities) -> None:
        self._definition, self._place, self._probabilities = definition, place, probabilities

    def table(self, betting: BettingState, board: Board) -> ActionTable:
        """What the actor after *betting* does with every hand."""
        ways = translations(self._place, betting)
        mixed: dict[Action, Chances] = {}
        for way, weights in zip(ways, self._weights(ways, betting, board), strict=True):
            for action, chances in self.in_view(betting, way.seen[-1], board).items():
                mixed[action] = mixed.get(action, 0.0) + weights * chances
        actions = sorted(mixed, key=lambda action: (action.kind, action.raise_to))
        return ActionTable(tuple(actions), np.stack([mixed[action] for action in actions], axis=1))

    def _weights(self, ways: Sequence[Translation], betting: BettingState, board: Board) -> NDArray[np.float64]:
        """How likely the actor sees *betting* in each of these ways, given how it came there, [way, hand]."""
        if len(ways) == 1:
            return np.ones((1, 1))
        chances = np.array([way.chance for way in ways])[:, None]
        weights = chances * np.array([self._reach(way, betting, board) for way in ways])
        total = weights.sum(axis=0)
        return np.where(total > 0, weights / np.where(total > 0, total, 1.0), chances)

    def _reach(self, way: Translation, betting: BettingState, board: Board) -> Chances:
        """How likely the actor did what it did, had it seen the hand in this way."""
        reach = np.ones(len(all_hands(self._definition)))
        for (before, action), seen in zip(betting.decisions(), way.seen, strict=False):
            if before.actor == betting.actor:
                played = self.in_view(before, seen, board[: self._definition.board_size(before.street)])
                reach *= played.get(action, 0.0)
        return reach

    def in_view(self, betting: BettingState, seen: Seen, board: Board) -> dict[Action, Chances]:
        """How likely each action is with every hand after *betting*, seen as *seen*."""
        if seen is None:
            return {CALLING: hands_without(self._definition, board).astype(np.float64)}
        played: dict[Action, Chances] = {}
        columns = self._probabilities(seen, board).T
        for own, column in zip(self._place(seen).actions, columns, strict=True):
            action = real_action(betting, seen, own)
            played[action] = played[action] + column if action in played else column
        return played
