"""A person at the terminal as an agent.

Before each decision the table is shown and an answer is asked for, repeatedly until it is a legal
action. The time to think ends at the deadline: then the fallback action is taken, and a line still
being typed is dropped. Raises ``AgentLeft`` where the person quits or the input ends.

Input comes from a stream that blocks. ``LineReader`` reads it in a daemon thread, so that lines can
be awaited with a deadline and the program can end while a read is pending.

Output counts seats from 1. Chips are counted as in the protocol: a raise names the chips that the
player will have put in over the whole hand.
"""

from __future__ import annotations

import math
import re
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from queue import Empty, SimpleQueue
from typing import TextIO

from acpcbot.cards.deck import format_card
from acpcbot.errors import AgentLeft, IllegalAction
from acpcbot.matches.agent import fallback_action
from acpcbot.poker import rules
from acpcbot.poker.actions import FOLDING, LIMIT_RAISING, Action
from acpcbot.poker.betting import BettingState, parse_action
from acpcbot.poker.definition import STREET_NAMES, UNLIMITED_STACK, GameDefinition
from acpcbot.poker.payoffs import payoffs
from acpcbot.protocol.messages import MatchState
from acpcbot.protocol.records import format_value

_ACTION = re.compile(r"[fcr]\d*")
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
    """Agent that asks a person, who types into *keyboard* and reads *screen*.

    They are standard input and standard error unless given.
    """

    is_instant = False

    def __init__(
        self,
        definition: GameDefinition,
        seed: int,
        keyboard: TextIO | None = None,
        screen: TextIO | None = None,
    ) -> None:
        self.definition = definition
        self.seed = seed
        self.total_chips = 0.0
        self._lines = LineReader(keyboard or sys.stdin)
        self._screen = screen or sys.stderr
        self._was_late = False

    def act(self, state: MatchState, deadline_s: float) -> Action:
        """Return the action that the person chooses, or the fallback at the deadline."""
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
        """Show the result of the finished hand in *state*."""
        values = payoffs(state.betting, state.hole_cards, state.board)
        self.total_chips += values[state.seat]
        self._show(
            f"\n{result_text(state, values)}  your total    {format_value(self.total_chips)}\n"
        )

    def _ask(self, deadline_s: float) -> str | None:
        """Return the person's answer, in lower case with single blanks.

        None if the deadline comes first.
        """
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


def parse_answer(answer: str, betting: BettingState) -> Action:
    """Return the legal action that *answer* (lower case, single blanks) means.

    Raises IllegalAction with the reason.
    """
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


def time_left_text(deadline_s: float) -> str:
    """Return the time until *deadline_s* as text."""
    left_s = deadline_s - time.monotonic()
    return "no time limit" if math.isinf(left_s) else f"{max(0, math.floor(left_s))} s left"


class LineReader:
    """Reader of lines from a blocking *stream*, from the first question on."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lines: SimpleQueue[str] = SimpleQueue()
        self._thread = threading.Thread(target=self._read, name="line reader", daemon=True)

    def next_line(self, deadline_s: float) -> str | None:
        """Return the next line without its end, None if there is none by *deadline_s*.

        The deadline is on ``time.monotonic()``'s clock. Raises EOFError, now and in all later
        calls, where the stream ends.
        """
        if self._thread.ident is None:
            self._thread.start()
        wait_s = min(max(0.0, deadline_s - time.monotonic()), threading.TIMEOUT_MAX)
        try:
            line = self._lines.get(timeout=wait_s)
        except Empty:
            return None
        if not line:
            self._lines.put(line)
            raise EOFError
        return line.rstrip("\r\n")

    def drop_waiting(self) -> None:
        """Drop the lines that have arrived without being asked for."""
        while not self._lines.empty():
            if not self._lines.get():
                self._lines.put("")
                return

    def _read(self) -> None:
        try:
            while line := self._stream.readline():
                self._lines.put(line)
        except (OSError, ValueError):
            # A closed terminal, or bytes that are no text, count as the end of the input.
            pass
        finally:
            self._lines.put("")


def turn_text(state: MatchState) -> str:
    """Return the table as *state* shows it to the seat that is to act."""
    return _block(
        f"hand {state.hand_id}: you are seat {state.seat + 1} of {state.definition.num_players}",
        [("board", _cards_text(state.board)), ("you hold", _cards_text(state.own_cards))],
        _seat_rows(state),
        _street_rows(state.betting),
        [("pot", _pot_text(state.betting)), ("you may", _legal_text(state.betting))],
    )


def result_text(state: MatchState, values: Sequence[float]) -> str:
    """Return the outcome of the finished hand in *state*: hands shown, and *values* won."""
    results = [
        (_seat_name(state, seat), f"{_shown_text(state, seat)}, {_won_text(value)}")
        for seat, value in enumerate(values)
    ]
    title = f"hand {state.hand_id} is over"
    return _block(
        title, [("board", _cards_text(state.board))], _street_rows(state.betting), results
    )


def _block(title: str, *parts: list[tuple[str, str]]) -> str:
    rows = [f"  {name:<13} {text}" for part in parts for name, text in part if text]
    return "\n".join([title, *rows, ""])


def _cards_text(cards: tuple[int, ...]) -> str:
    return " ".join(map(format_card, cards))


def _seat_name(state: MatchState, seat: int) -> str:
    return f"seat {seat + 1}" + (" (you)" if seat == state.seat else "")


def _seat_rows(state: MatchState) -> list[tuple[str, str]]:
    stacks, spent = state.definition.stacks, state.betting.spent
    rows = []
    for seat, (stack, chips) in enumerate(zip(stacks, spent, strict=True)):
        behind = "" if stack == UNLIMITED_STACK else f", {stack - chips} behind"
        folded = ", folded" if state.betting.folded[seat] else ""
        rows.append((_seat_name(state, seat), f"{chips} in{behind}{folded}"))
    return rows


def _street_rows(betting: BettingState) -> list[tuple[str, str]]:
    actions: list[list[str]] = [[] for _ in STREET_NAMES]
    for before, action in _past_actions(betting):
        actions[before.street].append(f"seat {before.actor + 1} {_action_text(before, action)}")
    return list(zip(STREET_NAMES, map(", ".join, actions), strict=True))


def _past_actions(betting: BettingState) -> Iterator[tuple[BettingState, Action]]:
    """Yield every action up to now, with the state in which it was taken."""
    state = betting.game.start
    for text in _ACTION.findall(betting.text):
        action = parse_action(text)
        yield state, action
        state = state.apply(action)


def _action_text(before: BettingState, action: Action) -> str:
    if action.kind == rules.FOLD:
        return "folds"
    if action.kind == rules.CALL:
        return f"calls {before.to_call}" if before.to_call else "checks"
    return f"raises to {before.apply(action).max_spent}"


def _pot_text(betting: BettingState) -> str:
    return f"{betting.pot}, {betting.to_call or 'nothing'} to call"


def _legal_text(betting: BettingState) -> str:
    words = ["f (fold)"] if betting.can_act(FOLDING) else []
    words.append(f"c (call {betting.to_call})" if betting.to_call else "c (check)")
    legal = betting.raise_range
    if legal and betting.game.definition.is_limit:
        words.append(f"r (raise to {betting.apply(LIMIT_RAISING).max_spent})")
    elif legal:
        words.append(f"r{legal[0]} to r{legal[1]} (raise to so many chips)")
    return ", ".join(words)


def _shown_text(state: MatchState, seat: int) -> str:
    if state.betting.folded[seat]:
        return "folded"
    return (
        f"shows {_cards_text(state.hole_cards[seat])}"
        if state.betting.is_showdown
        else "takes the pot"
    )


def _won_text(value: float) -> str:
    return (
        f"{'loses' if value < 0 else 'wins'} {format_value(abs(value))}"
        if value
        else "wins nothing"
    )
