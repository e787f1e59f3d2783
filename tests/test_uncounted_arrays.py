"""Arrays that nothing counts: the same memory, in kernels and in plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np

from acpcbot.arrays import AnyArray, Floats
from acpcbot.jit import kernel
from acpcbot.uncounted_arrays import static, uncounted

RECORD: np.dtype[Any] = np.dtype([("key", np.int64), ("slot", np.int32)])


@kernel
def many_ways_out(numbers: Floats, place: int) -> float:
    if place < 0:
        return 0.0
    if numbers[place, 1] > 2:
        return float(numbers[place, 0])
    numbers[place, 1] += 1
    return float(len(numbers))


@kernel
def with_count(numbers: Floats, place: int) -> float:
    return many_ways_out(numbers, place) + many_ways_out(numbers, place + 1)


@kernel
def without_count(numbers: Floats, place: int) -> float:
    own = uncounted(numbers)
    return many_ways_out(own, place) + many_ways_out(own, place + 1)


def test_it_is_the_same_memory() -> None:
    counted, free = np.arange(8.0).reshape(4, 2), np.arange(8.0).reshape(4, 2)
    for place in (0, 1, 0, -1):
        assert with_count(counted, place) == without_count(free, place)
    assert (counted == free).all()
    assert free[0, 1] == 3
    assert uncounted(free) is free


@kernel
def write_record(records: AnyArray, place: int) -> int:
    own = uncounted(records)
    own[place]["key"], own[place]["slot"] = 7, 8
    return int(own[place]["key"] + own[place]["slot"])


def test_rows_of_records_can_be_written() -> None:
    records = np.zeros(3, RECORD)
    assert write_record(records, 2) == 15
    assert records[2]["key"] == 7


def test_a_static_array_is_read_as_it_is() -> None:
    numbers = static(np.arange(8.0).reshape(4, 2))
    assert with_count(numbers, 2) == 6 + 4
    assert numbers.sum() == 28
