"""Counterfactual regret minimisation over all hands of two players: the solver of what is left
of a game.

It solves a ``RangeGame``, and so a whole small game, flop hold'em, or hold'em from a flop, a
turn or a river on. The two seats learn in turns. Which variant it is lies in the discounts
alone; by default those of discounted CFR with a steeper average, which was the fastest on
rivers. Regrets and sums take four bytes each for every slot and hand, or two.

Sources: Brown & Sandholm (2019), https://arxiv.org/abs/1809.04040 (discounted CFR); Johanson
et al. (2011), Accelerating best response calculation in large extensive games (ranges).

What ``RangeCFR`` does on its sweeps: regret matching, or a look at what came of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats32, Number
from acpcbot.regret_matching import DiscountSettings, share_kept
from acpcbot.subgames.accumulators import (
    ONE,
    FloatAccumulators,
    Int16Accumulators,
    Sums,
    board_slots,
    first_cells,
    float_sums,
    short_sums,
)
from acpcbot.subgames.gadgets import Gadget
from acpcbot.subgames.game import Betting, RangeGame
from acpcbot.subgames.leaf_values import LeafValues
from acpcbot.subgames.traversal import (
    NUM_SEATS,
    block_slots,
    make_scratch,
    root_values,
    take_best,
    take_mean,
    values_beyond,
)
from acpcbot.trees.betting_tree import BLOCK_END, STREET
from acpcbot.trees.board_tree import BoardArrays
from acpcbot.worker_threads import worker_threads

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


class RegretTraversal(NamedTuple):
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
        self,
        betting: Betting,
        boards: BoardArrays,
        first: int,
        board: int,
        room: Floats32,
        strategy: Floats32,
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
        self.sums.learn(
            betting, node, board, gains, total, self.keeps_positive, self.keeps_negative
        )
        self.sums.remember(betting, node, board, reach, strategy, self.keeps_average)

    def see_block(self, first: int, board: int, reaches: Floats32, values: Floats32) -> None:
        """Nothing: what is learnt is learnt."""


class ReadOutTraversal(NamedTuple):
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
        self,
        betting: Betting,
        boards: BoardArrays,
        first: int,
        board: int,
        room: Floats32,
        strategy: Floats32,
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


STEEP_DCFR = DiscountSettings(alpha=1.5, beta=0.0, gamma=4.0)
PATIENT_DCFR = DiscountSettings(alpha=1.3, beta=0.0, gamma=4.0)
"""Forgets early regrets faster: sooner done in hold'em with cards to come and deep stacks,
later in Leduc.
"""

PIECES = 4
"""Of the boards, for each of several threads."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a solver is: *exploitability* in chips is what a best response wins on average of
    both seats.
    """

    num_iterations: int
    seconds: float
    exploitability: float


class RangeCFR:
    """A solver of *game* with *num_threads* threads, among which the boards of the second
    street are shared out.

    The result is the same for one number of threads, and up to rounding for any. With
    *gadgets*, by seat, a seat comes into the game as its gadget has it, and not with the
    game's range. With *leaves* the game ends with the root's street, and they say what is
    won beyond it. If *is_short*, what is learnt is rounded to 16 bits.
    """

    def __init__(
        self,
        game: RangeGame,
        settings: DiscountSettings = STEEP_DCFR,
        *,
        num_threads: int = 1,
        gadgets: Mapping[int, Gadget] | None = None,
        leaves: LeafValues | None = None,
        is_short: bool = False,
    ) -> None:
        self.game, self.settings, self.num_iterations = game, settings, 0
        self.sums: FloatAccumulators | Int16Accumulators = (
            short_sums(game) if is_short else float_sums(game)
        )
        self._gadgets, self._leaves = gadgets or {}, leaves
        self._ranges = game.ranges.astype(np.float32)
        self._chunks = _chunks(game, num_threads)
        num_walkers = max(1, min(num_threads, len(self._chunks)))
        self._scratches = [make_scratch(game, np.float32) for _ in range(num_walkers)]

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """All that was learnt, as live arrays."""
        return self.sums._asdict()

    def step(self, num_iterations: int) -> None:
        """So many more iterations."""
        with worker_threads(len(self._scratches)) as threads:
            for _ in range(num_iterations):
                for seat in range(NUM_SEATS):
                    self._learn(seat, threads)
                self.num_iterations += 1

    def average_strategy(self, board: int) -> Floats32:
        """The average strategy on a *board* of the game's board tree, [slot of the street's
        row, hand of the board].

        Where a hand never got to, all actions are alike.
        """
        nodes, rows, street = (
            self.game.tree.nodes,
            self.game.boards.rows(board),
            self.game.boards.street_of(board),
        )
        room = np.empty(rows.stop - rows.start, np.float32)
        strategy = np.empty((int(self.game.tree.row_widths[street]), len(room)), np.float32)
        for first in np.flatnonzero(nodes[:, BLOCK_END] * (nodes[:, STREET] == street)).tolist():
            self.sums.fill_average(
                self.game.betting, first, board, room, strategy[block_slots(nodes, first)]
            )
        return strategy

    def response_values(self) -> tuple[float, float]:
        """What a best response of each seat wins from the other's average strategy, in chips."""
        with worker_threads(len(self._scratches)) as threads:
            known = self.game.ranges.astype(np.float32)
            found = [
                self._sweep(
                    RegretTraversal(self.sums, seat, RESPOND, ONE, ONE, ONE),
                    known,
                    threads,
                    learns=False,
                )
                for seat in range(NUM_SEATS)
            ]
        ranges, pairs = self.game.ranges, self.game.num_pairs
        first, second = (float(ranges[seat] @ found[seat]) / pairs for seat in range(NUM_SEATS))
        return first, second

    def block_values(
        self, board: int, block: int, *, responds: bool = False
    ) -> tuple[Floats32, Floats32]:
        """What the average strategies make of the block that begins with node *block*, on *board*.

        Returns two arrays [seat, node of the block, hand of the board]: how likely each seat plays
        up to the node with a hand, and the hand's counterfactual value there, in chips; if each
        seat *responds*, that of its best response to the other's average strategy.
        """
        num_nodes, rows = (
            int(self.game.tree.nodes[block, BLOCK_END]) - block,
            self.game.boards.rows(board),
        )
        shape = (num_nodes, rows.stop - rows.start)
        reaches, values = (
            np.zeros((NUM_SEATS, *shape), np.float32),
            np.zeros((NUM_SEATS, *shape), np.float32),
        )
        known = self.game.ranges.astype(np.float32)
        with worker_threads(len(self._scratches)) as threads:
            for seat in range(NUM_SEATS):
                watch = Watch(block, board, reaches, values[seat])
                self._sweep(
                    ReadOutTraversal(self.sums, seat, responds, watch), known, threads, learns=False
                )
        return reaches, values

    def exploitability(self) -> float:
        """Half of what both gain together by a best response, in chips a hand."""
        return sum(self.response_values()) / NUM_SEATS

    def solve(
        self,
        *,
        target: float = 0.0,
        deadline_s: float = float("inf"),
        most: int = 1000,
        every: int = 10,
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> Iterator[Progress]:
        """Go on to *target* chips of exploitability, *deadline_s* from now, *most* iterations,
        or until stopped.

        There is one iteration at least. Exploitability is measured *every* so many, and at the end.
        """
        start, first = time.monotonic(), self.num_iterations

        def is_over() -> bool:
            return (
                self.num_iterations >= most
                or time.monotonic() - start >= deadline_s
                or is_stopped()
            )

        while True:
            self.step(1)
            while (self.num_iterations - first) % every and not is_over():
                self.step(1)
            progress = Progress(
                self.num_iterations, time.monotonic() - start, self.exploitability()
            )
            yield progress
            if progress.exploitability <= target or is_over():
                return

    def _learn(self, seat: int, threads: ThreadPoolExecutor) -> None:
        for other, gadget in self._gadgets.items():
            self._ranges[other] = gadget.reach()
        values = self._sweep(self._learning(seat), self._ranges, threads, learns=True)
        if seat in self._gadgets:
            self._gadgets[seat].observe(values.astype(np.float64))

    def _learning(self, seat: int) -> RegretTraversal:
        """The sweep of the iteration that comes."""
        done, settings = self.num_iterations, self.settings
        kept = (
            (share_kept(done, settings.alpha), share_kept(done, settings.beta))
            if done
            else (0.0, 0.0)
        )
        average = (done / (done + 1)) ** settings.gamma
        return RegretTraversal(
            self.sums, seat, LEARN, np.float32(kept[0]), np.float32(kept[1]), np.float32(average)
        )

    def _sweep(
        self,
        mind: RegretTraversal | ReadOutTraversal,
        ranges: Floats32,
        threads: ThreadPoolExecutor,
        *,
        learns: bool,
    ) -> Floats32:
        """The traverser's values of the root's hands, [hand], where *ranges* [seat, hand] come
        in.
        """

        def beyond(above: Floats32) -> Floats32:
            if self._leaves is not None:
                return self._leaves.values(mind.traverser, above, learns=learns)
            found: Floats32 = values_beyond(
                self.game, mind, above, self._chunks, self._scratches, threads
            )
            return found

        values: Floats32 = root_values(self.game, mind, ranges, self._scratches[0], beyond)
        return values


def fast_settings(game: RangeGame) -> DiscountSettings:
    """The discounts that were the fastest for a *game* like this: hold'em with cards to come,
    or anything else.
    """
    is_holdem = game.definition.num_hole_cards > 1
    return PATIENT_DCFR if is_holdem and len(game.boards.boards) > 1 else STEEP_DCFR


def solver_bytes(game: RangeGame, *, is_short: bool = False) -> int:
    """The memory that the regrets and sums of *game* will take."""
    num_cells = int(first_cells(game)[-1])
    return 2 * (2 * num_cells + 4 * int(board_slots(game).sum()) if is_short else 4 * num_cells)


def _chunks(game: RangeGame, num_threads: int) -> list[tuple[int, int]]:
    """The boards of the second street in pieces, some for each thread: who is held up leaves
    more to the others.
    """
    first, last = (int(board) for board in game.boards.arrays.first_child[:2])
    count = min(num_threads if num_threads == 1 else PIECES * num_threads, last - first)
    edges = [first + (last - first) * piece // max(1, count) for piece in range(count + 1)]
    return list(pairwise(edges))
