"""An opponent of any sizes."""

from __future__ import annotations

from random import Random

from acpcbot.poker.actions import CALLING, Action
from acpcbot.protocol.messages import MatchState
from tests.support.playouts import random_action


class Wild:
    """Anything legal: the smallest and largest bets, a chip beside them, and between; calls
    often.
    """

    is_instant = True

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def act(self, state: MatchState, deadline_s: float) -> Action:
        if self.random.random() < 0.5:
            return CALLING
        action = random_action(self.random, state.betting.legal_actions(), 2)
        if action.raise_to and self.random.random() < 0.7:
            smallest, largest = state.betting.raise_range or (0, 0)
            action = Action(action.kind, min(largest, int(smallest * (1 + self.random.random()))))
        beside = Action(action.kind, action.raise_to + self.random.choice((-1, 0, 1)))
        return beside if action.raise_to and state.betting.can_act(beside) else action
