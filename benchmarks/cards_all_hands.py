"""Every 7-card hand there is, compared with eval7 (a C extension of other authors).

Two evaluators agree if their strengths belong together in pairs, and if both ascend from
pair to pair: one monotone map. The work is split by the two first cards over all cores.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from itertools import combinations
from math import comb
from multiprocessing import Pool
from typing import Any

import numpy as np
from numpy.typing import NDArray

from acpcbot.arrays import Ints
from acpcbot.cards.deck import format_card
from acpcbot.cards.strength import strength7
from acpcbot.jit import kernel
from benchmarks.figure import Figure

ONLY_BY_NAME = True

NUM_CARDS = 52
NUM_STRENGTHS = 7463
UNKNOWN = -1


def figures() -> Iterator[Figure]:
    start = time.perf_counter()
    counts, disagreeing = compare_all()
    took = time.perf_counter() - start
    compared, all_hands = int(counts.sum()), comb(NUM_CARDS, 7)
    yield Figure(
        name="7-card hands compared with eval7", value=compared, unit="hands", target=all_hands
    )
    yield Figure(
        name="strengths among them",
        value=int(np.count_nonzero(counts)),
        unit="strengths",
        target=4824,
    )
    name = "7-card hands ranked otherwise by eval7"
    yield Figure(name=name, value=disagreeing, unit="hands", target=0, higher_is_better=False)
    yield Figure(
        name="time to compare them", value=took, unit="s", note=f"{os.cpu_count()} processes"
    )


def compare_all() -> tuple[Ints, int]:
    """Return the count of each of our strengths, and the number of hands off the monotone map."""
    counts = np.zeros(NUM_STRENGTHS, np.int64)
    their_strengths = np.full(NUM_STRENGTHS, UNKNOWN, np.int64)
    disagreeing = 0
    with Pool() as pool:
        for part_counts, part_strengths, part_disagreeing in pool.imap_unordered(
            compare_part, parts()
        ):
            fresh = their_strengths == UNKNOWN
            their_strengths[fresh] = part_strengths[fresh]
            clash = (part_counts > 0) & (part_strengths != their_strengths)
            disagreeing += part_disagreeing + int(part_counts[clash].sum())
            counts += part_counts
    occurring = np.flatnonzero(counts)
    descents = np.diff(their_strengths[occurring]) <= 0
    return counts, disagreeing + int(counts[occurring[1:]][descents].sum())


def parts() -> list[tuple[int, int]]:
    """Return the two first cards of all 7-card hands."""
    return [
        (first, second)
        for first, second in combinations(range(NUM_CARDS), 2)
        if second <= NUM_CARDS - 6
    ]


def compare_part(start: tuple[int, int]) -> tuple[Ints, Ints, int]:
    """Return our strengths' counts, eval7's for each, and the mismatches, of such hands."""
    import eval7  # here, because it has no wheel outside Linux

    first, second = start
    cards: list[Any] = [eval7.Card(format_card(card)) for card in range(NUM_CARDS)]
    size = comb(NUM_CARDS - 1 - second, 5)
    rests = combinations(cards[second + 1 :], 5)
    both = (cards[first], cards[second])
    theirs = np.fromiter((eval7.evaluate(both + rest) for rest in rests), np.int64, size)
    ours = np.empty(size, np.uint16)
    _fill_part(first, second, ours)
    their_strengths = np.full(NUM_STRENGTHS, UNKNOWN, np.int64)
    their_strengths[ours] = theirs
    return (
        np.bincount(ours, minlength=NUM_STRENGTHS),
        their_strengths,
        int((their_strengths[ours] != theirs).sum()),
    )


@kernel
def _fill_part(first: int, second: int, values: NDArray[np.uint16]) -> None:
    """Our strengths of all hands that begin so, in the order of ``combinations``."""
    hand = 0
    for a in range(second + 1, NUM_CARDS):
        for b in range(a + 1, NUM_CARDS):
            for c in range(b + 1, NUM_CARDS):
                for d in range(c + 1, NUM_CARDS):
                    for e in range(d + 1, NUM_CARDS):
                        values[hand] = strength7(first, second, a, b, c, d, e)
                        hand += 1
