"""Protocol of strategies that give their probabilities for every hand they may hold.

Evaluation beyond chips needs that: AIVAT averages over all hands that a player could have held, and
a best response needs the range behind each action.
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
    """Action probabilities for every hand in one state.

    actions        actions played with some hand
    probabilities  float64 [hand, action], hands as in ``poker/hands.py``; rows sum to 1, except for
                   hands that cannot be held
    """

    actions: tuple[Action, ...]
    probabilities: NDArray[np.float64]


class PublicStrategy(Protocol):
    """A strategy of one game, in any seat."""

    def table(self, betting: BettingState, board: Sequence[int]) -> ActionTable:
        """Return the probabilities of the actor after *betting* with every hand.

        *board* has the canonical cards dealt so far. Raises UsageError if the strategy has no
        answer there.
        """
        ...
