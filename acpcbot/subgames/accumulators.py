"""What a solver with ranges has learnt, as its sweeps read it and add to it: in single precision.

Regrets, and the sums behind the average strategy, of every slot and hand on every board. What
belongs to a board lies together: its slots, each a vector over the board's hands. The same in half
of the memory is ``accumulators.py``.

What a solver with ranges has learnt, in half of the memory: 16-bit numbers, and a scale for each
slot of a board.

A row of sums is divided by its largest one: of that, a rounding is off by less than a
sixty-thousandth.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats32, Ints16, Number
from acpcbot.jit import kernel, shared_methods
from acpcbot.subgames.game import Betting, RangeGame
from acpcbot.trees.betting_tree import BLOCK_END, NUM_ACTIONS, SLOT

# A float32 in a kernel: what numba makes of numpy's numbers is beyond mypy.

ZERO, ONE = np.float32(0), np.float32(1)


@shared_methods
class Sums(Protocol):
    """Discounted sums, however they are stored.

    A *strategy* is [slot of the block, hand] where a block is filled, [action, hand] where a node
    learns; *room* [hand] is scratch. What is to be added may be written over.
    """

    def fill_current(
        self, betting: Betting, first: int, board: int, room: Floats32, strategy: Floats32
    ) -> None:
        """The *strategy* of the block that begins with node *first*, by regret matching."""
        ...

    def fill_average(
        self, betting: Betting, first: int, board: int, room: Floats32, strategy: Floats32
    ) -> None:
        """The average strategy of the block."""
        ...

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
        """Discount the regrets of *node*, and add what the *gains* [action, hand] are above its
        *values* [hand].
        """
        ...

    def remember(
        self,
        betting: Betting,
        node: int,
        board: int,
        reach: Floats32,
        strategy: Floats32,
        kept: Number,
    ) -> None:
        """Discount the sums of *node*, and add the *strategy*, as often as *reach* [hand] gets
        there.
        """
        ...


class FloatAccumulators(NamedTuple):
    """``Sums`` in single precision.

    ``regrets``, ``strategies``  float32 [cell]; a slot has a cell for every hand
    ``starts``                   int64 [board]: the first cell of the board; its slots follow one another
    """

    regrets: Floats32
    strategies: Floats32
    starts: NDArray[np.int64]

    def fill_current(
        self, betting: Betting, first: int, board: int, room: Floats32, strategy: Floats32
    ) -> None:
        """Regret matching."""
        cells = slot_cells(
            self.regrets, self.starts[board], betting.nodes[first, SLOT], len(strategy), len(room)
        )
        match_positive(betting, cells, first, room, strategy)

    def fill_average(
        self, betting: Betting, first: int, board: int, room: Floats32, strategy: Floats32
    ) -> None:
        """The average."""
        cells = slot_cells(
            self.strategies,
            self.starts[board],
            betting.nodes[first, SLOT],
            len(strategy),
            len(room),
        )
        match_positive(betting, cells, first, room, strategy)

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
        regrets = slot_cells(self.regrets, self.starts[board], slot, count, len(values))
        for choice in range(count):
            add_gains(regrets[choice], gains[choice], values, positive, negative)

    def remember(
        self,
        betting: Betting,
        node: int,
        board: int,
        reach: Floats32,
        strategy: Floats32,
        kept: Number,
    ) -> None:
        """Discount and add."""
        slot, count = betting.nodes[node, SLOT], len(strategy)
        strategies = slot_cells(self.strategies, self.starts[board], slot, count, len(reach))
        for choice in range(count):
            add_strategy(strategies[choice], reach, strategy[choice], kept)


def float_sums(game: RangeGame) -> FloatAccumulators:
    """Nothing learnt yet of *game*."""
    starts = first_cells(game)
    return FloatAccumulators(
        np.zeros(int(starts[-1]), np.float32),
        np.zeros(int(starts[-1]), np.float32),
        starts[:-1].copy(),
    )


def first_cells(game: RangeGame) -> NDArray[np.int64]:
    """The first cell of each board, and the number of cells, [board + 1]."""
    return np.append(0, np.cumsum(np.diff(game.boards.arrays.first_row) * board_slots(game)))


def board_slots(game: RangeGame) -> NDArray[np.int64]:
    """How many slots each board has, [board]."""
    widths = [
        game.tree.row_widths[game.boards.street_of(board)]
        for board in range(len(game.boards.boards))
    ]
    return np.array(widths, np.int64)


@kernel(inline=True)
def slot_cells(source: NDArray[Any], start: int, slot: int, count: int, num_hands: int) -> Any:
    """The cells of *count* slots from *slot* on, of a board that begins with the cell *start*:
    [slot, hand], a view.
    """
    first = start + slot * num_hands
    return source[first : first + count * num_hands].reshape(count, num_hands)


@kernel
def match_positive(
    betting: Betting, sums: Floats32, first: int, totals: Floats32, strategy: Floats32
) -> None:
    """The strategy [slot of the block, hand] in proportion to what is positive of its *sums*
    [slot, hand].

    *totals* [hand] is scratch. *sums* and *strategy* may be one array.
    """
    nodes = betting.nodes
    for node in range(first, nodes[first, BLOCK_END]):
        slot = nodes[node, SLOT] - nodes[first, SLOT]
        count = nodes[node, NUM_ACTIONS]
        totals[:] = ZERO
        for choice in range(slot, slot + count):
            add_positive(sums[choice], totals)
        invert(totals)
        for choice in range(slot, slot + count):
            share(sums[choice], totals, ONE / np.float32(count), strategy[choice])


@kernel
def add_positive(sums: Floats32, totals: Floats32) -> None:
    """Add what is positive of *sums* [hand] to *totals* [hand]."""
    for hand in range(len(sums)):
        totals[hand] += max(sums[hand], ZERO)


@kernel
def invert(totals: Floats32) -> None:
    """One over *totals* [hand]; those of nothing become negative."""
    for hand in range(len(totals)):
        totals[hand] = ONE / totals[hand] if totals[hand] > ZERO else -ONE


@kernel
def share(sums: Floats32, inverse: Floats32, alike: Number, strategy: Floats32) -> None:
    """The part of *sums* [hand] in the whole; *alike* where there is none."""
    for hand in range(len(sums)):
        strategy[hand] = max(sums[hand], ZERO) * inverse[hand] if inverse[hand] > ZERO else alike


@kernel
def add_gains(
    regrets: Floats32, gain: Floats32, values: Floats32, positive: Number, negative: Number
) -> None:
    """Discount *regrets* [hand] and add what an action gains over the strategy."""
    for hand in range(len(regrets)):
        regret = regrets[hand]
        regrets[hand] = regret * (positive if regret > ZERO else negative) + (
            gain[hand] - values[hand]
        )


@kernel
def add_strategy(strategies: Floats32, reach: Floats32, strategy: Floats32, kept: Number) -> None:
    """Discount *strategies* [hand] and add the strategy of now, as often as it gets here."""
    for hand in range(len(strategies)):
        strategies[hand] = strategies[hand] * kept + reach[hand] * strategy[hand]


LARGEST = np.float32(32767)


class Int16Accumulators(NamedTuple):
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

    def fill_current(
        self, betting: Betting, first: int, board: int, room: Floats32, strategy: Floats32
    ) -> None:
        """Regret matching."""
        slot, count = betting.nodes[first, SLOT], len(strategy)
        cells = slot_cells(self.regrets, self.starts[board], slot, count, len(room))
        unpack_rows(cells, self.regret_scales[self.first_scales[board] + slot :], strategy)
        match_positive(betting, strategy, first, room, strategy)

    def fill_average(
        self, betting: Betting, first: int, board: int, room: Floats32, strategy: Floats32
    ) -> None:
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
        self,
        betting: Betting,
        node: int,
        board: int,
        reach: Floats32,
        strategy: Floats32,
        kept: Number,
    ) -> None:
        """Discount and add."""
        slot, count = betting.nodes[node, SLOT], len(strategy)
        cells = slot_cells(self.strategies, self.starts[board], slot, count, len(reach))
        scales = self.strategy_scales[self.first_scales[board] + slot :]
        for choice in range(count):
            average_in_place(strategy[choice], reach, cells[choice], scales[choice], kept)
            scales[choice] = pack(strategy[choice], cells[choice])


def short_sums(game: RangeGame) -> Int16Accumulators:
    """Nothing learnt yet of *game*."""
    starts, first_scales = first_cells(game), np.append(0, np.cumsum(board_slots(game)))
    num_cells, num_scales = int(starts[-1]), int(first_scales[-1])
    return Int16Accumulators(
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
    gain: Floats32,
    values: Floats32,
    cells: Ints16,
    scale: Number,
    positive: Number,
    negative: Number,
) -> None:
    """Make of *gain* [hand] the regrets after it: those of *cells* discounted, and it above the
    *values*.
    """
    for hand in range(len(gain)):
        regret = np.float32(cells[hand]) * scale
        gain[hand] = regret * (positive if regret > ZERO else negative) + (
            gain[hand] - values[hand]
        )


@kernel
def average_in_place(
    strategy: Floats32, reach: Floats32, cells: Ints16, scale: Number, kept: Number
) -> None:
    """Make of *strategy* [hand] the sums after it: those of *cells* discounted, and it as often
    as it gets here.
    """
    for hand in range(len(strategy)):
        strategy[hand] = np.float32(cells[hand]) * scale * kept + reach[hand] * strategy[hand]
