"""Connect Four: marks fall into upright columns; four in a row, in any direction, win.

Seats take turns, seat 0 first, and nothing is hidden. Columns are numbered from the left; the
actions are those with room, from the lowest. Who has enough marks in a row, upright, level or
diagonal, wins 1 from the other; when the board is full nobody wins anything. A seat's key is the
order of all marks.

Columns lie in the bits of one number, each from its bottom on, with one empty bit on top: a step
in any direction is a shift, and no row of marks goes on in the next column. So the board may have
num_columns * (num_rows + 1) <= 62 bits; the usual one has 49.

state  [key by viewer, ACTOR, MARKS by seat: sets of cells, OPEN: the set of columns with room,
        WINNER (seat + 1, or 0)]

Source of the rules: Allis (1988), A knowledge-based approach of Connect-Four.
"""

from __future__ import annotations

from typing import NamedTuple

from acpcbot.games.game import OVER, State, Target, clear, nth_member, num_members, observe_all
from acpcbot.jit import shared

ACTOR, MARKS, OPEN, WINNER = 3, 4, 6, 7
STATE_LENGTH = 8


class ConnectFour(NamedTuple):
    """The game on a board of *num_columns* by *num_rows*, in which *num_in_row* win."""

    num_columns: int = 7
    num_rows: int = 6
    num_in_row: int = 4

    def num_seats(self) -> int:
        return 2

    def state_length(self) -> int:
        return STATE_LENGTH

    def max_moves(self) -> int:
        return self.num_columns * self.num_rows

    def max_actions(self) -> int:
        return self.num_columns

    def start(self, state: State) -> None:
        clear(state, 2)
        state[OPEN] = (1 << self.num_columns) - 1

    def actor(self, state: State) -> int:
        return int(state[ACTOR])

    def num_actions(self, state: State) -> int:
        return num_members(state[OPEN])

    def chance(self, state: State, action: int) -> float:
        return 0.0

    def has_uniform_chance(self) -> bool:
        return True

    def apply(self, state: State, action: int) -> None:
        seat, column = state[ACTOR], nth_member(state[OPEN], action)
        # Adding the bit at a column's bottom carries through its marks to the first free cell.
        bottom = column * (self.num_rows + 1)
        marks = state[MARKS] | state[MARKS + 1]
        cell = (marks + (1 << bottom)) & ~marks & (((1 << self.num_rows) - 1) << bottom)
        state[MARKS + seat] |= cell
        if cell == 1 << bottom + self.num_rows - 1:
            state[OPEN] ^= 1 << column
        observe_all(state, 2, column)
        state[ACTOR] = 1 - seat
        if has_row(self, state[MARKS + seat]):
            state[WINNER] = seat + 1
            state[ACTOR] = OVER
        elif state[OPEN] == 0:
            state[ACTOR] = OVER

    def payoff(self, state: State, seat: int) -> float:
        if state[WINNER] == 0:
            return 0.0
        return 1.0 if state[WINNER] == seat + 1 else -1.0

    def actions_towards(self, state: State, num_moves: int, target: Target) -> int:
        # All moves are public.
        return 1 << int(target.actions[num_moves])


@shared
def has_row(game: ConnectFour, marks: int) -> bool:
    """Return whether *marks* hold num_in_row cells in a row."""
    # Upright, falling, level, rising: the distances of neighbours in bits. Marks that have a
    # neighbour behind them are kept, one more at each step: what is left begins a row.
    for step in (1, game.num_rows, game.num_rows + 1, game.num_rows + 2):
        left = marks
        for _ in range(game.num_in_row - 1):
            left &= left >> step
        if left:
            return True
    return False


@shared
def completing_cells(marks: int, num_rows: int, num_in_row: int, cells: int) -> int:
    """Return the cells that complete a row of *marks*, taken ones among them.

    *cells* are those of the board.
    """
    # The row with a gap at each of its cells in turn: its other cells are shifted onto the gap.
    found = 0
    for step in (1, num_rows, num_rows + 1, num_rows + 2):
        for gap in range(num_in_row):
            own = cells
            for place in range(num_in_row):
                if place < gap:
                    own &= marks << step * (gap - place)
                elif place > gap:
                    own &= marks >> step * (place - gap)
            found |= own
    return found


def board_cells(game: ConnectFour) -> int:
    """Return all cells of the board of *game*, as a set."""
    column = (1 << game.num_rows) - 1
    return sum(column << number * (game.num_rows + 1) for number in range(game.num_columns))
