"""Sweeps over the sequences of a game: reaches down, values up, for any number of seats.

Values are counterfactual: weighted with the probability that chance and the other seats
play so. Policies, reaches and values are float64 [slot], see games/sequence_form.py.
"""

from __future__ import annotations

from acpcbot.arrays import Floats
from acpcbot.games.sequence_form import SequenceForm
from acpcbot.jit import kernel


@kernel
def write_reaches(form: SequenceForm, policy: Floats, reaches: Floats, seat: int) -> None:
    """Write with which probability *seat* plays each of its sequences under *policy*."""
    reaches[seat] = 1.0
    for infoset in range(len(form.infoset_seats)):
        if form.infoset_seats[infoset] == seat:
            reach = reaches[form.parent_slots[infoset]]
            for slot in range(form.first_slots[infoset], form.first_slots[infoset + 1]):
                reaches[slot] = reach * policy[slot]


@kernel
def write_end_values(form: SequenceForm, reaches: Floats, values: Floats, traverser: int) -> None:
    """Write what each sequence of the *traverser* is worth where the game ends before its next move."""
    values[:] = 0.0
    for end in range(len(form.end_chances)):
        value = form.end_chances[end] * form.end_payoffs[end, traverser]
        for seat in range(form.end_slots.shape[1]):
            if seat != traverser:
                value *= reaches[form.end_slots[end, seat]]
        values[form.end_slots[end, traverser]] += value


@kernel
def add_policy_values(form: SequenceForm, policy: Floats, values: Floats, traverser: int) -> None:
    """Add to *values* what follows when the *traverser* plays *policy*; the game is worth values[traverser]."""
    for infoset in range(len(form.infoset_seats) - 1, -1, -1):
        if form.infoset_seats[infoset] == traverser:
            value = 0.0
            for slot in range(form.first_slots[infoset], form.first_slots[infoset + 1]):
                value += policy[slot] * values[slot]
            values[form.parent_slots[infoset]] += value


@kernel
def add_best_values(form: SequenceForm, values: Floats, traverser: int) -> None:
    """Add to *values* what follows when the *traverser* does its best; the game is worth values[traverser]."""
    for infoset in range(len(form.infoset_seats) - 1, -1, -1):
        if form.infoset_seats[infoset] == traverser:
            values[form.parent_slots[infoset]] += values[
                form.first_slots[infoset] : form.first_slots[infoset + 1]
            ].max()
