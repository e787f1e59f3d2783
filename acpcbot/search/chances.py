"""How likely hands act as they did: what an action tells of them."""

from __future__ import annotations

from bisect import bisect

from acpcbot.arrays import Floats
from acpcbot.matches.public_strategy import ActionTable
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.rules import RAISE
from acpcbot.snapshots.translation import lower_chance
from acpcbot.trees.bet_menu import pot_share


def action_chances(betting: BettingState, table: ActionTable, action: Action) -> Floats | None:
    """How likely each hand takes *action* after *betting* by *table*, [hand]; None where the table tells nothing of it.

    A raise of a size that is not in the table lies between its neighbours as in action
    translation: by the pseudo-harmonic mapping, and beyond the last ones it is like them.
    """
    if action in table.actions:
        return table.probabilities[:, table.actions.index(action)]
    raises = sorted([own for own in table.actions if own.kind == RAISE], key=lambda own: own.raise_to)
    if action.kind != RAISE or not raises:
        return None
    shares = [pot_share(betting.game.vector, betting.vector, own.raise_to) for own in (*raises, action)]
    upper = bisect(shares[:-1], shares[-1])
    columns = [table.probabilities[:, table.actions.index(own)] for own in raises]
    if upper in (0, len(raises)):
        return columns[min(upper, len(raises) - 1)]
    lower = lower_chance(shares[upper - 1], shares[upper], shares[-1])
    mixed: Floats = lower * columns[upper - 1] + (1 - lower) * columns[upper]
    return mixed


def updated(reach: Floats, chances: Floats | None) -> Floats:
    """*reach* [hand] after an action that each hand takes with these *chances*; as it was where they rule all out."""
    if chances is None:
        return reach
    after: Floats = reach * chances
    return after if after.any() else reach
