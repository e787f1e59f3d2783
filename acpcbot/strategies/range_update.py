"""Bayesian update of a range by an action, also of a raise whose size the strategy lacks."""

from __future__ import annotations

from bisect import bisect

from acpcbot.arrays import Floats
from acpcbot.poker.actions import CALLING, Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.rules import RAISE
from acpcbot.strategies.public_strategy import ActionTable
from acpcbot.strategies.translation import lower_probability
from acpcbot.trees.bet_menu import pot_share


def action_likelihood(betting: BettingState, table: ActionTable, action: Action) -> Floats | None:
    """Return the probability that each hand takes *action* after *betting* by *table*, [hand].

    None where the table has nothing like it. A raise of a size that is not in the table lies
    between its neighbours as in action translation: by the pseudo-harmonic mapping, where below the
    smallest size there is a check or a call. Beyond the largest it is like that one.
    """
    if action in table.actions:
        return table.probabilities[:, table.actions.index(action)]
    raises = sorted(
        [own for own in table.actions if own.kind == RAISE], key=lambda own: own.raise_to
    )
    if action.kind != RAISE or not raises:
        return None
    shares = [
        pot_share(betting.game.vector, betting.vector, own.raise_to) for own in (*raises, action)
    ]
    if CALLING in table.actions:
        raises, shares = [CALLING, *raises], [0.0, *shares]
    upper = bisect(shares[:-1], shares[-1])
    columns = [table.probabilities[:, table.actions.index(own)] for own in raises]
    if upper in (0, len(raises)):
        return columns[min(upper, len(raises) - 1)]
    lower = lower_probability(shares[upper - 1], shares[upper], shares[-1])
    mixed: Floats = lower * columns[upper - 1] + (1 - lower) * columns[upper]
    return mixed


def update_range(reach: Floats, likelihood: Floats | None) -> Floats:
    """Return *reach* [hand] after an action with this *likelihood* [hand], by Bayes' rule.

    It is unchanged where the likelihood rules all hands out, or is unknown. Ranges are not
    normalised.
    """
    if likelihood is None:
        return reach
    after: Floats = reach * likelihood
    return after if after.any() else reach
