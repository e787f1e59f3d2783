"""A game for two by a linear programme over its sequences: exact, and without any learning.

Source: Koller, Megiddo & von Stengel (1996), Efficient computation of equilibria for extensive
two-person games.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from acpcbot.arrays import Floats, Ints
from acpcbot.games.sequence_form import SequenceForm


def value_by_lp(form: SequenceForm) -> float:
    """Return the value of seat 0 in equilibrium."""
    return plan_by_lp(form, 0)[1]


def plan_by_lp(
    form: SequenceForm, seat: int, method: str = "highs", fixed: Mapping[int, float] | None = None
) -> tuple[Floats, float]:
    """Return an equilibrium realization plan of *seat*, [slot], and its value.

    The unknowns are that x [slot of the seat], and q [row of the other], what the other cannot
    keep the seat from winning in each of its information sets. Of many equilibria it depends on
    scipy's *method*, and on the order of slots, which one comes out. *fixed* are the probabilities
    of slots that the seat does not choose.
    """
    from scipy.optimize import linprog
    from scipy.sparse import coo_array, hstack, vstack

    (own_flow, own_slots), (flow, other_slots) = (
        _flow_matrix(form, seat),
        _flow_matrix(form, 1 - seat),
    )
    places = form.end_slots[:, 1 - seat], form.end_slots[:, seat]
    won = coo_array(
        (form.end_chances * form.end_payoffs[:, seat], places), shape=(form.num_slots,) * 2
    )
    payoffs = won.tocsr()[other_slots][:, own_slots]
    (num_own, num_slots), num_rows = own_flow.shape, flow.shape[0]
    objective, begins = np.zeros(num_slots + num_rows), np.zeros(num_own)
    objective[num_slots], begins[0] = -1, 1
    given = _given_slots(form, own_slots, fixed or {})
    begins = np.append(begins, np.zeros(given.shape[0]))
    own_flow = vstack([own_flow, given])
    num_own = own_flow.shape[0]
    result = linprog(
        objective,
        A_ub=hstack([-payoffs, flow.T]),
        b_ub=np.zeros(len(other_slots)),
        A_eq=hstack([own_flow, coo_array((num_own, num_rows))]),
        b_eq=begins,
        bounds=[(0, None)] * num_slots + [(None, None)] * num_rows,
        method=method,
    )
    assert result.status == 0, result.message
    plan = np.zeros(form.num_slots)
    plan[own_slots] = result.x[:num_slots]
    return plan, -float(result.fun)


def _given_slots(form: SequenceForm, own_slots: Ints, fixed: Mapping[int, float]) -> Any:
    """Return rows by which slots have their *fixed* shares of the slots before them."""
    from scipy.sparse import lil_array

    places = {int(slot): place for place, slot in enumerate(own_slots)}
    infosets = np.repeat(np.arange(len(form.infoset_keys)), np.diff(form.first_slots))
    rows = lil_array((len(fixed), len(own_slots)))
    for row, (slot, probability) in enumerate(fixed.items()):
        before = int(form.parent_slots[infosets[slot - form.num_seats]])
        rows[row, places[slot]] = 1
        rows[row, places[before]] = -probability
    return rows.tocsr()


def _flow_matrix(form: SequenceForm, seat: int) -> tuple[Any, Ints]:
    """Return the flow out of less the flow into each information set of *seat*; and its slots."""
    from scipy.sparse import coo_array

    infosets = form.num_seats + np.arange(len(form.infoset_keys))
    rows = np.concatenate(
        [np.arange(form.num_seats), np.repeat(infosets, np.diff(form.first_slots)), infosets]
    )
    columns = np.concatenate([np.arange(form.num_slots), form.parent_slots])
    signs = np.concatenate([np.ones(form.num_slots), -np.ones(len(infosets))])
    seats = np.concatenate([np.arange(form.num_seats), form.infoset_seats])
    owners = seats[rows[: form.num_slots]]
    own_slots = np.flatnonzero(owners == seat)
    return coo_array((signs, (rows, columns))).tocsr()[np.flatnonzero(seats == seat)][
        :, own_slots
    ], own_slots
