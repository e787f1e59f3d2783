"""What a solver with ranges has learnt, in half of the memory: 16-bit numbers, and a scale for each slot of a board.

A row of sums is divided by its largest one: of that, a rounding is off by less than a sixty-thousandth.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats32, Ints16, Number
from acpcbot.jit import kernel
from acpcbot.solvers.range_game import Betting, RangeGame
from acpcbot.solvers.range_sums import ZERO, board_slots, first_cells, match_positive, slot_cells
from acpcbot.trees.betting_record import SLOT

LARGEST = np.float32(32767)


class ShortSums(NamedTuple):
    """``Sums`` in 16 bits.

    ``regrets``, ``strategies``                int16 [cell]; a slot has a cell for every hand
    ``regret_scales``, ``strategy_scales``     float32 [slot of a board]: what one is worth in its cells
    ``starts``, ``first_scales``               int64 [board]: the first cell of the board, and its first scale
    """

    regrets: Ints16
    strategies: Ints16
    regret_scales: Floats32
    strategy_scales: Floats32
    starts: NDArray[np.int64]
    first_scales: NDArray[np.int64]

    def fill_current(self, betting: Betting, first: int, board: int, room: Floats32, strategy: Floats32) -> None:
        """Regret matching."""
        slot, count = betting.nodes[first, SLOT], len(strategy)
        cells = slot_cells(self.regrets, self.starts[board], slot, count, len(room))
        unpack_rows(cells, self.regret_scales[self.first_scales[board] + slot :], strategy)
        match_positive(betting, strategy, first, room, strategy)

    def fill_average(self, betting: Betting, first: int, board: int, room: Floats32, strategy: Floats32) -> None:
        """The average."""
        slot, count = betting.nodes[first, SLOT], len(strategy)
        cells = slot_cells(self.strategies, self.starts[board], slot, count, len(room))
        unpack_rows(cells, self.strategy_scales[self.first_scales[board] + slot :], strategy)
        match_positive(betting, strategy, first, room, strategy)

    def learn(
        self,
        betting: Betting,
        node: int,
        board: int,
        gains: Floats32,
        values: Floats32,
        positive: Number,
        negative: Number,
    ) -> None:
        """Discount and add."""
        slot, count = betting.nodes[node, SLOT], len(gains)
        cells = slot_cells(self.regrets, self.starts[board], slot, count, len(values))
        scales = self.regret_scales[self.first_scales[board] + slot :]
        for choice in range(count):
            gain_in_place(gains[choice], values, cells[choice], scales[choice], positive, negative)
            scales[choice] = pack(gains[choice], cells[choice])

    def remember(
        self, betting: Betting, node: int, board: int, reach: Floats32, strategy: Floats32, kept: Number
    ) -> None:
        """Discount and add."""
        slot, count = betting.nodes[node, SLOT], len(strategy)
        cells = slot_cells(self.strategies, self.starts[board], slot, count, len(reach))
        scales = self.strategy_scales[self.first_scales[board] + slot :]
        for choice in range(count):
            average_in_place(strategy[choice], reach, cells[choice], scales[choice], kept)
            scales[choice] = pack(strategy[choice], cells[choice])


def short_sums(game: RangeGame) -> ShortSums:
    """Nothing learnt yet of *game*."""
    starts, first_scales = first_cells(game), np.append(0, np.cumsum(board_slots(game)))
    num_cells, num_scales = int(starts[-1]), int(first_scales[-1])
    return ShortSums(
        regrets=np.zeros(num_cells, np.int16),
        strategies=np.zeros(num_cells, np.int16),
        regret_scales=np.zeros(num_scales, np.float32),
        strategy_scales=np.zeros(num_scales, np.float32),
        starts=starts[:-1].copy(),
        first_scales=first_scales[:-1].copy(),
    )


@kernel
def unpack_rows(cells: Ints16, scales: Floats32, rows: Floats32) -> None:
    """What *cells* [slot, hand] are worth, in *rows*."""
    for slot in range(len(rows)):
        for hand in range(rows.shape[1]):
            rows[slot, hand] = np.float32(cells[slot, hand]) * scales[slot]


@kernel
def pack(row: Floats32, cells: Ints16) -> Number:
    """Round *row* [hand] into *cells*; returns what one is worth there."""
    most = ZERO
    for hand in range(len(row)):
        most = max(most, abs(row[hand]))
    inverse = LARGEST / most if most > ZERO else ZERO
    for hand in range(len(row)):
        cells[hand] = np.int16(np.rint(row[hand] * inverse))
    return most / LARGEST


@kernel
def gain_in_place(
    gain: Floats32, values: Floats32, cells: Ints16, scale: Number, positive: Number, negative: Number
) -> None:
    """Make of *gain* [hand] the regrets after it: those of *cells* discounted, and it above the *values*."""
    for hand in range(len(gain)):
        regret = np.float32(cells[hand]) * scale
        gain[hand] = regret * (positive if regret > ZERO else negative) + (gain[hand] - values[hand])


@kernel
def average_in_place(strategy: Floats32, reach: Floats32, cells: Ints16, scale: Number, kept: Number) -> None:
    """Make of *strategy* [hand] the sums after it: those of *cells* discounted, and it as often as it gets here."""
    for hand in range(len(strategy)):
        strategy[hand] = np.float32(cells[hand]) * scale * kept + reach[hand] * strategy[hand]
