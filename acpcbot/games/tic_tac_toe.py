"""Tic-tac-toe, also called noughts and crosses: three in a row on nine squares win.

Seats take turns, seat 0 first, and nothing is hidden. Squares are numbered row by row; the actions
are the free ones from the lowest. Who has three in a line wins 1 from the other; when the board is
full nobody wins anything. A seat's key is the order of all marks, so that a position which several
orders lead to has several information sets: 255,168 courses, 5,478 positions.

state  [key by viewer, ACTOR, MARKS by seat: sets of squares, WINNER (seat + 1, or 0)]

Source of the number of courses: Schaefer (2002), How many games of tic-tac-toe are there?
"""

from __future__ import annotations

from typing import NamedTuple

from acpcbot.games.game import OVER, State, Target, clear, nth_member, num_members, observe_all
from acpcbot.jit import shared

ACTOR, MARKS, WINNER = 3, 4, 6
STATE_LENGTH = 7

NUM_SQUARES = 9
BOARD = (1 << NUM_SQUARES) - 1

# Rows, columns, diagonals, as sets of squares.
LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)


class TicTacToe(NamedTuple):
    """The game, in which a win counts *stake*."""

    stake: float = 1.0

    def num_seats(self) -> int:
        return 2

    def state_length(self) -> int:
        return STATE_LENGTH

    def max_moves(self) -> int:
        return NUM_SQUARES

    def max_actions(self) -> int:
        return NUM_SQUARES

    def start(self, state: State) -> None:
        clear(state, 2)

    def actor(self, state: State) -> int:
        return int(state[ACTOR])

    def num_actions(self, state: State) -> int:
        return num_members(BOARD ^ (state[MARKS] | state[MARKS + 1]))

    def chance(self, state: State, action: int) -> float:
        return 0.0

    def has_uniform_chance(self) -> bool:
        return True

    def apply(self, state: State, action: int) -> None:
        seat = state[ACTOR]
        square = nth_member(BOARD ^ (state[MARKS] | state[MARKS + 1]), action)
        state[MARKS + seat] |= 1 << square
        observe_all(state, 2, square)
        state[ACTOR] = 1 - seat
        if has_line(state[MARKS + seat]):
            state[WINNER] = seat + 1
            state[ACTOR] = OVER
        elif state[MARKS] | state[MARKS + 1] == BOARD:
            state[ACTOR] = OVER

    def payoff(self, state: State, seat: int) -> float:
        if state[WINNER] == 0:
            return 0.0
        return self.stake if state[WINNER] == seat + 1 else -self.stake

    def actions_towards(self, state: State, num_moves: int, target: Target) -> int:
        # All moves are public.
        return 1 << int(target.actions[num_moves])


@shared
def has_line(marks: int) -> bool:
    """Return whether *marks* hold all squares of a line."""
    for line in LINES:  # noqa: SIM110 (kernels have no generators)
        if marks & line == line:
            return True
    return False
