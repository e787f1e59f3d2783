"""Stored flop buckets: looked up at the table in microseconds instead of being worked out.

A table has the bucket of every hand on every flop, uint8 (up to 256 buckets) or uint16 [number of
the hand], as ``flop_hands.py`` numbers them. Impossible hands have bucket 0 there. It belongs to
another bucketing, whose answers it repeats; whole boards are still asked of that one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.buckets import Bucketing, Buckets, Spec, bucket_type
from acpcbot.abstraction.canonical_boards import canonical_boards
from acpcbot.abstraction.flop_hands import FLOP_SIZE, flop_hand_number, flop_numbers, num_flop_hands
from acpcbot.cards.combos import combo_masks
from acpcbot.cards.deck import mask_of
from acpcbot.worker_threads import Progress

TABLE = "table"


@dataclass(frozen=True, slots=True, eq=False)
class TabledFlops:
    """The flop buckets of *worked_out*, with the *table* of them all."""

    worked_out: Bucketing
    table: Buckets
    _quick: memoryview = field(init=False, repr=False)

    def __post_init__(self) -> None:
        # Numbers come out of it in a tenth of the time that they take out of an array.
        object.__setattr__(self, "_quick", self.table.data)

    @property
    def board_size(self) -> int:
        return FLOP_SIZE

    @property
    def num_buckets(self) -> int:
        return self.worked_out.num_buckets

    def bucket(self, hole_cards: Sequence[int], board: Sequence[int]) -> int:
        found: int = self._quick[flop_hand_number(hole_cards, board)]
        return found

    def board_buckets(self, board: Sequence[int]) -> Buckets:
        return self.worked_out.board_buckets(board)

    def fill_table(self, on_progress: Progress | None = None) -> Buckets:
        return self.worked_out.fill_table(on_progress)

    def spec(self) -> Spec:
        return self.worked_out.spec()

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {**self.worked_out.arrays(), TABLE: self.table}


def tabled(worked_out: Bucketing, on_progress: Progress | None = None) -> TabledFlops:
    """Return the flop buckets *worked_out* with their table, for which all of them are computed."""
    rows, flops = worked_out.fill_table(on_progress), canonical_boards(FLOP_SIZE).boards
    table = np.zeros(num_flop_hands(), bucket_type(worked_out.num_buckets))
    for row, flop in zip(rows, flops.tolist(), strict=True):
        free = combo_masks() & np.uint64(mask_of(flop)) == 0
        table[flop_numbers(flop)[free]] = row[free]
    return TabledFlops(worked_out, table)


def restored(worked_out: Bucketing, arrays: Mapping[str, NDArray[Any]]) -> Bucketing:
    """Return *worked_out* with the table among *arrays*, where there is one.

    Raises ValueError for one that cannot be its.
    """
    table = arrays.get(TABLE)
    if table is None:
        return worked_out
    wanted = bucket_type(worked_out.num_buckets)
    if (
        worked_out.board_size != FLOP_SIZE
        or table.dtype != wanted
        or table.shape != (num_flop_hands(),)
    ):
        raise ValueError(
            f"a table of {table.dtype} {list(table.shape)} for {worked_out.board_size} board cards"
        )
    if int(table.max()) >= worked_out.num_buckets:
        raise ValueError(f"a table with bucket {table.max()} of {worked_out.num_buckets}")
    return TabledFlops(worked_out, np.ascontiguousarray(table))
