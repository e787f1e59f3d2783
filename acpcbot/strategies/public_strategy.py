"""The contract of a strategy that can tell what it does with every hand it may hold.

That is what evaluation beyond the chips wants: luck is taken out of a result by averaging
over all hands that a player could have had, and a strategy is exploited by one who knows
which hands he would have played like that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState


@dataclass(frozen=True, slots=True, eq=False)
class ActionTable:
    """What is done with every hand in one state.

    ``actions``        those that are played with some hand
    ``probabilities``  float64 [hand, action], hands as in ``poker/hands.py``; rows sum to 1 but
                       for hands that cannot be held
    """

    actions: tuple[Action, ...]
    probabilities: NDArray[np.float64]


class PublicStrategy(Protocol):
    """A strategy of one game, in any seat."""

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        """What the actor after *betting* does with every hand.

        *board* has the cards dealt so far, canonical ones.

        Raises UsageError if it has no answer there.
        """
        ...
