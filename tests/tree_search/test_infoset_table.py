"""The table of information sets: collisions, growth and the limit of its memory."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from acpcbot.errors import UsageError
from acpcbot.tree_search.infoset_table import (
    TABLE_INFOSETS,
    TABLE_IS_LIMITED,
    InfosetTable,
    add,
    empty_table,
    find,
    grow,
    has_room,
    slots_of,
)

MEMORY_BYTES = 1 << 24


def put(
    table: InfosetTable, key: int, count: int, memory_bytes: int = MEMORY_BYTES
) -> InfosetTable:
    """*table* with *key*, its regrets set to the key."""
    if not has_room(*table, count):
        table = grow(table, memory_bytes)
    place = find(table.places, key)
    add(table.places, table.used, place, key, count)
    slots = slots_of(table, key)
    assert slots is not None
    table.sums[slots] = key % 1000
    return table


def test_keys_that_begin_at_one_place_stay_apart() -> None:
    """Caught: keys compared by a part of their bits. All of these meet at the same place, among
    them 0, negative keys, and keys that differ in one bit alone.
    """
    keys = [0, *(1 << bit for bit in range(20, 63)), *(-(1 << bit) for bit in range(20, 64))]
    table = empty_table(4, MEMORY_BYTES)
    assert len({key & (len(table.places) - 1) for key in keys}) == 1
    for key in keys:
        assert slots_of(table, key) is None
        table = put(table, key, 3)
    assert table.used[TABLE_INFOSETS] == len(set(keys))
    found = [slots_of(table, key) for key in keys]
    starts = sorted(slots.start for slots in found if slots is not None)
    assert all(after - before == 3 for before, after in pairwise(starts))
    for key, slots in zip(keys, found, strict=True):
        assert slots is not None
        assert (table.sums[slots] == key % 1000).all()


def test_a_table_grows_and_forgets_nothing() -> None:
    random, table = Random(1), empty_table(4, MEMORY_BYTES)
    counts = {random.getrandbits(64) - (1 << 63): random.randint(1, 4) for _ in range(20_000)}
    for key, count in counts.items():
        table = put(table, key, count)
    assert len(table.places) >= 4 / 3 * len(counts)
    assert table.used[TABLE_INFOSETS] == len(counts)
    for key, count in counts.items():
        slots = slots_of(table, key)
        assert slots is not None
        assert slots.stop - slots.start == count
        assert (table.sums[slots] == key % 1000).all()
    assert slots_of(table, 12345) is None


def test_at_its_limit_a_table_says_so() -> None:
    limit, random = 200_000, Random(1)
    table = empty_table(2, limit)
    while not table.used[TABLE_IS_LIMITED]:
        fits = has_room(*table, 2)
        table = put(table, random.getrandbits(63), 2, limit) if fits else grow(table, limit)
    assert not has_room(*table, 2)
    assert table.places.nbytes + table.sums.nbytes <= limit
    assert table.used[TABLE_INFOSETS] > 500


def test_the_smallest_table_has_to_fit() -> None:
    with pytest.raises(UsageError, match="memory of 10000 bytes is too small"):
        empty_table(2, 10_000)
