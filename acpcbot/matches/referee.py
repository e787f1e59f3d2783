"""The dealer's judgement of one line from the seat that is to act.

A line with the wrong state is passed over; a right state with a bad action is
always a call; a size outside the legal range moves to its nearer end.

Source: the ACPC server, release 1.0.42. Where that server compares with left-over
memory (an echo without the seat's own cards) the line is passed over here.
"""

from __future__ import annotations

from dataclasses import dataclass

from acpcbot.errors import ProtocolError
from acpcbot.poker import rules
from acpcbot.poker.actions import CALLING, Action
from acpcbot.poker.betting import BettingState
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
    """Judges replies in one game; *echo_is_plain* says that a state's own text is read back as that state."""

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
        return self._judge_action(text, end, wanted.betting) if is_same_state(state, wanted) else UNREQUESTED

    def _judge_action(self, text: str, column: int, betting: BettingState) -> Verdict:
        if text[column : column + 1] != ":":
            return NO_ACTION
        scanned = scan_action(text, column + 1, is_limit=self.is_limit)
        if scanned is None:
            return NO_ACTION
        return repair(scanned[0], betting)


def is_same_state(state: MatchState, wanted: MatchState) -> bool:
    """Whether *state* echoes *wanted*: seat, hand, betting, board and the seat's own cards; nobody else's."""
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
    bound, direction = (legal[0], "increased") if action.raise_to < legal[0] else (legal[1], "decreased")
    return Verdict(Action(rules.RAISE, bound), (f"WARNING: raise of {action.raise_to} {direction} to {bound}",))


def guard_warnings(betting: BettingState) -> tuple[str, ...]:
    """The warning that goes with raises stopped by the number of actions on a street."""
    return (GUARD_WARNING,) if betting.is_stopped_by_guard else ()
