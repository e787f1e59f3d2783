"""Perfect play of Connect Four: who wins a position, by alpha-beta search with a table of positions.

Values are 1, 0 and -1 for the seat to move: it wins, draws or loses if both play perfectly. How
long a win takes is not asked. Before moves are tried, cells decide much: a win at once, one that
the other threatens and that has to be taken, and cells below such a threat, which are given up.
Moves that make most threats are tried first, then those nearest to the middle.

Boards are as in ``games/connect_four.py``: columns of bits with an empty one on top, so that no row
goes on in the next column. The usual board can be solved from some twelve marks on in a moment, and
is too large from the start.

Source: Allis (1988), A knowledge-based approach of Connect-Four; Knuth & Moore (1975), An analysis
of alpha-beta pruning.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Ints
from acpcbot.errors import UsageError
from acpcbot.games.connect_four import (
    ACTOR,
    MARKS,
    ConnectFour,
    board_cells,
    completing_cells,
)
from acpcbot.games.game import OVER, State, num_members
from acpcbot.jit import kernel

DEFAULT_TABLE_BITS = 22
OWN, OTHER, UNTRIED, KEY, ALPHA, BETA, BEST = range(7)
"""A frame: marks, moves left to try, the table's key, bounds, and the best value so far."""
OPEN_VALUE = 2
"""No value: the position has to be searched."""
_HASH = np.uint64(0x9E3779B97F4A7C15)
"""2 ** 64 over the golden ratio: all bits of a key count in the high bits of its product."""


class _Board(NamedTuple):
    """The masks of a board: all cells, the lowest ones, and columns from the middle outwards."""

    num_rows: int
    num_in_row: int
    cells: int
    floor: int
    columns: Ints


class _Table(NamedTuple):
    """Bounds of positions that were searched; a new one takes the place of an old one.

    ``keys``   int64 [place], -1 where there is none
    ``lower``, ``upper``   int8 [place]
    ``counts``  int64 [1], the positions searched so far
    ``shift``  from a product of 64 bits to a place
    """

    keys: Ints
    lower: NDArray[np.int8]
    upper: NDArray[np.int8]
    counts: Ints
    shift: int


class ConnectFourSolver:
    """Perfect values of positions of *game*, with a table of 2 ** *table_bits* positions.

    A place of the table takes 10 bytes. Raises UsageError for tables of less than 2 or more than
    2 ** 30 positions.
    """

    def __init__(
        self, game: ConnectFour | None = None, table_bits: int = DEFAULT_TABLE_BITS
    ) -> None:
        if not 1 <= table_bits <= 30:
            raise UsageError(f"table_bits = {table_bits} is out of range", "use 1 to 30")
        self.game = own = game or ConnectFour()
        height = own.num_rows + 1
        floor = sum(1 << column * height for column in range(own.num_columns))
        middle = (own.num_columns - 1) / 2
        columns = sorted(range(own.num_columns), key=lambda column: abs(column - middle))
        self._board = _Board(
            own.num_rows,
            own.num_in_row,
            board_cells(own),
            floor,
            np.array(columns, np.int64),
        )
        size = 1 << table_bits
        self._table = _Table(
            np.full(size, -1),
            np.zeros(size, np.int8),
            np.zeros(size, np.int8),
            np.zeros(1, np.int64),
            64 - table_bits,
        )

        self._frames = np.zeros((own.max_moves() + 1, BEST + 1), np.int64)

    @property
    def num_positions(self) -> int:
        """The positions searched so far."""
        return int(self._table.counts[0])

    def value(self, state: State) -> int:
        """Return 1, 0 or -1 for the seat to move in *state*.

        Raises UsageError where the game is over.
        """
        seat = self._mover(state)
        own, other = int(state[MARKS + seat]), int(state[MARKS + 1 - seat])
        return int(solve(self._board, self._table, self._frames, own, other))

    def action_values(self, state: State) -> list[int]:
        """Return the values of all actions in *state* for the seat to move."""
        values = []
        for action in range(self.game.num_actions(state)):
            after = state.copy()
            self.game.apply(after, action)
            if after[ACTOR] == OVER:
                values.append(int(self.game.payoff(after, self._mover(state))))
            else:
                values.append(-self.value(after))
        return values

    def _mover(self, state: State) -> int:
        if state[ACTOR] == OVER:
            raise UsageError("the game is over", "ask about a position in which a seat is to move")
        return int(state[ACTOR])


@kernel
def solve(board: _Board, table: _Table, frames: Ints, own: int, other: int) -> int:
    """Return the value for the seat with *own* marks, which is to move.

    Nobody has a row yet. *frames* [depth, OWN .. BEST] is memory for the way to a position.
    """
    # Alpha-beta without recursion, whose kernels cannot be kept on disk. A frame is a position that
    # is searched: when the one behind it is done, its value goes up one frame.
    depth = 0
    value = enter(board, table, frames, 0, own, other, -1, 1)
    if value != OPEN_VALUE:
        return int(value)
    while True:
        frame = frames[depth]
        if frame[BEST] >= frame[BETA] or frame[UNTRIED] == 0:
            value = frame[BEST]
            store(table, frame)
            if depth == 0:
                return int(value)
            depth -= 1
            frames[depth, BEST] = max(frames[depth, BEST], -value)
            continue
        cell = next_move(board, frame)
        frame[UNTRIED] ^= cell
        alpha = max(frame[ALPHA], frame[BEST])
        value = enter(
            board,
            table,
            frames,
            depth + 1,
            frame[OTHER],
            frame[OWN] | cell,
            -frame[BETA],
            -alpha,
        )
        if value == OPEN_VALUE:
            depth += 1
        else:
            frame[BEST] = max(frame[BEST], -value)


@kernel
def enter(
    board: _Board,
    table: _Table,
    frames: Ints,
    depth: int,
    own: int,
    other: int,
    alpha: int,
    beta: int,
) -> int:
    """Return the value of a position if it is seen or known, else OPEN_VALUE, and fill its frame.

    A value of at most *alpha* means that it is no more, of at least *beta* that it is no less.
    """
    filled = own | other
    if filled == board.cells:
        return 0
    # Adding the lowest bit of each column carries through its marks to the first free cell.
    possible = (filled + board.floor) & board.cells
    if winning_cells(board, own) & possible:
        return 1
    threats = winning_cells(board, other) & ~filled
    forced = threats & possible
    if forced:
        if forced & (forced - 1):
            return -1
        possible = forced
    possible &= ~(threats >> 1)
    if possible == 0:
        return -1
    # In each column the own marks, and a bit that the number of marks sets: no two positions agree.
    key = own + filled + board.floor
    place = np.int64(np.uint64(key) * _HASH >> np.uint64(table.shift))
    lower, upper = np.int64(-1), np.int64(1)
    if table.keys[place] == key:
        lower, upper = np.int64(table.lower[place]), np.int64(table.upper[place])
        if lower >= beta or lower == upper:
            return int(lower)
        if upper <= alpha:
            return int(upper)
    table.counts[0] += 1
    frame = frames[depth]
    frame[OWN], frame[OTHER], frame[UNTRIED], frame[KEY] = own, other, possible, key
    frame[ALPHA], frame[BETA], frame[BEST] = max(alpha, lower), min(beta, upper), -1
    return OPEN_VALUE


@kernel
def store(table: _Table, frame: Ints) -> None:
    """Store what the search of *frame* found."""
    # Fail-soft: the best value is exact between the bounds, else a bound itself.
    key, best = frame[KEY], frame[BEST]
    place = np.int64(np.uint64(key) * _HASH >> np.uint64(table.shift))
    if table.keys[place] != key:
        table.keys[place] = key
        table.lower[place], table.upper[place] = -1, 1
    if best > frame[ALPHA]:
        table.lower[place] = max(np.int64(table.lower[place]), best)
    if best < frame[BETA]:
        table.upper[place] = min(np.int64(table.upper[place]), best)


@kernel
def next_move(board: _Board, frame: Ints) -> int:
    """Return the untried move that makes most threats, the nearest to the middle of equal ones."""
    # Looked for when it is needed: most positions end with the first move or two.
    cell, most = np.int64(0), -1
    for column in board.columns:
        move = frame[UNTRIED] & (((1 << board.num_rows) - 1) << column * (board.num_rows + 1))
        if move:
            free = ~(frame[OWN] | frame[OTHER])
            made = num_members(winning_cells(board, frame[OWN] | move) & free)
            if made > most:
                cell, most = move, made
    return int(cell)


@kernel
def winning_cells(board: _Board, marks: int) -> int:
    """Return the cells that complete a row of *marks*, taken ones among them."""
    return completing_cells(marks, board.num_rows, board.num_in_row, board.cells)
