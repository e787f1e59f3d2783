"""The person's choices: legal actions and the bounds of every bet, and the action that is chosen.

They come from the rule book; the page shows them, and what it sends back is judged again.
"""

from __future__ import annotations

import re
from typing import Any

from acpcbot.errors import IllegalAction
from acpcbot.poker import rules
from acpcbot.poker.actions import FOLDING, LIMIT_RAISING, Action
from acpcbot.poker.betting import BettingState, parse_action
from acpcbot.poker.positions import names_blinds
from acpcbot.reports.action_letters import action_letter
from acpcbot.trees.bet_menu import ALL_IN, wanted_raise

OPENINGS_BB = (2.0, 2.5, 3.0, 4.0)
"""Sizes of the first raise before the flop, in big blinds."""
POT_SHARES = {"⅓ pot": 1 / 3, "½ pot": 1 / 2, "⅔ pot": 2 / 3, "pot": 1.0, "all-in": ALL_IN}
_CHOICE = re.compile(r"[fcr][0-9]{0,9}")


def choices(betting: BettingState, spent_before: int) -> dict[str, Any]:
    """Return the actor's choices; the actor had put in *spent_before* when the street began.

    Raises are ``raise_to`` over the whole hand, as on the wire; less ``spentBefore`` they are what
    people call a bet. ``winnable`` are the chips of the pot that the actor can win by calling: of
    bets that it cannot match, as much as it matches.
    """
    definition = betting.game.definition
    after_call = betting.spent[betting.actor] + betting.to_call
    return {
        "fold": betting.can_act(FOLDING),
        "call": betting.to_call,
        "pot": betting.pot,
        "winnable": sum(min(spent, after_call) for spent in betting.spent),
        "maxSpent": betting.max_spent,
        "bigBlind": definition.big_blind,
        "spentBefore": spent_before,
        "raise": _raises(betting),
    }


def _raises(betting: BettingState) -> dict[str, Any] | None:
    legal = betting.raise_range
    if legal is None:
        return None
    word = "bet" if action_letter(betting, rules.RAISE) == "b" else "raise"
    if betting.game.definition.is_limit:
        raise_to = betting.apply(LIMIT_RAISING).max_spent
        return {"word": word, "isFixed": True, "least": raise_to, "most": raise_to, "presets": []}
    presets = [
        {"name": name, "to": raise_to} for raise_to, name in sorted(_named_sizes(betting).items())
    ]
    return {"word": word, "isFixed": False, "least": legal[0], "most": legal[1], "presets": presets}


def _named_sizes(betting: BettingState) -> dict[int, str]:
    """Return the names of sizes: shares of the pot, and big blinds of the first raise of all."""
    game, state = betting.game.vector, betting.vector
    definition, legal = betting.game.definition, betting.raise_range
    assert legal is not None
    if betting.street or betting.vector[rules.NUM_RAISES] or not names_blinds(definition):
        # A later share of the same size gives its name: what is all-in is called so.
        return {wanted_raise(game, state, share): name for name, share in POT_SHARES.items()}
    openings = {size * definition.big_blind: f"{size:g} bb" for size in OPENINGS_BB}
    named = {
        int(chips): name
        for chips, name in openings.items()
        if chips.is_integer() and legal[0] <= chips <= legal[1]
    }
    return named | {legal[1]: "all-in"}


def parse_choice(text: str, betting: BettingState) -> Action:
    """The legal action that *text* spells; raises IllegalAction with the reason."""
    if not _CHOICE.fullmatch(text):
        raise IllegalAction(text, betting.text, "it is no action")
    action = parse_action(text)
    if action.text != text:
        raise IllegalAction(text, betting.text, f"it is spelt {action.text}")
    betting.verify_action(action)
    return action
