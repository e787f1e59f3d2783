"""The betting engine: the player to act, the legal actions and the states that they lead to.

``BettingRules`` belongs to a game definition and hands out ``BettingState``
values, which never change: ``state.apply(action)`` is another state. States that
occurred before are kept by their betting text, so a table, a client or a log
reader that sees the same betting again pays one dictionary lookup.

Checks come as a pair: ``verify_action`` raises IllegalAction with the reason,
``can_act`` returns a bool.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from numbers import Integral
from typing import AnyStr

from acpcbot.errors import IllegalAction, ProtocolError
from acpcbot.poker import rules
from acpcbot.poker.actions import CALLING, FOLDING, LETTERS, LIMIT_RAISING, Action, raising
from acpcbot.poker.definition import GameDefinition

_ACTION = re.compile(r"[fcr]([0-9]{0,10})")
_MAX_KEPT = 20_000
_LOOKS_BACK = 2


def game_vector(definition: GameDefinition) -> tuple[int, ...]:
    """Return the definition as the vector that acpcbot.poker.rules reads."""
    vector = [0] * rules.GAME_LENGTH
    vector[rules.NUM_PLAYERS] = definition.num_players
    vector[rules.NUM_STREETS] = definition.num_streets
    vector[rules.IS_LIMIT] = int(definition.is_limit)
    vector[rules.BIG_BLIND] = definition.big_blind
    for start, values in (
        (rules.STACK, definition.stacks),
        (rules.BLIND, definition.blinds),
        (rules.FIRST_SEAT, definition.first_seats),
        (rules.MAX_RAISES, definition.max_raises),
        (rules.RAISE_SIZE, definition.raise_sizes),
    ):
        vector[start : start + len(values)] = values
    return tuple(vector)


def vector_and_text_after(
    game: Sequence[int],
    vector: Sequence[int],
    text: AnyStr,
    slash: AnyStr,
    kind: int,
    raise_to: int,
) -> tuple[list[int], AnyStr]:
    """Return the state vector and the betting text after a legal action in state *vector*.

    *text* ends with the action, as str or as bytes; a *slash* is added for each street that it
    closes.
    """
    following = list(vector)
    rules.apply_action(game, following, kind, raise_to)
    return following, text + slash * (following[rules.STREET] - vector[rules.STREET])


class BettingRules:
    """The betting of one game: the start of a hand, and the state after any betting text."""

    def __init__(self, definition: GameDefinition) -> None:
        self.definition = definition
        self.vector = game_vector(definition)
        start: list[int] = [0] * rules.STATE_LENGTH
        rules.start_hand(self.vector, start)
        self.start = BettingState(self, "", tuple(start))
        self._forget()

    def _forget(self) -> None:
        self._states: dict[str, BettingState] = {"": self.start}
        self._steps: dict[str, BettingState] = {}

    def parse(self, text: str) -> BettingState:
        """Return the state after the betting *text* as the dealer writes it (``r300c/cr600``).

        Raises ProtocolError with the column of the first character that cannot stand.
        """
        state = self._states.get(text)
        return state if state is not None else self._replay(text)

    def _replay(self, text: str) -> BettingState:
        state = self._longest_known(text)
        while state.text != text:
            column = len(state.text)
            match = _ACTION.match(text, column)
            if match is None:
                raise ProtocolError(text, column, "an action or the end of the betting")
            state = self._step(state, match, text)
        return state

    def _longest_known(self, text: str) -> BettingState:
        """Return a known state that leads to *text*: one or two actions before, or the start.

        A caller that follows a hand has asked for one of these. The search goes no further back, so
        that an endless text costs no more than its legal part.
        """
        end = len(text)
        for _ in range(_LOOKS_BACK):
            end = max(text.rfind("f", 0, end), text.rfind("c", 0, end), text.rfind("r", 0, end), 0)
            state = self._states.get(text[:end])
            if state is not None:
                return state
        return self.start

    def _step(self, state: BettingState, match: re.Match[str], text: str) -> BettingState:
        action = parse_action(match[0])
        if bool(match[1]) != (action.kind == rules.RAISE and not self.definition.is_limit):
            raise ProtocolError(text, match.start(), "a size in no-limit raises and nowhere else")
        if action.text != match[0]:
            raise ProtocolError(text, match.start(), action.text)
        try:
            following = state.apply(action)
        except IllegalAction as error:
            raise ProtocolError(text, match.start(), f"a legal action ({error.reason})") from None
        if not text.startswith(following.text) and not following.text.startswith(text):
            raise ProtocolError(text, match.end(), "the end of the street")
        if len(following.text) > len(text):
            raise ProtocolError(text, len(text), f"{following.text[len(text) :]!r}")
        return following

    def follow(self, state: BettingState, action: Action) -> BettingState:
        """Return the state after a legal *action*; raises IllegalAction for others."""
        step = state.text + action.text
        following = self._steps.get(step)
        if following is None:
            state.verify_action(action)
            following = self._keep(step, self._after(state, step, action))
        return following

    def _keep(self, step: str, state: BettingState) -> BettingState:
        if len(self._steps) >= _MAX_KEPT:
            self._forget()
        self._steps[step] = self._states[state.text] = state
        return state

    def _after(self, state: BettingState, text: str, action: Action) -> BettingState:
        vector, text = vector_and_text_after(
            self.vector, state.vector, text, "/", action.kind, action.raise_to
        )
        return BettingState(self, text, tuple(vector))


@dataclass(frozen=True, slots=True, eq=False)
class BettingState:
    """The betting of one hand up to now.

    *text* is the betting as the dealer writes it, *vector* the state vector of ``rules.py``.
    """

    game: BettingRules = field(repr=False)
    text: str
    vector: tuple[int, ...] = field(repr=False)

    @property
    def street(self) -> int:
        """The current street from 0; the last one when the hand ended all-in."""
        return self.vector[rules.STREET]

    @property
    def actor(self) -> int:
        """The seat to act, rules.OVER (-1) when the hand is over."""
        return self.vector[rules.ACTOR]

    @property
    def is_over(self) -> bool:
        """True if the hand is over."""
        return self.vector[rules.ACTOR] == rules.OVER

    @property
    def max_spent(self) -> int:
        """The chips that a player must have put in to stay."""
        return self.vector[rules.MAX_SPENT]

    @property
    def spent(self) -> tuple[int, ...]:
        """Chips put in over the whole hand, one number a seat."""
        return self.vector[rules.SPENT : rules.SPENT + self.game.definition.num_players]

    @property
    def folded(self) -> tuple[bool, ...]:
        """The flags of the seats that have folded, one a seat."""
        flags = self.vector[rules.FOLDED : rules.FOLDED + self.game.definition.num_players]
        return tuple(map(bool, flags))

    @property
    def pot(self) -> int:
        """All chips put in by everybody."""
        return sum(self.spent)

    @property
    def to_call(self) -> int:
        """The chips that the actor must add to call, at most its stack; 0 when the hand is over."""
        if self.is_over:
            return 0
        stack = self.game.definition.stacks[self.actor]
        return max(0, min(self.max_spent, stack) - self.vector[rules.SPENT + self.actor])

    @property
    def is_showdown(self) -> bool:
        """True if the hand is over with at least two players left to compare cards."""
        return self.is_over and sum(self.folded) + 1 < self.game.definition.num_players

    def shows(self, seat: int) -> bool:
        """Return whether *seat* shows its hole cards: at a showdown, if it has not folded."""
        return self.is_showdown and not self.vector[rules.FOLDED + seat]

    @property
    def is_stopped_by_guard(self) -> bool:
        """True if raises are left, but the limit on actions within one street forbids them."""
        raises_left = self.vector[rules.NUM_RAISES] < self.game.definition.max_raises[self.street]
        return raises_left and rules.guard_holds(self.game.vector, self.vector)

    @property
    def raise_range(self) -> tuple[int, int] | None:
        """The smallest and largest legal raise_to, (0, 0) in limit games; None without a raise."""
        if self.is_over or not rules.can_raise(self.game.vector, self.vector):
            return None
        if self.game.definition.is_limit:
            return (0, 0)
        return (
            rules.min_raise_to(self.game.vector, self.vector),
            rules.max_raise_to(self.game.vector, self.vector),
        )

    def can_act(self, action: Action) -> bool:
        """Return whether the actor may take *action*."""
        size = action.raise_to
        if type(size) is int and self.text + action.text in self.game._steps:
            return True  # a caller that follows a game asks about the same few actions repeatedly
        if type(size) is not int and not isinstance(size, Integral):
            return False
        if size and not self._takes_size(action):
            return False
        return rules.is_legal(self.game.vector, self.vector, action.kind, size)

    def _takes_size(self, action: Action) -> bool:
        return action.kind == rules.RAISE and not self.game.definition.is_limit

    def verify_action(self, action: Action) -> None:
        """Raise IllegalAction, with the reason, unless the actor may take *action*."""
        if not self.can_act(action):
            is_known = action.kind in LETTERS
            found = action.text if is_known else f"an action of the kind {action.kind!r}"
            raise IllegalAction(found, self.text, self._reason(action))

    def _reason(self, action: Action) -> str:
        if self.is_over:
            return "the hand is over"
        if not isinstance(action.raise_to, Integral):
            return "a size is a whole number"
        if action.kind not in LETTERS:
            return "expected the kind FOLD, CALL or RAISE (0, 1 or 2)"
        if action.raise_to and not self._takes_size(action):
            return "only a no-limit raise has a size"
        if action.kind == rules.FOLD:
            return "there is nothing to call"
        legal = self.raise_range
        if legal is None:
            return "no raise is left to make"
        return f"raises go from {legal[0]} to {legal[1]}"

    def decisions(self, since: BettingState | None = None) -> Iterator[tuple[BettingState, Action]]:
        """Yield every decision up to now: the betting before it, and the action.

        With *since*, an earlier state of the same hand, only the decisions after it.
        """
        before = since or self.game.start
        for match in _ACTION.finditer(self.text, len(before.text)):
            action = parse_action(match[0])
            yield before, action
            before = before.apply(action)

    def apply(self, action: Action) -> BettingState:
        """Return the state after the actor's *action*; raises IllegalAction."""
        return self.game.follow(self, action)

    def legal_actions(self) -> tuple[Action, ...]:
        """Return fold if it is legal, call, and the smallest and the largest legal raise."""
        if self.is_over:
            return ()
        actions = [FOLDING, CALLING] if rules.can_fold(self.game.vector, self.vector) else [CALLING]
        legal = self.raise_range
        if legal is not None:
            actions += (
                [LIMIT_RAISING]
                if self.game.definition.is_limit
                else map(raising, sorted(set(legal)))
            )
        return tuple(actions)


def parse_action(text: str) -> Action:
    """Return the action that ``f``, ``c``, ``r`` or ``r300`` spells."""
    kind = "fcr".index(text[0])
    return Action(kind, int(text[1:] or 0))
