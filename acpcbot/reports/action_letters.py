"""Letters of actions that tell a check from a call and a bet from a raise, for people."""

from __future__ import annotations

from acpcbot.poker import rules
from acpcbot.poker.betting import BettingState


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
