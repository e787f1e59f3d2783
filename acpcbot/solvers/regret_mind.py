"""What ``RangeCFR`` does on its sweeps: regret matching, and the sums behind it.

What belongs to a board lies together: its slots, each a vector float32 over the board's hands.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acpcbot.jit import kernel
from acpcbot.solvers.range_game import Betting
from acpcbot.solvers.range_sweeps import take_best, take_mean
from acpcbot.trees.betting_record import BLOCK_END, NUM_ACTIONS, SLOT
from acpcbot.trees.board_tree import BoardArrays

Floats = NDArray[np.float32]
# A float32 in a kernel: what numba makes of numpy's numbers is beyond mypy.
Number: TypeAlias = Any

LEARN, RESPOND = 0, 1
ZERO, ONE = np.float32(0), np.float32(1)


class RangeSums(NamedTuple):
    """What is learnt.

    ``regrets``, ``strategies``  float32 [cell]: discounted sums; a slot has a cell for every hand
    ``starts``                   int64 [board]: the first cell of the board; its slots follow one another
    """

    regrets: Floats
    strategies: Floats
    starts: NDArray[np.int64]


class Watch(NamedTuple):
    """What is kept of one block of betting on one board: that which begins with node ``block``.

    ``reaches``  float32 [seat, node of the block, hand]
    ``values``   float32 [node of the block, hand]: the traverser's
    """

    block: int
    board: int
    reaches: Floats
    values: Floats


class RegretMind(NamedTuple):
    """A ``Mind``: the *traverser* learns, or has a best response against the other's average.

    Before something is added, positive and negative regrets and the sums behind the
    average strategy are multiplied by the factors.
    """

    sums: RangeSums
    traverser: int
    purpose: int
    keeps_positive: Number
    keeps_negative: Number
    keeps_average: Number

    def own_seat(self) -> int:
        """The traverser."""
        return self.traverser

    def fill_strategy(
        self, betting: Betting, boards: BoardArrays, first: int, board: int, room: Floats, strategy: Floats
    ) -> None:
        """That of now while learning, else the average."""
        source = self.sums.regrets if self.purpose == LEARN else self.sums.strategies
        slot, (num_slots, num_hands) = betting.nodes[first, SLOT], strategy.shape
        cells = slot_cells(source, self.sums.starts[board], slot, num_slots, num_hands)
        match_positive(betting, cells, first, room, strategy)

    def take_values(
        self,
        betting: Betting,
        boards: BoardArrays,
        node: int,
        board: int,
        reach: Floats,
        gains: Floats,
        strategy: Floats,
        total: Floats,
    ) -> None:
        """Learn from what the actions gain over the strategy, or take the best."""
        if self.purpose == RESPOND:
            take_best(gains, total)
            return
        take_mean(gains, strategy, total)
        start, slot, count = self.sums.starts[board], betting.nodes[node, SLOT], len(gains)
        regrets = slot_cells(self.sums.regrets, start, slot, count, len(total))
        strategies = slot_cells(self.sums.strategies, start, slot, count, len(total))
        for choice in range(count):
            learn(regrets[choice], gains[choice], total, self.keeps_positive, self.keeps_negative)
            remember(strategies[choice], reach, strategy[choice], self.keeps_average)

    def see_block(self, first: int, board: int, reaches: Floats, values: Floats) -> None:
        """Nothing: what is learnt is learnt."""


class WatchingMind(NamedTuple):
    """A ``Mind``: what becomes of the *traverser* in one block is kept.

    He plays his average against the other's, or if he *responds* takes the best action.
    A kind of its own, because a learner that watches is slower by a twentieth.
    """

    sums: RangeSums
    traverser: int
    responds: bool
    watch: Watch

    def own_seat(self) -> int:
        """The traverser."""
        return self.traverser

    def fill_strategy(
        self, betting: Betting, boards: BoardArrays, first: int, board: int, room: Floats, strategy: Floats
    ) -> None:
        """The average."""
        slot, (num_slots, num_hands) = betting.nodes[first, SLOT], strategy.shape
        cells = slot_cells(self.sums.strategies, self.sums.starts[board], slot, num_slots, num_hands)
        match_positive(betting, cells, first, room, strategy)

    def take_values(
        self,
        betting: Betting,
        boards: BoardArrays,
        node: int,
        board: int,
        reach: Floats,
        gains: Floats,
        strategy: Floats,
        total: Floats,
    ) -> None:
        """The best, or the mean under the strategy."""
        if self.responds:
            take_best(gains, total)
        else:
            take_mean(gains, strategy, total)

    def see_block(self, first: int, board: int, reaches: Floats, values: Floats) -> None:
        """Keep what there is of the block that is watched."""
        if first == self.watch.block and board == self.watch.board:
            self.watch.reaches[:] = reaches
            self.watch.values[:] = values


@kernel(inline=True)
def slot_cells(source: Floats, start: int, slot: int, count: int, num_hands: int) -> Any:
    """The cells of *count* slots from *slot* on, of a board that begins with the cell *start*: [slot, hand], a view."""
    first = start + slot * num_hands
    return source[first : first + count * num_hands].reshape(count, num_hands)


@kernel
def match_positive(betting: Betting, sums: Floats, first: int, totals: Floats, strategy: Floats) -> None:
    """The strategy [slot of the block, hand] in proportion to what is positive of its *sums* [slot, hand].

    *totals* [hand] is scratch.
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
def add_positive(sums: Floats, totals: Floats) -> None:
    """Add what is positive of *sums* [hand] to *totals* [hand]."""
    for hand in range(len(sums)):
        totals[hand] += max(sums[hand], ZERO)


@kernel
def invert(totals: Floats) -> None:
    """One over *totals* [hand]; those of nothing become negative."""
    for hand in range(len(totals)):
        totals[hand] = ONE / totals[hand] if totals[hand] > ZERO else -ONE


@kernel
def share(sums: Floats, inverse: Floats, alike: Number, strategy: Floats) -> None:
    """The part of *sums* [hand] in the whole; *alike* where there is none."""
    for hand in range(len(sums)):
        strategy[hand] = max(sums[hand], ZERO) * inverse[hand] if inverse[hand] > ZERO else alike


@kernel
def learn(regrets: Floats, gain: Floats, values: Floats, positive: Number, negative: Number) -> None:
    """Discount *regrets* [hand] and add what an action gains over the strategy."""
    for hand in range(len(regrets)):
        regret = regrets[hand]
        regrets[hand] = regret * (positive if regret > ZERO else negative) + (gain[hand] - values[hand])


@kernel
def remember(strategies: Floats, reach: Floats, strategy: Floats, kept: Number) -> None:
    """Discount *strategies* [hand] and add the strategy of now, as often as it gets here."""
    for hand in range(len(strategies)):
        strategies[hand] = strategies[hand] * kept + reach[hand] * strategy[hand]
