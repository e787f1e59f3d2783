"""A person at the terminal.

Before each decision the table is shown and an answer is asked for, again and again
until it is a legal action. The time to think is the deadline's: once it is over, the
fallback action is taken, and what is still being typed is forgotten.

Raises ``AgentLeft`` where the person quits or the input ends.
"""

from __future__ import annotations

import math
import re
import sys
import time
from typing import TextIO

from acpcbot.agents.line_reader import LineReader
from acpcbot.agents.table_text import result_text, turn_text
from acpcbot.errors import AgentLeft, IllegalAction
from acpcbot.matches.agent import fallback_action
from acpcbot.poker import rules
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.payoffs import payoffs
from acpcbot.protocol.messages import MatchState
from acpcbot.protocol.records import format_value

HELP = """\
  f, fold         give up the hand
  c, call, check  put in what is missing; nothing, if nobody has bet
  r, raise, bet   in limit games: raise
  r300            in no-limit games: raise, so that you have put in 300 over the whole hand
  q, quit         leave the match
"""
KIND_OF_WORD = {
    "f": rules.FOLD,
    "fold": rules.FOLD,
    "c": rules.CALL,
    "call": rules.CALL,
    "check": rules.CALL,
    "r": rules.RAISE,
    "raise": rules.RAISE,
    "bet": rules.RAISE,
}
_ANSWER = re.compile(r"([a-z]+)(?: to)? ?(\d*)", re.ASCII)


class HumanAgent:
    """Asks whoever types into *keyboard* and reads *screen*; standard input and standard error unless given."""

    is_instant = False

    def __init__(
        self, definition: GameDefinition, seed: int, keyboard: TextIO | None = None, screen: TextIO | None = None
    ) -> None:
        self.definition = definition
        self.seed = seed
        self.total_chips = 0.0
        self._lines = LineReader(keyboard or sys.stdin)
        self._screen = screen or sys.stderr
        self._was_late = False

    def act(self, state: MatchState, deadline_s: float) -> Action:
        """The action that the person chooses, or the fallback at the deadline."""
        self._show(f"\n{turn_text(state)}")
        if self._was_late:
            self._lines.drop_waiting()
        while (answer := self._ask(deadline_s)) is not None:
            if answer == "?":
                self._show(HELP)
                continue
            try:
                return parse_answer(answer, state.betting)
            except IllegalAction as error:
                self._show(f"not possible: {error.reason}\n")
        self._was_late = True
        self._show("\ntime is up\n")
        return fallback_action(state)

    def observe(self, state: MatchState) -> None:
        """Show how the finished hand in *state* ended."""
        values = payoffs(state.betting, state.hole_cards, state.board)
        self.total_chips += values[state.seat]
        self._show(f"\n{result_text(state, values)}  your total    {format_value(self.total_chips)}\n")

    def _ask(self, deadline_s: float) -> str | None:
        """What the person types, in lower case with single blanks; None if the deadline comes first."""
        self._show(f"your action ({time_left_text(deadline_s)}, ? for help): ")
        try:
            line = self._lines.next_line(deadline_s)
        except EOFError:
            self._show("\n")
            raise AgentLeft("the input has ended") from None
        answer = None if line is None else " ".join(line.lower().split())
        if answer in ("q", "quit"):
            raise AgentLeft("you left the match")
        return answer

    def _show(self, text: str) -> None:
        self._screen.write(text)
        self._screen.flush()


def time_left_text(deadline_s: float) -> str:
    """How long it is until *deadline_s*."""
    left_s = deadline_s - time.monotonic()
    return "no time limit" if math.isinf(left_s) else f"{max(0, math.floor(left_s))} s left"


def parse_answer(answer: str, betting: BettingState) -> Action:
    """The legal action that *answer* (lower case, single blanks) means; raises IllegalAction with the reason."""
    match = _ANSWER.fullmatch(answer)
    kind = KIND_OF_WORD.get(match[1]) if match else None
    if match is None or kind is None:
        raise IllegalAction(answer, betting.text, f"{answer!r} is no action")
    if match[1] == "check" and betting.to_call:
        raise IllegalAction(answer, betting.text, f"there are {betting.to_call} chips to call")
    if match[2] and (kind != rules.RAISE or betting.game.definition.is_limit):
        raise IllegalAction(answer, betting.text, "only no-limit raises have a size")
    action = Action(kind, int(match[2] or 0))
    betting.verify_action(action)
    return action
