"""Counterfactual regret minimisation over the sequences of any game, for any number of seats.

The same algorithms as in learning/vector_cfr.py, with the same settings, state and alternating
updates (``CFRLearner``), for games that have been enumerated (games/sequence_form.py) instead of
public trees with deals. The sweeps are others, since the data are: here an end at a time, there a
node for all deals at once, which in Leduc takes 0.8 of the time (docs/methods/learning.md).
Regrets are in the units of the game's payoffs.

Sweeps carry reaches down the sequences and values up. Values are counterfactual: weighted with the
probability that chance and the other seats play so. Policies, reaches and values are float64
[slot].
"""

from __future__ import annotations

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.games.sequence_form import SequenceForm
from acpcbot.jit import kernel
from acpcbot.regret_matching import DCFR, CFRLearner, DiscountSettings, match_regrets, share_kept


class SequenceCFR(CFRLearner):
    """A learner of the game *form*."""

    def __init__(self, form: SequenceForm, settings: DiscountSettings = DCFR) -> None:
        super().__init__(form.num_slots, settings)
        self.form = form

    def normalised(self, weights: Floats) -> Floats:
        """Return probabilities [slot] in proportion to *weights*, uniform where there are none."""
        return self.form.normalised(weights)

    def sweep(self, strategy: Floats, exponents: Floats, first: int, num_iterations: int) -> None:
        """Run iterations from number *first* on, beginning with the current *strategy* [slot]."""
        sums = self.arrays["regret_sum"], self.arrays["strategy_sum"]
        _iterate(self.form, *sums, strategy, exponents, first, num_iterations)


@kernel
def _iterate(
    form: SequenceForm,
    regret_sum: Floats,
    strategy_sum: Floats,
    strategy: Floats,
    exponents: Floats,
    first: int,
    num_iterations: int,
) -> None:
    """Run iterations from number *first* on.

    *strategy* [slot] is the current one, before and after.
    """
    alpha, beta, gamma = exponents
    num_seats = form.end_slots.shape[1]
    reaches, values = np.empty_like(strategy), np.empty_like(strategy)
    for seat in range(num_seats):
        write_reaches(form, strategy, reaches, seat)
    for iteration in range(first, first + num_iterations):
        keeps_positive, keeps_negative = share_kept(iteration, alpha), share_kept(iteration, beta)
        # Alternating updates: only the reaches of the seat that has just learnt are written anew.
        for seat in range(num_seats):
            write_end_values(form, reaches, values, seat)
            add_policy_values(form, strategy, values, seat)
            _learn(form, values, reaches, regret_sum, strategy_sum, strategy, seat)
            _change_strategy(form, regret_sum, strategy, seat, keeps_positive, keeps_negative)
            write_reaches(form, strategy, reaches, seat)
        strategy_sum *= (iteration / (iteration + 1)) ** gamma


@kernel
def _learn(
    form: SequenceForm,
    values: Floats,
    reaches: Floats,
    regret_sum: Floats,
    strategy_sum: Floats,
    strategy: Floats,
    traverser: int,
) -> None:
    """Add the *traverser*'s counterfactual regrets, and its strategy weighted with its reach."""
    for infoset in range(len(form.infoset_seats)):
        if form.infoset_seats[infoset] == traverser:
            first, end = form.first_slots[infoset], form.first_slots[infoset + 1]
            value = 0.0
            for slot in range(first, end):
                value += strategy[slot] * values[slot]
            # r(I, a) = v(I, a) - v(I); the average is weighted with the own reach, which is that
            # of the sequence: reach(I) times sigma(I, a).
            for slot in range(first, end):
                regret_sum[slot] += values[slot] - value
                strategy_sum[slot] += reaches[slot]


@kernel
def _change_strategy(
    form: SequenceForm,
    regret_sum: Floats,
    strategy: Floats,
    traverser: int,
    keeps_positive: float,
    keeps_negative: float,
) -> None:
    """Discount the *traverser*'s regrets and set its strategy by regret matching."""
    for infoset in range(len(form.infoset_seats)):
        if form.infoset_seats[infoset] == traverser:
            first, end = form.first_slots[infoset], form.first_slots[infoset + 1]
            match_regrets(regret_sum, strategy, first, end, keeps_positive, keeps_negative)


@kernel
def write_reaches(form: SequenceForm, policy: Floats, reaches: Floats, seat: int) -> None:
    """Write the probability of each of *seat*'s sequences under *policy*."""
    # Information sets stand after all that lead to them, so the parent's reach is known. Slots of
    # an information set are neighbours; parents may lie anywhere before.
    reaches[seat] = 1.0
    for infoset in range(len(form.infoset_seats)):
        if form.infoset_seats[infoset] == seat:
            reach = reaches[form.parent_slots[infoset]]
            for slot in range(form.first_slots[infoset], form.first_slots[infoset + 1]):
                reaches[slot] = reach * policy[slot]


@kernel
def write_end_values(form: SequenceForm, reaches: Floats, values: Floats, traverser: int) -> None:
    """Write the counterfactual value of each of the *traverser*'s sequences at the ends.

    An end counts for the last sequence of the *traverser* that leads to it.
    """
    # v(z) = pi_c(z) pi_-i(z) u_i(z). Ends are read in order, the reaches of the others' last slots
    # wherever they lie.
    values[:] = 0.0
    for end in range(len(form.end_chances)):
        value = form.end_chances[end] * form.end_payoffs[end, traverser]
        for seat in range(form.end_slots.shape[1]):
            if seat != traverser:
                value *= reaches[form.end_slots[end, seat]]
        values[form.end_slots[end, traverser]] += value


@kernel
def add_policy_values(form: SequenceForm, policy: Floats, values: Floats, traverser: int) -> None:
    """Add to *values* those of later information sets when the *traverser* plays *policy*.

    The value of the game is values[traverser].
    """
    # Backwards, so that the values of an information set are complete before its parent needs them.
    for infoset in range(len(form.infoset_seats) - 1, -1, -1):
        if form.infoset_seats[infoset] == traverser:
            value = 0.0
            for slot in range(form.first_slots[infoset], form.first_slots[infoset + 1]):
                value += policy[slot] * values[slot]
            values[form.parent_slots[infoset]] += value


@kernel
def add_best_values(form: SequenceForm, values: Floats, traverser: int) -> None:
    """Add to *values* those of later information sets when the *traverser* plays its best.

    The value of the game is values[traverser].
    """
    for infoset in range(len(form.infoset_seats) - 1, -1, -1):
        if form.infoset_seats[infoset] == traverser:
            values[form.parent_slots[infoset]] += values[
                form.first_slots[infoset] : form.first_slots[infoset + 1]
            ].max()
