"""The random numbers of one decision.

A decision's stream depends on the seed, the hand, the seat and how many actions came
before it, and on nothing else: a match that is cut and taken up again plays on as if
nothing had happened, and any decision can be repeated by itself.
"""

from __future__ import annotations

from acpcbot.protocol.messages import MatchState
from acpcbot.rng import Stream

VIEW = 1
"""What tells the streams of views from those of decisions."""


def decision_stream(seed: int, state: MatchState) -> Stream:
    """The stream for an agent with *seed* that is to act in *state*."""
    text = state.betting.text
    num_actions = text.count("f") + text.count("c") + text.count("r")
    return Stream(seed, state.hand_id, state.seat, num_actions)


def view_stream(seed: int, state: MatchState, num_actions: int) -> Stream:
    """The stream for how an agent with *seed* sees the action after so many others: the same in
    the whole hand.
    """
    return Stream(seed, state.hand_id, state.seat, num_actions, VIEW)
