"""Arrays that nothing counts: the same memory, in kernels and in plain Python."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

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


class Weights(NamedTuple):
    scale: float
    numbers: Floats


class Tables(NamedTuple):
    weights: Weights
    places: NDArray[np.int64]


@kernel
def scale_one(tables: Tables, number: int) -> float:
    weights, place = tables.weights, tables.places[number]
    weights.numbers[place] *= weights.scale
    return float(weights.numbers[place : place + 2].sum())


@kernel
def scale_without_count(tables: Tables, number: int) -> float:
    return scale_one(uncounted(tables), number)


def test_fields_of_a_named_tuple_are_the_same_memory() -> None:
    """Catches fields that are mixed up, and slices of them that are freed."""
    tables = Tables(Weights(3.0, np.arange(5.0)), np.array([4, 2]))
    for _ in range(1000):
        assert scale_without_count(tables._replace(weights=Weights(1.0, tables[0][1])), 1) == 5
    assert scale_without_count(tables, 1) == 9
    assert tables.weights.numbers.tolist() == [0, 1, 6, 3, 4]


def test_a_static_array_is_read_as_it_is() -> None:
    numbers = static(np.arange(8.0).reshape(4, 2))
    assert with_count(numbers, 2) == 6 + 4
    assert numbers.sum() == 28
