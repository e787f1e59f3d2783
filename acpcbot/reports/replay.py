"""Hands in the format of the page's replayer, which knows no rules and only adds up.

A hand is ``[number, log, line, hand id, players, hole cards, board, steps, chips won, further]``,
cards as on the wire. *further* has the results of each seat by other columns, such as AIVAT: one
number a column, null if there is none. Steps are separated by blanks: the seat, its action (``f``
fold, ``k`` check, ``c`` call, ``b`` bet, ``r`` raise) and the chips that it has in the pot then;
or ``/`` where the cards of the next street are dealt.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from math import isnan
from typing import Any

from acpcbot.arrays import Floats
from acpcbot.poker import rules
from acpcbot.poker.betting import BettingRules, BettingState, parse_action
from acpcbot.poker.definition import STREET_NAMES, UNLIMITED_STACK
from acpcbot.reports.groupings import seat_labels
from acpcbot.reports.hands import HandTable

_STEP = re.compile(r"[fcr]\d*|/")


def replay_data(
    table: HandTable, hands: Iterable[int], further: Mapping[str, Floats]
) -> dict[str, Any]:
    """Return the replayer's data: the game, and *hands* by their numbers in *table*.

    *further* are columns of chips by name, [hand, seat].
    """
    definition, game = table.definition, BettingRules(table.definition)
    return {
        "players": table.players,
        "sources": table.source_names,
        "seats": seat_labels(definition),
        "streets": STREET_NAMES[: definition.num_streets],
        "blinds": definition.blinds,
        "stacks": [stack if stack < UNLIMITED_STACK else None for stack in definition.stacks],
        "numHands": table.num_hands,
        "columns": list(further),
        "hands": [_hand(table, game, hand, further) for hand in hands],
    }


def _hand(
    table: HandTable, game: BettingRules, hand: int, further: Mapping[str, Floats]
) -> list[Any]:
    columns = [_numbers(chips[hand].tolist()) for chips in further.values()]
    return [
        hand,
        int(table.source[hand]),
        int(table.line_number[hand]),
        int(table.hand_id[hand]),
        table.player[hand].tolist(),
        table.hole_text(hand),
        table.board_text(hand),
        steps_text(game, table.betting[hand]),
        _numbers(table.chips[hand].tolist()),
        list(zip(*columns, strict=True)),
    ]


def _numbers(chips: Iterable[float]) -> list[float | None]:
    """Return *chips* as short as they can be written to a millionth, which is what a log has."""
    rounded = [round(value, 6) for value in chips]
    return [
        None if isnan(value) else int(value) if value.is_integer() else value for value in rounded
    ]


def steps_text(game: BettingRules, betting: str) -> str:
    """Return the steps of a hand with this *betting*, in the module's format."""
    return " ".join(_steps(game, betting))


def _steps(game: BettingRules, betting: str) -> Iterator[str]:
    state = game.start
    for word in _STEP.findall(betting):
        if word == "/":
            yield word
            continue
        action = parse_action(word)
        following = state.apply(action)
        yield f"{state.actor}{action_letter(state, action.kind)}{following.spent[state.actor]}"
        state = following


def action_letter(state: BettingState, kind: int) -> str:
    """Return the letter of an action of this *kind* after the betting *state*.

    ``f`` is a fold, ``k`` a check, ``c`` a call, ``b`` a bet and ``r`` a raise.
    """
    if kind == rules.FOLD:
        return "f"
    if kind == rules.CALL:
        return "c" if state.to_call else "k"
    blinds_differ = len(set(state.game.definition.blinds)) > 1
    is_bet = not state.vector[rules.NUM_RAISES] and (state.street > 0 or not blinds_differ)
    return "b" if is_bet else "r"
