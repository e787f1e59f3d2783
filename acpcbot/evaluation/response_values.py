"""Guesses of what hands are worth to the target of local best response.

They are those by strength (``strength_values.py``), but that it is known how the player answers
what the target does: as he would if he could but call or fold. So a bet that makes him fold
wins the pot, one that he calls goes into it, and where nothing follows, as on the last street or
all-in, the guess is the value itself. He knows the target's range, and so does the guess.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.row_chunks import Progress
from acpcbot.arrays import Floats
from acpcbot.evaluation.aivat import View
from acpcbot.evaluation.local_best_response import LocalBestResponse
from acpcbot.evaluation.strength_values import StrengthValues
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.hands import hands_without


class ResponseValues:
    """A ``ValueFunction``, whose hero is the target of *player*."""

    def __init__(self, player: LocalBestResponse, on_progress: Progress | None = None) -> None:
        self._player = player
        self._strengths = StrengthValues(player.definition, on_progress)

    def start(self, view: View) -> tuple[float, Floats]:
        """Before the cards: the mean over all deals, and the value with those dealt to the player, [hand]."""
        return self._strengths.start(view)

    def after_deals(self, view: View, betting: BettingState, board: Sequence[int]) -> tuple[NDArray[np.uint8], Floats]:
        """All ways to deal the cards of a new street, [way, card], and the value after each, [way, hand]."""
        return self._strengths.after_deals(view, betting, board)

    def after_actions(
        self, view: View, betting: BettingState, board: Sequence[int], actions: Sequence[Action]
    ) -> Floats:
        """After each of the target's *actions* and the player's answer, [hand, action]."""
        reach, table = self._reach(view, betting, board), self._player.target.table(betting, board)
        left = self._player.definition.num_streets - 1 - betting.street
        columns = []
        for action in actions:
            after, chances = betting.apply(action), table.probabilities[:, table.actions.index(action)]
            if not after.is_over and (after.actor, after.street) == (1 - view.hero, betting.street):
                held = view.hole_cards[after.actor]
                after = after.apply(self._player.passive_answer(after, tuple(board), held, reach * chances))
            columns.append(self._strengths.state_value(view, after, board, left))
        return np.stack(columns, axis=1)

    def _reach(self, view: View, betting: BettingState, board: Sequence[int]) -> Floats:
        """How likely the target came to *betting* with each hand that the player's leave, [hand]."""
        definition, target = self._player.definition, self._player.target
        reach = hands_without(definition, (*board, *view.hole_cards[1 - view.hero])).astype(np.float64)
        for before, action in betting.decisions():
            if before.actor == view.hero:
                table = target.table(before, board[: definition.board_size(before.street)])
                reach *= table.probabilities[:, table.actions.index(action)]
        return reach
