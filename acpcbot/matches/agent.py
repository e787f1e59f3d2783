"""The contract of an agent: one view of a hand in, one action out.

An agent is a plain blocking callable. Whoever runs it (a client at a dealer, a
match in process, a table in the browser) sees to sockets and clocks. An agent
that is late, raises, or answers with an illegal action is answered for by
``fallback_action``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from acpcbot.poker.actions import CALLING, FOLDING, Action
from acpcbot.poker.definition import GameDefinition
from acpcbot.protocol.messages import MatchState


class Agent(Protocol):
    """Decides for one seat.

    *is_instant* promises an answer within microseconds: such an agent is called
    where it stands, all others in a thread of their own.
    """

    is_instant: bool

    def act(self, state: MatchState, deadline_s: float) -> Action:
        """The action for *state*, in which it is this seat's turn.

        *deadline_s* is a moment on ``time.monotonic()``'s clock after which nobody
        waits for the answer.
        """
        ...


class RecordableAgent:
    """An agent that can have what it does with every hand written down
    (``agents/table_agent.py``).
    """


def own_fallbacks(agent: object) -> int:
    """How many decisions *agent* says that it made by some easier way than its own."""
    return int(getattr(agent, "num_fallbacks", 0))


AgentMaker = Callable[[GameDefinition, int], Agent]
"""Makes an agent for a game from a seed."""


def fallback_action(state: MatchState) -> Action:
    """Check where that is free, else fold; call where folding is not possible."""
    return FOLDING if state.betting.can_act(FOLDING) else CALLING
