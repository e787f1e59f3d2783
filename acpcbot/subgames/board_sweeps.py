"""Passes over the boards of a ``RangeGame``: the root's street, and chunks of later boards.

The boards of the second street, with all that follow them, are cut into *chunks*, whose number
depends on the game alone. ``sweeps.py`` shares them out to threads.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import AnyArray, Ints, Number
from acpcbot.jit import kernel
from acpcbot.lanes import NUM_LANES
from acpcbot.subgames.block_ends import (
    end_chips,
    has_reach,
    padded,
    turn_values_back,
    value_showdowns,
)
from acpcbot.subgames.game import RangeGame
from acpcbot.subgames.progress import STOPPED
from acpcbot.subgames.traversal import Sweep, backward_part, forward_part
from acpcbot.subgames.vectors import add_vector, clear_vector
from acpcbot.trees.board_tree import BoardArrays
from acpcbot.uncounted_arrays import uncounted

MAX_CHUNKS = 64


def board_chunks(game: RangeGame) -> Ints:
    """Return the first board of each chunk of the second street's boards, and the end of the last.

    They depend on the game alone, and so does the order in which values are added up.
    """
    first, last = (int(board) for board in game.boards.arrays.first_child[:2])
    count = min(MAX_CHUNKS, last - first)
    return np.array([first + (last - first) * chunk // max(1, count) for chunk in range(count + 1)])


def sweep_threads(game: RangeGame, num_threads: int) -> int:
    """Return how many of *num_threads* threads get a chunk of boards, and one at least."""
    return max(1, min(num_threads, len(board_chunks(game)) - 1))


@kernel
def forward_root(sweep: Sweep, ranges: AnyArray, above: AnyArray) -> None:
    """Fill *above* [part of the second street, seat, hand], the reaches behind the root's street.

    *ranges* [seat, hand] are those at its root.
    """
    # Without counting, and with integers that are no literals, as on later streets: kernels are
    # compiled once for both.
    forward_part(uncounted(sweep), int(np.int64(0)), int(np.int64(0)), ranges, above)


@kernel
def backward_root(sweep: Sweep, ranges: AnyArray, below: AnyArray, values: AnyArray) -> None:
    """Fill the *values* [hand] of the root's street.

    *ranges* [seat, hand] are those at its root, *below* [part, hand] the values behind it.
    """
    backward_part(uncounted(sweep), int(np.int64(0)), int(np.int64(0)), ranges, below, values)


@kernel
def add_chunk(sums: AnyArray, values: AnyArray) -> None:
    """Add the *sums* [part, hand] of a chunk to the *values* of the root's board."""
    for part in range(len(values)):
        add_vector(sums[part], values[part])


@kernel
def clear_parts(values: AnyArray) -> None:
    """Fill *values* [part, hand] with zeros."""
    for part in range(len(values)):
        clear_vector(values[part])


@kernel
def average_root(boards: BoardArrays, values: AnyArray) -> None:
    """Average the *values* [part, hand] of the root's board when all chunks are added up."""
    if len(values):
        average_orbits(uncounted(boards), int(np.int64(0)), values)


@kernel
def sweep_boards(
    sweep: Sweep, children: tuple[int, int], above: AnyArray, values: AnyArray, progress: Ints
) -> None:
    """Add to *values* [part of the second street, hand of the root] those of the boards *children*.

    They are boards of the second street, from one to before another. *above* are the reaches
    [part of the second street, seat, hand of the root]. It ends early where *progress* is stopped.
    """
    # Depth first through the boards without recursion: numba compiles recursive kernels badly
    # (two specialisations of a cached one crash), and the depth is at most two streets. A level
    # has one buffer of reaches and one of totals, made once for the first board's number of hands,
    # which is the same for all boards of a street: no allocation happens within the loop but for
    # the rows of one board.
    # References to the arrays are not counted from here on: counters are atomic, and all threads
    # would write the same ones.
    own = uncounted(sweep)
    betting, boards = own.betting, own.boards
    num_levels = len(betting.street_parts) - 1
    reaches, totals = [above], [values]
    board = children[0]
    for level in range(1, num_levels):
        # Where boards are full nothing follows, and the level below needs no room.
        is_full = boards.first_child[board] == boards.first_child[board + 1]
        num_hands = boards.first_row[board + 1] - boards.first_row[board]
        num_parts = (
            0 if is_full else betting.street_parts[level + 2] - betting.street_parts[level + 1]
        )
        reaches.append(np.empty((num_parts, 2, num_hands), above.dtype))
        totals.append(np.empty((num_parts, num_hands), above.dtype))
        board = boards.first_child[board]
    # visited[level] is the board that is being visited, ends[level] the first one behind its
    # siblings. A board is opened (forward pass) on the way down and closed (backward pass) when
    # its last child is done.
    visited, ends = np.zeros(num_levels + 1, np.int64), np.zeros(num_levels + 1, np.int64)
    level = 1
    visited[level], ends[level] = children[0] - 1, children[1]
    # Between two boards lies less than a millisecond: that is how soon a stop takes effect.
    while level > 0 and not progress[STOPPED]:
        visited[level] += 1
        board = visited[level]
        # All children are done: their sums belong to the board above.
        if board == ends[level]:
            level -= 1
            if level > 0:
                average_orbits(boards, visited[level], totals[level])
                backward_parts(own, level, visited[level], reaches, totals)
        # A full board: forward and backward passes in one go.
        elif boards.first_child[board] == boards.first_child[board + 1]:
            backward_parts(own, level, board, reaches, totals)
        else:
            forward_parts(own, level, board, reaches)
            clear_parts(totals[level])
            level += 1
            visited[level], ends[level] = (
                boards.first_child[board] - 1,
                boards.first_child[board + 1],
            )


@kernel
def forward_parts(sweep: Sweep, level: int, board: int, reaches: list[AnyArray]) -> None:
    """Fill the reaches of all parts of the next level after *board*."""
    # The hands of a board are those of the board above less the ones that its new cards block, in
    # another order (sorted by strength if it is full): reaches are gathered by *parents*.
    betting, boards, _, _ = sweep
    rows = boards.parents[boards.first_row[board] : boards.first_row[board + 1]]
    reach = np.empty((2, len(rows)), reaches[0].dtype)
    first, offset = betting.street_parts[level], betting.street_parts[level + 1]
    for part in range(first, offset):
        gather_reach(reaches[level - 1][part - first], rows, reach)
        below = reaches[level][
            betting.first_child[part] - offset : betting.first_child[part + 1] - offset
        ]
        forward_part(sweep, part, board, reach, below)


@kernel
def backward_parts(
    sweep: Sweep, level: int, board: int, reaches: list[AnyArray], totals: list[AnyArray]
) -> None:
    """Add the values of all parts of a level on *board* to the totals of the level above."""
    # The counterpart of forward_parts: values are scattered back to the hands of the board above,
    # weighted by the probability of the new cards. Hands that these block receive nothing.
    betting, boards, _, _ = sweep
    rows = boards.parents[boards.first_row[board] : boards.first_row[board + 1]]
    reach, own = np.empty((2, len(rows)), reaches[0].dtype), np.empty(len(rows), totals[0].dtype)
    first, offset = betting.street_parts[level], betting.street_parts[level + 1]
    weight = own.dtype.type(boards.weights[board])
    is_full = boards.first_child[board] == boards.first_child[board + 1]
    if is_full:
        add_showdowns(sweep, level, board, reaches[level - 1], totals[level - 1])
    for part in range(first, offset):
        if is_full and betting.parts[part] < 0:
            continue
        gather_reach(reaches[level - 1][part - first], rows, reach)
        below = totals[level][
            betting.first_child[part] - offset : betting.first_child[part + 1] - offset
        ]
        backward_part(sweep, part, board, reach, below, own)
        scatter_values(own, rows, weight, totals[level - 1][part - first])


@kernel
def add_showdowns(
    sweep: Sweep, level: int, board: int, reaches: AnyArray, totals: AnyArray
) -> None:
    """Add the values of a level's parts that are showdowns, on a full *board*, to *totals*.

    *reaches* [part, seat, hand] and *totals* [part, hand] are those of the board above.
    """
    # Eight at a time, as the ends of a block.
    betting, boards, policy, scratch = sweep
    rows = boards.parents[boards.first_row[board] : boards.first_row[board + 1]]
    weight = totals.dtype.type(boards.weights[board])
    first, last, own = (
        betting.street_parts[level],
        betting.street_parts[level + 1],
        policy.own_seat(),
    )
    ends, num_hands = scratch.ends, len(rows)
    width = padded(num_hands)
    parts, lane = np.empty(NUM_LANES, np.int64), 0
    for part in range(first, last):
        if betting.parts[part] < 0:
            after = ends.reaches[lane * width :][:num_hands]
            gather_vector(reaches[part - first, 1 - own], rows, after)
            if has_reach(after):
                ends.chips[lane] = end_chips(betting.ends, ~betting.parts[part], own)
                parts[lane] = part - first
                lane += 1
        if lane == NUM_LANES or (lane > 0 and part + 1 == last):
            value_showdowns(ends, boards, board)
            turn_values_back(ends, num_hands)
            for filled in range(lane):
                values = ends.turned_reaches[filled * width :][:num_hands]
                scatter_values(values, rows, weight, totals[parts[filled]])
            lane = 0


@kernel
def gather_reach(above: AnyArray, rows: NDArray[np.uint16], reach: AnyArray) -> None:
    """Fill *reach* [seat, hand] of a board's hands from those of the board above."""
    # Reads are scattered, writes are contiguous; both rows of a seat fit the first-level cache.
    for seat in range(2):
        gather_vector(above[seat], rows, reach[seat])


@kernel
def gather_vector(source: AnyArray, rows: NDArray[np.uint16], target: AnyArray) -> None:
    """Fill *target* [hand] of a board with *source* [hand] of the board above."""
    for hand in range(len(rows)):
        target[hand] = source[np.uint32(rows[hand])]


@kernel
def scatter_values(
    values: AnyArray, rows: NDArray[np.uint16], weight: Number, totals: AnyArray
) -> None:
    """Add the *values* [hand] of a board with its *weight* to the *totals* of the board above."""
    for hand in range(len(rows)):
        totals[np.uint32(rows[hand])] += weight * values[hand]


@kernel
def average_orbits(boards: BoardArrays, board: int, values: AnyArray) -> None:
    """Give hands that a change of suits exchanges the mean of their *values* [vector, hand].

    After that, boards which stand for others have been counted in all their suits.
    """
    # Of boards that a change of suits turns into each other one is visited, with the weight of
    # all. Hands h and h' that the remaining changes of suits exchange are worth the same on
    # average over these, though not on the visited one: the mean over an orbit puts it right.
    orbits = boards.orbits[boards.first_row[board] : boards.first_row[board + 1]]
    counts, means = np.zeros(len(orbits)), np.zeros(len(orbits))
    for hand in range(len(orbits)):
        counts[orbits[hand]] += 1
    # No two hands are exchanged: nothing to do, the usual case behind ranges that tell suits apart.
    if counts.max() == 1:
        return
    for vector in range(len(values)):
        means[:] = 0
        for hand in range(len(orbits)):
            means[orbits[hand]] += values[vector, hand]
        for hand in range(len(orbits)):
            values[vector, hand] = means[orbits[hand]] / counts[orbits[hand]]
