"""Discounted CFR over all hands of two players: the solver of a ``RangeGame``.

It solves a whole small game, flop hold'em, or hold'em from a flop, a turn or a river on. The two
seats are updated alternately. The variant of CFR lies in the discounts alone; by default they are
those of discounted CFR with a steeper average, which was the fastest on rivers. ``RangeCFR`` is
the solver, ``RegretTraversal`` the policy of its traversals; best responses to what it has learnt
are those of ``best_response.py``. Regrets and strategy sums take four bytes each for every slot and
hand, or two (``accumulators.py``).

Sources: Brown & Sandholm (2019), https://arxiv.org/abs/1809.04040 (discounted CFR); Johanson
et al. (2011), Accelerating best response calculation in large extensive games (ranges).
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats32, Number
from acpcbot.errors import UsageError
from acpcbot.regret_matching import DiscountSettings, share_kept
from acpcbot.subgames.accumulators import (
    Accumulators,
    board_slots,
    fill_normalised,
    first_cells,
    float_cells,
    int16_cells,
)
from acpcbot.subgames.best_response import (
    BlockReadOut,
    FixedProfileTraversal,
    cells_traversal,
)
from acpcbot.subgames.block_rows import NUM_SEATS
from acpcbot.subgames.board_sweeps import sweep_threads
from acpcbot.subgames.gadgets import Gadget, GadgetState, no_gadget
from acpcbot.subgames.game import Betting, RangeGame
from acpcbot.subgames.leaf_values import LeafValues
from acpcbot.subgames.opponent_model import OpponentModel, mix_model, no_model, without_model
from acpcbot.subgames.sweeps import NO_LIMITS, Limits, Sweeper
from acpcbot.subgames.traversal import block_slots, make_scratch
from acpcbot.subgames.trembles import mix_errors, without_errors
from acpcbot.subgames.vectors import mean_values
from acpcbot.trees.betting_tree import NOBODY, NODE_BLOCK_END, NODE_SEAT, NODE_STREET
from acpcbot.trees.board_tree import BoardArrays


class RegretTraversal(NamedTuple):
    """A ``TraversalPolicy``: both seats play by regret matching, and the traverser learns.

    Before anything is added, positive and negative regrets and the strategy sums are multiplied by
    ``keeps_positive``, ``keeps_negative`` and ``keeps_average``. With probability ``tremble`` a
    seat takes an action at random; the average strategy is what is played, errors and all, and the
    ``model``'s play where it acts.
    """

    accumulators: Accumulators
    traverser: int
    keeps_positive: Number
    keeps_negative: Number
    keeps_average: Number
    tremble: Number
    model: OpponentModel

    def own_seat(self) -> int:
        """Return the traverser."""
        return self.traverser

    def responder(self) -> int:
        """Return NOBODY."""
        return NOBODY

    def fill_strategy(
        self,
        betting: Betting,
        boards: BoardArrays,
        first: int,
        board: int,
        hand_scratch: Floats32,
        strategy: Floats32,
    ) -> None:
        """Fill in the current strategy with its errors, and the model's part."""
        regrets = self.accumulators.regrets
        fill_normalised(regrets, betting, first, board, NOBODY, hand_scratch, strategy)
        if self.tremble > 0:
            mix_errors(betting.nodes, first, strategy, self.tremble)
        mix_model(betting.nodes, first, strategy, self.model)

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
        """Update regrets and strategy sums with the action values."""
        # Two steps of CFR at one node: its value under the current strategy, then the regrets R(a)
        # += v(a) - v and the strategy sums S(a) += own reach * s(a). Regrets need no reach: the
        # action values are counterfactual, weighted with the opponent's reach already.
        mean_values(action_values, strategy, node_values)
        # Errors are not chosen, nor is what a model plays, so regrets are against the strategy
        # without them. What the node is worth to those above it is with them. The model's part is
        # mixed in last, and taken out first.
        is_modelled = self.model.shares[betting.nodes[node, NODE_SEAT]] > 0
        if is_modelled:
            without_model(betting.nodes, node, action_values, node_values, self.model)
        if self.tremble > 0:
            without_errors(action_values, node_values, self.tremble)
        self.accumulators.regrets.add_regrets(
            betting,
            node,
            board,
            action_values,
            node_values,
            self.keeps_positive,
            self.keeps_negative,
        )
        if is_modelled or self.tremble > 0:
            mean_values(action_values, strategy, node_values)
        self.accumulators.strategies.add_strategy(
            betting, node, board, reach, strategy, self.keeps_average
        )

    def record_node(
        self, betting: Betting, node: int, board: int, reaches: Floats32, values: Floats32
    ) -> None:
        """Do nothing: all that is learnt is in the accumulators."""


class RegretSweeps(NamedTuple):
    """The policies of consecutive iterations: two sweeps each, of seat 0 and of seat 1.

    ``discounts`` is float32 [iteration, 3], see ``RegretTraversal``.
    """

    accumulators: Accumulators
    discounts: Floats32
    tremble: Number
    model: OpponentModel

    def policy_of(self, number: int) -> RegretTraversal:
        """Return the policy of a sweep."""
        iteration = number // NUM_SEATS
        return RegretTraversal(
            self.accumulators,
            number % NUM_SEATS,
            self.discounts[iteration, 0],
            self.discounts[iteration, 1],
            self.discounts[iteration, 2],
            self.tremble,
            self.model,
        )


STEEP_DCFR = DiscountSettings(alpha=1.5, beta=0.0, gamma=4.0)
PATIENT_DCFR = DiscountSettings(alpha=1.3, beta=0.0, gamma=4.0)
"""Discounts early regrets faster: fewer iterations on some turns, half as many again on others."""


MAX_ITERATIONS = 1000
"""In one run, which takes a table of discounts."""


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

    The result is the same to the last bit for any number of threads. With *gadgets*, by
    seat, a seat enters with the reach that its gadget gives it, and not with the game's range. With
    *leaves* the game ends with the root's street, and they give the values beyond it. With
    *is_int16* regrets and strategy sums are rounded to 16 bits. *trembles* is the
    probability with which either seat errs (``trembles.py``). A *model* of a seat is for games with
    one board (``opponent_model.py``); raises UsageError for others.
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
        trembles: float = 0.0,
        model: OpponentModel | None = None,
    ) -> None:
        self.game, self.settings, self.num_iterations = game, settings, 0
        if model is not None and len(game.boards.boards) > 1:
            raise UsageError(
                f"a model of the opponent on {len(game.boards.boards):,} boards",
                "expected a game with one board, as from a river on",
            )
        self._tremble, self._model = trembles, model or no_model()
        empty_cells = int16_cells if is_int16 else float_cells
        self.accumulators = Accumulators(empty_cells(game), empty_cells(game))
        self._gadgets = gadgets or {}
        scratches = [
            make_scratch(game, np.float32) for _ in range(sweep_threads(game, num_threads))
        ]
        self._sweeper = Sweeper(game, scratches, leaves)

    @property
    def has_leaves(self) -> bool:
        """True if leaf values stand beyond the game."""
        return self._sweeper.leaves is not None

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """All accumulators, as live arrays."""
        found = {}
        for kind, of_kind in (("regrets", "regret"), ("strategies", "strategy")):
            cells = getattr(self.accumulators, kind)._asdict()
            found[kind] = cells.pop("sums")
            if "scales" in cells:
                found[f"{of_kind}_scales"] = cells.pop("scales")
            found.update(cells)
        return found

    def step(self, num_iterations: int, limits: Limits = NO_LIMITS) -> None:
        """Run *num_iterations* more iterations, or until *limits* are reached.

        They are kept within milliseconds; with leaf values, which may be Python code, at the end of
        an iteration. One that is interrupted does not count. What it has learnt stays.
        """
        last = self.num_iterations + num_iterations
        ranges = self.game.ranges.astype(np.float32)
        while self.num_iterations < last and not limits.are_reached():
            if self._sweeper.leaves is not None:
                policies = self._learning(1)
                for seat in range(NUM_SEATS):
                    self._learn(policies, seat, ranges)
                self.num_iterations += 1
            else:
                count = min(MAX_ITERATIONS, last - self.num_iterations)
                policies = self._learning(count)
                first, second = (self._gadget_state(seat) for seat in range(NUM_SEATS))
                num_sweeps = self._sweeper.run(
                    policies, NUM_SEATS * count, ranges, limits, (first, second)
                )
                self.num_iterations += num_sweeps // NUM_SEATS

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
        for first in np.flatnonzero(
            nodes[:, NODE_BLOCK_END] * (nodes[:, NODE_STREET] == street)
        ).tolist():
            of_block = strategy[block_slots(nodes, first)]
            fill_normalised(
                self.accumulators.strategies,
                self.game.betting,
                first,
                board,
                NOBODY,
                hand_scratch,
                of_block,
            )
        return strategy

    def response_values(self) -> tuple[float, float]:
        """Return each seat's best-response value against the other's average strategy, in chips."""
        policies = cells_traversal(0, self.accumulators.strategies, responds=True)
        found = self._sweeper.both_values(policies, self.game.ranges.astype(np.float32))
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
        reaches, values, _ = self.block_action_values(board, block, responds=responds)
        return reaches, values

    def block_action_values(
        self, board: int, block: int, *, responds: bool = False
    ) -> tuple[Floats32, Floats32, Floats32]:
        """Return what ``block_values`` does, and the counterfactual values of each action in chips.

        These are [slot of the block, hand of the board], the value to the seat that acts there.
        """
        slots = block_slots(self.game.tree.nodes, block)
        num_nodes, rows = (
            int(self.game.tree.nodes[block, NODE_BLOCK_END]) - block,
            self.game.boards.rows(board),
        )
        num_hands = rows.stop - rows.start
        shape = (NUM_SEATS, num_nodes, num_hands)
        reaches, values = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        action_values = np.zeros((slots.stop - slots.start, num_hands), np.float32)
        for seat in range(NUM_SEATS):
            read_out = BlockReadOut(block, board, reaches, values[seat], action_values)
            self._known_values(seat, responds=responds, read_out=read_out)
        return reaches, values, action_values

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
        start = time.monotonic()
        limits = Limits(start + deadline_s, is_stopped)
        self.step(1)
        left = every - 1
        while True:
            self.step(max(0, min(left, most - self.num_iterations)), limits)
            progress = Progress(
                self.num_iterations, time.monotonic() - start, self.exploitability()
            )
            yield progress
            is_done = progress.exploitability <= target or self.num_iterations >= most
            if is_done or limits.are_reached():
                return
            left = every

    def _known_values(
        self,
        seat: int,
        *,
        responds: bool,
        read_out: BlockReadOut | None = None,
    ) -> Floats32:
        """Return the values [hand] of *seat* with both seats' average strategies.

        If it *responds*, they are those of its best response to the other's.
        """
        cells = self.accumulators.strategies
        traversal = cells_traversal(seat, cells, responds=responds, read_out=read_out)
        return self._sweeper.values(traversal, seat, self.game.ranges.astype(np.float32))

    def _learn(self, policies: RegretSweeps, seat: int, ranges: Floats32) -> None:
        for other, gadget in self._gadgets.items():
            ranges[other] = gadget.reach()
        values = self._sweeper.values(policies, seat, ranges, learns=True)
        if seat in self._gadgets:
            self._gadgets[seat].observe(values.astype(np.float64))

    def _gadget_state(self, seat: int) -> GadgetState:
        return self._gadgets[seat].state if seat in self._gadgets else no_gadget()

    def _learning(self, num_iterations: int) -> RegretSweeps:
        """Return the policies of the next iterations, with their discounts."""
        settings, discounts = self.settings, np.zeros((num_iterations, 3), np.float32)
        for number, done in enumerate(
            range(self.num_iterations, self.num_iterations + num_iterations)
        ):
            if done:
                discounts[number] = (
                    share_kept(done, settings.alpha),
                    share_kept(done, settings.beta),
                    (done / (done + 1)) ** settings.gamma,
                )
        return RegretSweeps(self.accumulators, discounts, np.float32(self._tremble), self._model)


def fast_settings(game: RangeGame) -> DiscountSettings:  # noqa: ARG001 (some games may differ)
    """Return the discounts that are fastest for games like *game*: so far one set for all."""
    return STEEP_DCFR


def solver_bytes(game: RangeGame, *, is_int16: bool = False) -> int:
    """Return the memory that regrets and strategy sums of *game* take."""
    num_cells = int(first_cells(game)[-1])
    return 2 * (2 * num_cells + 4 * int(board_slots(game).sum()) if is_int16 else 4 * num_cells)


def __getattr__(name: str) -> Any:
    """Return what stands for a retired *name*, with a notice."""
    if name != "ReadOutTraversal":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warnings.warn(
        "ReadOutTraversal is now cells_traversal(seat, cells, responds=..., read_out=...) in "
        "acpcbot.subgames.best_response",
        DeprecationWarning,
        stacklevel=2,
    )
    return _read_out_traversal


def _read_out_traversal(
    accumulators: Accumulators,
    traverser: int,
    responds: bool,  # noqa: FBT001 (as the fields of the retired NamedTuple)
    read_out: BlockReadOut,
) -> FixedProfileTraversal:
    """Return the traversal that ``ReadOutTraversal`` was."""
    return cells_traversal(traverser, accumulators.strategies, responds=responds, read_out=read_out)
