"""What range sweeps ask of whoever uses them: a mind that says what both seats do, and room to
work in.

Sweeps over the betting and the boards of a ``RangeGame``, with the ranges of both players.

A block is the betting of one street after one way to get there. A *part* of a street is a
block, or a showdown after an all-in that waits for the rest of the board; see
``subgames/game.py``. Boards are visited one after another, each after those that
follow it. On a board, a sweep forward through every block finds how likely each seat gets to
its nodes with each of its hands, and one backward what they are worth to the traverser.

What the seats do, and what becomes of it, is for a ``Mind`` to say: it learns, as in
``solver.py``, or knows, as in ``subgames/best_response.py``. Sweeps are compiled
for each kind of mind, in its own precision.

Vectors are over the hands of a board; values are counterfactual and in chips.

A walk through a ``RangeGame`` for one seat: its root's street, and by several threads what lies
beyond.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import AnyArray
from acpcbot.jit import kernel, shared_methods
from acpcbot.subgames.game import Betting, RangeGame
from acpcbot.subgames.terminal_values import fold_values, showdown_values
from acpcbot.trees.betting_tree import (
    BLOCK_END,
    CHILD,
    FIRST_ACTION,
    FOLDED,
    NOBODY,
    NUM_ACTIONS,
    SEAT,
    SLOT,
    SPENT,
    STREET,
)
from acpcbot.trees.board_tree import BoardArrays

# float32 or float64 throughout.

NUM_SEATS = 2


@shared_methods
class Mind(Protocol):
    """What both seats do, and what becomes of the traverser's values."""

    def own_seat(self) -> int:
        """The traverser."""
        ...

    def fill_strategy(
        self,
        betting: Betting,
        boards: BoardArrays,
        first: int,
        board: int,
        room: AnyArray,
        strategy: AnyArray,
    ) -> None:
        """The *strategy* [slot, hand] of the block that begins with node *first*.

        *room* [hand] is scratch.
        """
        ...

    def take_values(
        self,
        betting: Betting,
        boards: BoardArrays,
        node: int,
        board: int,
        reach: AnyArray,
        gains: AnyArray,
        strategy: AnyArray,
        total: AnyArray,
    ) -> None:
        """The *total* [hand] of a node of the traverser from his *gains* [action, hand].

        *reach* [hand] is his own, *strategy* [action, hand] what he does there.
        """
        ...

    def see_block(self, first: int, board: int, reaches: AnyArray, values: AnyArray) -> None:
        """Hear of a block that is done: *reaches* [seat, node, hand] and the traverser's
        *values* [node, hand].
        """
        ...


class Scratch(NamedTuple):
    """Room for one block on one board, for one thread.

    Allotted anew it would cost a fifth of the time.

    In the mind's precision and flat: ``strategy`` for a slot's hands, ``reaches`` for those of
    two seats and ``values`` for those of one at every node, ``gains`` for every action of a
    node, ``hands`` for one vector. ``card_sums`` is float64 [card].
    """

    strategy: AnyArray
    reaches: AnyArray
    values: AnyArray
    gains: AnyArray
    hands: AnyArray
    card_sums: NDArray[np.float64]
    most_actions: int


def make_scratch(game: RangeGame, dtype: type[np.floating[Any]]) -> Scratch:
    """Room for the largest block on the root's board, which leaves the most hands."""
    nodes, num_hands = game.tree.nodes, game.ranges.shape[1]
    firsts = np.flatnonzero(nodes[:, BLOCK_END])
    slots = [block_slots(nodes, first) for first in firsts.tolist()]
    num_slots, num_nodes = (
        max(own.stop - own.start for own in slots),
        int((nodes[firsts, BLOCK_END] - firsts).max()),
    )
    most_actions = int(nodes[:, NUM_ACTIONS].max())

    def room(num_vectors: int) -> AnyArray:
        return np.empty(num_vectors * num_hands, dtype)

    return Scratch(
        strategy=room(num_slots),
        reaches=room(NUM_SEATS * num_nodes),
        values=room(num_nodes),
        gains=room(most_actions),
        hands=room(1),
        card_sums=np.empty(52 + num_hands),
        most_actions=most_actions,
    )


def block_slots(nodes: NDArray[np.int32], first: int) -> slice:
    """The slots of the block that begins with node *first* in the row of its street."""
    last = nodes[first, BLOCK_END] - 1
    return slice(int(nodes[first, SLOT]), int(nodes[last, SLOT] + nodes[last, NUM_ACTIONS]))


@kernel
def times(one: AnyArray, other: AnyArray, product: AnyArray) -> None:
    """The *product* of two vectors."""
    for hand in range(len(one)):
        product[hand] = one[hand] * other[hand]


@kernel
def spread(betting: Betting, first: int, strategy: AnyArray, reaches: AnyArray) -> None:
    """Fill *reaches* [seat, node of the block, hand] from those of the first node."""
    nodes = betting.nodes
    for node in range(first, nodes[first, BLOCK_END]):
        seat = nodes[node, SEAT]
        for choice in range(nodes[node, NUM_ACTIONS]):
            child = betting.actions[nodes[node, FIRST_ACTION] + choice, CHILD]
            if child >= 0 and nodes[child, STREET] == nodes[node, STREET]:
                slot = nodes[node, SLOT] - nodes[first, SLOT] + choice
                times(reaches[seat, node - first], strategy[slot], reaches[seat, child - first])
                reaches[1 - seat, child - first] = reaches[1 - seat, node - first]


@kernel
def open_block(
    betting: Betting,
    boards: BoardArrays,
    mind: Mind,
    scratch: Scratch,
    first: int,
    board: int,
    reach: AnyArray,
) -> Any:
    """The strategy of a block and the reaches of its nodes, from those of its first node,
    *reach* [seat, hand].
    """
    nodes, num_hands = betting.nodes, reach.shape[1]
    last = nodes[first, BLOCK_END] - 1
    num_nodes, num_slots = (
        last + 1 - first,
        nodes[last, SLOT] + nodes[last, NUM_ACTIONS] - nodes[first, SLOT],
    )
    strategy = scratch.strategy[: num_slots * num_hands].reshape(num_slots, num_hands)
    mind.fill_strategy(betting, boards, first, board, scratch.hands[:num_hands], strategy)
    reaches = scratch.reaches[: 2 * num_nodes * num_hands].reshape(2, num_nodes, num_hands)
    reaches[:, 0] = reach
    spread(betting, first, strategy, reaches)
    return strategy, reaches


@kernel
def open_part(
    betting: Betting,
    boards: BoardArrays,
    mind: Mind,
    scratch: Scratch,
    part: int,
    board: int,
    reach: AnyArray,
    below: AnyArray,
) -> None:
    """The reaches [part below, seat, hand] of the parts that follow *part* after *board*."""
    child, offset = betting.parts[part], betting.first_parts[part]
    if child < 0:
        below[0] = reach
        return
    strategy, reaches = open_block(betting, boards, mind, scratch, child, board, reach)
    for place in range(len(below)):
        node, choice = betting.origins[offset + place]
        seat = betting.nodes[node, SEAT]
        slot = betting.nodes[node, SLOT] - betting.nodes[child, SLOT] + choice
        times(reaches[seat, node - child], strategy[slot], below[place, seat])
        below[place, 1 - seat] = reaches[1 - seat, node - child]


@kernel
def close_part(
    betting: Betting,
    boards: BoardArrays,
    mind: Mind,
    scratch: Scratch,
    part: int,
    board: int,
    reach: AnyArray,
    below: AnyArray,
    values: AnyArray,
) -> None:
    """The traverser's *values* [hand] of *part* on *board*, from those of the parts *below*
    [part below, hand].
    """
    child = betting.parts[part]
    if child >= 0:
        close_block(betting, boards, mind, scratch, child, board, reach, below, values)
    elif len(below):
        values[:] = below[0]
    else:
        fill_end(
            betting,
            boards,
            scratch.card_sums,
            mind.own_seat(),
            child,
            board,
            reach[1 - mind.own_seat()],
            values,
        )


@kernel
def fill_end(
    betting: Betting,
    boards: BoardArrays,
    card_sums: NDArray[np.float64],
    own: int,
    child: int,
    board: int,
    reach: AnyArray,
    values: AnyArray,
) -> None:
    """The *values* [hand] of the end ``~child`` on *board* for the seat *own*, against the
    other's *reach* [hand].
    """
    end = betting.ends[~child]
    first, last = boards.first_row[board], boards.first_row[board + 1]
    if end[FOLDED] == NOBODY:
        chips = float(min(end[SPENT], end[SPENT + 1]))
        showdown_values(
            reach, boards.cards[first:last], boards.ranks[first:last], chips, card_sums, values
        )
    else:
        sign = -1.0 if end[FOLDED] == own else 1.0
        fold_values(
            reach,
            boards.cards[first:last],
            sign * float(end[SPENT + end[FOLDED]]),
            card_sums,
            values,
        )


@kernel
def close_block(
    betting: Betting,
    boards: BoardArrays,
    mind: Mind,
    scratch: Scratch,
    first: int,
    board: int,
    reach: AnyArray,
    below: AnyArray,
    values: AnyArray,
) -> None:
    """The traverser's *values* [hand] of a block on *board*, from those of the parts *below*
    [part below, hand].
    """
    nodes, actions, own = betting.nodes, betting.actions, mind.own_seat()
    strategy, reaches = open_block(betting, boards, mind, scratch, first, board, reach)
    num_nodes, num_hands = reaches.shape[1], reach.shape[1]
    node_values = scratch.values[: num_nodes * num_hands].reshape(num_nodes, num_hands)
    gains = scratch.gains[: scratch.most_actions * num_hands].reshape(
        scratch.most_actions, num_hands
    )
    card_sums, after, place = scratch.card_sums, scratch.hands[:num_hands], len(below)
    for node in range(nodes[first, BLOCK_END] - 1, first - 1, -1):
        seat, count = nodes[node, SEAT], nodes[node, NUM_ACTIONS]
        slot = nodes[node, SLOT] - nodes[first, SLOT]
        for choice in range(count - 1, -1, -1):
            child = actions[nodes[node, FIRST_ACTION] + choice, CHILD]
            if len(below) > 0 and is_behind(betting, node, child):
                place -= 1
                gains[choice] = below[place]
            elif child >= 0:
                gains[choice] = node_values[child - first]
            elif seat == own:
                fill_end(
                    betting,
                    boards,
                    card_sums,
                    own,
                    child,
                    board,
                    reaches[1 - own, node - first],
                    gains[choice],
                )
            else:
                times(reaches[seat, node - first], strategy[slot + choice], after)
                fill_end(betting, boards, card_sums, own, child, board, after, gains[choice])
        total = node_values[node - first]
        if seat == own:
            rows = strategy[slot : slot + count]
            mind.take_values(
                betting, boards, node, board, reaches[own, node - first], gains[:count], rows, total
            )
        else:
            add_up(gains[:count], total)
    values[:] = node_values[0]
    mind.see_block(first, board, reaches, node_values)


@kernel
def add_up(gains: AnyArray, total: AnyArray) -> None:
    """The sum of *gains* [action, hand]."""
    total[:] = gains[0]
    for choice in range(1, len(gains)):
        gain = gains[choice]
        for hand in range(len(total)):
            total[hand] += gain[hand]


@kernel
def take_best(gains: AnyArray, total: AnyArray) -> None:
    """The largest of *gains* [action, hand]."""
    total[:] = gains[0]
    for choice in range(1, len(gains)):
        gain = gains[choice]
        for hand in range(len(total)):
            total[hand] = max(total[hand], gain[hand])


@kernel
def take_mean(gains: AnyArray, strategy: AnyArray, total: AnyArray) -> None:
    """The mean of *gains* [action, hand] under *strategy* [action, hand]."""
    total[:] = 0
    for choice in range(len(gains)):
        gain, share = gains[choice], strategy[choice]
        for hand in range(len(total)):
            total[hand] += gain[hand] * share[hand]


@kernel
def is_behind(betting: Betting, node: int, child: int) -> bool:
    """Whether *child* of *node* lies behind more board cards, where there are any to come."""
    if child >= 0:
        return bool(betting.nodes[child, STREET] != betting.nodes[node, STREET])
    return bool(betting.ends[~child, FOLDED] == NOBODY)


@kernel
def sweep_boards(
    betting: Betting,
    boards: BoardArrays,
    mind: Mind,
    scratch: Scratch,
    children: tuple[int, int],
    above: AnyArray,
    values: AnyArray,
) -> None:
    """Add to *values* [part of the second street, hand of the root] what the boards *children*
    are worth.

    They are boards of the second street, from one to before another. *above* are the reaches
    [part of the second street, seat, hand of the root].
    """
    num_levels = len(betting.street_parts) - 1
    reaches, totals = [above], [values]
    board = children[0]
    for level in range(1, num_levels):
        is_full = boards.first_child[board] == boards.first_child[board + 1]
        num_hands = boards.first_row[board + 1] - boards.first_row[board]
        num_parts = (
            0 if is_full else betting.street_parts[level + 2] - betting.street_parts[level + 1]
        )
        reaches.append(np.empty((num_parts, 2, num_hands), above.dtype))
        totals.append(np.empty((num_parts, num_hands), above.dtype))
        board = boards.first_child[board]
    visited, ends = np.zeros(num_levels + 1, np.int64), np.zeros(num_levels + 1, np.int64)
    level = 1
    visited[level], ends[level] = children[0] - 1, children[1]
    while level > 0:
        visited[level] += 1
        board = visited[level]
        if board == ends[level]:
            level -= 1
            if level > 0:
                average_orbits(boards, visited[level], totals[level])
                close_parts(betting, boards, mind, scratch, level, visited[level], reaches, totals)
        elif boards.first_child[board] == boards.first_child[board + 1]:
            close_parts(betting, boards, mind, scratch, level, board, reaches, totals)
        else:
            open_parts(betting, boards, mind, scratch, level, board, reaches)
            totals[level][:] = 0
            level += 1
            visited[level], ends[level] = (
                boards.first_child[board] - 1,
                boards.first_child[board + 1],
            )


@kernel
def open_parts(
    betting: Betting,
    boards: BoardArrays,
    mind: Mind,
    scratch: Scratch,
    level: int,
    board: int,
    reaches: list[AnyArray],
) -> None:
    """Find the reaches of all parts of the next level after *board*."""
    rows = boards.parents[boards.first_row[board] : boards.first_row[board + 1]]
    reach = np.empty((2, len(rows)), reaches[0].dtype)
    first, offset = betting.street_parts[level], betting.street_parts[level + 1]
    for part in range(first, offset):
        gather(reaches[level - 1][part - first], rows, reach)
        below = reaches[level][
            betting.first_parts[part] - offset : betting.first_parts[part + 1] - offset
        ]
        open_part(betting, boards, mind, scratch, part, board, reach, below)


@kernel
def close_parts(
    betting: Betting,
    boards: BoardArrays,
    mind: Mind,
    scratch: Scratch,
    level: int,
    board: int,
    reaches: list[AnyArray],
    totals: list[AnyArray],
) -> None:
    """Add what all parts of a level are worth on *board* to the totals above it."""
    rows = boards.parents[boards.first_row[board] : boards.first_row[board + 1]]
    reach, own = np.empty((2, len(rows)), reaches[0].dtype), np.empty(len(rows), totals[0].dtype)
    first, offset = betting.street_parts[level], betting.street_parts[level + 1]
    weight = own.dtype.type(boards.weights[board])
    for part in range(first, offset):
        gather(reaches[level - 1][part - first], rows, reach)
        below = totals[level][
            betting.first_parts[part] - offset : betting.first_parts[part + 1] - offset
        ]
        close_part(betting, boards, mind, scratch, part, board, reach, below, own)
        above = totals[level - 1][part - first]
        for hand in range(len(rows)):
            above[rows[hand]] += weight * own[hand]


@kernel
def gather(above: AnyArray, rows: NDArray[np.int32], reach: AnyArray) -> None:
    """The *reach* [seat, hand] of a board's hands, from that of the board above."""
    for seat in range(2):
        for hand in range(len(rows)):
            reach[seat, hand] = above[seat, rows[hand]]


@kernel
def average_orbits(boards: BoardArrays, board: int, values: AnyArray) -> None:
    """Give hands that a change of suits exchanges the mean of their *values* [vector, hand].

    After that the boards which stood for all like them have been counted in all their suits.
    """
    orbits = boards.orbits[boards.first_row[board] : boards.first_row[board + 1]]
    counts, means = np.zeros(len(orbits)), np.zeros(len(orbits))
    for hand in range(len(orbits)):
        counts[orbits[hand]] += 1
    if counts.max() == 1:
        return
    for vector in range(len(values)):
        means[:] = 0
        for hand in range(len(orbits)):
            means[orbits[hand]] += values[vector, hand]
        for hand in range(len(orbits)):
            values[vector, hand] = means[orbits[hand]] / counts[orbits[hand]]


Beyond = Callable[[AnyArray], AnyArray]
"""From the reaches [part, seat, hand] of what follows the root's part to the traverser's values
of it [part, hand].
"""


def root_values(
    game: RangeGame, mind: Mind, ranges: AnyArray, scratch: Scratch, beyond: Beyond
) -> AnyArray:
    """The traverser's values of the root's hands, [hand], where *ranges* [seat, hand] come in."""
    boards, betting = game.boards.arrays, game.betting
    num_below, num_hands = int(betting.first_parts[1] - betting.first_parts[0]), ranges.shape[1]
    below, values = (
        np.zeros((num_below, num_hands), ranges.dtype),
        np.empty(num_hands, ranges.dtype),
    )
    if num_below:
        above = np.empty((num_below, NUM_SEATS, num_hands), ranges.dtype)
        open_part(betting, boards, mind, scratch, 0, 0, ranges, above)
        below = beyond(above)
    close_part(betting, boards, mind, scratch, 0, 0, ranges, below, values)
    return values


def values_beyond(
    game: RangeGame,
    mind: Mind,
    above: AnyArray,
    chunks: Sequence[tuple[int, int]],
    scratches: Sequence[Scratch],
    threads: ThreadPoolExecutor,
    on_chunk: Callable[[int], None] | None = None,
) -> AnyArray:
    """What ``Beyond`` says if the game is gone through to its end.

    *chunks* are the boards of the second street in pieces, gone through by as many *threads*
    as there are *scratches*; *on_chunk* hears how many pieces are done. What the pieces come
    to is added up in their order.
    """
    below = np.zeros((len(above), above.shape[2]), above.dtype)
    free = SimpleQueue[Scratch]()
    for scratch in scratches:
        free.put(scratch)

    def add(chunk: tuple[int, int]) -> AnyArray:
        own, scratch = np.zeros_like(below), free.get()
        sweep_boards(game.betting, game.boards.arrays, mind, scratch, chunk, above, own)
        free.put(scratch)
        return own

    for done, own in enumerate(threads.map(add, chunks), 1):
        below += own
        if on_chunk is not None:
            on_chunk(done)
    average_orbits(game.boards.arrays, 0, below)
    return below
