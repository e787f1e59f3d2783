"""Guesses of one hand, so that several estimators ask for them once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats
from acpcbot.evaluation.aivat import ValueFunction, View
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState

Deals = tuple[NDArray[np.uint8], Floats]


class RememberedValues:
    """A ``ValueFunction`` that asks *values* for each start and deal once; made anew for each hand and hero."""

    def __init__(self, values: ValueFunction) -> None:
        self._values = values
        self._start: tuple[float, Floats] | None = None
        self._deals: dict[str, Deals] = {}

    def start(self, view: View) -> tuple[float, Floats]:
        """Before the cards."""
        if self._start is None:
            self._start = self._values.start(view)
        return self._start

    def after_actions(
        self, view: View, betting: BettingState, board: Sequence[int], actions: Sequence[Action]
    ) -> Floats:
        """After each of *actions*, for which one estimator alone asks."""
        return self._values.after_actions(view, betting, board, actions)

    def after_deals(self, view: View, betting: BettingState, board: Sequence[int]) -> Deals:
        """When *betting* has come to a new street; streets after an all-in have the same betting and longer boards."""
        key = f"{betting.text}:{len(board)}"
        if key not in self._deals:
            self._deals[key] = self._values.after_deals(view, betting, board)
        return self._deals[key]
