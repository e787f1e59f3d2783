"""Actions in a player's words, with the chips of the street: ``bet 75``, ``raise to 225``, ``all-in``."""

from __future__ import annotations

from acpcbot.poker import rules
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState


def action_word(betting: BettingState, action: Action) -> str:
    """What the actor does with a legal *action* in the state *betting*.

    >>> from acpcbot.poker.betting import BettingRules
    >>> from acpcbot.poker.shipped import shipped_definition
    >>> from acpcbot.poker.actions import CALLING, raising
    >>> flop = BettingRules(shipped_definition("holdem.nolimit.2p.reverse_blinds")).parse("r300c/")
    >>> action_word(flop, CALLING), action_word(flop, raising(500)), action_word(flop, raising(20000))
    ('check', 'bet 200', 'all-in')
    """
    if action.kind == rules.FOLD:
        return "fold"
    if action.kind == rules.CALL:
        return "call" if betting.to_call else "check"
    spent = betting.apply(action).spent[betting.actor]
    if spent == betting.game.definition.stacks[betting.actor]:
        return "all-in"
    before = _street_start_chips(betting)
    return f"bet {spent - before}" if betting.max_spent == before else f"raise to {spent - before}"


def _street_start_chips(betting: BettingState) -> int:
    """What each player had put in when the street began; antes that are alike count as put in before."""
    blinds = betting.game.definition.blinds
    chips = blinds[0] if len(set(blinds)) == 1 else 0
    for before, action in betting.decisions():
        after = before.apply(action)
        if after.street > before.street:
            chips = after.max_spent
    return chips
