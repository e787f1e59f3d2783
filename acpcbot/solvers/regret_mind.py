"""What ``RangeCFR`` does on its sweeps: regret matching, or a look at what came of it."""

from __future__ import annotations

from typing import NamedTuple

from acpcbot.arrays import Floats32, Number
from acpcbot.solvers.range_game import Betting
from acpcbot.solvers.range_sums import Sums
from acpcbot.solvers.range_sweeps import take_best, take_mean
from acpcbot.trees.board_tree import BoardArrays

LEARN, RESPOND = 0, 1


class Watch(NamedTuple):
    """What is kept of one block of betting on one board: that which begins with node ``block``.

    ``reaches``  float32 [seat, node of the block, hand]
    ``values``   float32 [node of the block, hand]: the traverser's
    """

    block: int
    board: int
    reaches: Floats32
    values: Floats32


class RegretMind(NamedTuple):
    """A ``Mind``: the *traverser* learns, or has a best response against the other's average.

    Before something is added, positive and negative regrets and the sums behind the
    average strategy are multiplied by the factors.
    """

    sums: Sums
    traverser: int
    purpose: int
    keeps_positive: Number
    keeps_negative: Number
    keeps_average: Number

    def own_seat(self) -> int:
        """The traverser."""
        return self.traverser

    def fill_strategy(
        self, betting: Betting, boards: BoardArrays, first: int, board: int, room: Floats32, strategy: Floats32
    ) -> None:
        """That of now while learning, else the average."""
        if self.purpose == LEARN:
            self.sums.fill_current(betting, first, board, room, strategy)
        else:
            self.sums.fill_average(betting, first, board, room, strategy)

    def take_values(
        self,
        betting: Betting,
        boards: BoardArrays,
        node: int,
        board: int,
        reach: Floats32,
        gains: Floats32,
        strategy: Floats32,
        total: Floats32,
    ) -> None:
        """Learn from what the actions gain over the strategy, or take the best."""
        if self.purpose == RESPOND:
            take_best(gains, total)
            return
        take_mean(gains, strategy, total)
        self.sums.learn(betting, node, board, gains, total, self.keeps_positive, self.keeps_negative)
        self.sums.remember(betting, node, board, reach, strategy, self.keeps_average)

    def see_block(self, first: int, board: int, reaches: Floats32, values: Floats32) -> None:
        """Nothing: what is learnt is learnt."""


class WatchingMind(NamedTuple):
    """A ``Mind``: what becomes of the *traverser* in one block is kept.

    He plays his average against the other's, or if he *responds* takes the best action.
    A kind of its own, because a learner that watches is slower by a twentieth.
    """

    sums: Sums
    traverser: int
    responds: bool
    watch: Watch

    def own_seat(self) -> int:
        """The traverser."""
        return self.traverser

    def fill_strategy(
        self, betting: Betting, boards: BoardArrays, first: int, board: int, room: Floats32, strategy: Floats32
    ) -> None:
        """The average."""
        self.sums.fill_average(betting, first, board, room, strategy)

    def take_values(
        self,
        betting: Betting,
        boards: BoardArrays,
        node: int,
        board: int,
        reach: Floats32,
        gains: Floats32,
        strategy: Floats32,
        total: Floats32,
    ) -> None:
        """The best, or the mean under the strategy."""
        if self.responds:
            take_best(gains, total)
        else:
            take_mean(gains, strategy, total)

    def see_block(self, first: int, board: int, reaches: Floats32, values: Floats32) -> None:
        """Keep what there is of the block that is watched."""
        if first == self.watch.block and board == self.watch.board:
            self.watch.reaches[:] = reaches
            self.watch.values[:] = values
