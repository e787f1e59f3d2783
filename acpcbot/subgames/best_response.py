"""Exact best responses with ranges: the real game, every hand and every board gone through.

The responder knows his cards; ``abstract_response_values`` lets him see no more than the
buckets of an abstraction. Values are in big blinds a hand, on average over all pairs of
hands that the two can hold.

Source: Johanson, Waugh, Bowling & Zinkevich (2011), Accelerating best response calculation
in large extensive games.

What range sweeps ask where the strategies of both players are known: what they are worth, and the
best answer.

All vectors are float64 [hand of the board]; values are counterfactual and in chips.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Floats
from acpcbot.games.best_response_result import BestResponse
from acpcbot.jit import kernel
from acpcbot.subgames.game import Betting, RangeGame
from acpcbot.subgames.traversal import (
    make_scratch,
    root_values,
    take_best,
    take_mean,
    values_beyond,
)
from acpcbot.trees.betting_tree import (
    BLOCK_END,
    CHILD,
    FIRST_ACTION,
    NUM_ACTIONS,
    SEAT,
    SLOT,
    STREET,
)
from acpcbot.trees.board_tree import BoardArrays
from acpcbot.worker_threads import Progress, worker_threads


class Play(NamedTuple):
    """What a player does.

    ``policy``      float64 [slot], rows of buckets or hands street by street
    ``row_starts``  int64 [street], ``row_widths`` int64 [street]: as in ``trees/infosets.py``
    ``rows``        int64 [row of the board tree]: the policy's row of each hand on each board
    """

    policy: Floats
    row_starts: NDArray[np.int64]
    row_widths: NDArray[np.int64]
    rows: NDArray[np.int64]


class Question(NamedTuple):
    """A ``Mind``: whose values are asked for.

    With ``is_best`` the *traverser* takes the best action with every hand; else he plays as
    ``own`` says, and ``gains`` [slot of own], unless it is empty, adds up what his actions
    are worth in all rows of the board tree, with the ``row_weights`` [row].
    """

    traverser: int
    is_best: bool
    opponent: Play
    own: Play
    gains: Floats
    row_weights: Floats

    def own_seat(self) -> int:
        """The traverser."""
        return self.traverser

    def fill_strategy(
        self,
        betting: Betting,
        boards: BoardArrays,
        first: int,
        board: int,
        room: Floats,
        strategy: Floats,
    ) -> None:
        """What both play; who takes the best of all is not asked."""
        nodes = betting.nodes
        for node in range(first, nodes[first, BLOCK_END]):
            is_own = nodes[node, SEAT] == self.traverser
            play = self.own if is_own else self.opponent
            slot = nodes[node, SLOT] - nodes[first, SLOT]
            rows = strategy[slot : slot + nodes[node, NUM_ACTIONS]]
            if is_own and self.is_best:
                rows[:] = 1.0
            else:
                read_policy(play, boards, board, nodes[node, STREET], nodes[node, SLOT], rows)

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
        """The best of the gains, or their mean."""
        if self.is_best:
            take_best(gains, total)
            return
        take_mean(gains, strategy, total)
        if len(self.gains):
            record = betting.nodes[node]
            count_gains(
                self.own,
                boards,
                board,
                record[STREET],
                record[SLOT],
                gains,
                self.row_weights,
                self.gains,
            )

    def see_block(self, first: int, board: int, reaches: Floats, values: Floats) -> None:
        """Nothing is kept of it."""


@kernel
def read_policy(
    play: Play, boards: BoardArrays, board: int, street: int, slot: int, strategy: Floats
) -> None:
    """What is played from *slot* on with every hand on *board*, into *strategy* [action, hand]."""
    first = boards.first_row[board]
    for choice in range(len(strategy)):
        for hand in range(strategy.shape[1]):
            row = play.row_starts[street] + play.rows[first + hand] * play.row_widths[street]
            strategy[choice, hand] = play.policy[row + slot + choice]


@kernel
def count_gains(
    play: Play,
    boards: BoardArrays,
    board: int,
    street: int,
    slot: int,
    gains: Floats,
    weights: Floats,
    sums: Floats,
) -> None:
    """Add *gains* [action, hand] of the actions from *slot* on to the *sums* [slot of the
    play], by *weights* [row].
    """
    first = boards.first_row[board]
    for choice in range(len(gains)):
        for hand in range(gains.shape[1]):
            row = play.row_starts[street] + play.rows[first + hand] * play.row_widths[street]
            sums[row + slot + choice] += weights[first + hand] * gains[choice, hand]


CHUNK_BOARDS = 16
NO_GAINS = np.empty(0)


@dataclass(frozen=True, slots=True)
class Walker:
    """How a game is gone through: with so many threads, and who hears of it (boards done,
    boards in all).
    """

    num_threads: int = 1
    on_progress: Progress | None = None


def response_values(
    game: RangeGame, plays: tuple[Play, Play], walker: Walker | None = None
) -> BestResponse:
    """What the *plays* of the two seats are worth against each other, and best responses to
    them.
    """
    walker = walker or Walker()
    best = [_value(game, responding(seat, plays[1 - seat]), walker) for seat in range(2)]
    return BestResponse(tuple(best), _kept_values(game, plays, walker))


def abstract_response_values(
    game: RangeGame,
    plays: tuple[Play, Play],
    num_buckets: tuple[int, ...],
    walker: Walker | None = None,
) -> BestResponse:
    """The same for responders that see buckets only, and remember those of earlier streets.

    The rows of *plays* are buckets, *num_buckets* of each street. What is best for a row of
    buckets is known once all that follows it is settled, so that the game is gone through
    as often as a seat can act in a row of one street, and once more for the value.
    """
    walker = walker or Walker()
    best = [_best_abstract_value(game, plays, seat, num_buckets, walker) for seat in range(2)]
    return BestResponse(tuple(best), _kept_values(game, plays, walker))


def _kept_values(game: RangeGame, plays: tuple[Play, Play], walker: Walker) -> tuple[float, float]:
    """What the plays are worth; one's gain is the other's loss."""
    value = _value(game, playing(0, *plays), walker)
    return value, 0.0 - value


def playing(seat: int, own: Play, opponent: Play) -> Question:
    """What *seat* wins with *own* against *opponent*."""
    return Question(
        seat, is_best=False, opponent=opponent, own=own, gains=NO_GAINS, row_weights=NO_GAINS
    )


def responding(seat: int, opponent: Play) -> Question:
    """What *seat* wins with a best response to *opponent*."""
    return playing(seat, opponent, opponent)._replace(is_best=True)


def _value(game: RangeGame, question: Question, walker: Walker) -> float:
    """The traverser's value in big blinds."""
    values = hand_values(game, question, walker)
    own = game.ranges[question.traverser]
    return float(own @ values) / game.num_pairs / (game.definition.big_blind or 1)


def hand_values(game: RangeGame, question: Question, walker: Walker) -> Floats:
    """The counterfactual values, in chips, of the hands of the root's board, [hand]."""
    boards = game.boards.arrays
    first, last = int(boards.first_child[0]), int(boards.first_child[1])
    chunks = [
        (start, min(start + CHUNK_BOARDS, last)) for start in range(first, last, CHUNK_BOARDS)
    ]
    # Gains are added up in one array, in which threads would lose some.
    num_threads = 1 if len(question.gains) else walker.num_threads

    def advance(done: int) -> None:
        if walker.on_progress is not None:
            walker.on_progress(done, len(chunks))

    with worker_threads(num_threads) as threads:
        scratches = [make_scratch(game, np.float64) for _ in range(num_threads)]

        def beyond(above: Floats) -> Floats:
            found: Floats = values_beyond(
                game, question, above, chunks, scratches, threads, advance
            )
            return found

        values: Floats = root_values(game, question, game.ranges, scratches[0], beyond)
    return values


def _best_abstract_value(
    game: RangeGame,
    plays: tuple[Play, Play],
    seat: int,
    num_buckets: tuple[int, ...],
    walker: Walker,
) -> float:
    """What *seat* can win that remembers its buckets."""
    own = best_abstract_play(game, plays, seat, num_buckets, walker)
    return _value(game, playing(seat, own, plays[1 - seat]), walker)


def best_abstract_play(
    game: RangeGame,
    plays: tuple[Play, Play],
    seat: int,
    num_buckets: tuple[int, ...],
    walker: Walker,
) -> Play:
    """A best response of *seat* that sees the rows of its play only, and remembers those of
    earlier streets.

    Where it never comes it takes the first action.
    """
    own, num_rows = _remembering(game, plays[seat], num_buckets)
    heights = _own_heights(game, seat)
    weights = _row_weights(game, seat)
    for height in range(1, int(heights.max()) + 1):
        gains = np.zeros(len(own.policy))
        question = playing(seat, own, plays[1 - seat])._replace(gains=gains, row_weights=weights)
        hand_values(game, question, walker)
        for node in np.flatnonzero(heights == height):
            _choose(game, own, num_rows, int(node), gains)
    return own


def _remembering(
    game: RangeGame, play: Play, num_buckets: tuple[int, ...]
) -> tuple[Play, list[int]]:
    """A play with a row for every sequence of buckets, all of it empty, and the number of rows
    of each street.
    """
    boards, rows = game.boards, np.zeros(len(play.rows), np.int64)
    counts = [0] * game.definition.num_streets
    parent_of = np.repeat(np.arange(len(boards.boards)), np.diff(boards.arrays.first_child))
    for street in range(boards.street, game.definition.num_streets):
        numbers = boards.street_boards(street)
        own = slice(boards.rows(numbers[0]).start, boards.rows(numbers[-1]).stop)
        known = play.rows[own]
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
    return Play(np.zeros(int(sizes.sum())), np.cumsum(sizes) - sizes, widths, rows), counts


def _own_heights(game: RangeGame, seat: int) -> NDArray[np.int64]:
    """How many decisions of *seat* a node's subtree has in a row, its own counted, if it is the
    seat's; else 0.
    """
    nodes, actions = game.tree.nodes, game.tree.actions
    below = np.zeros(len(nodes), np.int64)
    # Children have higher numbers than their parents.
    for node in range(len(nodes) - 1, -1, -1):
        first = nodes[node, FIRST_ACTION]
        children = actions[first : first + nodes[node, NUM_ACTIONS], CHILD]
        below[node] = max(below[children[children >= 0]], default=0) + (nodes[node, SEAT] == seat)
    return np.where(nodes[:, SEAT] == seat, below, 0)


def _row_weights(game: RangeGame, seat: int) -> Floats:
    """How likely *seat* holds each hand on each board, but for the opponent's cards, [row]."""
    boards = game.boards
    weights = np.empty(len(boards.arrays.hands))
    held = np.zeros(int(boards.arrays.hands.max()) + 1)
    held[boards.arrays.hands[boards.rows(0)]] = game.ranges[seat]
    for board in range(len(boards.boards)):
        rows = boards.rows(board)
        weights[rows] = boards.arrays.chances[board] * held[boards.arrays.hands[rows]]
    return weights


def _choose(game: RangeGame, own: Play, num_rows: list[int], node: int, gains: Floats) -> None:
    """Take the best action at *node* in every row."""
    record = game.tree.nodes[node]
    street, count = int(record[STREET]), int(record[NUM_ACTIONS])
    first = (
        own.row_starts[street] + record[SLOT] + np.arange(num_rows[street]) * own.row_widths[street]
    )
    best = gains[first[:, None] + np.arange(count)].argmax(axis=1)
    own.policy[first + best] = 1.0
