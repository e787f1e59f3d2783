"""What a table looks up for a line that it receives: the betting behind each reply that was met before.

A ``TableState`` is a betting state with its text as it is sent, and with the states behind
the replies to it, found by their bytes. So a reply that is spelled as good clients
spell it costs one lookup, from the line to the state that follows.
"""

from __future__ import annotations

import re
from typing import Final

from acpcbot.errors import IllegalAction
from acpcbot.poker import rules
from acpcbot.poker.actions import CALLING, FOLDING, LIMIT_RAISING, Action, raising
from acpcbot.poker.betting import BettingRules, BettingState

MAX_KEPT = 20_000
_PLAIN_ACTION = re.compile(rb":(?:([fcr])|r([0-9]{1,9}))\r?\n")
_PLAIN: Final = {b"f": FOLDING, b"c": CALLING, b"r": LIMIT_RAISING}
_NO_REPLIES: Final[dict[bytes, TableState]] = {}
"""What states share that have no replies of their own yet; nothing is ever put into it."""


class TableState:
    """A state of the betting: *text* as it is sent, *action* what led here, *replies* what follows by a reply's bytes.

    The bytes of a reply are those behind the echo of the state, its colon and line end included.
    Replies are kept where *was_met_again* is true: sizes that nobody repeats cost no memory.
    """

    __slots__ = ("action", "actor", "betting", "is_over", "replies", "street", "text", "was_met_again")

    def __init__(self, betting: BettingState, action: Action) -> None:
        self.betting = betting
        self.action = action
        self.text = betting.text.encode()
        self.actor = betting.vector[rules.ACTOR]
        self.street = betting.vector[rules.STREET]
        self.is_over = self.actor == rules.OVER
        self.replies = _NO_REPLIES
        self.was_met_again = False


class TableStates:
    """The states that one table has met; *start* is where hands begin."""

    def __init__(self, game: BettingRules) -> None:
        self._game = game
        self._forget()

    def _forget(self) -> None:
        self.start = TableState(self._game.start, CALLING)
        self.start.was_met_again = True
        self._num_kept = 0

    def start_hand(self) -> TableState:
        """The state of a new hand; what was met before is forgotten where it has become too much."""
        if self._num_kept > MAX_KEPT:
            self._forget()
        return self.start

    def after(self, state: TableState, action: Action) -> TableState:
        """The state that a legal *action* leads to; raises IllegalAction."""
        return TableState(self._game.follow_once(state.betting, action), action)

    def reply(self, state: TableState, tail: bytes) -> TableState | None:
        """The state behind the reply whose bytes after the echo are *tail*; None unless these are plain and legal."""
        following = state.replies.get(tail)
        if following is not None:
            following.was_met_again = True
            return following
        match = _PLAIN_ACTION.fullmatch(tail)
        if match is None:
            return None
        try:
            following = self.after(state, _PLAIN[match[1]] if match[1] else raising(int(match[2])))
        except IllegalAction:
            return None
        if state.was_met_again:
            if not state.replies:
                state.replies = {}
            state.replies[tail] = following
            self._num_kept += 1
        return following
