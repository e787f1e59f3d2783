"""A hand as a person reads it: the table before a decision, and the result at the end.

Seats are counted from 1. Chips are counted as in the protocol: a raise names what the
player will have put in over the whole hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from acpcbot.cards.deck import format_card
from acpcbot.poker import rules
from acpcbot.poker.actions import FOLDING, LIMIT_RAISING, Action
from acpcbot.poker.betting import BettingState, parse_action
from acpcbot.poker.definition import STREET_NAMES, UNLIMITED_STACK
from acpcbot.protocol.messages import MatchState
from acpcbot.protocol.records import format_value

_ACTION = re.compile(r"[fcr]\d*")


def turn_text(state: MatchState) -> str:
    """The table as *state* shows it to the seat that is to act."""
    return _block(
        f"hand {state.hand_id}: you are seat {state.seat + 1} of {state.definition.num_players}",
        [("board", _cards_text(state.board)), ("you hold", _cards_text(state.own_cards))],
        _seat_rows(state),
        _street_rows(state.betting),
        [("pot", _pot_text(state.betting)), ("you may", _legal_text(state.betting))],
    )


def result_text(state: MatchState, values: Sequence[float]) -> str:
    """How the finished hand in *state* ended: who showed what, and who won how much of *values*."""
    results = [
        (_seat_name(state, seat), f"{_shown_text(state, seat)}, {_won_text(value)}")
        for seat, value in enumerate(values)
    ]
    title = f"hand {state.hand_id} is over"
    return _block(title, [("board", _cards_text(state.board))], _street_rows(state.betting), results)


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
    told: list[list[str]] = [[] for _ in STREET_NAMES]
    for before, action in _past_actions(betting):
        told[before.street].append(f"seat {before.actor + 1} {_action_text(before, action)}")
    return list(zip(STREET_NAMES, map(", ".join, told), strict=True))


def _past_actions(betting: BettingState) -> Iterator[tuple[BettingState, Action]]:
    """Every action up to now, with the state in which it was taken."""
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
    return f"shows {_cards_text(state.hole_cards[seat])}" if state.betting.is_showdown else "takes the pot"


def _won_text(value: float) -> str:
    return f"{'loses' if value < 0 else 'wins'} {format_value(abs(value))}" if value else "wins nothing"
