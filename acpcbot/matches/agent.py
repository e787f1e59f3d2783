"""The interface of an agent: one view of a hand in, one action out.

An agent is a plain blocking callable. Its caller (a client at a dealer, a match in process,
a table in the browser) handles sockets and clocks. If an agent is late, raises, or returns
an illegal action, the caller plays ``fallback_action`` instead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from acpcbot.poker.actions import CALLING, FOLDING, Action
from acpcbot.poker.definition import GameDefinition
from acpcbot.protocol.messages import MatchState


class Agent(Protocol):
    """A player that decides for one seat.

    *is_instant* says that it answers within microseconds: such an agent is called directly,
    all others in a thread of their own.
    """

    is_instant: bool

    def act(self, state: MatchState, deadline_s: float) -> Action:
        """Return the action for *state*, in which it is this seat's turn.

        *deadline_s* is the time on ``time.monotonic()``'s clock after which the answer is no
        longer used.
        """
        ...


class RecordableAgent:
    """An agent whose strategy with every hand can be recorded (``agents/table_agent.py``)."""


def own_fallbacks(agent: object) -> int:
    """Return the number of decisions that *agent* itself reports as made by a fallback."""
    return int(getattr(agent, "num_fallbacks", 0))


AgentMaker = Callable[[GameDefinition, int], Agent]
"""A function that makes an agent for a game from a seed."""


def fallback_action(state: MatchState) -> Action:
    """Return a fold, or a call (a check) where folding is illegal."""
    return FOLDING if state.betting.can_act(FOLDING) else CALLING
