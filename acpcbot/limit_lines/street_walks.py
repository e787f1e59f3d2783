"""The way down and up the streets before the last, on the rooms of one iteration.

Lists are by street and end before the last one. *hands* are those of the boards, *rooms* have one
responder, whose opponent's reaches are carried.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from acpcbot.arrays import AnyArray, Ints
from acpcbot.limit_lines.lane_sums import SeatSums
from acpcbot.limit_lines.learning_kernels import go_down, go_up, match_chunks
from acpcbot.limit_lines.lines import LimitLines
from acpcbot.limit_lines.street_kernels import enter_street, leave_street
from acpcbot.limit_lines.street_rooms import BoardHands, StreetRoom
from acpcbot.wide_lanes import WIDTH


def match_opponents(
    rooms: Sequence[StreetRoom],
    hands: Sequence[BoardHands],
    seat: int,
    regrets: Sequence[SeatSums],
    tremble: float = 0.0,
) -> None:
    """Make the strategies of *seat*, the opponent, from its *regrets*."""
    for room, own, sums in zip(rooms, hands, regrets, strict=False):
        arrays, nodes = room.arrays, room.nodes[seat]
        match_chunks(sums[seat], own.buckets, nodes, arrays.num_slots, arrays.policy, tremble)


def match_responders(
    rooms: Sequence[StreetRoom],
    hands: Sequence[BoardHands],
    seat: int,
    regrets: Sequence[SeatSums],
) -> None:
    """Make the strategies of *seat*, the responder, from its *regrets*."""
    for room, own, sums in zip(rooms, hands, regrets, strict=False):
        arrays, nodes = room.arrays, room.nodes[seat]
        match_chunks(sums[seat], own.buckets, nodes, arrays.num_own, arrays.own)


def carry_down(
    lines: LimitLines,
    rooms: Sequence[StreetRoom],
    hands: Sequence[BoardHands],
    places: Sequence[Ints],
    weights: tuple[float, float],
    averages: Sequence[AnyArray],
) -> None:
    """Carry the opponent's reaches down from the root, where they are the first of *weights*.

    *places* are those of its hands among its strategies. The second of *weights* times them is added
    to its *averages*.
    """
    rooms[0].reaches[:, 0] = 0
    rooms[0].reaches[0, 0, ::WIDTH] = weights[0]
    for street, own in enumerate(hands):
        room, chosen = rooms[street], (places[street], own.buckets)
        go_down(room.arrays, chosen, weights[1], averages[street], room.scratch)
        room.sums[:] = 0
        if street + 1 < len(hands):
            below = rooms[street + 1].reaches[:, 0]
            source, ends = lines.streets[street + 1].source, room.arrays.plan.ends
            enter_street(source, ends, hands[street + 1].parents, room.reaches, below)


def carry_up(
    lines: LimitLines,
    rooms: Sequence[StreetRoom],
    hands: Sequence[BoardHands],
    seat: int,
    regrets: Sequence[SeatSums],
) -> None:
    """Carry values up from the ends of the last of these streets; *seat*, the responder, learns."""
    for street in range(len(hands) - 1, -1, -1):
        room, own = rooms[street], hands[street]
        found = (own.local, own.buckets)
        go_up(room.arrays, found, room.nodes[seat], own.cards, regrets[street][seat], room.scratch)
        leave(lines, rooms, hands, street)


def leave(
    lines: LimitLines, rooms: Sequence[StreetRoom], hands: Sequence[BoardHands], street: int
) -> None:
    """Add the values of a street's roots to the ends of the street before, if there is one."""
    if street:
        own, source = hands[street], lines.streets[street].source
        roots, above = rooms[street].scratch.root, rooms[street - 1].sums
        leave_street(source, own.parents, own.weight, roots, above)


def hand_places(hands: BoardHands) -> Ints:
    """Return the places of hands in strategies by hand."""
    return np.arange(len(hands.hands))
