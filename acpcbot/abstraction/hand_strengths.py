"""E[HS2] of hands before the flop, on it and on the turn, by tables made at the first use.

That before the flop is the mean over all flops; buckets there are the 169 classes themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.buckets import Lossless169
from acpcbot.abstraction.canonical_boards import canonical_boards
from acpcbot.abstraction.equity import BLOCKED_TOTAL, DENOMINATORS, Totals, equity_table
from acpcbot.abstraction.table_lookup import combos_of, look_up, table_row
from acpcbot.arrays import Floats
from acpcbot.cards.strength import Cards
from acpcbot.worker_threads import Progress


class HandStrengths:
    """E[HS2] of hands, in [0, 1]; *on_progress* is told of the tables that are made."""

    def __init__(self, on_progress: Progress | None = None) -> None:
        self.preflop: Floats = preflop_expected_squares(on_progress)[Lossless169().board_buckets()]
        self._totals = cache(lambda board_size: equity_table(board_size, on_progress))

    def on_board(self, board: Sequence[int]) -> Floats:
        """Return the strengths of all hands on *board*, [combo].

        Those that the board blocks have some number.
        """
        if not board:
            return self.preflop
        totals: Totals = table_row(self._totals(len(board)), board)
        return totals / DENOMINATORS[len(board)]

    def of_hands(self, hole_cards: Cards, boards: Cards) -> Floats:
        """Return the strengths of *hole_cards* on *boards*, [deal, seat].

        They are uint8 [deal, two cards a seat] and [deal, card].
        """
        combos, board_size = combos_of(np.ascontiguousarray(hole_cards)), boards.shape[1]
        if board_size == 0:
            return np.asarray(self.preflop[combos])
        totals = np.empty(combos.shape, np.uint32)
        look_up(combos, np.ascontiguousarray(boards), self._totals(board_size), totals)
        return totals / DENOMINATORS[board_size]


def preflop_expected_squares(on_progress: Progress | None = None) -> NDArray[np.float64]:
    """Return E[HS2] of every class of hole cards, [bucket of ``Lossless169``]: means over flops."""
    totals, weights = equity_table(3, on_progress), canonical_boards(3).weights
    possible = totals != BLOCKED_TOTAL
    # Suit changes keep a hand in its class, so a canonical flop stands for its like if all of a
    # class are added up.
    sums = np.where(possible, totals, 0).T.astype(np.float64) @ weights
    counts = possible.T.astype(np.float64) @ weights
    classes = Lossless169().board_buckets()
    num_classes = Lossless169.num_buckets
    return (
        np.bincount(classes, sums, num_classes)
        / np.bincount(classes, counts, num_classes)
        / DENOMINATORS[3]
    )
