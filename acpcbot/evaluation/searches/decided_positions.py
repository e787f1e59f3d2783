"""Right moves at positions of Connect Four that the perfect solver has decided.

A move is right when it keeps the value of the position: a win stays a win, a draw a draw. Positions
are drawn by random play, after a number of marks at which the solver takes a moment, and kept where
some legal move is right and another is not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from acpcbot.arrays import Flags, Floats
from acpcbot.errors import UsageError
from acpcbot.games.connect_four import ConnectFour
from acpcbot.games.game import OVER, State, new_state
from acpcbot.games.solvers.connect_four_solver import ConnectFourSolver
from acpcbot.rng import Stream

FEWEST_MARKS, MOST_MARKS = 14, 24
"""Of a position: with fewer the solver takes a tenth of a second and more."""
MOST_DRAWN = 1000
"""Draws for each position that is wanted: some boards decide nothing so late."""


@dataclass(frozen=True, slots=True, eq=False)
class DecidedPosition:
    """A position and, by action, whether the move *is_right*; *value* is that of its seat."""

    state: State
    is_right: Flags
    value: int


def draw_positions(
    count: int,
    seed: int,
    game: ConnectFour | None = None,
    marks: tuple[int, int] = (FEWEST_MARKS, MOST_MARKS),
) -> list[DecidedPosition]:
    """Return *count* positions of *game* after *marks*, from the first to the second number.

    Equal seeds give equal positions, and a larger *count* the same ones first. Raises UsageError
    where such positions are hardly met.
    """
    game = game or ConnectFour()
    solver, stream = ConnectFourSolver(game), Stream(seed)
    found: list[DecidedPosition] = []
    for _ in range(MOST_DRAWN * count):
        if len(found) == count:
            return found
        state = _drawn(game, marks[0] + stream.below(marks[1] - marks[0] + 1), stream)
        if state is None:
            continue
        values = np.array(solver.action_values(state))
        best = int(values.max())
        if (values < best).any():
            found.append(DecidedPosition(state, values == best, best))
    if len(found) < count:
        raise UsageError(
            f"{len(found)} of {count} positions of {game} after {marks[0]} to {marks[1]} marks",
            "ask for fewer marks",
        )
    return found


def is_right_move(position: DecidedPosition, policy: Floats) -> bool:
    """Return whether the most probable action of *policy* is right, the first of equal ones."""
    return bool(position.is_right[int(policy.argmax())])


def _drawn(game: ConnectFour, num_marks: int, stream: Stream) -> State | None:
    """Return a position after random moves; None where the game was over before."""
    state = new_state(game)
    for _ in range(num_marks):
        game.apply(state, stream.below(game.num_actions(state)))
        if game.actor(state) == OVER:
            return None
    return state
