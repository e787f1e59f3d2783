"""Exact best responses in any game that has been enumerated, for any number of seats.

A best response of a seat meets the others' fixed policy, information set by information set
from the end of the game. Values are in the units of the game's payoffs.
"""

from __future__ import annotations

import numpy as np

from acpcbot.arrays import Floats
from acpcbot.games.best_response_result import BestResponse
from acpcbot.games.sequence_form import SequenceForm
from acpcbot.games.solvers.sequence_cfr import (
    add_best_values,
    add_policy_values,
    write_end_values,
    write_reaches,
)
from acpcbot.jit import kernel


def sequence_best_response(form: SequenceForm, policy: Floats) -> BestResponse:
    """Return the values of *policy* [slot] and of best responses to it in the game *form*."""
    seat_values = np.empty((2, form.num_seats))
    _fill_seat_values(form, policy, seat_values)
    policy_values, best_values = seat_values.tolist()
    return BestResponse(tuple(best_values), tuple(policy_values))


@kernel
def _fill_seat_values(form: SequenceForm, policy: Floats, seat_values: Floats) -> None:
    """Write *seat_values* [0 the policy's, 1 a best response's; seat]."""
    reaches, values = np.empty_like(policy), np.empty_like(policy)
    for seat in range(form.end_slots.shape[1]):
        write_reaches(form, policy, reaches, seat)
    for seat in range(form.end_slots.shape[1]):
        # Both begin with the same values at the ends, which do not depend on the seat's own play.
        write_end_values(form, reaches, values, seat)
        ends = values.copy()
        add_policy_values(form, policy, values, seat)
        seat_values[0, seat] = values[seat]
        add_best_values(form, ends, seat)
        seat_values[1, seat] = ends[seat]
