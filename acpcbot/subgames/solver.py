"""Discounted CFR over all hands of two players: the solver of a ``RangeGame``.

It solves a whole small game, flop hold'em, or hold'em from a flop, a turn or a river on. The two
seats are updated alternately. The variant of CFR lies in the discounts alone; by default they are
those of discounted CFR with a steeper average, which was the fastest on rivers. ``RangeCFR`` is
the solver, ``RegretTraversal`` and ``ReadOutTraversal`` are the policies of its traversals. Regrets
and strategy sums take four bytes each for every slot and hand, or two (``accumulators.py``).

Sources: Brown & Sandholm (2019), https://arxiv.org/abs/1809.04040 (discounted CFR); Johanson
et al. (2011), Accelerating best response calculation in large extensive games (ranges).
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
    Accumulators,
    FloatAccumulators,
    Int16Accumulators,
    board_slots,
    first_cells,
    float_accumulators,
    int16_accumulators,
)
from acpcbot.subgames.gadgets import Gadget
from acpcbot.subgames.game import Betting, RangeGame
from acpcbot.subgames.leaf_values import LeafValues
from acpcbot.subgames.traversal import (
    NUM_SEATS,
    best_values,
    block_slots,
    make_scratch,
    mean_values,
    root_values,
    values_beyond,
)
from acpcbot.trees.betting_tree import BLOCK_END, STREET
from acpcbot.trees.board_tree import BoardArrays
from acpcbot.worker_threads import worker_threads

LEARN, RESPOND = 0, 1


class BlockReadOut(NamedTuple):
    """Room for what is read of one block, the one that begins with node ``block``, on one board.

    ``reaches``  float32 [seat, node of the block, hand]
    ``values``   float32 [node of the block, hand]: the traverser's
    """

    block: int
    board: int
    reaches: Floats32
    values: Floats32


class RegretTraversal(NamedTuple):
    """A ``TraversalPolicy``: regret matching, or a best response to the other's average strategy.

    Before anything is added, positive and negative regrets and the strategy sums are multiplied by
    ``keeps_positive``, ``keeps_negative`` and ``keeps_average``.
    """

    accumulators: Accumulators
    traverser: int
    purpose: int
    keeps_positive: Number
    keeps_negative: Number
    keeps_average: Number

    def own_seat(self) -> int:
        """Return the traverser."""
        return self.traverser

    def fill_strategy(
        self,
        betting: Betting,
        boards: BoardArrays,
        first: int,
        board: int,
        hand_scratch: Floats32,
        strategy: Floats32,
    ) -> None:
        """Fill in the current strategy while learning, else the average."""
        if self.purpose == LEARN:
            self.accumulators.fill_current(betting, first, board, hand_scratch, strategy)
        else:
            self.accumulators.fill_average(betting, first, board, hand_scratch, strategy)

    def fill_values(
        self,
        betting: Betting,
        boards: BoardArrays,
        node: int,
        board: int,
        reach: Floats32,
        action_values: Floats32,
        strategy: Floats32,
        node_values: Floats32,
    ) -> None:
        """Update regrets and strategy sums with the action values, or take the best action."""
        if self.purpose == RESPOND:
            best_values(action_values, node_values)
            return
        # Two steps of CFR at one node: its value under the current strategy, then the regrets R(a)
        # += v(a) - v and the strategy sums S(a) += own reach * s(a). Regrets need no reach: the
        # action values are counterfactual, weighted with the opponent's reach already.
        mean_values(action_values, strategy, node_values)
        self.accumulators.add_regrets(
            betting,
            node,
            board,
            action_values,
            node_values,
            self.keeps_positive,
            self.keeps_negative,
        )
        self.accumulators.add_strategy(betting, node, board, reach, strategy, self.keeps_average)

    def record_block(self, first: int, board: int, reaches: Floats32, values: Floats32) -> None:
        """Do nothing: all that is learnt is in the accumulators."""


class ReadOutTraversal(NamedTuple):
    """A ``TraversalPolicy`` that reads reaches and values of one block.

    The traverser plays its average strategy against the other's, or if it *responds* takes the best
    action. A type of its own, because a learner that records blocks is slower by a twentieth.
    """

    accumulators: Accumulators
    traverser: int
    responds: bool
    read_out: BlockReadOut

    def own_seat(self) -> int:
        """Return the traverser."""
        return self.traverser

    def fill_strategy(
        self,
        betting: Betting,
        boards: BoardArrays,
        first: int,
        board: int,
        hand_scratch: Floats32,
        strategy: Floats32,
    ) -> None:
        """Fill in the average strategy."""
        self.accumulators.fill_average(betting, first, board, hand_scratch, strategy)

    def fill_values(
        self,
        betting: Betting,
        boards: BoardArrays,
        node: int,
        board: int,
        reach: Floats32,
        action_values: Floats32,
        strategy: Floats32,
        node_values: Floats32,
    ) -> None:
        """Take the best action, or the mean under the strategy."""
        if self.responds:
            best_values(action_values, node_values)
        else:
            mean_values(action_values, strategy, node_values)

    def record_block(self, first: int, board: int, reaches: Floats32, values: Floats32) -> None:
        """Copy reaches and values of the block that is to be read."""
        if first == self.read_out.block and board == self.read_out.board:
            self.read_out.reaches[:] = reaches
            self.read_out.values[:] = values


STEEP_DCFR = DiscountSettings(alpha=1.5, beta=0.0, gamma=4.0)
PATIENT_DCFR = DiscountSettings(alpha=1.3, beta=0.0, gamma=4.0)
"""Discounts early regrets faster: fewer iterations in hold'em with cards to come and deep stacks,
more in Leduc.
"""

CHUNKS_PER_THREAD = 4
"""Pieces into which the boards are cut, for each of several threads."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Iterations, seconds, and *exploitability* in chips so far.

    Exploitability is the mean of the two seats' best-response values.
    """

    num_iterations: int
    seconds: float
    exploitability: float


class RangeCFR:
    """A CFR solver of *game* whose *num_threads* threads share the boards of the second street.

    The result is the same for one number of threads, and up to rounding for any. With *gadgets*, by
    seat, a seat enters with the reach that its gadget gives it, and not with the game's range. With
    *leaves* the game ends with the root's street, and they give the values beyond it. With
    *is_int16* regrets and strategy sums are rounded to 16 bits.
    """

    def __init__(
        self,
        game: RangeGame,
        settings: DiscountSettings = STEEP_DCFR,
        *,
        num_threads: int = 1,
        gadgets: Mapping[int, Gadget] | None = None,
        leaves: LeafValues | None = None,
        is_int16: bool = False,
    ) -> None:
        self.game, self.settings, self.num_iterations = game, settings, 0
        self.accumulators: FloatAccumulators | Int16Accumulators = (
            int16_accumulators(game) if is_int16 else float_accumulators(game)
        )
        self._gadgets, self._leaves = gadgets or {}, leaves
        self._ranges = game.ranges.astype(np.float32)
        self._chunks = _chunks(game, num_threads)
        num_scratches = max(1, min(num_threads, len(self._chunks)))
        self._scratches = [make_scratch(game, np.float32) for _ in range(num_scratches)]

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """All accumulators, as live arrays."""
        return self.accumulators._asdict()

    def step(self, num_iterations: int) -> None:
        """Run *num_iterations* more iterations."""
        with worker_threads(len(self._scratches)) as threads:
            for _ in range(num_iterations):
                for seat in range(NUM_SEATS):
                    self._learn(seat, threads)
                self.num_iterations += 1

    def average_strategy(self, board: int) -> Floats32:
        """Return the average strategy on a *board* of the game's board tree.

        It is [slot of the street's row, hand of the board], uniform where a hand never arrives.
        """
        nodes, rows, street = (
            self.game.tree.nodes,
            self.game.boards.rows(board),
            self.game.boards.street_of(board),
        )
        hand_scratch = np.empty(rows.stop - rows.start, np.float32)
        strategy = np.empty((int(self.game.tree.row_widths[street]), len(hand_scratch)), np.float32)
        for first in np.flatnonzero(nodes[:, BLOCK_END] * (nodes[:, STREET] == street)).tolist():
            self.accumulators.fill_average(
                self.game.betting, first, board, hand_scratch, strategy[block_slots(nodes, first)]
            )
        return strategy

    def response_values(self) -> tuple[float, float]:
        """Return each seat's best-response value against the other's average strategy, in chips."""
        with worker_threads(len(self._scratches)) as threads:
            known = self.game.ranges.astype(np.float32)
            found = [
                self._sweep(
                    RegretTraversal(self.accumulators, seat, RESPOND, ONE, ONE, ONE),
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
        """Return reaches and values of the block that begins with node *block*, on *board*.

        Both arrays are [seat, node of the block, hand of the board]: each seat's reach under its
        average strategy, and its counterfactual values in chips; with *responds* those of its best
        response to the other's average strategy.
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
                read_out = BlockReadOut(block, board, reaches, values[seat])
                self._sweep(
                    ReadOutTraversal(self.accumulators, seat, responds, read_out),
                    known,
                    threads,
                    learns=False,
                )
        return reaches, values

    def exploitability(self) -> float:
        """Return half of what both seats gain together by best responses, in chips a hand."""
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
        """Iterate to *target* chips of exploitability, to a limit, or until stopped.

        The limits are *deadline_s* seconds from now and *most* iterations; there is one iteration
        at least. Exploitability is measured *every* so many iterations, and at the end.
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
        """Return the policy of the next iteration, with its discounts."""
        done, settings = self.num_iterations, self.settings
        keeps = (
            (share_kept(done, settings.alpha), share_kept(done, settings.beta))
            if done
            else (0.0, 0.0)
        )
        keeps_average = (done / (done + 1)) ** settings.gamma
        return RegretTraversal(
            self.accumulators,
            seat,
            LEARN,
            np.float32(keeps[0]),
            np.float32(keeps[1]),
            np.float32(keeps_average),
        )

    def _sweep(
        self,
        policy: RegretTraversal | ReadOutTraversal,
        ranges: Floats32,
        threads: ThreadPoolExecutor,
        *,
        learns: bool,
    ) -> Floats32:
        """Return the traverser's values of the root's hands, [hand].

        *ranges* [seat, hand] are the reaches with which both seats enter.
        """

        def beyond(above: Floats32) -> Floats32:
            if self._leaves is not None:
                return self._leaves.values(policy.traverser, above, learns=learns)
            found: Floats32 = values_beyond(
                self.game, policy, above, self._chunks, self._scratches, threads
            )
            return found

        values: Floats32 = root_values(self.game, policy, ranges, self._scratches[0], beyond)
        return values


def fast_settings(game: RangeGame) -> DiscountSettings:
    """Return the discounts that were fastest for games like *game*.

    They are one set for hold'em with cards to come, another for anything else.
    """
    is_holdem = game.definition.num_hole_cards > 1
    return PATIENT_DCFR if is_holdem and len(game.boards.boards) > 1 else STEEP_DCFR


def solver_bytes(game: RangeGame, *, is_int16: bool = False) -> int:
    """Return the memory that regrets and strategy sums of *game* take."""
    num_cells = int(first_cells(game)[-1])
    return 2 * (2 * num_cells + 4 * int(board_slots(game).sum()) if is_int16 else 4 * num_cells)


def _chunks(game: RangeGame, num_threads: int) -> list[tuple[int, int]]:
    """Return the boards of the second street in chunks, several for each thread.

    A thread that is held up leaves more of them to the others.
    """
    first, last = (int(board) for board in game.boards.arrays.first_child[:2])
    count = min(num_threads if num_threads == 1 else CHUNKS_PER_THREAD * num_threads, last - first)
    edges = [first + (last - first) * chunk // max(1, count) for chunk in range(count + 1)]
    return list(pairwise(edges))
