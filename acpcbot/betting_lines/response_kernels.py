"""Kernels of CFR-BR: a best response is found on the lanes, and a learner meets it."""

from __future__ import annotations

import numpy as np

from acpcbot.arrays import AnyArray, Ints
from acpcbot.betting_lines.end_kernels import fill_card_sums
from acpcbot.betting_lines.learning_kernels import (
    add_averages,
    add_places,
    add_regrets,
    chunk_scratch,
    clear_places,
    collect_reaches,
    match_regrets,
    one_chunk,
)
from acpcbot.betting_lines.street_arrays import CHOOSE, LineScratch, StreetArrays
from acpcbot.betting_lines.street_kernels import (
    backward,
    enter_board,
    forward,
    has_any,
    leave_board,
    value_full_board,
)
from acpcbot.jit import kernel
from acpcbot.trees.board_tree import BoardArrays
from acpcbot.wide_lanes import WIDTH


@kernel
def choose_street(street: StreetArrays, places: Ints, cards: AnyArray, rooms: LineScratch) -> None:
    """Fill ``street.own`` with the best actions on a street, and the values of its roots.

    *places* are those of hands in ``own``. Reaches and the values of ends stand in *rooms*.
    """
    num_cards = rooms.sums.shape[1] // rooms.totals.shape[1]
    for chunk in range(len(rooms.has)):
        scratch = chunk_scratch(rooms, chunk)
        for number in street.plan.summed:
            fill_card_sums(number, cards, scratch, num_cards)
        backward(street, chunk, places, cards, scratch, num_cards)


@kernel
def learn_full_boards(
    response: StreetArrays,
    learner: StreetArrays,
    choices: AnyArray,
    room: AnyArray,
    boards: BoardArrays,
    rows: Ints,
    drawn: Ints,
    chunks: Ints,
    above: tuple[AnyArray, Ints, AnyArray, Ints],
    nodes: Ints,
    weights: tuple[float, float],
    regrets: AnyArray,
    averages: AnyArray,
    scratches: tuple[LineScratch, LineScratch],
    sums: AnyArray,
) -> None:
    """Let the learner meet its best response on the *drawn* boards, the children of board 0.

    Its values are added to *sums* [chunk above, end, hand * lane]. ``response`` has the learner as
    the opponent, ``learner`` its own strategy in ``own`` and room for gains of one chunk; the best
    responses of a chunk on a board stand in *choices* [1, hand * slot * lane], the learner's reaches
    in *room*. *rows* are the buckets of all hands of the children. *above* are the learner's
    reaches [chunk, class, hand * lane] of the street before, the class of each of its ends, and the
    same of the response; *chunks* the way from there; *weights* those of averages and of a board.
    """
    # Chunks outside, boards inside: a chunk's strategy and its gains stay in the second cache, and
    # what is learnt on all boards is added to the regrets at once.
    mine, my_ends, theirs, their_ends = above
    offset = boards.first_row[1]
    # Where all wait for cards nothing is learnt.
    buckets = np.arange(len(regrets[0]) // max(1, learner.num_own * WIDTH))
    for row in range(len(chunks)):
        chunk, end, lane_chunk = chunks[row, 0], chunks[row, 1], chunks[row, 2]
        reach, source = mine[lane_chunk, my_ends[end]], theirs[lane_chunk, their_ends[end]]
        target = sums[lane_chunk, end]
        learns, averages_reach = has_any(source), weights[0] > 0 and has_any(reach)
        if not (learns or averages_reach):
            continue
        best = one_chunk(response, chunk, response.policy[chunk : chunk + 1], choices, CHOOSE)
        own = learner.own[chunk : chunk + 1]
        met = one_chunk(learner, chunk, choices, own, learner.mode)
        clear_places(learner.gains[0], len(buckets), learner.num_own)
        clear_places(room, len(buckets), learner.num_own)
        for board in drawn:
            first, last = boards.first_row[board], boards.first_row[board + 1]
            parents, held = boards.parents[first:last], rows[first - offset : last - offset]
            scratch = scratches[0]
            enter_board(reach, parents, 1.0, scratch)
            forward(best, 0, held, scratch)
            if averages_reach:
                collect_reaches(best, held, scratch, room)
            if not learns:
                continue
            places = np.arange(len(held))
            shown = boards.cards[first:last], boards.ranks[first:last]
            value_full_board(best, 0, places, shown, scratch)
            scratch = scratches[1]
            enter_board(source, parents, weights[1], scratch)
            forward(met, 0, places, scratch)
            value_full_board(met, 0, held, shown, scratch)
            leave_board(scratch, parents, 1.0, target)
        if learns:
            add_regrets(learner.gains[0], own[0], buckets, nodes, learner.num_own, regrets[chunk])
        if averages_reach:
            add_places(room, buckets, learner.num_own, weights[0], averages[chunk])


@kernel
def meet_last_street(
    response: StreetArrays,
    learner: StreetArrays,
    hands: tuple[Ints, Ints],
    board: tuple[AnyArray, AnyArray, AnyArray],
    chunks: Ints,
    above: tuple[AnyArray, Ints, AnyArray, Ints],
    nodes: Ints,
    weights: tuple[float, float, float],
    regrets: AnyArray,
    averages: AnyArray,
    scratches: tuple[LineScratch, LineScratch],
    sums: tuple[AnyArray, AnyArray],
) -> None:
    """Let the learner meet its best response on one full board, chunk by chunk.

    The values of the response and of the learner are added to *sums* [chunk above, end, ...].
    ``response`` and ``learner`` have one chunk of strategies: the learner's by the buckets of the
    board, *hands* as in ``learn_last_street``, and the response's by hands. *board* is the parents,
    cards and ranks of its hands, weakest first; *chunks* and *above* as in ``learn_full_boards``;
    *weights* those of averages and of the board, and the learner's least probability.
    """
    # Chunk after chunk: the strategies, gains and vectors of one stay in the second cache. The
    # response's reaches above are known before its values are: it learns there, by regrets.
    local, buckets = hands
    parents, shown = board[0], (board[1], board[2])
    mine, my_ends, theirs, their_ends = above
    places = np.arange(len(parents))
    own, choices, gains = learner.own, response.own, learner.gains
    for row in range(len(chunks)):
        chunk, end, lane_chunk = chunks[row, 0], chunks[row, 1], chunks[row, 2]
        reach, source = mine[lane_chunk, my_ends[end]], theirs[lane_chunk, their_ends[end]]
        if not has_any(reach):
            continue
        match_regrets(regrets[chunk], buckets, nodes, learner.num_own, own[0], weights[2])
        best = one_chunk(response, chunk, own, choices, CHOOSE)
        scratch = scratches[0]
        enter_board(reach, parents, 1.0, scratch)
        forward(best, 0, local, scratch)
        if weights[0] > 0:
            add_averages(best, hands, scratch, weights[0], gains[0], averages[chunk])
        value_full_board(best, 0, places, shown, scratch)
        leave_board(scratch, parents, weights[1], sums[0][lane_chunk, end])
        if has_any(source):
            met = one_chunk(learner, chunk, choices, own, learner.mode)
            scratch = scratches[1]
            enter_board(source, parents, 1.0, scratch)
            forward(met, 0, places, scratch)
            clear_places(gains[0], len(buckets), learner.num_own)
            value_full_board(met, 0, local, shown, scratch)
            leave_board(scratch, parents, weights[1], sums[1][lane_chunk, end])
            add_regrets(gains[0], own[0], buckets, nodes, learner.num_own, regrets[chunk])
