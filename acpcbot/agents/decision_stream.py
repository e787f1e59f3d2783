"""Random streams of single decisions.

A stream depends on the seed, the hand, the seat and the number of actions before the decision, and
on nothing else. So a match that is interrupted and resumed plays on unchanged, and any decision can
be repeated by itself.
"""

from __future__ import annotations

from acpcbot.protocol.messages import MatchState
from acpcbot.rng import Stream

VIEW = 1
"""Last number of the streams of views, which decisions lack."""


def decision_stream(seed: int, state: MatchState) -> Stream:
    """Return the stream for an agent with *seed* that is to act in *state*."""
    text = state.betting.text
    num_actions = text.count("f") + text.count("c") + text.count("r")
    return Stream(seed, state.hand_id, state.seat, num_actions)


def view_stream(seed: int, state: MatchState, num_actions: int) -> Stream:
    """Return the stream for translating the action that follows *num_actions* others.

    It is the same in the whole hand.
    """
    return Stream(seed, state.hand_id, state.seat, num_actions, VIEW)
