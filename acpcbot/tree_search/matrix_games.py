"""The value of a matrix game, by the simplex method, for kernels that solve them by the million.

Source: Dantzig (1951), A proof of the equivalence of the programming problem and the game problem;
the exchange of rows and columns in a condensed tableau: Tucker (1960), Solving a matrix game by
linear programming.
"""

from __future__ import annotations

import numpy as np

from acpcbot.arrays import Floats, Ints, Number
from acpcbot.jit import kernel

# Entries of a tableau are from 0 to 2 at the beginning; below this they count as 0.
TINY = 1e-11


def value_of(payoffs: Floats) -> float:
    """Return the value to the row player of the matrix game *payoffs* [row, column]."""
    num_rows, num_columns = payoffs.shape
    tableau = np.zeros((num_rows + 1, num_columns + 1))
    tableau[:num_rows, :num_columns] = payoffs
    return float(
        matrix_value(tableau, num_rows, num_columns, np.zeros(2 * sum(payoffs.shape), int))
    )


@kernel
def matrix_value(tableau: Floats, num_rows: int, num_columns: int, labels: Ints) -> float:
    """Return the value of the matrix game in *tableau* [row + 1, column + 1], and use that up.

    *labels* [num_rows + num_columns at least] is memory to work with.
    """
    # A saddle point is found by one pass and is common where one hand is much better.
    lowest, highest, maximin, minimax = np.inf, -np.inf, -np.inf, np.inf
    for row in range(num_rows):
        least = np.inf
        for column in range(num_columns):
            least = min(least, tableau[row, column])
        lowest, maximin = min(lowest, least), max(maximin, least)
    for column in range(num_columns):
        most = -np.inf
        for row in range(num_rows):
            most = max(most, tableau[row, column])
        highest, minimax = max(highest, most), min(minimax, most)
    value = maximin
    if maximin < minimax:
        # With payoffs B from 1 to 2 the column player's programme, maximise the sum of y where
        # B y <= 1, is feasible at y = 0, so that no first phase is needed. Its optimum is one over
        # the value.
        scale = highest - lowest
        for row in range(num_rows):
            for column in range(num_columns):
                tableau[row, column] = (tableau[row, column] - lowest) / scale + 1.0
            tableau[row, num_columns] = 1.0
        for column in range(num_columns):
            tableau[num_rows, column] = -1.0
        tableau[num_rows, num_columns] = 0.0
        for label in range(num_rows + num_columns):
            labels[label] = label
        num_pivots, is_cautious = 0, False
        column = entering(tableau, num_rows, num_columns, labels, is_cautious)
        while column >= 0:
            # Bland's rule, which never cycles, once the largest coefficient has had its turn.
            is_cautious = num_pivots > 4 * (num_rows + num_columns)
            row = leaving(tableau, num_rows, num_columns, column, labels)
            exchange(tableau, num_rows, num_columns, row, column)
            labels[row], labels[num_rows + column] = labels[num_rows + column], labels[row]
            num_pivots += 1
            column = entering(tableau, num_rows, num_columns, labels, is_cautious)
        value = (1.0 / tableau[num_rows, num_columns] - 1.0) * scale + lowest
    return value


@kernel
def entering(
    tableau: Floats, num_rows: int, num_columns: int, labels: Ints, is_cautious: Number
) -> int:
    """Return the column that enters, or -1 at the optimum."""
    # The most negative coefficient, as Dantzig chose; by Bland's rule the lowest label.
    best, found, first = -TINY, -1, num_rows + num_columns
    for column in range(num_columns):
        coefficient = tableau[num_rows, column]
        if is_cautious:
            if coefficient < -TINY and labels[num_rows + column] < first:
                first, found = labels[num_rows + column], column
        elif coefficient < best:
            best, found = coefficient, column
    return found


@kernel
def leaving(tableau: Floats, num_rows: int, num_columns: int, column: int, labels: Ints) -> int:
    """Return the row that leaves, by the lowest ratio."""
    # Of equal ratios the lowest label, which Bland's rule asks for. There always is a row: the
    # values of B are positive, so the programme is bounded.
    best, found, first = np.inf, -1, num_rows + num_columns
    for row in range(num_rows):
        if tableau[row, column] > TINY:
            ratio = tableau[row, num_columns] / tableau[row, column]
            if ratio < best - TINY or (ratio < best + TINY and labels[row] < first):
                best, found, first = min(ratio, best), row, labels[row]
    return found


@kernel
def exchange(tableau: Floats, num_rows: int, num_columns: int, row: int, column: int) -> None:
    """Exchange what *row* and *column* stand for: one pivot of the condensed tableau."""
    # The pivot's row is divided first; every other row then is read and written once, from left to
    # right.
    inverse = 1.0 / tableau[row, column]
    for place in range(num_columns + 1):
        tableau[row, place] *= inverse
    tableau[row, column] = inverse
    for other in range(num_rows + 1):
        if other != row:
            factor = tableau[other, column]
            tableau[other, column] = 0.0
            for place in range(num_columns + 1):
                tableau[other, place] -= factor * tableau[row, place]
