"""Regret and average-strategy accumulators of a range solver: float32, or int16 with scales.

An accumulator holds one number (a *cell*) for every slot and every hand on every board. What
belongs to a board lies together: its slots one after another, each a vector over the hands of the
board. A slot is an action at a node of the street's betting, as ``trees/betting_tree.py`` numbers
them.

``FloatCells`` takes four bytes a cell. ``Int16Cells`` takes two, and a float32 scale for each slot
of a board: a vector is divided by its largest magnitude before it is rounded, so that rounding is
off by less than a sixty-thousandth of that.

Both are ``Cells``: kernels are compiled for either, and the traversals do not know which they use.
``Accumulators`` are the two sets of cells of a solver. Cells need no solver: filled with the
probabilities of a strategy, they are that strategy as best responses read it.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats32, Ints16, Number
from acpcbot.jit import kernel, shared_methods
from acpcbot.subgames.game import Betting, RangeGame
from acpcbot.subgames.vectors import clear_vector
from acpcbot.trees.betting_tree import NODE_BLOCK_END, NODE_NUM_ACTIONS, NODE_SEAT, NODE_SLOT

# Constants in single precision: a Python float in an expression would make numba compute it in
# double precision, and convert every element twice.
# A float32 in a kernel: what numba makes of numpy's numbers is beyond mypy.

ZERO, ONE = np.float32(0), np.float32(1)


@shared_methods
class Cells(Protocol):
    """Discounted sums of regrets or of strategies, however they are stored.

    A *strategy* is [action, hand]. The arrays to be added may be overwritten.
    """

    def add_positive(self, board: int, slot: int, totals: Floats32, positive: Floats32) -> None:
        """Fill *positive* [hand] with the positive part of a slot's sums, and add it to *totals*."""
        ...

    def add_regrets(
        self,
        betting: Betting,
        node: int,
        board: int,
        action_values: Floats32,
        node_values: Floats32,
        keeps_positive: Number,
        keeps_negative: Number,
    ) -> None:
        """Discount the regrets of *node*, and add the new ones.

        These are *action_values* [action, hand] less *node_values* [hand].
        """
        ...

    def add_strategy(
        self,
        betting: Betting,
        node: int,
        board: int,
        reach: Floats32,
        strategy: Floats32,
        keeps_average: Number,
    ) -> None:
        """Discount the strategy sums of *node*, and add *strategy* weighted by *reach* [hand]."""
        ...


class Accumulators(NamedTuple):
    """The discounted *regrets* and sums of *strategies* of a solver, in cells of one kind."""

    regrets: Cells
    strategies: Cells


class FloatCells(NamedTuple):
    """``Cells`` in single precision.

    ``sums``    float32 [cell]; a slot has a cell for every hand
    ``starts``  int64 [board]: the board's first cell; its slots follow
    """

    sums: Floats32
    starts: NDArray[np.int64]

    def add_positive(self, board: int, slot: int, totals: Floats32, positive: Floats32) -> None:
        """Read the positive part of a slot."""
        sums = slot_cells(self.sums, self.starts[board], slot, 1, len(totals))[0]
        for hand in range(len(totals)):
            positive[hand] = max(sums[hand], ZERO)
            totals[hand] += positive[hand]

    def add_regrets(
        self,
        betting: Betting,
        node: int,
        board: int,
        action_values: Floats32,
        node_values: Floats32,
        keeps_positive: Number,
        keeps_negative: Number,
    ) -> None:
        """Discount the regrets and add the new ones."""
        slot, count = betting.nodes[node, NODE_SLOT], len(action_values)
        regrets = slot_cells(self.sums, self.starts[board], slot, count, len(node_values))
        for choice in range(count):
            add_regret_row(
                regrets[choice], action_values[choice], node_values, keeps_positive, keeps_negative
            )

    def add_strategy(
        self,
        betting: Betting,
        node: int,
        board: int,
        reach: Floats32,
        strategy: Floats32,
        keeps_average: Number,
    ) -> None:
        """Discount the strategy sums and add the current strategy."""
        slot, count = betting.nodes[node, NODE_SLOT], len(strategy)
        strategies = slot_cells(self.sums, self.starts[board], slot, count, len(reach))
        for choice in range(count):
            add_strategy_row(strategies[choice], reach, strategy[choice], keeps_average)


def float_cells(game: RangeGame) -> FloatCells:
    """Return empty float32 cells for *game*."""
    starts = first_cells(game)
    return FloatCells(np.zeros(int(starts[-1]), np.float32), starts[:-1].copy())


def first_cells(game: RangeGame) -> NDArray[np.int64]:
    """Return the first cell of each board and, last, the number of cells, [board + 1]."""
    return np.append(0, np.cumsum(np.diff(game.boards.arrays.first_row) * board_slots(game)))


def board_slots(game: RangeGame) -> NDArray[np.int64]:
    """Return the number of slots of each board, [board]."""
    widths = [
        game.tree.row_widths[game.boards.street_of(board)]
        for board in range(len(game.boards.boards))
    ]
    return np.array(widths, np.int64)


@kernel(inline=True)
def slot_cells(source: NDArray[Any], start: int, slot: int, count: int, num_hands: int) -> Any:
    """Return a view of *count* slots from *slot* on, [slot, hand].

    They are those of a board that begins with the cell *start*.
    """
    # Slots of a board lie back to back, so the slots of a node (its actions) and the slots of a
    # block (its nodes, in order) are each one contiguous piece of memory: a reshape, no copy.
    # Inlined: as a call of its own, numba would count references to the array around it.
    first = start + slot * num_hands
    return source[first : first + count * num_hands].reshape(count, num_hands)


@kernel
def fill_normalised(
    cells: Cells,
    betting: Betting,
    first: int,
    board: int,
    left_out: int,
    totals: Floats32,
    strategy: Floats32,
) -> None:
    """Fill *strategy* [slot, hand] of the block that begins with node *first*, from its sums.

    It is their positive part, normalised: regret matching of regrets, and the average strategy of
    strategy sums. The rows of the seat *left_out*, unless it is NOBODY, are left as they are.
    *totals* [hand] is scratch.
    """
    # Regret matching (Hart & Mas-Colell 2000): s(a) = R+(a) / sum of R+(b) over the actions b. The
    # average strategy is the same quotient of the strategy sums, which are never negative.
    # Nodes outside, actions next, hands innermost: every inner loop runs over one contiguous row
    # and is vectorised, and all rows of one node are still in the first-level cache when the
    # second pass over them divides by the totals.
    nodes = betting.nodes
    for node in range(first, nodes[first, NODE_BLOCK_END]):
        slot, count = nodes[node, NODE_SLOT], nodes[node, NODE_NUM_ACTIONS]
        row = slot - nodes[first, NODE_SLOT]
        if nodes[node, NODE_SEAT] == left_out:
            continue
        clear_vector(totals)
        for choice in range(count):
            cells.add_positive(board, slot + choice, totals, strategy[row + choice])
        invert_totals(totals)
        for choice in range(count):
            share_row(totals, ONE / np.float32(count), strategy[row + choice])


@kernel
def invert_totals(totals: Floats32) -> None:
    """Replace *totals* [hand] by their reciprocals, and those that are not positive by -1."""
    # One division a hand here instead of one an action in normalise_row. The sign marks hands
    # without positive sums, so that no second vector of flags is needed.
    for hand in range(len(totals)):
        totals[hand] = ONE / totals[hand] if totals[hand] > ZERO else -ONE


@kernel
def share_row(inverses: Floats32, uniform: Number, shares: Floats32) -> None:
    """Divide *shares* [hand], which are not negative, by the total, or fill in *uniform*."""
    # The conditional compiles to a blend: the loop has no branch and stays vectorised.
    for hand in range(len(shares)):
        shares[hand] = shares[hand] * inverses[hand] if inverses[hand] > ZERO else uniform


@kernel
def add_regret_row(
    regrets: Floats32,
    action_value: Floats32,
    node_values: Floats32,
    keeps_positive: Number,
    keeps_negative: Number,
) -> None:
    """Discount *regrets* [hand] of one action and add those of this iteration."""
    # Discounted CFR (Brown & Sandholm 2019): R_t = d * R_(t-1) + (action value - node value), where
    # d depends on the sign of the old regret. Discount and addition share one pass, so that each
    # cell is read and written once an iteration.
    for hand in range(len(regrets)):
        regret = regrets[hand]
        regrets[hand] = regret * (keeps_positive if regret > ZERO else keeps_negative) + (
            action_value[hand] - node_values[hand]
        )


@kernel
def add_strategy_row(
    strategies: Floats32, reach: Floats32, strategy: Floats32, keeps_average: Number
) -> None:
    """Discount *strategies* [hand] of one action and add its probability weighted by the reach."""
    # S_t = ((t-1)/t)^gamma * S_(t-1) + own reach * strategy: discounting the old sum is the same as
    # weighting iterations by t^gamma, and keeps the sums within range of float32.
    for hand in range(len(strategies)):
        strategies[hand] = strategies[hand] * keeps_average + reach[hand] * strategy[hand]


INT16_MAX = np.float32(32767)


class Int16Cells(NamedTuple):
    """``Cells`` in 16 bits.

    ``sums``          int16 [cell]; a slot has a cell for every hand
    ``scales``        float32 [slot of a board]: the value of 1 in its cells
    ``starts``        int64 [board]: the board's first cell
    ``first_scales``  int64 [board]: the board's first scale
    """

    sums: Ints16
    scales: Floats32
    starts: NDArray[np.int64]
    first_scales: NDArray[np.int64]

    def add_positive(self, board: int, slot: int, totals: Floats32, positive: Floats32) -> None:
        """Read the positive part of a slot."""
        cells = slot_cells(self.sums, self.starts[board], slot, 1, len(totals))[0]
        scale = self.scales[self.first_scales[board] + slot]
        for hand in range(len(totals)):
            positive[hand] = max(np.float32(cells[hand]) * scale, ZERO)
            totals[hand] += positive[hand]

    def add_regrets(
        self,
        betting: Betting,
        node: int,
        board: int,
        action_values: Floats32,
        node_values: Floats32,
        keeps_positive: Number,
        keeps_negative: Number,
    ) -> None:
        """Discount the regrets and add the new ones."""
        slot, count = betting.nodes[node, NODE_SLOT], len(action_values)
        cells = slot_cells(self.sums, self.starts[board], slot, count, len(node_values))
        scales = self.scales[self.first_scales[board] + slot :]
        for choice in range(count):
            largest = update_regret_row(
                action_values[choice],
                node_values,
                cells[choice],
                scales[choice],
                keeps_positive,
                keeps_negative,
            )
            scales[choice] = quantise_row(action_values[choice], largest, cells[choice])

    def add_strategy(
        self,
        betting: Betting,
        node: int,
        board: int,
        reach: Floats32,
        strategy: Floats32,
        keeps_average: Number,
    ) -> None:
        """Discount the strategy sums and add the current strategy."""
        slot, count = betting.nodes[node, NODE_SLOT], len(strategy)
        cells = slot_cells(self.sums, self.starts[board], slot, count, len(reach))
        scales = self.scales[self.first_scales[board] + slot :]
        for choice in range(count):
            largest = update_strategy_row(
                strategy[choice], reach, cells[choice], scales[choice], keeps_average
            )
            scales[choice] = quantise_row(strategy[choice], largest, cells[choice])


def int16_cells(game: RangeGame) -> Int16Cells:
    """Return empty int16 cells for *game*."""
    starts, first_scales = first_cells(game), np.append(0, np.cumsum(board_slots(game)))
    return Int16Cells(
        sums=np.zeros(int(starts[-1]), np.int16),
        scales=np.zeros(int(first_scales[-1]), np.float32),
        starts=starts[:-1].copy(),
        first_scales=first_scales[:-1].copy(),
    )


@kernel
def quantise_row(row: Floats32, largest_bits: Number, cells: Ints16) -> Number:
    """Round *row* [hand] into *cells* and return the value of 1 there.

    *largest_bits* are the bits of its largest magnitude, see ``magnitude_bits``.
    """
    largest = np.int32(largest_bits).view(np.float32)
    inverses = INT16_MAX / largest if largest > ZERO else ZERO
    for hand in range(len(row)):
        # Rounded to nearest: truncation would pull every sum towards 0, iteration after iteration.
        cells[hand] = np.int16(np.rint(row[hand] * inverses))
    return largest / INT16_MAX


@kernel
def magnitude_bits(value: Number) -> Number:
    """Return the bits of a float32 without its sign, as an integer that rises with its magnitude."""
    # The compiler vectorises the maximum of integers, but not that of floats, where one may be no
    # number: 0.04 microseconds for 1,081 hands in place of 0.60. The casts keep it at 32 bits.
    return np.int32(np.float32(value).view(np.int32) & np.int32(0x7FFFFFFF))


@kernel
def update_regret_row(
    action_value: Floats32,
    node_values: Floats32,
    cells: Ints16,
    scale: Number,
    keeps_positive: Number,
    keeps_negative: Number,
) -> Number:
    """Replace *action_value* [hand] by the regrets after it, from those in *cells*.

    Return the bits of their largest magnitude.
    """
    # As add_regret_row, but the result replaces the row of action values, whose room is free from
    # here on: the largest magnitude has to be known before cells are written.
    largest = np.int32(0)
    for hand in range(len(action_value)):
        regret = np.float32(cells[hand]) * scale
        regret = regret * (keeps_positive if regret > ZERO else keeps_negative) + (
            action_value[hand] - node_values[hand]
        )
        action_value[hand] = regret
        largest = max(largest, magnitude_bits(regret))
    return largest


@kernel
def update_strategy_row(
    strategy: Floats32, reach: Floats32, cells: Ints16, scale: Number, keeps_average: Number
) -> Number:
    """Replace *strategy* [hand] by the strategy sums after it, from those in *cells*.

    Return the bits of the largest.
    """
    # As add_strategy_row; the result replaces the strategy's row, which is not read again.
    largest = np.int32(0)
    for hand in range(len(strategy)):
        kept = np.float32(cells[hand]) * scale * keeps_average
        strategy[hand] = kept + reach[hand] * strategy[hand]
        largest = max(largest, magnitude_bits(strategy[hand]))
    return largest
