"""Sweeps of counterfactual regret minimisation with ranges, over the betting and the boards of a ``RangeGame``.

As in best responses with ranges, boards are visited one after another, each after those
that follow it, and on a board every block of betting is gone through forward and back.
What belongs to a board lies together: its slots, each a vector over the board's hands.

Vectors are float32 [hand of the board]; values are counterfactual and in chips.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acpcbot.jit import kernel
from acpcbot.solvers.range_game import Betting
from acpcbot.solvers.range_values import fold_values, showdown_values
from acpcbot.trees.betting_record import (
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


class Scratch(NamedTuple):
    """Room for one block on one board, for one thread; allotted anew it would cost a fifth of the time.

    All float32 but for ``card_sums``, float64 [card], and flat: ``strategy`` for a slot's
    hands, ``reaches`` for those of two seats and ``values`` for those of one at every node,
    ``gains`` for every action of a node, ``hands`` for one vector.
    """

    strategy: Floats
    reaches: Floats
    values: Floats
    gains: Floats
    hands: Floats
    card_sums: NDArray[np.float64]
    most_actions: int


class Sweep(NamedTuple):
    """What a sweep is for: the *traverser* learns, or responds best to the other's average strategy.

    Before something is added, positive and negative regrets and the sums behind the
    average strategy are multiplied by these factors.
    """

    traverser: int
    purpose: int
    keeps_positive: Number
    keeps_negative: Number
    keeps_average: Number


@kernel
def fill_strategy(betting: Betting, sums: Floats, first: int, totals: Floats, strategy: Floats) -> None:
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
def times(one: Floats, other: Floats, product: Floats) -> None:
    """The *product* of two vectors."""
    for hand in range(len(one)):
        product[hand] = one[hand] * other[hand]


@kernel
def add_product(one: Floats, other: Floats, total: Floats) -> None:
    """Add the product of two vectors to *total*."""
    for hand in range(len(one)):
        total[hand] += one[hand] * other[hand]


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


@kernel
def spread(betting: Betting, first: int, strategy: Floats, reaches: Floats) -> None:
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
def board_cells(betting: Betting, boards: BoardArrays, sums: RangeSums, source: Floats, first: int, board: int) -> Any:
    """The cells of the block that begins with node *first* on *board*, [slot, hand], as a view."""
    num_hands = boards.first_row[board + 1] - boards.first_row[board]
    last = betting.nodes[first, BLOCK_END] - 1
    start = sums.starts[board] + betting.nodes[first, SLOT] * num_hands
    num_slots = betting.nodes[last, SLOT] + betting.nodes[last, NUM_ACTIONS] - betting.nodes[first, SLOT]
    return source[start : start + num_slots * num_hands].reshape(num_slots, num_hands)


@kernel
def open_block(
    betting: Betting,
    boards: BoardArrays,
    sums: RangeSums,
    scratch: Scratch,
    sweep: Sweep,
    first: int,
    board: int,
    reach: Floats,
) -> Any:
    """The strategy of a block and the reaches of its nodes, from those of its first node, *reach* [seat, hand]."""
    source = sums.regrets if sweep.purpose == LEARN else sums.strategies
    cells = board_cells(betting, boards, sums, source, first, board)
    num_nodes, num_hands = betting.nodes[first, BLOCK_END] - first, reach.shape[1]
    strategy = scratch.strategy[: cells.size].reshape(cells.shape)
    fill_strategy(betting, cells, first, scratch.hands[:num_hands], strategy)
    reaches = scratch.reaches[: 2 * num_nodes * num_hands].reshape(2, num_nodes, num_hands)
    reaches[:, 0] = reach
    spread(betting, first, strategy, reaches)
    return strategy, reaches


@kernel
def open_part(
    betting: Betting,
    boards: BoardArrays,
    sums: RangeSums,
    scratch: Scratch,
    sweep: Sweep,
    part: int,
    board: int,
    reach: Floats,
    below: Floats,
) -> None:
    """The reaches [part below, seat, hand] of the parts that follow *part* after *board*."""
    child, offset = betting.parts[part], betting.first_parts[part]
    if child < 0:
        below[0] = reach
        return
    strategy, reaches = open_block(betting, boards, sums, scratch, sweep, child, board, reach)
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
    sums: RangeSums,
    scratch: Scratch,
    sweep: Sweep,
    part: int,
    board: int,
    reach: Floats,
    below: Floats,
    values: Floats,
) -> None:
    """The traverser's *values* [hand] of *part* on *board*, from those of the parts *below* [part below, hand]."""
    child = betting.parts[part]
    if child >= 0:
        close_block(betting, boards, sums, scratch, sweep, child, board, reach, below, values)
    elif len(below):
        values[:] = below[0]
    else:
        fill_end(betting, boards, scratch.card_sums, sweep, child, board, reach[1 - sweep.traverser], values)


@kernel
def fill_end(
    betting: Betting,
    boards: BoardArrays,
    card_sums: NDArray[np.float64],
    sweep: Sweep,
    child: int,
    board: int,
    reach: Floats,
    values: Floats,
) -> None:
    """The *values* [hand] of the end ``~child`` on *board*, against the opponent's *reach* [hand]."""
    end = betting.ends[~child]
    first, last = boards.first_row[board], boards.first_row[board + 1]
    if end[FOLDED] == NOBODY:
        chips = float(min(end[SPENT], end[SPENT + 1]))
        showdown_values(reach, boards.cards[first:last], boards.ranks[first:last], chips, card_sums, values)
    else:
        sign = -1.0 if end[FOLDED] == sweep.traverser else 1.0
        fold_values(reach, boards.cards[first:last], sign * float(end[SPENT + end[FOLDED]]), card_sums, values)


@kernel
def close_block(
    betting: Betting,
    boards: BoardArrays,
    sums: RangeSums,
    scratch: Scratch,
    sweep: Sweep,
    first: int,
    board: int,
    reach: Floats,
    below: Floats,
    values: Floats,
) -> None:
    """The traverser's *values* [hand] of a block on *board*; he learns, or takes what is best."""
    nodes, actions, own = betting.nodes, betting.actions, sweep.traverser
    strategy, reaches = open_block(betting, boards, sums, scratch, sweep, first, board, reach)
    regrets = board_cells(betting, boards, sums, sums.regrets, first, board)
    strategies = board_cells(betting, boards, sums, sums.strategies, first, board)
    num_nodes, num_hands = reaches.shape[1], reach.shape[1]
    node_values = scratch.values[: num_nodes * num_hands].reshape(num_nodes, num_hands)
    gains = scratch.gains[: scratch.most_actions * num_hands].reshape(scratch.most_actions, num_hands)
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
                    scratch.card_sums,
                    sweep,
                    child,
                    board,
                    reaches[1 - own, node - first],
                    gains[choice],
                )
            else:
                times(reaches[seat, node - first], strategy[slot + choice], after)
                fill_end(betting, boards, card_sums, sweep, child, board, after, gains[choice])
        total = node_values[node - first]
        if seat != own or sweep.purpose == RESPOND:
            join(gains[:count], seat == own, total)
        else:
            total[:] = ZERO
            for choice in range(count):
                add_product(gains[choice], strategy[slot + choice], total)
            for choice in range(count):
                row = slot + choice
                learn(regrets[row], gains[choice], total, sweep.keeps_positive, sweep.keeps_negative)
                remember(strategies[row], reaches[own, node - first], strategy[row], sweep.keeps_average)
    values[:] = node_values[0]


@kernel
def is_behind(betting: Betting, node: int, child: int) -> bool:
    """Whether *child* of *node* lies behind more board cards, where there are any to come."""
    if child >= 0:
        return bool(betting.nodes[child, STREET] != betting.nodes[node, STREET])
    return bool(betting.ends[~child, FOLDED] == NOBODY)


@kernel
def join(gains: Floats, is_best: Number, total: Floats) -> None:
    """The best of *gains* [action, hand], or their sum."""
    total[:] = gains[0]
    for choice in range(1, len(gains)):
        gain = gains[choice]
        for hand in range(len(total)):
            total[hand] = max(total[hand], gain[hand]) if is_best else total[hand] + gain[hand]


@kernel
def sweep_boards(
    betting: Betting,
    boards: BoardArrays,
    sums: RangeSums,
    scratch: Scratch,
    sweep: Sweep,
    children: tuple[int, int],
    above: Floats,
    values: Floats,
) -> None:
    """Add to *values* [part of the second street, hand of the root] what the boards *children* are worth.

    They are boards of the second street, from one to before another. *above* are the reaches
    [part of the second street, seat, hand of the root].
    """
    num_levels = len(betting.street_parts) - 1
    reaches, totals = [above], [values]
    board = children[0]
    for level in range(1, num_levels):
        is_full = boards.first_child[board] == boards.first_child[board + 1]
        num_hands = boards.first_row[board + 1] - boards.first_row[board]
        num_parts = 0 if is_full else betting.street_parts[level + 2] - betting.street_parts[level + 1]
        reaches.append(np.empty((num_parts, 2, num_hands), np.float32))
        totals.append(np.empty((num_parts, num_hands), np.float32))
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
                close_parts(betting, boards, sums, scratch, sweep, level, visited[level], reaches, totals)
        elif boards.first_child[board] == boards.first_child[board + 1]:
            close_parts(betting, boards, sums, scratch, sweep, level, board, reaches, totals)
        else:
            open_parts(betting, boards, sums, scratch, sweep, level, board, reaches)
            totals[level][:] = ZERO
            level += 1
            visited[level], ends[level] = boards.first_child[board] - 1, boards.first_child[board + 1]


@kernel
def open_parts(
    betting: Betting,
    boards: BoardArrays,
    sums: RangeSums,
    scratch: Scratch,
    sweep: Sweep,
    level: int,
    board: int,
    reaches: list[Floats],
) -> None:
    """Find the reaches of all parts of the next level after *board*."""
    rows = boards.parents[boards.first_row[board] : boards.first_row[board + 1]]
    reach = np.empty((2, len(rows)), np.float32)
    first, offset = betting.street_parts[level], betting.street_parts[level + 1]
    for part in range(first, offset):
        gather(reaches[level - 1][part - first], rows, reach)
        below = reaches[level][betting.first_parts[part] - offset : betting.first_parts[part + 1] - offset]
        open_part(betting, boards, sums, scratch, sweep, part, board, reach, below)


@kernel
def close_parts(
    betting: Betting,
    boards: BoardArrays,
    sums: RangeSums,
    scratch: Scratch,
    sweep: Sweep,
    level: int,
    board: int,
    reaches: list[Floats],
    totals: list[Floats],
) -> None:
    """Add what all parts of a level are worth on *board* to the totals above it."""
    rows = boards.parents[boards.first_row[board] : boards.first_row[board + 1]]
    reach, own = np.empty((2, len(rows)), np.float32), np.empty(len(rows), np.float32)
    first, offset = betting.street_parts[level], betting.street_parts[level + 1]
    weight = np.float32(boards.weights[board])
    for part in range(first, offset):
        gather(reaches[level - 1][part - first], rows, reach)
        below = totals[level][betting.first_parts[part] - offset : betting.first_parts[part + 1] - offset]
        close_part(betting, boards, sums, scratch, sweep, part, board, reach, below, own)
        above = totals[level - 1][part - first]
        for hand in range(len(rows)):
            above[rows[hand]] += weight * own[hand]


@kernel
def gather(above: Floats, rows: NDArray[np.int32], reach: Floats) -> None:
    """The *reach* [seat, hand] of a board's hands, from that of the board above."""
    for seat in range(2):
        for hand in range(len(rows)):
            reach[seat, hand] = above[seat, rows[hand]]


@kernel
def average_orbits(boards: BoardArrays, board: int, values: Floats) -> None:
    """Give hands that a change of suits exchanges the mean of their *values* [vector, hand]."""
    orbits = boards.orbits[boards.first_row[board] : boards.first_row[board + 1]]
    counts, means = np.zeros(len(orbits), np.float32), np.zeros(len(orbits), np.float32)
    for hand in range(len(orbits)):
        counts[orbits[hand]] += ONE
    if counts.max() == ONE:
        return
    for vector in range(len(values)):
        means[:] = ZERO
        for hand in range(len(orbits)):
            means[orbits[hand]] += values[vector, hand]
        for hand in range(len(orbits)):
            values[vector, hand] = means[orbits[hand]] / counts[orbits[hand]]
