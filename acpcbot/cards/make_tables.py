"""Construction of the fast evaluator's tables: ``python -m acpcbot.cards.make_tables``.

A hand of five to seven cards is in one of 7,462 classes of equal strength, numbered from
1, the worst. ``any_strength`` ranks them by arithmetic; three tables give the class quickly:

* ``flush_strengths`` uint16 [8192]: the class of a flush, by its set of ranks.
* ``rank_strengths`` uint16, ``row_offsets`` uint32 [rows]: the class of any other hand by
  the lower half of its key, ``rank_strengths[key + row_offsets[key >> ROW_BITS]]`` modulo
  2**32. Few keys occur, so rows of keys are laid over each other where they do not clash
  (row displacement: Tarjan & Yao 1979, https://doi.org/10.1145/359168.359175).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Ints, Uints16, Uints32
from acpcbot.cards.any_strength import strength
from acpcbot.cards.hand_keys import KEY_LIMIT, MAX_CARDS, MIN_CARDS, RANK_KEYS, ROW_BITS, START_KEYS
from acpcbot.jit import kernel

FOLDER = Path(__file__).parent
NUM_CLASSES = 7462

Keys = Ints
Classes = Uints16


def main() -> None:
    """Write every table beside this module."""
    for name, table in make_tables().items():
        np.save(FOLDER / f"{name}.npy", table, allow_pickle=False)


def make_tables() -> dict[str, NDArray[np.unsignedinteger]]:
    """Return all tables by name; the same on every machine."""
    flushes = {
        sum(1 << rank for rank in ranks): strength([4 * rank for rank in ranks])
        for ranks in rank_sets()
    }
    others = {hand_key(ranks): strength(mixed_suits(ranks)) for ranks in rank_multisets()}
    classes = np.unique([*flushes.values(), *others.values()])
    assert len(classes) == NUM_CLASSES
    flush_strengths = np.zeros(8192, np.uint16)
    flush_strengths[list(flushes)] = np.searchsorted(classes, list(flushes.values())) + 1
    keys = np.array(sorted(others))
    key_strengths = np.searchsorted(classes, [others[int(key)] for key in keys]) + 1
    rank_strengths, row_offsets = compress(keys, key_strengths.astype(np.uint16))
    return {
        "flush_strengths": flush_strengths,
        "rank_strengths": rank_strengths,
        "row_offsets": row_offsets,
    }


def rank_sets() -> Iterator[tuple[int, ...]]:
    """Yield the ranks of every flush of five to seven cards."""
    for count in range(MIN_CARDS, MAX_CARDS + 1):
        yield from combinations(range(13), count)


def rank_multisets() -> Iterator[tuple[int, ...]]:
    """Yield the ranks of every hand of five to seven cards, ascending."""
    for count in range(MIN_CARDS, MAX_CARDS + 1):
        for ranks in combinations_with_replacement(range(13), count):
            if all(low != high for low, high in zip(ranks, ranks[4:], strict=False)):
                yield ranks


def mixed_suits(ranks: tuple[int, ...]) -> list[int]:
    """Different cards of these ascending *ranks* that make no flush."""
    return [4 * rank + place % 4 for place, rank in enumerate(ranks)]


def hand_key(ranks: tuple[int, ...]) -> int:
    """Return the lower half of the key of a hand of these *ranks*."""
    start = int(START_KEYS[len(ranks)]) & 0xFFFFFFFF
    return start + sum(RANK_KEYS[rank] for rank in ranks)


def compress(keys: Keys, strengths: Classes) -> tuple[Classes, Uints32]:
    """Return ``rank_strengths`` and ``row_offsets`` for ascending *keys*."""
    rows = KEY_LIMIT >> ROW_BITS
    row_ends = np.searchsorted(keys, np.arange(rows + 1) << ROW_BITS)
    fullest_first = np.argsort(-np.diff(row_ends), kind="stable")
    table = np.zeros(4 * len(keys) + (1 << ROW_BITS), np.uint16)
    places = np.zeros(rows, np.int64)
    _lay_rows(keys & ((1 << ROW_BITS) - 1), strengths, row_ends, fullest_first, table, places)
    size = int(places.max()) + (1 << ROW_BITS)
    return table[:size], (places - (np.arange(rows) << ROW_BITS)).astype(np.uint32)


@kernel
def _lay_rows(
    columns: Keys, strengths: Classes, row_ends: Keys, order: Keys, table: Classes, places: Keys
) -> None:
    """Fill *table* and *places*: each row goes to the first place where its entries meet gaps.

    Rows are laid in this *order*; *row_ends* cut the ascending *columns* and *strengths* into rows.
    """
    # First fit, fullest rows first, after Tarjan & Yao (1979): full rows need much room that is
    # still free, sparse rows fill the gaps between them. 0 is no class, so it marks a gap.
    for row in order:
        first, last = row_ends[row], row_ends[row + 1]
        place = 0
        # An empty row may lie anywhere: its keys do not occur.
        clash = first < last
        while clash:
            clash = False
            for entry in range(first, last):
                if table[place + columns[entry]]:
                    clash = True
                    place += 1
                    break
        for entry in range(first, last):
            table[place + columns[entry]] = strengths[entry]
        places[row] = place


if __name__ == "__main__":
    main()
