"""The way down and up the streets before the last, on the rooms of one iteration.

Lists are by street and end before the last one; rooms and sums are lists by group in there. *hands*
are those of the boards, *rooms* have one responder, whose opponent's reaches are carried.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from acpcbot.arrays import AnyArray, Ints
from acpcbot.betting_lines.lane_sums import SeatSums
from acpcbot.betting_lines.learning_kernels import go_down, go_up, match_chunks
from acpcbot.betting_lines.lines import BettingLines
from acpcbot.betting_lines.street_kernels import enter_street, leave_street
from acpcbot.betting_lines.street_rooms import BoardHands, GroupRoom
from acpcbot.wide_lanes import WIDTH


def match_opponents(
    rooms: Sequence[Sequence[GroupRoom]],
    hands: Sequence[BoardHands],
    seat: int,
    regrets: Sequence[Sequence[SeatSums]],
    tremble: float = 0.0,
) -> None:
    """Make the strategies of *seat*, the opponent, from its *regrets*."""
    for street, own, groups in zip(rooms, hands, regrets, strict=False):
        for room, sums in zip(street, groups, strict=True):
            arrays, nodes = room.arrays, room.nodes[seat]
            match_chunks(sums[seat], own.buckets, nodes, arrays.num_slots, arrays.policy, tremble)


def match_responders(
    rooms: Sequence[Sequence[GroupRoom]],
    hands: Sequence[BoardHands],
    seat: int,
    regrets: Sequence[Sequence[SeatSums]],
) -> None:
    """Make the strategies of *seat*, the responder, from its *regrets*."""
    for street, own, groups in zip(rooms, hands, regrets, strict=False):
        for room, sums in zip(street, groups, strict=True):
            arrays, nodes = room.arrays, room.nodes[seat]
            match_chunks(sums[seat], own.buckets, nodes, arrays.num_own, arrays.own)


def carry_down(
    lines: BettingLines,
    rooms: Sequence[Sequence[GroupRoom]],
    hands: Sequence[BoardHands],
    places: Sequence[Ints],
    weights: tuple[float, float],
    averages: Sequence[Sequence[AnyArray]],
) -> None:
    """Carry the opponent's reaches down from the root, where they are the first of *weights*.

    *places* are those of its hands among its strategies. The second of *weights* times them is added
    to its *averages*.
    """
    root = rooms[0][0].reaches
    root[:, 0] = 0
    root[0, 0, ::WIDTH] = weights[0]
    for street, own in enumerate(hands):
        if street:
            _enter(lines, rooms, hands, street)
        chosen = places[street], own.buckets
        for room, sums in zip(rooms[street], averages[street], strict=True):
            go_down(room.arrays, chosen, weights[1], sums, room.scratch)
            room.sums[:] = 0


def _enter(
    lines: BettingLines,
    rooms: Sequence[Sequence[GroupRoom]],
    hands: Sequence[BoardHands],
    street: int,
) -> None:
    """Carry the reaches of the street before into the roots of *street*."""
    for group, room in zip(lines.streets[street], rooms[street], strict=True):
        for way in group.ways:
            above = rooms[street - 1][way.group]
            ends, parents = above.arrays.plan.ends, hands[street].parents
            enter_street(way.rows, ends, parents, above.reaches, room.reaches[:, 0])


def carry_up(
    lines: BettingLines,
    rooms: Sequence[Sequence[GroupRoom]],
    hands: Sequence[BoardHands],
    seat: int,
    regrets: Sequence[Sequence[SeatSums]],
) -> None:
    """Carry values up from the ends of the last of these streets; *seat*, the responder, learns."""
    for street in range(len(hands) - 1, -1, -1):
        own = hands[street]
        found = (own.local, own.buckets)
        for room, sums in zip(rooms[street], regrets[street], strict=True):
            go_up(room.arrays, found, room.nodes[seat], own.cards, sums[seat], room.scratch)
        leave(lines, rooms, hands, street)


def leave(
    lines: BettingLines,
    rooms: Sequence[Sequence[GroupRoom]],
    hands: Sequence[BoardHands],
    street: int,
) -> None:
    """Add the values of a street's roots to the ends of the street before, if there is one."""
    own = hands[street]
    for group, room in zip(lines.streets[street], rooms[street], strict=True):
        for way in group.ways:
            above = rooms[street - 1][way.group].sums
            leave_street(way.rows, own.parents, own.weight, room.scratch.root, above)


def hand_places(hands: BoardHands) -> Ints:
    """Return the places of hands in strategies by hand."""
    return np.arange(len(hands.hands))
