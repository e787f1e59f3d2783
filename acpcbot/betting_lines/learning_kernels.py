"""Kernels that learn: strategies by regret matching, and the sums of regrets and strategies.

Sums are those of ``lane_sums.py``. Most boards have far fewer buckets than hands. So a chunk's
strategies are made once for each bucket of the board, hands add up what they learn in rooms of a
second cache's size, and each bucket adds them to the sums once.
"""

from __future__ import annotations

import numpy as np

from acpcbot.arrays import AnyArray, Ints
from acpcbot.betting_lines.end_kernels import fill_card_sums
from acpcbot.betting_lines.street_arrays import WIDE, ZERO, LineScratch, StreetArrays
from acpcbot.betting_lines.street_kernels import (
    backward,
    enter_board,
    forward,
    has_any,
    leave_board,
    value_full_board,
)
from acpcbot.jit import kernel
from acpcbot.subgames.vectors import clear_vector
from acpcbot.wide_lanes import WIDTH, if_positive, larger, load_wide, spread, store_wide, wide_zeros


@kernel
def match_regrets(
    sums: AnyArray,
    buckets: Ints,
    nodes: Ints,
    num_slots: int,
    policy: AnyArray,
    tremble: float = 0.0,
) -> None:
    """Fill *policy* [place of the bucket, slot, lane] by regret matching, flat.

    *nodes* [node, 2] are the first slot and the number of actions of a seat's nodes; *sums* are the
    regrets of a chunk. No action gets less than *tremble*.
    """
    # sigma(a) = R+(a) / sum R+, uniform where no regret is positive.
    length, one = np.uint64(num_slots) * WIDE, spread(policy, 1.0)
    least = spread(policy, tremble)
    for place in range(np.uint64(len(buckets))):
        source, target = np.uint64(buckets[place]) * length, place * length
        for node in range(len(nodes)):
            first, count = np.uint64(nodes[node, 0]) * WIDE, np.uint64(nodes[node, 1]) * WIDE
            total = wide_zeros(policy)
            for slot in range(first, first + count, WIDE):
                total = total + larger(load_wide(sums, source + slot), wide_zeros(policy))
            scale, equal = one / total, spread(policy, 1.0 / nodes[node, 1])
            rest = spread(policy, 1.0 - nodes[node, 1] * tremble)
            for slot in range(first, first + count, WIDE):
                share = larger(load_wide(sums, source + slot), wide_zeros(policy)) * scale
                share = least + rest * if_positive(total, share, equal)
                store_wide(policy, target + slot, share)


@kernel
def match_chunks(
    regrets: AnyArray,
    buckets: Ints,
    nodes: Ints,
    num_slots: int,
    policy: AnyArray,
    tremble: float = 0.0,
) -> None:
    """Fill *policy* of all chunks, see ``match_regrets``."""
    for chunk in range(len(regrets)):
        match_regrets(regrets[chunk], buckets, nodes, num_slots, policy[chunk], tremble)


@kernel
def add_regrets(
    gains: AnyArray, policy: AnyArray, buckets: Ints, nodes: Ints, num_slots: int, sums: AnyArray
) -> None:
    """Add to *sums* the regrets that follow from *gains*, the values of actions, by *policy*."""
    # Hands of a bucket share its strategy, so their values can be added up before regrets are made.
    length = np.uint64(num_slots) * WIDE
    for place in range(np.uint64(len(buckets))):
        target, source = np.uint64(buckets[place]) * length, place * length
        for node in range(len(nodes)):
            first, count = np.uint64(nodes[node, 0]) * WIDE, np.uint64(nodes[node, 1]) * WIDE
            value = wide_zeros(gains)
            for slot in range(source + first, source + first + count, WIDE):
                value = value + load_wide(policy, slot) * load_wide(gains, slot)
            for slot in range(first, first + count, WIDE):
                regret = load_wide(gains, source + slot) - value
                store_wide(sums, target + slot, load_wide(sums, target + slot) + regret)


@kernel
def clear_places(room: AnyArray, num_places: int, num_slots: int) -> None:
    """Clear the first *num_places* places of buckets of a *room* [place, slot, lane]."""
    clear_vector(room[: num_places * num_slots * WIDTH])


@kernel
def collect_reaches(
    street: StreetArrays, local: Ints, scratch: LineScratch, room: AnyArray
) -> None:
    """Add the opponent's reaches behind its actions to *room* [place of the bucket, slot, lane]."""
    steps, length = street.plan.steps, np.uint64(street.num_slots) * WIDE
    num_hands, held = np.uint64(len(local)), scratch.held
    for step in range(len(steps)):
        slot, number = np.uint64(steps[step, 1]), np.uint64(steps[step, 2])
        if scratch.has[number]:
            reaches = number * num_hands * WIDE
            for place in range(np.uint64(scratch.num_held[0])):
                hand = np.uint64(held[place])
                cell = np.uint64(local[hand]) * length + slot * WIDE
                own = load_wide(scratch.reaches, reaches + hand * WIDE)
                store_wide(room, cell, load_wide(room, cell) + own)


@kernel
def add_places(
    room: AnyArray, buckets: Ints, num_slots: int, weight: float, sums: AnyArray
) -> None:
    """Add *weight* times a *room* [place of the bucket, slot, lane] to the *sums* of a chunk."""
    length, scale = np.uint64(num_slots) * WIDE, spread(room, weight)
    for place in range(np.uint64(len(buckets))):
        target, source = np.uint64(buckets[place]) * length, place * length
        for first in range(ZERO, length, WIDE):
            own = load_wide(sums, target + first) + scale * load_wide(room, source + first)
            store_wide(sums, target + first, own)


@kernel
def add_averages(
    street: StreetArrays,
    hands: tuple[Ints, Ints],
    scratch: LineScratch,
    weight: float,
    room: AnyArray,
    sums: AnyArray,
) -> None:
    """Add *weight* times the opponent's reaches to its *sums* of a chunk, by *room* as ``gains``."""
    local, buckets = hands
    clear_places(room, len(buckets), street.num_slots)
    collect_reaches(street, local, scratch, room)
    add_places(room, buckets, street.num_slots, weight, sums)


@kernel
def chunk_scratch(rooms: LineScratch, chunk: int) -> LineScratch:
    """Return the room of one chunk of *rooms*, whose arrays have one more axis in front."""
    return LineScratch(
        rooms.reaches[chunk],
        rooms.values[chunk],
        rooms.sums[chunk],
        rooms.totals[chunk],
        rooms.has[chunk],
        rooms.tile[chunk],
        rooms.root[chunk],
        rooms.spare[chunk],
        rooms.held[chunk],
        rooms.num_held[chunk],
    )


@kernel
def go_down(
    street: StreetArrays,
    hands: tuple[Ints, Ints],
    weight: float,
    averages: AnyArray,
    rooms: LineScratch,
) -> None:
    """Carry reaches through a street, and add *weight* times them to the opponent's *averages*.

    *hands* are the places of hands among the buckets of the board, and these. The reaches of class
    0 stand in *rooms*, and all others are left there.
    """
    for chunk in range(len(rooms.has)):
        scratch = chunk_scratch(rooms, chunk)
        forward(street, chunk, hands[0], scratch)
        if weight > 0:
            add_averages(street, hands, scratch, weight, street.gains[chunk], averages[chunk])


@kernel
def go_up(
    street: StreetArrays,
    hands: tuple[Ints, Ints],
    nodes: Ints,
    cards: AnyArray,
    regrets: AnyArray,
    rooms: LineScratch,
) -> None:
    """Carry values back through a street, from those of its ends to the roots, and add *regrets*.

    All stand in *rooms*.
    """
    local, buckets = hands
    num_cards = rooms.sums.shape[1] // rooms.totals.shape[1]
    for chunk in range(len(rooms.has)):
        scratch = chunk_scratch(rooms, chunk)
        for number in street.plan.summed:
            fill_card_sums(number, cards, scratch, num_cards)
        gains = street.gains[chunk]
        clear_places(gains, len(buckets), street.num_own)
        backward(street, chunk, local, cards, scratch, num_cards)
        add_regrets(gains, street.own[chunk], buckets, nodes, street.num_own, regrets[chunk])


@kernel
def one_chunk(
    street: StreetArrays, chunk: int, policy: AnyArray, own: AnyArray, mode: int
) -> StreetArrays:
    """Return the arrays of one chunk with other strategies, as chunk 0."""
    return StreetArrays(
        street.plan,
        street.chips[chunk : chunk + 1],
        policy,
        own,
        street.num_slots,
        street.num_own,
        mode,
        street.gains,
    )


@kernel
def learn_last_street(
    street: StreetArrays,
    hands: tuple[Ints, Ints],
    nodes: tuple[Ints, Ints],
    board: tuple[AnyArray, AnyArray, AnyArray],
    chunks: Ints,
    above: tuple[AnyArray, Ints],
    weights: tuple[float, float],
    regrets: tuple[AnyArray, AnyArray],
    averages: AnyArray,
    scratch: LineScratch,
    sums: AnyArray,
) -> None:
    """Learn on the last street, and add its values to *sums* [chunk above, end, hand * lane].

    *board* is the parents, cards and ranks of its hands, weakest first; *above* the reaches
    [chunk, class, hand * lane] of the street before and the class of each of its ends; *chunks* the
    way from there; *weights* those of averages and of the values.
    """
    # Chunk after chunk: the strategies, gains and vectors of one stay in the second cache.
    local, buckets = hands
    parents, cards, ranks = board
    reaches, ends = above
    policy, own, gains = street.policy, street.own, street.gains
    for row in range(len(chunks)):
        chunk, end, lane_chunk = chunks[row, 0], chunks[row, 1], chunks[row, 2]
        source, target = reaches[lane_chunk, ends[end]], sums[lane_chunk, end]
        if not has_any(source):
            continue
        match_regrets(regrets[0][chunk], buckets, nodes[0], street.num_slots, policy[0])
        match_regrets(regrets[1][chunk], buckets, nodes[1], street.num_own, own[0])
        one = one_chunk(street, chunk, policy, own, street.mode)
        enter_board(source, parents, 1.0, scratch)
        forward(one, 0, local, scratch)
        if weights[0] > 0:
            add_averages(one, hands, scratch, weights[0], gains[0], averages[chunk])
        clear_places(gains[0], len(buckets), street.num_own)
        value_full_board(one, 0, local, (cards, ranks), scratch)
        add_regrets(gains[0], own[0], buckets, nodes[1], street.num_own, regrets[1][chunk])
        leave_board(scratch, parents, weights[1], target)
