"""Four players that do not look at their cards: the baselines that other players must beat.

All are made for a game from a seed; only ``RandomAgent`` uses the seed.
"""

from __future__ import annotations

from typing import ClassVar

from acpcbot.agents.decision_stream import decision_stream
from acpcbot.poker import rules
from acpcbot.poker.actions import CALLING, Action
from acpcbot.poker.baselines import chosen_actions
from acpcbot.poker.definition import GameDefinition
from acpcbot.protocol.messages import MatchState


class _Baseline:
    name: ClassVar[str]
    is_instant = True

    def __init__(self, definition: GameDefinition, seed: int) -> None:
        self.definition = definition
        self.seed = seed

    def act(self, state: MatchState, deadline_s: float) -> Action:
        """Return the one action that the baseline takes."""
        return chosen_actions(self.name, state.betting)[0]


class CallAgent(_Baseline):
    """Player that calls every bet, and checks where there is none."""

    name = "call"

    def act(self, state: MatchState, deadline_s: float) -> Action:
        """Return a call, which is always legal: dealers are measured with this player."""
        return CALLING


class FoldAgent(_Baseline):
    """Player that folds to every bet, and checks where there is none."""

    name = "fold"


class RaiseAgent(_Baseline):
    """Player that raises the minimum whenever it may, and calls otherwise."""

    name = "raise"


class RandomAgent(_Baseline):
    """Player that folds, calls and raises with equal probabilities, as far as each is legal.

    Every legal size is equally likely.
    """

    name = "random"

    def act(self, state: MatchState, deadline_s: float) -> Action:
        """Return a random action, the same one whenever the same decision comes up again."""
        stream = decision_stream(self.seed, state)
        actions = chosen_actions(self.name, state.betting)
        action = actions[stream.below(len(actions))]
        legal = state.betting.raise_range
        if action.kind != rules.RAISE or legal is None:
            return action
        smallest, largest = legal
        return Action(rules.RAISE, smallest + stream.below(largest - smallest + 1))
