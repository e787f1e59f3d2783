"""Four players that do not look at their cards: the baselines that other players must beat.

All are made for a game from a seed; only ``RandomAgent`` uses the seed.
"""

from __future__ import annotations

from acpcbot.agents.decision_stream import decision_stream
from acpcbot.matches.agent import fallback_action
from acpcbot.poker import rules
from acpcbot.poker.actions import CALLING, Action
from acpcbot.poker.definition import GameDefinition
from acpcbot.protocol.messages import MatchState


class _Baseline:
    is_instant = True

    def __init__(self, definition: GameDefinition, seed: int) -> None:
        self.definition = definition
        self.seed = seed


class CallAgent(_Baseline):
    """Player that calls every bet, and checks where there is none."""

    def act(self, state: MatchState, deadline_s: float) -> Action:
        """Return a call."""
        return CALLING


class FoldAgent(_Baseline):
    """Player that folds to every bet, and checks where there is none."""

    def act(self, state: MatchState, deadline_s: float) -> Action:
        """Return a fold, or a check."""
        return fallback_action(state)


class RaiseAgent(_Baseline):
    """Player that raises the minimum whenever it may, and calls otherwise."""

    def act(self, state: MatchState, deadline_s: float) -> Action:
        """Return the smallest raise, or a call."""
        legal = state.betting.raise_range
        return CALLING if legal is None else Action(rules.RAISE, legal[0])


class RandomAgent(_Baseline):
    """Player that folds, calls and raises with equal probabilities, as far as each is legal.

    Every legal size is equally likely.
    """

    def act(self, state: MatchState, deadline_s: float) -> Action:
        """Return a random action, the same one whenever the same decision comes up again."""
        stream = decision_stream(self.seed, state)
        kinds = sorted({action.kind for action in state.betting.legal_actions()})
        kind = kinds[stream.below(len(kinds))]
        legal = state.betting.raise_range
        if kind != rules.RAISE or legal is None:
            return Action(kind)
        smallest, largest = legal
        return Action(kind, smallest + stream.below(largest - smallest + 1))
