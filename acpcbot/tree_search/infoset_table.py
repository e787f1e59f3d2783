"""The memory of searches by information set: a table from keys to sums that grows as it is used.

Open addressing with linear probing. Keys are mixed already (``games.game.observe``), so their low
bits are the first place to look; whole keys are compared, so information sets never merge. A place
holds key, first slot and count in 16 bytes, four to a cache line: one line is read to find an
information set and as a rule one more for its sums.

A kernel cannot enlarge arrays that its caller owns: it stops when the next information set might
not fit, and is called again after ``grow``. At the limit of the memory it is told so, and goes on
without adding anything.

``places``  PLACE [place], a power of two; slot 0 is no information set's, and marks an empty place
``sums``    float64 [slot, 2], the slots of an information set side by side
``used``    int64 [TABLE_INFOSETS .. TABLE_IS_FULL], how much of the arrays is in use, whether the
            limit of the memory is reached, and whether a kernel stopped for want of room
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from acpcbot.arrays import AnyArray, Floats, Ints
from acpcbot.errors import UsageError
from acpcbot.jit import kernel
from acpcbot.memory import size_text
from acpcbot.uncounted_arrays import uncounted

PLACE: np.dtype[Any] = np.dtype([("key", np.int64), ("slot", np.int32), ("count", np.int32)])
SLOT_BYTES = 16
TABLE_INFOSETS, TABLE_SLOTS, TABLE_IS_LIMITED, TABLE_IS_FULL = range(4)
NOWHERE = -1

FIRST_PLACES = 1 << 10
# Slots for a place: an information set has two or three actions in most games, and a table is at
# most three quarters full.
SLOTS_PER_PLACE = 2
# The largest number of slots that a place can point to.
MOST_SLOTS = 1 << 31


class InfosetTable(NamedTuple):
    """The arrays of a table; the module's docstring tells their layout."""

    places: AnyArray
    sums: Floats
    used: Ints


def empty_table(
    max_actions: int, memory_bytes: int, num_infosets: int = 0, num_slots: int = 0
) -> InfosetTable:
    """Return an empty table that will grow to at most *memory_bytes*.

    It has room for *num_infosets* and *num_slots* from the start, or for as much of them as fits,
    so that it need not grow in the middle of a decision. Raises UsageError if even the smallest
    table takes more.
    """
    least_slots = max(SLOTS_PER_PLACE * FIRST_PLACES, 2 * max_actions)
    smallest = FIRST_PLACES * PLACE.itemsize + least_slots * SLOT_BYTES
    if memory_bytes < smallest:
        raise UsageError(
            f"memory of {memory_bytes} bytes is too small: the smallest table takes {smallest}",
            f"allow at least {size_text(smallest + 100_000)}",
        )
    places, slots = FIRST_PLACES, least_slots
    while 3 * places <= 4 * num_infosets or slots < min(num_slots + max_actions + 1, MOST_SLOTS):
        more_places = 2 * places if 3 * places <= 4 * num_infosets else places
        more_slots = 2 * slots if slots < num_slots + max_actions + 1 else slots
        if more_places * PLACE.itemsize + more_slots * SLOT_BYTES > memory_bytes:
            break
        places, slots = more_places, more_slots
    used = np.zeros(4, np.int64)
    used[TABLE_SLOTS] = 1
    return InfosetTable(np.zeros(places, PLACE), np.zeros((slots, 2)), used)


def grow(table: InfosetTable, memory_bytes: int) -> InfosetTable:
    """Return *table* at twice its size, or the same, marked as limited, if that is too much."""
    places, sums, used = table
    needs_places = 4 * used[TABLE_INFOSETS] >= 2 * len(places)
    num_places = 2 * len(places) if needs_places else len(places)
    num_slots = 2 * len(sums) if 4 * used[TABLE_SLOTS] >= 2 * len(sums) else len(sums)
    size = num_places * PLACE.itemsize + num_slots * SLOT_BYTES
    if size > memory_bytes or num_slots > MOST_SLOTS:
        used[TABLE_IS_LIMITED] = 1
        return table
    grown = InfosetTable(np.zeros(num_places, PLACE), np.zeros((num_slots, 2)), used)
    grown.sums[: used[TABLE_SLOTS]] = sums[: used[TABLE_SLOTS]]
    place_again(places, grown.places)
    return grown


@kernel
def find(places: AnyArray, key: int) -> int:
    """Return the place of *key*, or the empty place where it would go."""
    # A power of two, so that the mask replaces a division. Full keys are compared; the table is
    # never full, so that the search ends.
    mask = np.int64(len(places) - 1)
    place = key & mask
    while places[place]["slot"] != 0 and places[place]["key"] != key:
        place = (place + 1) & mask
    return int(place)


@kernel
def has_room(places: AnyArray, sums: Floats, used: Ints, count: int) -> bool:
    """Return whether an information set of *count* actions fits."""
    # Up to three quarters: beyond it linear probing meets long runs.
    fits = 4 * (used[TABLE_INFOSETS] + 1) <= 3 * len(places) and used[TABLE_SLOTS] + count <= len(
        sums
    )
    return bool(fits)


@kernel
def add(places: AnyArray, used: Ints, place: int, key: int, count: int) -> None:
    """Add the information set *key* of *count* actions at the empty *place*, given room."""
    # Sums beyond what is in use are zeros already.
    places[place]["key"], places[place]["count"] = key, count
    places[place]["slot"] = used[TABLE_SLOTS]
    used[TABLE_INFOSETS] += 1
    used[TABLE_SLOTS] += count


@kernel
def place_again(places: AnyArray, larger: AnyArray) -> None:
    """Put everything in *places* into an empty *larger* array."""
    # In order of places; sums stay where they are, since places point to them.
    for place in range(len(places)):
        if places[place]["slot"] != 0:
            there = find(larger, places[place]["key"])
            larger[there]["key"], larger[there]["slot"] = (
                places[place]["key"],
                places[place]["slot"],
            )
            larger[there]["count"] = places[place]["count"]


@kernel(inline=True)
def uncounted_table(table: InfosetTable) -> InfosetTable:
    """Return *table* without a count of references, for kernels."""
    return InfosetTable(uncounted(table.places), uncounted(table.sums), uncounted(table.used))


def slots_of(table: InfosetTable, key: int) -> slice | None:
    """Return the slots of the information set *key*, or None where it is not in *table*."""
    record = table.places[find(table.places, key)]
    first, count = int(record["slot"]), int(record["count"])
    return slice(first, first + count) if first else None
