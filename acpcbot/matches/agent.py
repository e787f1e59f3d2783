"""The interface of an agent: one view of a hand in, one action out.

An agent is a class that is called with a game definition and a seed. This one calls what costs at
most a third of the pot, and raises with an ace in the hole:

    from acpcbot.poker.actions import CALLING, FOLDING, LIMIT_RAISING, raising

    class Aces:
        is_instant = True

        def __init__(self, definition, seed):
            self.definition = definition

        def act(self, state, deadline_s):
            betting = state.betting
            if betting.raise_range and any(card // 4 == 12 for card in state.own_cards):
                smallest, largest = betting.raise_range
                return LIMIT_RAISING if self.definition.is_limit else raising(smallest)
            return FOLDING if 3 * betting.to_call > betting.pot else CALLING

``acpcbot.play_match([Aces, "tight"], game="holdem.limit.2p.reverse_blinds")`` plays it here,
``acpcbot match my_bot.py:Aces tight`` on the command line. ``agents/tight.py`` has what a simple
player looks at: ``win_probability(state)``, ``pot_odds(betting)`` and ``hand_percentile``.

``act`` blocks. Its caller (a client at a dealer, a match in process, a table in the browser)
handles sockets and clocks. If an agent is late, raises an error, or returns an illegal action (a
fold where checking is free is one), the caller plays ``fallback_action`` instead, counts it, and
logs the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Protocol

from acpcbot.poker.actions import CALLING, FOLDING, Action
from acpcbot.poker.definition import GameDefinition
from acpcbot.protocol.messages import MatchState


class Agent(Protocol):
    """A player that decides for one seat.

    *is_instant* says that it answers within microseconds: such an agent is called directly,
    all others in a thread of their own. A method ``observe(state)``, if there is one, is called
    with the end of every hand: the cards that were shown are in ``state.hole_cards``. A method
    ``close()``, if there is one, is called when the match is over, however it ends.
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


@contextmanager
def closing_agents(players: Iterable[object]) -> Iterator[None]:
    """Call the method ``close`` of those *players* that have one at the end of the context."""
    with ExitStack() as stack:
        for player in players:
            close = getattr(player, "close", None)
            if close is not None:
                stack.callback(close)
        yield


def own_fallbacks(agent: object) -> int:
    """Return the number of decisions that *agent* itself reports as made by a fallback."""
    return int(getattr(agent, "num_fallbacks", 0))


AgentMaker = Callable[[GameDefinition, int], Agent]
"""A function that makes an agent for a game from a seed."""


def fallback_action(state: MatchState) -> Action:
    """Return a fold, or a call (a check) where folding is illegal."""
    return FOLDING if state.betting.can_act(FOLDING) else CALLING
