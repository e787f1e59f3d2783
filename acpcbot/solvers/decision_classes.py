"""A decision by classes of hands: the means over a class, each hand as often as it is held there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.poker.hand_classes import class_name, class_numbers
from acpcbot.poker.hands import all_hands
from acpcbot.solvers.range_decisions import Decision


@dataclass(frozen=True, slots=True, eq=False)
class ClassRow:
    """How likely the actor holds a class, how likely each action is then, [action], and what it brings in."""

    weight: float
    probabilities: Floats
    ev_chips: float


def class_rows(decision: Decision) -> dict[str, ClassRow]:
    """The classes that the actor of *decision* may hold, by name, high cards first."""
    definition = decision.place.betting.game.definition
    numbers = class_numbers(all_hands(definition)[decision.hands])
    weights, ev_chips = decision.weights[decision.seat], decision.ev_chips[decision.seat]
    rows = {}
    for number in dict.fromkeys(numbers[weights > 0].tolist()):
        own = np.flatnonzero((numbers == number) & (weights > 0))
        total = float(weights[own].sum())
        shares = weights[own] / total
        rows[class_name(number, definition.num_hole_cards)] = ClassRow(
            total, shares @ decision.probabilities[own], float(shares @ ev_chips[own])
        )
    return rows
