"""Exact best responses and expected values with ranges: every hand and every board is visited.

The responder knows its cards; with ``abstract_response_values`` it sees no more than the buckets
of an abstraction. Values are in big blinds a hand, on average over all pairs of hands that the
two can hold. ``hand_values`` returns them hand by hand, counterfactual and in chips, and
``BlockReadOut`` those of every node of one block.

The passes over betting and boards are those of ``traversal.py``, shared with the solver. The policy
here is ``FixedProfileTraversal``: the strategies of both seats are given as a ``Profile``, or one
seat takes the best action. ``TabularProfile`` has a table for each seat, in float64.
``CellsProfile`` has the cells of a solver's average strategy, or of any other, in float32. With
leaf values the game ends with the root's street.

Source: Johanson, Waugh, Bowling & Zinkevich (2011), Accelerating best response calculation
in large extensive games.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import AnyArray, Floats
from acpcbot.games.best_response_result import BestResponse
from acpcbot.jit import kernel, shared_methods
from acpcbot.subgames.accumulators import Cells, fill_normalised
from acpcbot.subgames.block_rows import NUM_SEATS
from acpcbot.subgames.board_sweeps import sweep_threads
from acpcbot.subgames.game import Betting, RangeGame
from acpcbot.subgames.leaf_values import LeafValues
from acpcbot.subgames.sweeps import Sweeper
from acpcbot.subgames.traversal import make_scratch
from acpcbot.subgames.vectors import best_values, copy_vector, mean_values
from acpcbot.trees.betting_tree import (
    ACTION_CHILD,
    NOBODY,
    NODE_BLOCK_END,
    NODE_FIRST_ACTION,
    NODE_NUM_ACTIONS,
    NODE_SEAT,
    NODE_SLOT,
    NODE_STREET,
)
from acpcbot.trees.board_tree import BoardArrays
from acpcbot.worker_threads import Progress


@shared_methods
class Profile(Protocol):
    """Known strategies of both seats."""

    def fill_profile(
        self,
        betting: Betting,
        boards: BoardArrays,
        first: int,
        board: int,
        responder: int,
        hand_scratch: AnyArray,
        strategy: AnyArray,
    ) -> None:
        """Fill the *strategy* [slot, hand] of the block that begins with node *first*.

        That of the *responder*, a seat or NOBODY, is left out. *hand_scratch* [hand] is scratch.
        """
        ...

    def record_actions(
        self, betting: Betting, boards: BoardArrays, node: int, board: int, action_values: AnyArray
    ) -> None:
        """Receive the traverser's *action_values* [action, hand] at one of its nodes."""
        ...


class TabularStrategy(NamedTuple):
    """A strategy as a table, a row for each bucket or hand of a street.

    ``policy``      float64 [slot], rows of buckets or hands street by street
    ``row_starts``  int64 [street], ``row_widths`` int64 [street]: as in ``trees/infosets.py``
    ``rows``        int64 [row of the board tree]: the policy's row of each hand on each board
    """

    policy: Floats
    row_starts: NDArray[np.int64]
    row_widths: NDArray[np.int64]
    rows: NDArray[np.int64]


class TabularProfile(NamedTuple):
    """A ``Profile`` of tables, the *traverser*'s *own* and its *opponent*'s.

    ``slot_values`` [slot of own], unless empty, accumulates the values of the traverser's actions
    over all rows of the board tree, weighted by ``row_weights`` [row].
    """

    traverser: int
    own: TabularStrategy
    opponent: TabularStrategy
    slot_values: Floats
    row_weights: Floats

    def fill_profile(
        self,
        betting: Betting,
        boards: BoardArrays,
        first: int,
        board: int,
        responder: int,
        hand_scratch: Floats,
        strategy: Floats,
    ) -> None:
        """Read the strategies."""
        # The responder's strategy is not known yet, and its values do not depend on it:
        # counterfactual values leave out one's own reach.
        nodes = betting.nodes
        for node in range(first, nodes[first, NODE_BLOCK_END]):
            if nodes[node, NODE_SEAT] == responder:
                continue
            table = self.own if nodes[node, NODE_SEAT] == self.traverser else self.opponent
            slot = nodes[node, NODE_SLOT] - nodes[first, NODE_SLOT]
            rows = strategy[slot : slot + nodes[node, NODE_NUM_ACTIONS]]
            read_policy(
                table, boards, board, nodes[node, NODE_STREET], nodes[node, NODE_SLOT], rows
            )

    def record_actions(
        self, betting: Betting, boards: BoardArrays, node: int, board: int, action_values: Floats
    ) -> None:
        """Add the values to those of the table's slots, if these are asked for."""
        if len(self.slot_values):
            record = betting.nodes[node]
            add_slot_values(
                self.own,
                boards,
                board,
                record[NODE_STREET],
                record[NODE_SLOT],
                action_values,
                self.row_weights,
                self.slot_values,
            )


class CellsProfile(NamedTuple):
    """A ``Profile`` in which both seats play the strategy of *cells*: a solver's, or another."""

    cells: Cells

    def fill_profile(
        self,
        betting: Betting,
        boards: BoardArrays,
        first: int,
        board: int,
        responder: int,
        hand_scratch: AnyArray,
        strategy: AnyArray,
    ) -> None:
        """Fill in the strategies."""
        fill_normalised(self.cells, betting, first, board, responder, hand_scratch, strategy)

    def record_actions(
        self, betting: Betting, boards: BoardArrays, node: int, board: int, action_values: AnyArray
    ) -> None:
        """Do nothing."""


class BlockReadOut(NamedTuple):
    """Room for what is read of one block, the one that begins with node ``block``, on one board.

    ``reaches``        [seat, node of the block, hand]
    ``values``         [node of the block, hand]: the traverser's
    ``action_values``  [slot of the block, hand]: the traverser's, where it acts
    """

    block: int
    board: int
    reaches: AnyArray
    values: AnyArray
    action_values: AnyArray


def no_read_out(dtype: type[np.floating]) -> BlockReadOut:
    """Return room for no block, of a traversal in *dtype*."""
    nothing = np.empty((0, 0), dtype)
    return BlockReadOut(-1, -1, np.empty((0, 0, 0), dtype), nothing, nothing)


class FixedProfileTraversal(NamedTuple):
    """A ``TraversalPolicy`` in which both strategies are given, or the *traverser* responds.

    With ``is_best`` the traverser takes the best action with every hand, else it plays as the
    *profile* says. Vectors have the type of the arrays of ``read_out``. A type apart from the
    learner's: learning was slower by a twentieth when its policy recorded blocks.
    """

    traverser: int
    is_best: bool
    profile: Profile
    read_out: BlockReadOut

    def policy_of(self, number: int) -> FixedProfileTraversal:
        """Return the policy of a sweep, whose number is that of its traverser."""
        return FixedProfileTraversal(number, self.is_best, self.profile, self.read_out)

    def own_seat(self) -> int:
        """Return the traverser."""
        return self.traverser

    def responder(self) -> int:
        """Return the traverser if it takes the best action, unless its reaches are read."""
        is_read = len(self.read_out.values) > 0
        return self.traverser if self.is_best and not is_read else NOBODY

    def fill_strategy(
        self,
        betting: Betting,
        boards: BoardArrays,
        first: int,
        board: int,
        hand_scratch: AnyArray,
        strategy: AnyArray,
    ) -> None:
        """Fill in the strategies of the profile."""
        self.profile.fill_profile(
            betting, boards, first, board, self.responder(), hand_scratch, strategy
        )

    def fill_values(
        self,
        betting: Betting,
        boards: BoardArrays,
        node: int,
        board: int,
        reach: AnyArray,
        action_values: AnyArray,
        strategy: AnyArray,
        node_values: AnyArray,
    ) -> None:
        """Take the largest action value, or the mean under the strategy."""
        # v(I) = max over a of v(I, a), or the mean; the largest is taken hand by hand.
        place, read_out = node - self.read_out.block, self.read_out
        if board == read_out.board and 0 <= place < len(read_out.values):
            slot = betting.nodes[node, NODE_SLOT] - betting.nodes[read_out.block, NODE_SLOT]
            for choice in range(len(action_values)):
                copy_vector(action_values[choice], read_out.action_values[slot + choice])
        if self.is_best:
            best_values(action_values, node_values)
            return
        mean_values(action_values, strategy, node_values)
        self.profile.record_actions(betting, boards, node, board, action_values)

    def record_node(
        self, betting: Betting, node: int, board: int, reaches: AnyArray, values: AnyArray
    ) -> None:
        """Copy reaches and values of a node of the block that is to be read."""
        place, read_out = node - self.read_out.block, self.read_out
        if board == read_out.board and 0 <= place < len(read_out.values):
            copy_vector(values, read_out.values[place])
            for seat in range(NUM_SEATS):
                reach = reaches[betting.reach_rows[node, seat]]
                copy_vector(reach, read_out.reaches[seat, place])


@kernel
def read_policy(
    table: TabularStrategy,
    boards: BoardArrays,
    board: int,
    street: int,
    slot: int,
    strategy: Floats,
) -> None:
    """Fill *strategy* [action, hand] with a table's row of each hand on *board*, from *slot* on."""
    # The policy lies row by row ([bucket, slot]), the traversal wants vectors over hands ([slot,
    # hand]): a gather. Hands of one bucket read the same few cache lines; writes are contiguous.
    first = boards.first_row[board]
    for choice in range(len(strategy)):
        for hand in range(strategy.shape[1]):
            row = table.row_starts[street] + table.rows[first + hand] * table.row_widths[street]
            strategy[choice, hand] = table.policy[row + slot + choice]


@kernel
def add_slot_values(
    table: TabularStrategy,
    boards: BoardArrays,
    board: int,
    street: int,
    slot: int,
    action_values: Floats,
    weights: Floats,
    sums: Floats,
) -> None:
    """Add *action_values* [action, hand] to *sums* [slot of the table].

    Each is weighted by the *weights* [row] of its hand on this board.
    """
    # The counterpart of read_policy: hands of one row add up, which is what an information set of
    # several hands is worth. Scattered additions to shared sums, hence a single thread.
    first = boards.first_row[board]
    for choice in range(len(action_values)):
        for hand in range(action_values.shape[1]):
            row = table.row_starts[street] + table.rows[first + hand] * table.row_widths[street]
            sums[row + slot + choice] += weights[first + hand] * action_values[choice, hand]


NO_VALUES = np.empty(0)


@dataclass(frozen=True, slots=True)
class Walker:
    """The number of threads of a traversal, and the callback for its progress.

    *on_progress* is called with the chunks of boards done, and with their number.
    """

    num_threads: int = 1
    on_progress: Progress | None = None


def response_values(
    game: RangeGame,
    strategies: tuple[TabularStrategy, TabularStrategy],
    walker: Walker | None = None,
) -> BestResponse:
    """Return the values of *strategies* against each other, and of best responses to them."""
    walker = walker or Walker()
    best = [
        _value(game, best_response_traversal(seat, strategies[1 - seat]), walker)
        for seat in range(2)
    ]
    return BestResponse(tuple(best), _kept_values(game, strategies, walker))


def abstract_response_values(
    game: RangeGame,
    strategies: tuple[TabularStrategy, TabularStrategy],
    num_buckets: tuple[int, ...],
    walker: Walker | None = None,
) -> BestResponse:
    """Return the same for responders that see buckets only, and remember those of earlier streets.

    The rows of *strategies* are buckets, *num_buckets* of each street. The best action of a row of
    buckets is known once all that follows it is settled, so that the game is traversed as often as
    a seat can act in a row on one street, and once more for the value.
    """
    walker = walker or Walker()
    best = [_best_abstract_value(game, strategies, seat, num_buckets, walker) for seat in range(2)]
    return BestResponse(tuple(best), _kept_values(game, strategies, walker))


def _kept_values(
    game: RangeGame, strategies: tuple[TabularStrategy, TabularStrategy], walker: Walker
) -> tuple[float, float]:
    """Return the expected values of both seats, which add up to zero."""
    value = _value(game, fixed_profile_traversal(0, *strategies), walker)
    return value, 0.0 - value


def fixed_profile_traversal(
    seat: int, own: TabularStrategy, opponent: TabularStrategy
) -> FixedProfileTraversal:
    """Return the traversal for the values of *seat* with *own* against *opponent*."""
    profile = TabularProfile(seat, own, opponent, slot_values=NO_VALUES, row_weights=NO_VALUES)
    return FixedProfileTraversal(
        seat, is_best=False, profile=profile, read_out=no_read_out(np.float64)
    )


def best_response_traversal(seat: int, opponent: TabularStrategy) -> FixedProfileTraversal:
    """Return the traversal for the values of a best response of *seat* to *opponent*."""
    return fixed_profile_traversal(seat, opponent, opponent)._replace(is_best=True)


def cells_traversal(
    seat: int, cells: Cells, *, responds: bool, read_out: BlockReadOut | None = None
) -> FixedProfileTraversal:
    """Return the traversal for the values of *seat* where both seats play the strategy of *cells*.

    If *seat* *responds*, it takes the best action instead.
    """
    return FixedProfileTraversal(
        seat, responds, CellsProfile(cells), read_out or no_read_out(np.float32)
    )


def _value(game: RangeGame, traversal: FixedProfileTraversal, walker: Walker) -> float:
    """Return the traverser's value in big blinds."""
    values = hand_values(game, traversal, walker)
    own = game.ranges[traversal.traverser]
    return float(own @ values) / game.num_pairs / (game.definition.big_blind or 1)


def hand_values(
    game: RangeGame,
    traversal: FixedProfileTraversal,
    walker: Walker,
    leaves: LeafValues | None = None,
) -> AnyArray:
    """Return the counterfactual values, in chips, of the hands of the root's board, [hand].

    With *leaves*, which take float32, the game ends with the root's street.
    """
    dtype = traversal.read_out.values.dtype.type
    num_threads = sweep_threads(game, walker.num_threads)
    sweeper = Sweeper(game, [make_scratch(game, dtype) for _ in range(num_threads)], leaves)
    ranges, seat = game.ranges.astype(dtype), traversal.traverser
    return sweeper.values(traversal, seat, ranges, on_chunk=walker.on_progress)


def _best_abstract_value(
    game: RangeGame,
    strategies: tuple[TabularStrategy, TabularStrategy],
    seat: int,
    num_buckets: tuple[int, ...],
    walker: Walker,
) -> float:
    """Return the best-response value of *seat* with perfect recall of its buckets."""
    own = best_abstract_strategy(game, strategies, seat, num_buckets, walker)
    return _value(game, fixed_profile_traversal(seat, own, strategies[1 - seat]), walker)


def best_abstract_strategy(
    game: RangeGame,
    strategies: tuple[TabularStrategy, TabularStrategy],
    seat: int,
    num_buckets: tuple[int, ...],
    walker: Walker,
) -> TabularStrategy:
    """Return a best response of *seat* that sees the rows of its table, with perfect recall.

    Where it never comes it takes the first action.
    """
    own, num_rows = _remembering(game, strategies[seat], num_buckets)
    heights = _own_heights(game, seat)
    weights = _row_weights(game, seat)
    for height in range(1, int(heights.max()) + 1):
        slot_values = np.zeros(len(own.policy))
        profile = TabularProfile(seat, own, strategies[1 - seat], slot_values, weights)
        traversal = fixed_profile_traversal(seat, own, strategies[1 - seat])
        # The values are added up in one array, in which threads would lose some.
        hand_values(game, traversal._replace(profile=profile), replace(walker, num_threads=1))
        for node in np.flatnonzero(heights == height):
            _choose(game, own, num_rows, int(node), slot_values)
    return own


def _remembering(
    game: RangeGame, table: TabularStrategy, num_buckets: tuple[int, ...]
) -> tuple[TabularStrategy, list[int]]:
    """Return an empty table with a row for every sequence of buckets, and the number of rows.

    That is given for each street.
    """
    boards, rows = game.boards, np.zeros(len(table.rows), np.int64)
    counts = [0] * game.definition.num_streets
    parent_of = np.repeat(np.arange(len(boards.boards)), np.diff(boards.arrays.first_child))
    for street in range(boards.street, game.definition.num_streets):
        numbers = boards.street_boards(street)
        own = slice(boards.rows(numbers[0]).start, boards.rows(numbers[-1]).stop)
        known = table.rows[own]
        if street > boards.street:
            before = [
                rows[boards.rows(int(parent_of[board - 1]))][
                    boards.arrays.parents[boards.rows(board)]
                ]
                for board in numbers
            ]
            known = np.concatenate(before) * num_buckets[street] + known
        _, rows[own] = np.unique(known, return_inverse=True)
        counts[street] = int(rows[own].max()) + 1
    widths = game.tree.row_widths
    sizes = widths * np.array(counts, np.int64)
    return TabularStrategy(
        np.zeros(int(sizes.sum())), np.cumsum(sizes) - sizes, widths, rows
    ), counts


def _own_heights(game: RangeGame, seat: int) -> NDArray[np.int64]:
    """Return how many decisions of *seat* a node's subtree has in a row, its own included.

    It is 0 at nodes of the other seat.
    """
    nodes, actions = game.tree.nodes, game.tree.actions
    below = np.zeros(len(nodes), np.int64)
    # Children have higher numbers than their parents.
    for node in range(len(nodes) - 1, -1, -1):
        first = nodes[node, NODE_FIRST_ACTION]
        children = actions[first : first + nodes[node, NODE_NUM_ACTIONS], ACTION_CHILD]
        below[node] = max(below[children[children >= 0]], default=0) + (
            nodes[node, NODE_SEAT] == seat
        )
    return np.where(nodes[:, NODE_SEAT] == seat, below, 0)


def _row_weights(game: RangeGame, seat: int) -> Floats:
    """Return the probability that *seat* holds each hand on each board, [row].

    The opponent's cards are left out of it.
    """
    boards = game.boards
    weights = np.empty(len(boards.arrays.hands))
    held = np.zeros(int(boards.arrays.hands.max()) + 1)
    held[boards.arrays.hands[boards.rows(0)]] = game.ranges[seat]
    for board in range(len(boards.boards)):
        rows = boards.rows(board)
        weights[rows] = boards.arrays.chances[board] * held[boards.arrays.hands[rows]]
    return weights


def _choose(
    game: RangeGame, own: TabularStrategy, num_rows: list[int], node: int, action_values: Floats
) -> None:
    """Put the best action at *node* into every row of *own*."""
    record = game.tree.nodes[node]
    street, count = int(record[NODE_STREET]), int(record[NODE_NUM_ACTIONS])
    first = (
        own.row_starts[street]
        + record[NODE_SLOT]
        + np.arange(num_rows[street]) * own.row_widths[street]
    )
    best = action_values[first[:, None] + np.arange(count)].argmax(axis=1)
    own.policy[first + best] = 1.0
