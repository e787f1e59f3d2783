"""The value of a game for two by a linear programme over its sequences: exact, and without any learning.

Source: Koller, Megiddo & von Stengel (1996), Efficient computation of equilibria for extensive two-person games.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from acpcbot.games.sequence_form import SequenceForm


def value_by_lp(form: SequenceForm) -> float:
    """What seat 0 wins in equilibrium.

    The unknowns are x [slot], the probabilities of sequences, and q [row], what seat 1 cannot
    keep seat 0 from winning in each of its information sets. Rows and slots of both seats
    take part, since those that mean nothing to x or q do no harm.
    """
    from scipy.optimize import linprog
    from scipy.sparse import coo_array, hstack

    flow = flow_matrix(form)
    num_rows, num_slots = flow.shape
    won = form.end_chances * form.end_payoffs[:, 0]
    payoffs = coo_array((won, (form.end_slots[:, 1], form.end_slots[:, 0])), shape=(num_slots, num_slots))
    objective, begins = np.zeros(num_slots + num_rows), np.zeros(num_rows)
    objective[num_slots + 1] = -1
    begins[:2] = 1
    result = linprog(
        objective,
        A_ub=hstack([-payoffs, flow.T]),
        b_ub=np.zeros(num_slots),
        A_eq=hstack([flow, coo_array((num_rows, num_rows))]),
        b_eq=begins,
        bounds=[(0, None)] * num_slots + [(None, None)] * num_rows,
        method="highs",
    )
    assert result.status == 0, result.message
    return -float(result.fun)


def flow_matrix(form: SequenceForm) -> Any:
    """What goes out of each information set less what comes into it; rows 0 and 1 are the beginnings."""
    from scipy.sparse import coo_array

    infosets = 2 + np.arange(len(form.infoset_keys))
    rows = np.concatenate([[0, 1], np.repeat(infosets, np.diff(form.first_slots)), infosets])
    columns = np.concatenate([np.arange(form.num_slots), form.parent_slots])
    signs = np.concatenate([np.ones(form.num_slots), -np.ones(len(infosets))])
    return coo_array((signs, (rows, columns)))
