"""Regrets and strategy sums of all lines, by street, group of lines and seat.

Those of a seat in a group are float32 [chunk, bucket * slot * lane]: what a bucket has in a chunk
lies in one piece, and lines that hardly differ lie side by side. A strategy in the same places is
what regret matching makes of itself, so that it can stand where regrets are asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.aligned_arrays import aligned_zeros
from acpcbot.arrays import AnyArray
from acpcbot.betting_lines.lines import NUM_SEATS, BettingLines, LineGroup, lane_policy
from acpcbot.trees.betting_tree import MenuGame
from acpcbot.wide_lanes import WIDTH

SeatSums = tuple[AnyArray, AnyArray]
LaneStrategy = list[list[SeatSums]]
"""A strategy in the places of sums, by street and group."""


class LaneSums:
    """Sums of regrets and of strategies, an array for each group and seat, and the iterations so far."""

    def __init__(self, lines: BettingLines, num_buckets: Sequence[int]) -> None:
        self.lines, self._game = lines, MenuGame(lines.tree, tuple(num_buckets))
        self.count = np.zeros(1, np.int64)
        streets = range(lines.definition.num_streets)
        self.regrets = [group_sums(lines, street, num_buckets[street]) for street in streets]
        self.averages = [group_sums(lines, street, num_buckets[street]) for street in streets]

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """All arrays by name."""
        found: dict[str, NDArray[Any]] = {"count": self.count}
        for name, sums in (("regrets", self.regrets), ("averages", self.averages)):
            found |= named_arrays(name, sums)
        return found

    def average_strategy(self) -> NDArray[np.float64]:
        """Return the average strategy [slot], uniform where nothing was added."""
        return self._game.normalised(self.slot_sums(self.averages))

    def slot_sums(self, sums: Sequence[Sequence[SeatSums]]) -> NDArray[np.float32]:
        """Return *sums* by street, group and seat in the order of information sets, [slot]."""
        found = np.zeros(self._game.layout.num_slots, np.float32)
        for street, groups in enumerate(sums):
            rows = self._game.layout.street_rows(found, street)
            for own, seats in zip(self.lines.streets[street], groups, strict=True):
                for seat in range(NUM_SEATS):
                    _put_lanes(own, seat, seats[seat], rows)
        return found


def _put_lanes(own: LineGroup, seat: int, sums: AnyArray, rows: AnyArray) -> None:
    """Put the *sums* of a seat into a street's *rows* [bucket, slot]."""
    slots = own.slots[seat]
    lanes = sums.reshape(own.num_chunks, len(rows), len(slots), WIDTH)
    for lane in np.flatnonzero(own.lanes >= 0).tolist():
        rows[:, slots[:, lane]] = lanes[lane // WIDTH, :, :, lane % WIDTH]


def of_seat(sums: Sequence[Sequence[SeatSums]], seat: int) -> list[list[AnyArray]]:
    """Return the *sums* of one seat, by street and group."""
    return [[seats[seat] for seats in groups] for groups in sums]


def group_sums(lines: BettingLines, street: int, num_buckets: int) -> list[SeatSums]:
    """Return zeros for both seats in each group of lines on a street."""
    return [
        (_zeros(own, 0, num_buckets), _zeros(own, 1, num_buckets)) for own in lines.streets[street]
    ]


def _zeros(own: LineGroup, seat: int, num_buckets: int) -> AnyArray:
    length = num_buckets * len(own.slots[seat]) * WIDTH
    return aligned_zeros(own.num_chunks * length, np.float32).reshape(own.num_chunks, length)


def lane_strategy(lines: BettingLines, rows: Sequence[AnyArray]) -> LaneStrategy:
    """Return a strategy in the places of sums; *rows* are its probabilities [bucket, slot] by street."""
    return [
        [
            (
                lane_policy(own_rows, own.slots[0], np.float32),
                lane_policy(own_rows, own.slots[1], np.float32),
            )
            for own in lines.streets[street]
        ]
        for street, own_rows in enumerate(rows)
    ]


def named_arrays(name: str, sums: Sequence[Sequence[SeatSums]]) -> dict[str, NDArray[Any]]:
    """Return *sums* by name, street, group and seat, without those of no numbers."""
    return {
        f"{name}_{street}_{group}_{seat}": own
        for street, groups in enumerate(sums)
        for group, seats in enumerate(groups)
        for seat, own in enumerate(seats)
        if own.size
    }
