"""The facts of a hand by slow plain Python over the betting engine's states, one decision at a
time.

It shares no code with the kernel, and words its questions differently: the raises of a hand are
listed first.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from acpcbot.poker.actions import CALLING, FOLDING, Action
from acpcbot.poker.betting import BettingRules, BettingState, parse_action


@dataclass(frozen=True)
class Decision:
    """One decision: *number* raises came before it on its street."""

    state: BettingState
    action: Action
    number: int

    @property
    def seat(self) -> int:
        return self.state.actor

    @property
    def street(self) -> int:
        return self.state.street

    @property
    def raises(self) -> bool:
        return self.action not in (CALLING, FOLDING)


def decisions(game: BettingRules, betting: str) -> list[Decision]:
    found: list[Decision] = []
    state = game.start
    for word in re.findall(r"[fcr]\d*", betting):
        number = sum(one.raises for one in found if one.street == state.street)
        found.append(Decision(state, parse_action(word), number))
        state = state.apply(found[-1].action)
    return found


def plain_counts(game: BettingRules, betting: str) -> Counter[tuple[int, int, str]]:
    """Count the actions of each seat on each street."""
    counts: Counter[tuple[int, int, str]] = Counter()
    has_bet = game.definition.blinds.count(game.definition.blinds[0]) < game.definition.num_players
    for one in decisions(game, betting):
        place = one.seat, one.street
        if one.raises:
            is_raise = one.number > 0 or (one.street == 0 and has_bet)
            counts[*place, "RAISES" if is_raise else "BETS"] += 1
        elif one.action == FOLDING:
            counts[*place, "FOLDS"] += 1
        else:
            counts[*place, "CALLS" if one.state.to_call else "CHECKS"] += 1
        if one.number and one.state.to_call:
            counts[*place, "FACED_BETS"] += 1
            counts[*place, "FOLDS_TO_BETS"] += one.action == FOLDING
    return counts


def can_raise(one: Decision) -> bool:
    return any(action not in (CALLING, FOLDING) for action in one.state.legal_actions())


def plain_marks(game: BettingRules, betting: str) -> set[tuple[int, str]]:
    """Return the facts that are true of each seat."""
    found = decisions(game, betting)
    first, second = ([one for one in found if one.street == street] for street in (0, 1))
    uneven = len(set(game.definition.blinds)) > 1
    marks = {
        (one.seat, "PUT_MONEY_IN")
        for one in first
        if one.raises or (one.action == CALLING and one.state.to_call)
    }
    marks |= {(one.seat, "RAISED_FIRST_STREET") for one in first if one.raises}
    marks |= _three_bets(first, 1 if uneven else 2)
    raisers = [one.seat for one in first if one.raises]
    marks |= _c_bets(second, raisers[-1] if raisers else None)
    end = game.parse(betting)
    shown = {
        (seat, "SHOWED_DOWN") for seat in range(game.definition.num_players) if end.shows(seat)
    }
    return marks | shown


def _three_bets(first: list[Decision], raises_before: int) -> set[tuple[int, str]]:
    raises = [one for one in first if one.raises]
    opener = raises[raises_before - 1].seat if len(raises) >= raises_before else None
    marks = {
        (one.seat, "COULD_THREE_BET")
        for one in first
        if one.number == raises_before and can_raise(one)
    }
    marks |= {(one.seat, "THREE_BET") for one in raises[raises_before : raises_before + 1]}
    answers = [one for one in first if one.number == raises_before + 1 and one.seat == opener]
    marks |= {(one.seat, "FACED_THREE_BET") for one in answers}
    return marks | {(one.seat, "FOLDED_TO_THREE_BET") for one in answers if one.action == FOLDING}


def _c_bets(second: list[Decision], aggressor: int | None) -> set[tuple[int, str]]:
    chances = [
        one for one in second if one.number == 0 and one.seat == aggressor and can_raise(one)
    ]
    marks = {(one.seat, "COULD_C_BET") for one in chances} | {
        (one.seat, "C_BET") for one in chances if one.raises
    }
    if any(one.raises for one in chances):
        answers = [one for one in second if one.number == 1]
        marks |= {(one.seat, "FACED_C_BET") for one in answers}
        marks |= {(one.seat, "FOLDED_TO_C_BET") for one in answers if one.action == FOLDING}
    return marks
