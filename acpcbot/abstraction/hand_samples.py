"""Random hands of one street as points for k-means, each hand on each board as likely as any other."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.canonical_boards import PERMUTATION_BITS, Places, canonical_boards
from acpcbot.abstraction.nearest import Points
from acpcbot.abstraction.row_chunks import Progress, for_row_chunks
from acpcbot.cards.combos import NUM_COMBOS, all_combos
from acpcbot.cards.strength import Cards
from acpcbot.jit import kernel
from acpcbot.random_kernels import RandomState, below, seed_state

Rows = NDArray[np.int64]


class HandFeatures(Protocol):
    """What hands of one street are described by: points for k-means, the same for hands that only suits tell apart."""

    @property
    def board_size(self) -> int:
        """The board cards of the street."""

    @property
    def num_dimensions(self) -> int:
        """Of points."""

    @property
    def power(self) -> int:
        """Of the costs between points; see ``nearest.py``."""

    def fill(self, board: Cards, points: Points) -> None:
        """The point of every combo on *board* into *points* [combo, dimension]; any for those that the board blocks."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What was chosen about them, by names that suit files."""


def sample_points(features: HandFeatures, num_hands: int, *, seed: int, on_progress: Progress | None = None) -> Points:
    """The points of *num_hands* random hands, board by board."""
    rows, combos = draw_hands(features.board_size, num_hands, seed=seed)
    boards = canonical_boards(features.board_size).boards
    different, starts = np.unique(rows, return_index=True)
    ends = [*starts[1:].tolist(), num_hands]
    points = np.empty((num_hands, features.num_dimensions), np.uint16)

    def fill_boards(start: int, end: int) -> None:
        all_points = np.empty((NUM_COMBOS, features.num_dimensions), np.uint16)
        for place in range(start, end):
            features.fill(boards[different[place]].copy(), all_points)
            points[starts[place] : ends[place]] = all_points[combos[starts[place] : ends[place]]]

    for_row_chunks(fill_boards, len(different), on_progress)
    return points


def draw_hands(board_size: int, num_hands: int, *, seed: int) -> tuple[Rows, Rows]:
    """The canonical boards of random hands, ascending, and their combos."""
    places, boards = canonical_boards(board_size).places, canonical_boards(board_size).boards
    rows, combos = np.empty(num_hands, np.int64), np.empty(num_hands, np.int64)
    _draw_hands(places, boards, all_combos(), seed_state(seed), rows, combos)
    order = np.argsort(rows, kind="stable")
    return rows[order], combos[order]


@kernel
def _draw_hands(
    places: Places, boards: Cards, all_pairs: Cards, random_state: RandomState, rows: Rows, combos: Rows
) -> None:
    """Draw a board from all that there are, and a combo that it does not block, by trial."""
    for hand in range(len(rows)):
        row = np.int64(places[below(random_state, len(places))] >> PERMUTATION_BITS)
        is_blocked = True
        while is_blocked:
            combo = np.int64(below(random_state, NUM_COMBOS))
            is_blocked = False
            for card in boards[row]:
                is_blocked |= card == all_pairs[combo, 0] or card == all_pairs[combo, 1]
        rows[hand], combos[hand] = row, combo
