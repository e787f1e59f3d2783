"""The dealer's judgement of one line from the seat that is to act.

A line with the wrong state is passed over; a right state with a bad action is
always a call; a size outside the legal range moves to its nearer end.

Source: the ACPC server, release 1.0.42. Where that server compares with left-over
memory (an echo without the seat's own cards) the line is passed over here.

What a table looks up for a line that it receives: the betting behind each reply that was met
before.

A ``TableState`` is the betting of a hand as a table needs it between two sendings: the vector of
the rules, the text as it is sent, and the states behind the replies to it, found by their bytes. So
a reply that is spelled as good clients spell it costs one lookup, from the line to the state that
follows. What everybody else knows as a ``BettingState`` is made of it where it is asked for, which
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
from acpcbot.poker.betting import BettingRules, BettingState, parse_action
from acpcbot.protocol.grammar import Grammar, scan_action
from acpcbot.protocol.messages import MatchState

GUARD_WARNING = "WARNING: #actions in round is too close to MAX_NUM_ACTIONS, forcing call/fold"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a line amounts to: an action to apply (None: read on) and the warnings to print."""

    action: Action | None
    warnings: tuple[str, ...] = ()


UNREADABLE = Verdict(None, ("WARNING: bad state format in response",))
UNREQUESTED = Verdict(None, ("WARNING: ignoring un-requested response",))
NO_ACTION = Verdict(CALLING, ("WARNING: bad action format in response, changed to call",))
INVALID = "WARNING: invalid action, changed to call"


class Referee:
    """Judges replies in one game.

    *echo_is_plain* says that a state's own text is read back as that state.
    """

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.is_limit = grammar.game.definition.is_limit
        # The official reader cannot read back hole cards that board cards follow directly.
        self.echo_is_plain = grammar.game.definition.num_board_cards[0] == 0

    def judge(self, line: bytes, wanted: MatchState) -> Verdict:
        """The verdict on *line*, where the state *wanted* was sent to the acting seat."""
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
    """Whether *state* echoes *wanted*: seat, hand, betting, board and the seat's own cards;
    nobody else's.
    """
    return (
        state.seat == wanted.seat
        and state.hand_id == wanted.hand_id
        and state.betting.text == wanted.betting.text
        and state.board == wanted.board
        and state.own_cards == wanted.own_cards
    )


def repair(action: Action | None, betting: BettingState) -> Verdict:
    """*action* made legal: moved into the raise range, or turned into a call."""
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
    """The warning that goes with raises stopped by the number of actions on a street."""
    return (GUARD_WARNING,) if betting.is_stopped_by_guard else ()


MAX_KEPT = 20_000
_LIMIT_REPLY = re.compile(rb":([fcr])\r?\n")
_NOLIMIT_REPLY = re.compile(rb":([fc]|r[1-9][0-9]{0,8})\r?\n")
_NO_REPLY = re.compile(rb"(?!)")
_KINDS: Final = {ord(letter): kind for kind, letter in LETTERS.items()}
_NO_REPLIES: Final[dict[bytes, TableState]] = {}
"""What states share that have no replies of their own yet; nothing is ever put into it."""


class TableState:
    """A state of the betting: *text* as it is sent, *step* what led here, *replies* what
    follows by a reply's bytes.

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
        """The state of a new hand.

        What was met before is forgotten where it has become too much.
        """
        if self._num_kept > MAX_KEPT:
            self._forget()
        return self.start

    def betting(self, state: TableState) -> BettingState:
        """The betting of *state* as a value."""
        return BettingState(self._game, state.text.decode(), tuple(state.vector))

    def learn(self, state: TableState, tail: bytes) -> TableState | None:
        """The state behind a new reply whose bytes after the echo are *tail*.

        None unless these are plain and legal.
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
        """The state that *action* leads to.

        None if it is illegal. It has a size in no-limit raises alone.
        """
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
