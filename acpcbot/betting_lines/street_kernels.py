"""Kernels over the lanes of one street: forward, showdowns, backward.

All vectors are [hand, lane], flat, sixteen lanes wide. For a chunk of lanes on one board:

1. ``forward``: the reach classes of the block, hand by hand in tiles that stay in the caches, and
   each class's total.
2. card sums of the classes of folds; where the board is full, walks along the hands by strength
   for showdowns, three at once, which leave the card sums of their classes (``end_kernels.py``).
3. ``backward``: the values of the block's nodes, children first, again in tiles. The responder
   takes its best action (RESPOND), and may note which one it is (CHOOSE), or plays its own policy
   (PLAY); it may note the values of its actions by buckets meanwhile, which is what it learns from
   (LEARN).

Classes that nobody reaches are passed over: in purified strategies most are empty.
"""

from __future__ import annotations

import numpy as np

from acpcbot.arrays import AnyArray, Ints, Number
from acpcbot.betting_lines.end_kernels import (
    BEST,
    FIRST,
    SUM,
    fill_card_sums,
    has_fold_and_showdown,
    put,
    put_end,
    put_fold_and_showdown,
    walk_showdowns,
)
from acpcbot.betting_lines.lines import CHILD, FOLD, SHOWDOWN
from acpcbot.betting_lines.street_arrays import (
    CHOOSE,
    LEARN,
    ONE,
    RESPOND,
    TILE,
    WIDE,
    ZERO,
    LineScratch,
    StreetArrays,
)
from acpcbot.jit import kernel
from acpcbot.subgames.board_sweeps import average_orbits
from acpcbot.subgames.vectors import clear_vector
from acpcbot.trees.board_tree import BoardArrays
from acpcbot.wide_lanes import (
    WIDTH,
    any_positive,
    if_positive,
    load_shares,
    load_wide,
    spread,
    store_wide,
    wide_zeros,
)


@kernel
def forward(street: StreetArrays, chunk: int, buckets: Ints, scratch: LineScratch) -> None:
    """Fill all reach classes from class 0, their totals, and which of them anybody reaches."""
    # Of a purified strategy a fifth of the hands comes to any of sixteen lines of the river, of an
    # average four fifths. All others are passed over here and where reaches are added up: full boards
    # take 0.7 and 0.98 of the time. Tried: one vector of zeros where folds read the others' reaches,
    # and card sums of an opponent's fold and showdown added up before, weighed by chips: the same.
    reaches, totals, has, steps = scratch.reaches, scratch.totals, scratch.has, street.plan.steps
    policy, num_slots = street.policy[chunk], np.uint64(street.num_slots)
    num_hands, held = np.uint64(len(buckets)), scratch.held
    vector = num_hands * WIDE
    # Reaches of the board before: those of hands that are held no more.
    for place in range(np.uint64(scratch.num_held[0])):
        at = np.uint64(held[place])
        if not any_positive(load_wide(reaches, at * WIDE)):
            for own in range(ONE, np.uint64(len(has))):
                store_wide(reaches, own * vector + at * WIDE, wide_zeros(reaches))
    clear_vector(totals)
    num_held, total = ZERO, wide_zeros(reaches)
    for hand in range(num_hands):
        reach = load_wide(reaches, hand * WIDE)
        total = total + reach
        held[num_held] = hand  # Overwritten by the next hand where this one is not held.
        num_held += np.uint64(any_positive(reach))
    scratch.num_held[0] = num_held
    store_wide(totals, ZERO, total)
    for first in range(ZERO, num_held, np.uint64(TILE)):
        last = min(first + np.uint64(TILE), num_held)
        for step in range(len(steps)):
            before, slot = np.uint64(steps[step, 0]) * vector, np.uint64(steps[step, 1])
            number = np.uint64(steps[step, 2])
            after, total = number * vector, load_wide(totals, number * WIDE)
            for row in range(first, last):
                at = np.uint64(held[row])
                cell = (np.uint64(buckets[at]) * num_slots + slot) * WIDE
                share = load_shares(policy, cell, reaches)
                reach = load_wide(reaches, before + at * WIDE) * share
                store_wide(reaches, after + at * WIDE, reach)
                total = total + reach
            store_wide(totals, number * WIDE, total)
    for own in range(np.uint64(len(has))):
        has[own] = any_positive(load_wide(totals, own * WIDE))


@kernel
def backward(
    street: StreetArrays,
    chunk: int,
    buckets: Ints,
    cards: AnyArray,
    scratch: LineScratch,
    num_cards: int,
) -> None:
    """Fill ``scratch.root`` with the values of the block's first node."""
    num_hands = np.uint64(len(cards))
    for first in range(ZERO, num_hands, np.uint64(TILE)):
        last = min(first + np.uint64(TILE), num_hands)
        backward_tile(street, chunk, buckets, cards, scratch, num_cards, first, last)
        for hand in range(first, last):
            value = load_wide(scratch.tile, (hand - first) * WIDE)
            store_wide(scratch.root, hand * WIDE, value)


@kernel
def backward_tile(
    street: StreetArrays,
    chunk: int,
    buckets: Ints,
    cards: AnyArray,
    scratch: LineScratch,
    num_cards: int,
    first: Number,
    last: Number,
) -> None:
    """Fill the values of all nodes, in ``scratch.tile``, of the hands from *first* to *last*."""
    # A loop for each kind of action: one loop with branches took 1.1 times as long, and 1.8 times
    # where nobody comes. Tried: a function for an action that cuts its arrays itself, 5 times as long.
    nodes, actions, chips, mode = (
        street.plan.nodes,
        street.plan.actions,
        street.chips[chunk],
        street.mode,
    )
    values, sums, tile, ends = scratch.values, scratch.sums, scratch.tile, street.plan.ends
    reaches, own, gains = scratch.reaches, street.own[chunk], street.gains[chunk]
    num_own, vector = np.uint64(street.num_own), np.uint64(len(cards)) * WIDE
    size, length, start = np.uint64(TILE) * WIDE, (last - first) * WIDE, first * WIDE
    size_of_sums = np.uint64(num_cards) * WIDE
    for node in range(len(nodes) - 1, -1, -1):
        place = np.uint64(node) * size
        action, count, acts, slot = nodes[node, 0], nodes[node, 1], nodes[node, 2], nodes[node, 3]
        learns = acts and mode != RESPOND
        begin = 0
        if not learns and has_fold_and_showdown(street.plan, node, scratch.has):
            begin, fold, end = 2, np.uint64(actions[action, 1]), np.uint64(actions[action + 1, 1])
            row, next_row = np.uint64(actions[action, 2]), np.uint64(actions[action + 1, 2])
            shown = np.uint64(ends[end])
            put_fold_and_showdown(
                tile,
                place,
                reaches,
                fold * vector,
                values,
                end * vector,
                sums,
                fold * size_of_sums,
                shown * size_of_sums,
                load_wide(scratch.totals, fold * WIDE),
                load_wide(scratch.totals, shown * WIDE),
                load_wide(chips, row * WIDE),
                load_wide(chips, next_row * WIDE),
                cards,
                first,
                last,
                acts,
            )
        for choice in range(begin, count):
            way = FIRST if choice == 0 else (BEST if acts and mode <= CHOOSE else SUM)
            # What is noted by buckets goes to the end of the tile first.
            target, own_way = (np.uint64(len(nodes)) * size, FIRST) if learns else (place, way)
            kind, index = actions[action + choice, 0], np.uint64(actions[action + choice, 1])
            if kind == CHILD:
                put_vector(tile, target, tile, index * size, length, own_way)
            elif kind in (SHOWDOWN, FOLD):
                is_fold = kind == FOLD
                number = index if is_fold else np.uint64(ends[index])
                row, base = np.uint64(actions[action + choice, 2]), number * size_of_sums
                won, total = load_wide(chips, row * WIDE), load_wide(scratch.totals, number * WIDE)
                sums_of, span = (sums, base, cards, total), (first, last)
                if not scratch.has[number]:
                    put_nothing(tile, target, length, own_way)
                else:
                    vectors = reaches if is_fold else values
                    source = index * vector
                    put_end(tile, target, vectors, source, sums_of, won, span, is_fold, own_way)
            else:
                put_vector(tile, target, values, index * vector + start, length, own_way)
            if learns:
                put_choice(
                    (own, gains, num_own, np.uint64(slot + choice)),
                    mode,
                    buckets,
                    tile,
                    (target, place),
                    (first, last),
                    way,
                )
        if acts and mode == CHOOSE:
            for hand in range(first, last):
                best = load_wide(tile, place + (hand - first) * WIDE)
                cell = np.uint64(buckets[hand]) * num_own + np.uint64(slot)
                mark_best(own, cell, count, best)


@kernel
def put_vector(
    tile: AnyArray, target: Number, vectors: AnyArray, source: Number, length: Number, way: int
) -> None:
    """Put *length* numbers of *vectors*, from *source* on, to *target*."""
    for place in range(ZERO, length, WIDE):
        put(tile, target + place, load_wide(vectors, source + place), way)


@kernel
def put_nothing(tile: AnyArray, target: Number, length: Number, way: int) -> None:
    """Put *length* zeros to *target*."""
    for place in range(ZERO, length, WIDE):
        put(tile, target + place, wide_zeros(tile), way)


@kernel
def put_choice(
    own_of: tuple[AnyArray, AnyArray, Number, Number],
    mode: int,
    buckets: Ints,
    tile: AnyArray,
    places: tuple[Number, Number],
    span: tuple[Number, Number],
    way: int,
) -> None:
    """Put the values of an action of the responder from the first of *places* to the second.

    They are noted on the way: in place of the action's probabilities (CHOOSE), which weigh them
    otherwise, or among the gains (LEARN). *own_of* are the responder's strategy and gains, the
    slots of a bucket, and that of the action.
    """
    own, gains, num_own, slot = own_of
    source, target = places
    first, last = span
    for hand in range(first, last):
        cell = (np.uint64(buckets[hand]) * num_own + slot) * WIDE
        value = load_wide(tile, source + (hand - first) * WIDE)
        if mode == CHOOSE:
            store_wide(own, cell, value)
        else:
            if mode == LEARN:
                store_wide(gains, cell, load_wide(gains, cell) + value)
            value = value * load_wide(own, cell)
        put(tile, target + (hand - first) * WIDE, value, way)


@kernel(inline=True)
def mark_best(own: AnyArray, cell: Number, count: int, best: AnyArray) -> None:
    """Write 1 for the first action whose value is the *best*, 0 for the others, over their values."""
    free, nothing = spread(own, 1.0), wide_zeros(own)
    for choice in range(np.uint64(count)):
        place = (cell + choice) * WIDE
        chosen = if_positive(best - load_wide(own, place), nothing, free)
        store_wide(own, place, chosen)
        free = free - chosen


@kernel
def has_any(vector: AnyArray) -> bool:
    """Return whether a number is above zero."""
    total = wide_zeros(vector)
    for place in range(ZERO, np.uint64(len(vector)), WIDE):
        total = total + load_wide(vector, place)
    return bool(any_positive(total))


@kernel
def enter_board(source: AnyArray, parents: AnyArray, weight: float, scratch: LineScratch) -> None:
    """Fill the reaches of class 0 on a board: *weight* times *source* [hand above * lane]."""
    scale = spread(source, weight)
    for hand in range(np.uint64(len(parents))):
        reach = scale * load_wide(source, np.uint64(parents[hand]) * WIDE)
        store_wide(scratch.reaches, hand * WIDE, reach)


@kernel
def leave_board(scratch: LineScratch, parents: AnyArray, weight: float, target: AnyArray) -> None:
    """Add *weight* times the values of the block's first node to *target* [hand above * lane]."""
    scale = spread(target, weight)
    for hand in range(np.uint64(len(parents))):
        place = np.uint64(parents[hand]) * WIDE
        value = load_wide(target, place) + scale * load_wide(scratch.root, hand * WIDE)
        store_wide(target, place, value)


@kernel
def value_full_board(
    street: StreetArrays,
    chunk: int,
    buckets: Ints,
    shown: tuple[AnyArray, AnyArray],
    scratch: LineScratch,
) -> None:
    """Fill the values of the block's first node on a full board, after ``forward``.

    *buckets* are those of the responder's hands; *shown* the cards and the ranks of all hands.
    """
    cards, num_cards = shown[0], len(scratch.sums) // len(scratch.totals)
    for number in street.plan.summed:
        if scratch.has[number]:
            fill_card_sums(number, cards, scratch, num_cards)
    walk_showdowns(street, shown, scratch, num_cards)
    backward(street, chunk, buckets, cards, scratch, num_cards)


@kernel
def add_full_boards(
    street: StreetArrays,
    boards: BoardArrays,
    rows: Ints,
    children: tuple[int, int],
    chunks: Ints,
    above: tuple[AnyArray, Ints],
    sums: AnyArray,
    scratch: LineScratch,
) -> None:
    """Add the values of the full boards *children* to *sums* [chunk above, end, hand * lane].

    *above* are the reaches [chunk, class, hand * lane] of the street before, and the class of each
    of its ends; *chunks* the way from there. *rows* are the buckets of all hands of these boards.
    """
    # Chunks outside, boards inside: a chunk's part of the strategy stays in the second cache. Tried:
    # the parts of a block behind each action of its first node one after another, whose vectors fit
    # that cache, and eight lanes instead of sixteen, whose vectors do: no less time. Reaches made
    # twice, in tiles of equal ranks, with card sums and walks alone kept from tile to tile, so that
    # no vector leaves the first caches: 1.2 times the time on a Zen 1, which is busy computing.
    reaches, ends = above
    offset = boards.first_row[children[0]]
    for row in range(len(chunks)):
        chunk, end, lane_chunk = chunks[row, 0], chunks[row, 1], chunks[row, 2]
        source, target = reaches[lane_chunk, ends[end]], sums[lane_chunk, end]
        if not has_any(source):
            continue
        for board in range(children[0], children[1]):
            first, last = boards.first_row[board], boards.first_row[board + 1]
            parents, shown = (
                boards.parents[first:last],
                (
                    boards.cards[first:last],
                    boards.ranks[first:last],
                ),
            )
            buckets = rows[first - offset : last - offset]
            enter_board(source, parents, 1.0, scratch)
            forward(street, chunk, buckets, scratch)
            if scratch.has[0]:
                value_full_board(street, chunk, buckets, shown, scratch)
                leave_board(scratch, parents, boards.weights[board], target)


@kernel
def forward_street(
    street: StreetArrays, buckets: Ints, reach: AnyArray, reaches: AnyArray, scratch: LineScratch
) -> None:
    """Fill *reaches* [chunk, class, hand * lane] of a street from *reach* [chunk, hand * lane]."""
    length = reach.shape[1]
    for chunk in range(len(reach)):
        scratch.reaches[:length] = reach[chunk]
        forward(street, chunk, buckets, scratch)
        for number in range(reaches.shape[1]):
            reaches[chunk, number] = scratch.reaches[number * length : (number + 1) * length]


@kernel
def backward_street(
    street: StreetArrays,
    buckets: Ints,
    cards: AnyArray,
    reaches: AnyArray,
    sums: AnyArray,
    scratch: LineScratch,
    values: AnyArray,
) -> None:
    """Fill *values* [chunk, hand * lane] of a street from *sums* [chunk, end, ...] behind it."""
    length, num_cards = values.shape[1], len(scratch.sums) // len(scratch.totals)
    for chunk in range(len(values)):
        scratch.reaches[:length] = reaches[chunk, 0]
        forward(street, chunk, buckets, scratch)
        for number in street.plan.summed:
            fill_card_sums(number, cards, scratch, num_cards)
        for end in range(sums.shape[1]):
            scratch.values[end * length : (end + 1) * length] = sums[chunk, end]
        backward(street, chunk, buckets, cards, scratch, num_cards)
        values[chunk] = scratch.root[:length]


@kernel
def enter_street(
    way: Ints, ends: Ints, parents: AnyArray, reaches: AnyArray, reach: AnyArray
) -> None:
    """Fill *reach* [chunk, hand * lane] of a board from *reaches* [chunk, class, ...] above it.

    The lanes on the *way* are filled; empty ones are to be zero.
    """
    for row in range(len(way)):
        lane, end, source = way[row, 0], way[row, 1], way[row, 2]
        above = reaches[source // WIDTH, ends[end]]
        below, column = reach[lane // WIDTH], source % WIDTH
        for hand in range(len(parents)):
            below[hand * WIDTH + lane % WIDTH] = above[parents[hand] * WIDTH + column]


@kernel
def leave_street(
    way: Ints, parents: AnyArray, weight: float, values: AnyArray, sums: AnyArray
) -> None:
    """Add *values* [chunk, hand * lane] of a board to *sums* [chunk, end, ...] above it."""
    for row in range(len(way)):
        lane, end, target = way[row, 0], way[row, 1], way[row, 2]
        above = sums[target // WIDTH, end]
        below, column = values[lane // WIDTH], target % WIDTH
        for hand in range(len(parents)):
            place = parents[hand] * WIDTH + column
            above[place] += weight * below[hand * WIDTH + lane % WIDTH]


@kernel
def average_lanes(boards: BoardArrays, board: int, sums: AnyArray) -> None:
    """Give hands that a change of suits exchanges the mean of *sums* [chunk, end, hand * lane]."""
    num_hands = sums.shape[2] // WIDTH
    vectors = np.empty((WIDTH, num_hands), sums.dtype)
    for chunk in range(sums.shape[0]):
        for end in range(sums.shape[1]):
            block = sums[chunk, end]
            for hand in range(num_hands):
                for lane in range(WIDTH):
                    vectors[lane, hand] = block[hand * WIDTH + lane]
            average_orbits(boards, board, vectors)
            for hand in range(num_hands):
                for lane in range(WIDTH):
                    block[hand * WIDTH + lane] = vectors[lane, hand]
