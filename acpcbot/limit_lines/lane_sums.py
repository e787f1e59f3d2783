"""Regrets and strategy sums of all lines, by street and seat.

Those of a seat on a street are float32 [chunk, bucket * slot * lane]: what a bucket has in a chunk
lies in one piece, and lines that hardly differ lie side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.aligned_arrays import aligned_zeros
from acpcbot.arrays import AnyArray
from acpcbot.limit_lines.lines import NUM_SEATS, LimitLines
from acpcbot.trees.betting_tree import MenuGame
from acpcbot.wide_lanes import WIDTH

SeatSums = tuple[AnyArray, AnyArray]


class LaneSums:
    """Sums of regrets and of strategies, by street one array a seat, and the iterations so far."""

    def __init__(self, lines: LimitLines, num_buckets: Sequence[int]) -> None:
        self.lines, self._game = lines, MenuGame(lines.tree, tuple(num_buckets))
        self.count = np.zeros(1, np.int64)
        streets = range(lines.definition.num_streets)
        self.regrets = [seat_sums(lines, street, num_buckets[street]) for street in streets]
        self.averages = [seat_sums(lines, street, num_buckets[street]) for street in streets]

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

    def slot_sums(self, sums: Sequence[SeatSums]) -> NDArray[np.float32]:
        """Return *sums* by street and seat in the order of information sets, [slot]."""
        found = np.zeros(self._game.layout.num_slots, np.float32)
        for street, seats in enumerate(sums):
            rows = self._game.layout.street_rows(found, street)
            own = self.lines.streets[street]
            for seat in range(NUM_SEATS):
                slots = own.slots[seat]
                lanes = seats[seat].reshape(own.num_chunks, len(rows), len(slots), WIDTH)
                for lane in np.flatnonzero(own.lanes >= 0).tolist():
                    rows[:, slots[:, lane]] = lanes[lane // WIDTH, :, :, lane % WIDTH]
        return found


def seat_sums(lines: LimitLines, street: int, num_buckets: int) -> SeatSums:
    """Return zeros for both seats on a street."""
    own = lines.streets[street]
    first, second = (
        aligned_zeros(len(own.lanes) * num_buckets * len(own.slots[seat]), np.float32).reshape(
            own.num_chunks, -1
        )
        for seat in range(NUM_SEATS)
    )
    return first, second


def named_arrays(name: str, sums: Sequence[SeatSums]) -> dict[str, NDArray[Any]]:
    """Return *sums* by name, street and seat."""
    return {
        f"{name}_{street}_{seat}": own
        for street, seats in enumerate(sums)
        for seat, own in enumerate(seats)
    }
