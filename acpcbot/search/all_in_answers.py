"""Answers to an all-in before the first board card: which hands call, where all others fold.

An all-in for far more than the pot pays with hardly any hand, so training hardly ever sees it, and
what a blueprint calls it with is partly noise. Here the answer is found from what the opponent could
have had instead. Whoever makes the all-in errs, and errors are the rarer the more they cost, by a
factor of e for each ``scale``: that makes a range, and the hands call that have the equity for it.
Range and calls are brought to agree by going through best responses, whose average is the answer.
Where calls are so few that an all-in pays with some hand, that hand becomes frequent in the range,
and more hands call.

Source: Myerson (1978), Refinements of the Nash equilibrium concept, for errors that are rarer the
more they cost (proper equilibria); McKelvey & Palfrey (1995), Quantal response equilibria for normal
form games, for their form. Departure: the opponent's other actions are fixed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from acpcbot.abstraction.pair_equities import can_compare, pair_equities
from acpcbot.arrays import Floats
from acpcbot.poker.actions import CALLING, FOLDING
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hand_classes import game_classes, num_class_pairs, sums_by_class

NUM_ROUNDS = 2000
MAX_EXPONENT = 50.0


@dataclass(frozen=True, slots=True)
class AllIn:
    """An all-in as its opponent meets it.

    ``called``  the chips that the loser of a showdown has lost
    ``folded``  the chips that a fold gives up
    ``scale``   the cost, in chips, that makes an all-in rarer by a factor of e
    """

    called: float
    folded: float
    scale: float


def is_last_answer(betting: BettingState) -> bool:
    """Return whether the actor faces an all-in of one opponent before the first board card.

    That is where it can only fold or call, and no decision follows.
    """
    definition = betting.game.definition
    return (
        definition.num_players == 2
        and not definition.board_size(betting.street)
        and betting.legal_actions() == (FOLDING, CALLING)
        and betting.apply(CALLING).is_over
        and can_compare(definition, ())
    )


def all_in_of(betting: BettingState, scale: float) -> AllIn:
    """Return the all-in that the actor of *betting* faces, with *scale* in chips."""
    after = betting.apply(CALLING)
    return AllIn(float(min(after.spent)), float(betting.spent[betting.actor]), scale)


def calling_hands(
    definition: GameDefinition, all_in: AllIn, own: Floats, other: Floats, alternatives: Floats
) -> Floats:
    """Return the probability that each hand calls, [hand].

    *own* [hand] is the reach of the caller, *other* that of the opponent before it went all-in, and
    *alternatives* are the counterfactual values, in chips, that it could have had against *own*.
    """
    equities, counts, reach = _pairs(definition), num_class_pairs(definition), _means(definition)
    sizes = np.bincount(game_classes(definition))[:, None]
    held, prior, wanted = reach @ own, reach @ other, reach @ alternatives
    # [class of the opponent, class of the caller], a hand of the one against all of the other.
    met = counts / sizes * held
    won_if_called = all_in.called * equities / sizes * held
    weight = np.maximum(met.sum(axis=1), 1e-300)
    calls = np.zeros(len(held))
    for number in range(NUM_ROUNDS):
        values = all_in.folded * met @ (1 - calls) + won_if_called @ calls
        costs = (wanted - values) / weight / all_in.scale
        errors = prior * np.exp(-(costs - costs[prior > 0].min()).clip(0, MAX_EXPONENT))
        gains = -all_in.called * equities.T @ errors + all_in.folded * counts.T @ errors
        calls += ((gains > 0) - calls) * 2 / (number + 2)
    return calls[game_classes(definition)]


@cache
def _means(definition: GameDefinition) -> Floats:
    """Return the matrix that takes the mean over each class, read-only [class, hand]."""
    classes = game_classes(definition)
    belongs = np.arange(classes.max() + 1)[:, None] == classes
    means: Floats = belongs / belongs.sum(axis=1, keepdims=True)
    means.flags.writeable = False
    return means


@cache
def _pairs(definition: GameDefinition) -> Floats:
    """Return the sums of equities of the pairs of hands of two classes, read-only [class, class]."""
    sums = sums_by_class(definition, pair_equities(definition, ()))
    sums.flags.writeable = False
    return sums
