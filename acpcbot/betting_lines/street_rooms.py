"""The needs of an iteration: the hands of its board by street, and room for vectors by group."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from math import comb

import numpy as np

from acpcbot.aligned_arrays import aligned_zeros
from acpcbot.arrays import AnyArray, Ints
from acpcbot.betting_lines.lines import (
    BettingLines,
    BlockPlan,
    FindBuckets,
    LineGroup,
    lane_chips,
    num_card_sums,
    num_hands,
)
from acpcbot.betting_lines.street_arrays import LineScratch, StreetArrays, line_scratch
from acpcbot.poker.definition import GameDefinition
from acpcbot.poker.hands import all_hands, hand_strengths, hands_without
from acpcbot.trees.board_tree import hand_cards
from acpcbot.wide_lanes import WIDTH


@dataclass(frozen=True, slots=True, eq=False)
class BoardHands:
    """Hands on a board: their cards, places among the hands above, and buckets.

    ``local``    [hand]: the place of each one's bucket in ``buckets``, those that occur
    ``ranks``    [hand]: equal strengths have equal ranks, weakest first; empty before the last one
    ``weight``   of the values behind its cards: one over the chance that two hands leave them
    """

    hands: Ints
    parents: AnyArray
    cards: AnyArray
    local: Ints
    buckets: Ints
    ranks: AnyArray
    weight: float


@dataclass(frozen=True, slots=True, eq=False)
class GroupRoom:
    """Room of a thread for one group of lines and one responder.

    ``nodes``    by seat int64 [node, 2]: the first slot and the number of actions
    ``scratch``  of all chunks, with one more axis in front; ``first`` is that of the first chunk
    ``reaches``  [chunk, class, hand * lane] and ``sums`` [chunk, end, hand * lane] are views of it
    """

    arrays: StreetArrays
    nodes: tuple[Ints, Ints]
    scratch: LineScratch
    first: LineScratch
    reaches: AnyArray
    sums: AnyArray


def board_hands(
    definition: GameDefinition, find_buckets: FindBuckets, board: Sequence[int]
) -> list[BoardHands]:
    """Return the hands on each street of a *board*, up to the last street that it reaches."""
    found: list[BoardHands] = []
    for street in range(definition.num_streets):
        size = definition.board_size(street)
        if size > len(board):
            break
        cards = tuple(board[:size])
        hands = np.flatnonzero(hands_without(definition, cards))
        ranks = np.empty(0, np.uint16)
        if street == definition.num_streets - 1:
            strengths = hand_strengths(definition, cards)[hands]
            order = np.argsort(strengths, kind="stable")
            ranks = np.unique(strengths, return_inverse=True)[1][order].astype(np.uint16)
            hands = hands[order]
        buckets, local = np.unique(find_buckets(street, cards)[hands], return_inverse=True)
        parents, weight = hands, 1.0
        if street:
            above = found[-1].hands
            places = np.zeros(len(all_hands(definition)), np.int64)
            places[above] = np.arange(len(above))
            parents = places[hands]
            weight = chance_weight(definition, street)
        found.append(
            BoardHands(
                hands,
                parents.astype(np.uint16),
                hand_cards(definition, hands),
                local.astype(np.int64),
                buckets.astype(np.int64),
                ranks,
                weight,
            )
        )
    return found


def chance_weight(definition: GameDefinition, street: int) -> float:
    """Return one over the chance that the cards of *street* leave two hands that were left."""
    before, added = definition.board_size(street - 1), definition.num_board_cards[street]
    deck = len(definition.deck) - before
    return comb(deck, added) / comb(deck - 2 * definition.num_hole_cards, added)


def make_rooms(
    lines: BettingLines, street: int, seat: int, mode: int, places: tuple[int, int]
) -> list[GroupRoom]:
    """Return room for *seat* as responder in each group of lines on a *street*.

    All chunks of a group of the last street share the room of one. *places* are the places of
    buckets for which the opponent and the responder get strategies.
    """
    return [
        _make_room(lines.definition, own, street, seat, mode, places)
        for own in lines.streets[street]
    ]


def _make_room(
    definition: GameDefinition,
    own: LineGroup,
    street: int,
    seat: int,
    mode: int,
    places: tuple[int, int],
) -> GroupRoom:
    plan, dtype = own.plans[seat], np.float32
    hands, num_cards = num_hands(definition, street), num_card_sums(definition)
    kept = 1 if street == definition.num_streets - 1 else own.num_chunks
    num_slots = len(own.slots[1 - seat]), len(own.slots[seat])
    policy, strategy, gains = (
        aligned_zeros(kept * size * WIDTH, dtype).reshape(kept, -1)
        for size in (
            places[0] * num_slots[0],
            places[1] * num_slots[1],
            max(places) * max(num_slots),
        )
    )
    arrays = StreetArrays(
        plan, lane_chips(own, seat, dtype), policy, strategy, *num_slots, mode, gains
    )
    rooms = [line_scratch(plan, hands, num_cards, dtype) for _ in range(kept)]
    scratch = LineScratch(*[np.stack(parts) for parts in zip(*rooms, strict=True)])
    return GroupRoom(
        arrays,
        (_nodes(own.plans[0]), _nodes(own.plans[1])),
        scratch,
        rooms[0],
        scratch.reaches.reshape(kept, plan.num_classes, hands * WIDTH),
        scratch.values.reshape(kept, len(plan.ends), hands * WIDTH),
    )


def room_bytes(rooms: Iterable[Sequence[GroupRoom]]) -> int:
    """Return the memory of *rooms* by street; what several of them share counts once."""
    sizes: dict[int, int] = {}
    for room in chain.from_iterable(rooms):
        arrays = room.arrays
        for array in (arrays.policy, arrays.own, arrays.gains, *room.scratch, *room.first):
            if array.nbytes:
                sizes[array.ctypes.data] = array.nbytes
    return sum(sizes.values())


def _nodes(plan: BlockPlan) -> Ints:
    """Return the first slot and the number of actions of the responder's nodes, [node, 2]."""
    own = plan.nodes[plan.nodes[:, 2] == 1]
    return np.ascontiguousarray(own[:, [3, 1]])
