"""What a table looks up for a line that it receives: the betting behind each reply that was met before.

A ``TableState`` is the betting of a hand as a table needs it between two sendings: the vector of the
rules, the text as it is sent, and the states behind the replies to it, found by their bytes. So a reply that
is spelled as good clients spell it costs one lookup, from the line to the state that follows. What
everybody else knows as a ``BettingState`` is made of it where it is asked for, which is once in most hands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from acpcbot.poker import rules
from acpcbot.poker.actions import LETTERS, Action
from acpcbot.poker.betting import BettingRules, BettingState, parse_action

MAX_KEPT = 20_000
_LIMIT_REPLY = re.compile(rb":([fcr])\r?\n")
_NOLIMIT_REPLY = re.compile(rb":([fc]|r[1-9][0-9]{0,8})\r?\n")
_NO_REPLY = re.compile(rb"(?!)")
_KINDS: Final = {ord(letter): kind for kind, letter in LETTERS.items()}
_NO_REPLIES: Final[dict[bytes, TableState]] = {}
"""What states share that have no replies of their own yet; nothing is ever put into it."""


class TableState:
    """A state of the betting: *text* as it is sent, *step* what led here, *replies* what follows by a reply's bytes.

    The bytes of a reply are those behind the echo of the state, its colon and line end included.
    They are kept from the second new one on: sizes that nobody repeats cost no memory.
    """

    __slots__ = ("actor", "is_over", "keeps_replies", "replies", "step", "street", "text", "vector")

    def __init__(self, text: bytes, vector: Sequence[int], step: bytes = b"") -> None:
        self.text = text
        self.vector = vector
        self.step = step
        self.actor = vector[rules.ACTOR]
        self.street = vector[rules.STREET]
        self.is_over = self.actor == rules.OVER
        self.replies = _NO_REPLIES
        self.keeps_replies = False

    @property
    def action(self) -> Action:
        """The action that led here; there is none at the start."""
        return parse_action(self.step.decode())


class TableStates:
    """The states that one table has met; *start* is where hands begin.

    With *judges_all* no reply is plain.
    """

    def __init__(self, game: BettingRules, *, judges_all: bool = False) -> None:
        self._game = game
        self._vector = game.vector
        plain_reply = _LIMIT_REPLY if game.definition.is_limit else _NOLIMIT_REPLY
        self._plain_reply = _NO_REPLY if judges_all else plain_reply
        self._forget()

    def _forget(self) -> None:
        self.start = TableState(b"", self._game.start.vector)
        self.start.keeps_replies = True
        self._num_kept = 0

    def start_hand(self) -> TableState:
        """The state of a new hand; what was met before is forgotten where it has become too much."""
        if self._num_kept > MAX_KEPT:
            self._forget()
        return self.start

    def betting(self, state: TableState) -> BettingState:
        """The betting of *state* as a value."""
        return BettingState(self._game, state.text.decode(), tuple(state.vector))

    def learn(self, state: TableState, tail: bytes) -> TableState | None:
        """The state behind a new reply whose bytes after the echo are *tail*; None unless these are plain and legal."""
        match = self._plain_reply.fullmatch(tail)
        following = self._follow(state, match[1]) if match else None
        if following is not None:
            if state.keeps_replies:
                if not state.replies:
                    state.replies = {}
                state.replies[tail] = following
                self._num_kept += 1
            state.keeps_replies = True
        return following

    def after(self, state: TableState, action: Action) -> TableState | None:
        """The state that *action* leads to; None if it is illegal. It has a size in no-limit raises alone."""
        return self._follow(state, action.text.encode())

    def _follow(self, state: TableState, step: bytes) -> TableState | None:
        """The state behind an action that is spelled as in the betting's text."""
        kind, raise_to = _KINDS[step[0]], int(step[1:] or 0)
        if not rules.is_legal(self._vector, state.vector, kind, raise_to):
            return None
        vector = list(state.vector)
        rules.apply_action(self._vector, vector, kind, raise_to)
        text = state.text + step + b"/" * (vector[rules.STREET] - state.street)
        return TableState(text, vector, step)
