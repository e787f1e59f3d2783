"""Positions of board games as queries of a network: tic-tac-toe and Connect Four.

Nothing is hidden, so a position is all that matters from here on, and there are no beliefs: those
of the one row of each seat are 1. Everything is seen by the seat to move: its own marks, the
other's, its value and then the other's. So positions with seats exchanged are one to a network.
Features are written by kernels, in the middle of a search.

Boards look the same from behind or from another side. ``Symmetry`` says where features and columns
of the policy go then, so that every example stands for several.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from acpcbot.arrays import Floats32, Indices
from acpcbot.games import connect_four, tic_tac_toe
from acpcbot.games.connect_four import ConnectFour, board_cells, completing_cells
from acpcbot.games.game import Game, State, nth_member
from acpcbot.games.tic_tac_toe import BOARD, NUM_SQUARES, TicTacToe
from acpcbot.jit import shared_methods
from acpcbot.networks.shape import Feature, NetworkInterface
from acpcbot.tree_search.public_encodings import game_fingerprint
from acpcbot.tree_search.public_tree import NUM_SEATS

FIRST_FEATURE = NUM_SEATS
"""The first input that is a feature, behind the beliefs of both seats."""


@shared_methods
class PositionFeatures(Protocol):
    """The features of positions, for kernels."""

    def fill_features(self, state: State, inputs: Floats32) -> None:
        """Fill *inputs* from FIRST_FEATURE on, for the seat that is to move in *state*."""
        ...

    def policy_column(self, state: State, action: int) -> int:
        """Return the policy's column of *action*."""
        ...


class TicTacToeFeatures(NamedTuple):
    """Own squares, then the other seat's; a column of the policy for each square."""

    # numba cannot pass a tuple without fields to a method.
    num_squares: int = NUM_SQUARES

    def fill_features(self, state: State, inputs: Floats32) -> None:
        seat = state[tic_tac_toe.ACTOR]
        own = state[tic_tac_toe.MARKS + seat]
        other = state[tic_tac_toe.MARKS + 1 - seat]
        for square in range(self.num_squares):
            inputs[FIRST_FEATURE + square] = own >> square & 1
            inputs[FIRST_FEATURE + self.num_squares + square] = other >> square & 1

    def policy_column(self, state: State, action: int) -> int:
        marks = state[tic_tac_toe.MARKS] | state[tic_tac_toe.MARKS + 1]
        return nth_member(BOARD ^ marks, action)


class ConnectFourFeatures(NamedTuple):
    """Cells column by column, four times; a column of the policy for each column.

    Own cells, the other seat's, the free ones that would complete an own row, and those that would
    complete one of the other's. (The last two follow from the first; a small network does not find
    them out.)
    """

    num_columns: int
    num_rows: int
    num_in_row: int
    cells: int

    def fill_features(self, state: State, inputs: Floats32) -> None:
        seat = state[connect_four.ACTOR]
        own = state[connect_four.MARKS + seat]
        other = state[connect_four.MARKS + 1 - seat]
        free = self.cells & ~(own | other)
        rows, in_row, cells = self.num_rows, self.num_in_row, self.cells
        num_cells = self.num_columns * rows
        wins = completing_cells(own, rows, in_row, cells) & free
        losses = completing_cells(other, rows, in_row, cells) & free
        for column in range(self.num_columns):
            for row in range(rows):
                bit = column * (rows + 1) + row
                place = FIRST_FEATURE + column * rows + row
                inputs[place] = own >> bit & 1
                inputs[place + num_cells] = other >> bit & 1
                inputs[place + 2 * num_cells] = wins >> bit & 1
                inputs[place + 3 * num_cells] = losses >> bit & 1

    def policy_column(self, state: State, action: int) -> int:
        return nth_member(state[connect_four.OPEN], action)


class Symmetry(NamedTuple):
    """Another look at a board: input k is taken from input *inputs[k]*, column k from *columns[k]*.

    ``inputs``   int64 [input]
    ``columns``  int64 [column of the policy]
    """

    inputs: Indices
    columns: Indices


@dataclass(frozen=True, slots=True, eq=False)
class BoardEncoding:
    """The positions of *game* as a network sees them; the first symmetry leaves all as it is."""

    game: Game
    interface: NetworkInterface
    features: PositionFeatures
    symmetries: tuple[Symmetry, ...]

    def inputs(self, state: State) -> Floats32:
        """Return the inputs [input] of a query about *state*."""
        size = sum(feature.size for feature in self.interface.features)
        result = np.ones(FIRST_FEATURE + size, np.float32)
        self.features.fill_features(state, result)
        return result


def tic_tac_toe_encoding(game: TicTacToe | None = None) -> BoardEncoding:
    """Return tic-tac-toe, by default for a stake of 1, with the eight looks at its board."""
    game = game or TicTacToe()
    board = np.arange(NUM_SQUARES).reshape(3, 3)
    turned = [np.rot90(board, quarters) for quarters in range(4)]
    looks = [look.ravel() for look in (*turned, *(np.flip(look, axis=1) for look in turned))]
    return _encoding(
        game,
        TicTacToeFeatures(),
        ("own marks by square", "the other seat's marks by square"),
        [f"square {square}" for square in range(1, NUM_SQUARES + 1)],
        [(look, look) for look in looks],
    )


def connect_four_encoding(game: ConnectFour | None = None) -> BoardEncoding:
    """Return Connect Four, by default on the usual board, with both looks at its board."""
    game = game or ConnectFour()
    cells = np.arange(game.num_columns * game.num_rows).reshape(game.num_columns, game.num_rows)
    columns = np.arange(game.num_columns)
    return _encoding(
        game,
        ConnectFourFeatures(game.num_columns, game.num_rows, game.num_in_row, board_cells(game)),
        (
            "own marks by cell, column by column",
            "the other seat's marks",
            "free cells that complete an own row",
            "free cells that complete a row of the other's",
        ),
        [f"column {column}" for column in range(1, game.num_columns + 1)],
        [(cells.ravel(), columns), (cells[::-1].ravel(), columns[::-1].copy())],
    )


def _encoding(
    game: Game,
    features: PositionFeatures,
    planes: Sequence[str],
    actions: Sequence[str],
    looks: Sequence[tuple[Indices, Indices]],
) -> BoardEncoding:
    """Return the encoding of *game* by *planes*, each with a feature for each place of the board.

    A look has the places of the board and the columns of the policy in another order.
    """
    count = len(looks[0][0])
    interface = NetworkInterface(
        game=repr(game),
        game_fingerprint=game_fingerprint(game),
        rows="the position: of the seat to move, then of the other",
        num_rows=(1, 1),
        features=tuple(Feature(plane, count) for plane in planes),
        actions=tuple(actions),
    )
    beliefs = np.arange(FIRST_FEATURE)
    firsts = range(FIRST_FEATURE, FIRST_FEATURE + count * len(planes), count)
    symmetries = [
        Symmetry(np.concatenate([beliefs, *(first + places for first in firsts)]), columns)
        for places, columns in looks
    ]
    return BoardEncoding(game, interface, features, tuple(symmetries))
