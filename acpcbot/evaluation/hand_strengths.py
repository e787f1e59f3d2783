"""E[HS2] of hands before the flop, on it and on the turn, from tables that are made when they are first asked for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from acpcbot.abstraction.buckets import Lossless169
from acpcbot.abstraction.equity import DENOMINATORS, Totals
from acpcbot.abstraction.equity_tables import equity_table
from acpcbot.abstraction.preflop_equity import preflop_expected_squares
from acpcbot.abstraction.row_chunks import Progress
from acpcbot.abstraction.table_lookup import combos_of, look_up, table_row
from acpcbot.arrays import Floats
from acpcbot.cards.strength import Cards


class HandStrengths:
    """Strengths lie in [0, 1]; *on_progress* hears of the tables that are made."""

    def __init__(self, on_progress: Progress | None = None) -> None:
        self.preflop: Floats = preflop_expected_squares(on_progress)[Lossless169().board_buckets()]
        self._totals = cache(lambda board_size: equity_table(board_size, on_progress))

    def on_board(self, board: Sequence[int]) -> Floats:
        """Of all hands on *board*, [combo]; of those that it blocks some number."""
        if not board:
            return self.preflop
        totals: Totals = table_row(self._totals(len(board)), board)
        return totals / DENOMINATORS[len(board)]

    def of_hands(self, hole_cards: Cards, boards: Cards) -> Floats:
        """Of hands *hole_cards* uint8 [deal, two cards a seat] on *boards* uint8 [deal, card], [deal, seat]."""
        combos, board_size = combos_of(np.ascontiguousarray(hole_cards)), boards.shape[1]
        if board_size == 0:
            return np.asarray(self.preflop[combos])
        totals = np.empty(combos.shape, np.uint32)
        look_up(combos, np.ascontiguousarray(boards), self._totals(board_size), totals)
        return totals / DENOMINATORS[board_size]
