"""The dealer's decision about a reply: the official order of checks, and a cache before it.

``Referee`` judges one line of the acting seat. A line with another state is ignored; the right
state with a bad action counts as a call; a size outside the legal range is moved to its nearer
end. Source: the ACPC server, release 1.0.42. Where that server compares uninitialised memory
(an echo without the seat's own cards), the line is ignored here.

``TableStates`` makes the common case fast. A ``TableState`` is the betting of a hand as a table
needs it between two sendings: the vector of the rules, the text as it is sent, and the states
after known replies, by the bytes of these replies. A reply in the usual spelling costs one
dictionary lookup. ``BettingState``, the form that other modules use, is made on request, which
is once in most hands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from acpcbot.errors import ProtocolError
from acpcbot.poker import rules
from acpcbot.poker.actions import CALLING, LETTERS, Action
from acpcbot.poker.betting import BettingRules, BettingState, parse_action, vector_and_text_after
from acpcbot.protocol.grammar import Grammar, scan_action
from acpcbot.protocol.messages import MatchState

GUARD_WARNING = "WARNING: #actions in round is too close to MAX_NUM_ACTIONS, forcing call/fold"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a line: an action to apply (None: read on) and the warnings to print."""

    action: Action | None
    warnings: tuple[str, ...] = ()


UNREADABLE = Verdict(None, ("WARNING: bad state format in response",))
UNREQUESTED = Verdict(None, ("WARNING: ignoring un-requested response",))
NO_ACTION = Verdict(CALLING, ("WARNING: bad action format in response, changed to call",))
INVALID = "WARNING: invalid action, changed to call"


class Referee:
    """Judge of the replies in one game.

    *echo_is_plain* is True if the official reader reads a state's own text back as that state.
    """

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.is_limit = grammar.game.definition.is_limit
        # The official reader cannot read back hole cards that board cards follow directly.
        self.echo_is_plain = grammar.game.definition.num_board_cards[0] == 0

    def judge(self, line: bytes, wanted: MatchState) -> Verdict:
        """Return the verdict on *line*, the acting seat's reply to the state *wanted*."""
        text = line.decode("latin-1").partition("\0")[0]
        echo = wanted.line
        if self.echo_is_plain and text.startswith(echo) and text[len(echo) : len(echo) + 1] == ":":
            return self._judge_action(text, len(echo), wanted.betting)
        try:
            state, end = self.grammar.scan(text)
        except ProtocolError:
            return UNREADABLE
        return (
            self._judge_action(text, end, wanted.betting)
            if is_same_state(state, wanted)
            else UNREQUESTED
        )

    def _judge_action(self, text: str, column: int, betting: BettingState) -> Verdict:
        if text[column : column + 1] != ":":
            return NO_ACTION
        scanned = scan_action(text, column + 1, is_limit=self.is_limit)
        if scanned is None:
            return NO_ACTION
        return repair(scanned[0], betting)


def is_same_state(state: MatchState, wanted: MatchState) -> bool:
    """Return whether *state* echoes *wanted*.

    Seat, hand, betting, board and the seat's own cards count; other players' cards do not.
    """
    return (
        state.seat == wanted.seat
        and state.hand_id == wanted.hand_id
        and state.betting.text == wanted.betting.text
        and state.board == wanted.board
        and state.own_cards == wanted.own_cards
    )


def repair(action: Action | None, betting: BettingState) -> Verdict:
    """Return *action* made legal: moved into the raise range, or turned into a call."""
    if action is not None and betting.can_act(action):
        return Verdict(action)
    if action is None or action.kind != rules.RAISE:
        return Verdict(CALLING, (INVALID,))
    legal = betting.raise_range
    if legal is None:
        return Verdict(CALLING, (*guard_warnings(betting), INVALID))
    bound, direction = (
        (legal[0], "increased") if action.raise_to < legal[0] else (legal[1], "decreased")
    )
    return Verdict(
        Action(rules.RAISE, bound), (f"WARNING: raise of {action.raise_to} {direction} to {bound}",)
    )


def guard_warnings(betting: BettingState) -> tuple[str, ...]:
    """Return the warning for raises stopped by the number of actions on a street, if they are."""
    return (GUARD_WARNING,) if betting.is_stopped_by_guard else ()


MAX_KEPT = 20_000
_LIMIT_REPLY = re.compile(rb":([fcr])\r?\n")
_NOLIMIT_REPLY = re.compile(rb":([fc]|r[1-9][0-9]{0,8})\r?\n")
_NO_REPLY = re.compile(rb"(?!)")
_KINDS: Final = {ord(letter): kind for kind, letter in LETTERS.items()}
_NO_REPLIES: Final[dict[bytes, TableState]] = {}
"""Shared by all states without replies; nothing is ever added to it."""


class TableState:
    """A state of the betting at a table, with the states after known replies.

    *text* is the betting as it is sent, *step* the text of the action that led here. *replies*
    maps the bytes of a reply behind the echo of the state, with colon and line end, to the
    next state. The first new reply of a state is not stored (``keeps_replies``), so that raise
    sizes that occur once cost no memory.
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
        """The action that led here; undefined at the start."""
        return parse_action(self.step.decode())


class TableStates:
    """The betting states met at one table; *start* is the state before the first action.

    With *judges_all* every reply goes to the referee.
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
        """Return the state of a new hand; forget all others beyond ``MAX_KEPT``."""
        if self._num_kept > MAX_KEPT:
            self._forget()
        return self.start

    def betting(self, state: TableState) -> BettingState:
        """Return the betting of *state* as a value."""
        return BettingState(self._game, state.text.decode(), tuple(state.vector))

    def learn(self, state: TableState, tail: bytes) -> TableState | None:
        """Return the state after a new reply whose bytes after the echo are *tail*.

        None unless these are an action in the usual spelling and legal.
        """
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
        """Return the state after *action*, None if it is illegal.

        *action* has a size in no-limit raises alone.
        """
        return self._follow(state, action.text.encode())

    def _follow(self, state: TableState, step: bytes) -> TableState | None:
        """Return the state after an action that is spelled as in the betting text."""
        kind, raise_to = _KINDS[step[0]], int(step[1:] or 0)
        if not rules.is_legal(self._vector, state.vector, kind, raise_to):
            return None
        vector, text = vector_and_text_after(
            self._vector, state.vector, state.text + step, b"/", kind, raise_to
        )
        return TableState(text, vector, step)
