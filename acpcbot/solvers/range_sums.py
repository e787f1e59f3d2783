"""What a solver with ranges has learnt, as its sweeps read it and add to it: in single precision.

Regrets, and the sums behind the average strategy, of every slot and hand on every board. What belongs
to a board lies together: its slots, each a vector over the board's hands. The same in half of
the memory is ``short_sums.py``.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats32, Number
from acpcbot.jit import kernel, shared_methods
from acpcbot.solvers.range_game import Betting, RangeGame
from acpcbot.trees.betting_record import BLOCK_END, NUM_ACTIONS, SLOT

# A float32 in a kernel: what numba makes of numpy's numbers is beyond mypy.

ZERO, ONE = np.float32(0), np.float32(1)


@shared_methods
class Sums(Protocol):
    """Discounted sums, however they are stored.

    A *strategy* is [slot of the block, hand] where a block is filled, [action, hand] where a node learns; *room*
    [hand] is scratch. What is to be added may be written over.
    """

    def fill_current(self, betting: Betting, first: int, board: int, room: Floats32, strategy: Floats32) -> None:
        """The *strategy* of the block that begins with node *first*, by regret matching."""
        ...

    def fill_average(self, betting: Betting, first: int, board: int, room: Floats32, strategy: Floats32) -> None:
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
        """Discount the regrets of *node*, and add what the *gains* [action, hand] are above its *values* [hand]."""
        ...

    def remember(
        self, betting: Betting, node: int, board: int, reach: Floats32, strategy: Floats32, kept: Number
    ) -> None:
        """Discount the sums of *node*, and add the *strategy*, as often as *reach* [hand] gets there."""
        ...


class FloatSums(NamedTuple):
    """``Sums`` in single precision.

    ``regrets``, ``strategies``  float32 [cell]; a slot has a cell for every hand
    ``starts``                   int64 [board]: the first cell of the board; its slots follow one another
    """

    regrets: Floats32
    strategies: Floats32
    starts: NDArray[np.int64]

    def fill_current(self, betting: Betting, first: int, board: int, room: Floats32, strategy: Floats32) -> None:
        """Regret matching."""
        cells = slot_cells(self.regrets, self.starts[board], betting.nodes[first, SLOT], len(strategy), len(room))
        match_positive(betting, cells, first, room, strategy)

    def fill_average(self, betting: Betting, first: int, board: int, room: Floats32, strategy: Floats32) -> None:
        """The average."""
        cells = slot_cells(self.strategies, self.starts[board], betting.nodes[first, SLOT], len(strategy), len(room))
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
        self, betting: Betting, node: int, board: int, reach: Floats32, strategy: Floats32, kept: Number
    ) -> None:
        """Discount and add."""
        slot, count = betting.nodes[node, SLOT], len(strategy)
        strategies = slot_cells(self.strategies, self.starts[board], slot, count, len(reach))
        for choice in range(count):
            add_strategy(strategies[choice], reach, strategy[choice], kept)


def float_sums(game: RangeGame) -> FloatSums:
    """Nothing learnt yet of *game*."""
    starts = first_cells(game)
    return FloatSums(np.zeros(int(starts[-1]), np.float32), np.zeros(int(starts[-1]), np.float32), starts[:-1].copy())


def first_cells(game: RangeGame) -> NDArray[np.int64]:
    """The first cell of each board, and the number of cells, [board + 1]."""
    return np.append(0, np.cumsum(np.diff(game.boards.arrays.first_row) * board_slots(game)))


def board_slots(game: RangeGame) -> NDArray[np.int64]:
    """How many slots each board has, [board]."""
    widths = [game.tree.row_widths[game.boards.street_of(board)] for board in range(len(game.boards.boards))]
    return np.array(widths, np.int64)


@kernel(inline=True)
def slot_cells(source: NDArray[Any], start: int, slot: int, count: int, num_hands: int) -> Any:
    """The cells of *count* slots from *slot* on, of a board that begins with the cell *start*: [slot, hand], a view."""
    first = start + slot * num_hands
    return source[first : first + count * num_hands].reshape(count, num_hands)


@kernel
def match_positive(betting: Betting, sums: Floats32, first: int, totals: Floats32, strategy: Floats32) -> None:
    """The strategy [slot of the block, hand] in proportion to what is positive of its *sums* [slot, hand].

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
def add_gains(regrets: Floats32, gain: Floats32, values: Floats32, positive: Number, negative: Number) -> None:
    """Discount *regrets* [hand] and add what an action gains over the strategy."""
    for hand in range(len(regrets)):
        regret = regrets[hand]
        regrets[hand] = regret * (positive if regret > ZERO else negative) + (gain[hand] - values[hand])


@kernel
def add_strategy(strategies: Floats32, reach: Floats32, strategy: Floats32, kept: Number) -> None:
    """Discount *strategies* [hand] and add the strategy of now, as often as it gets here."""
    for hand in range(len(strategies)):
        strategies[hand] = strategies[hand] * kept + reach[hand] * strategy[hand]
