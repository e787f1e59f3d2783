"""The value of GP(4,6,4,4), between bounds that best responses in the whole game make certain.

Its 953 million endings are never enumerated. Some ten minutes of one core, and 1 GB.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

from acpcbot.games.generic_poker import GenericPoker
from acpcbot.games.solvers.double_oracle import DoubleOracle, GrowingCFR
from acpcbot.memory import available_bytes, memory_text
from benchmarks.figure import Figure

ONLY_BY_NAME = True
# A mask and a place; and what the restricted game of GP(4,6,4,4) was seen to take at its largest.
BYTES_A_HAND = 6
SEQUENCE_BYTES = 900_000_000
GAMES = {
    "GP(3,3,2,2)": (GenericPoker(3, 3, 2, 2), 1e-5, -0.11135308803867),
    "GP(4,6,4,4)": (GenericPoker(4, 6, 4, 4), 1e-5, -0.11123854182232),
}
"""By name: the game, how narrow its bounds are to be, in chips, and the published value."""


def figures() -> Iterator[Figure]:
    for name, (game, target, published) in GAMES.items():
        yield from bounds(name, game, target, published)


def bounds(name: str, game: GenericPoker, target: float, published: float) -> Iterator[Figure]:
    start = time.process_time()
    oracle = DoubleOracle(game)
    needed = {
        "the whole game's actions, if all were opened": oracle.masks.size * BYTES_A_HAND,
        "sequences": SEQUENCE_BYTES,
    }
    print(memory_text(needed, available_bytes()), file=sys.stderr, flush=True)
    for last in GrowingCFR(oracle).solve(target):
        print(f"{name}: {last}", file=sys.stderr, flush=True)
    found = last.bounds
    note = f"value between {found.lower:.9f} and {found.upper:.9f}; published: {published:.14f}"
    yield Figure(
        name=f"{name}, bounds apart",
        value=found.gap,
        unit="chips",
        target=target,
        note=note,
        higher_is_better=False,
    )
    is_within = found.lower <= published <= found.upper
    yield Figure(name=f"{name}, published value between them", value=is_within, unit="", target=1)
    note = f"{last.num_iterations:,} iterations; slots of the restricted game: {last.num_slots:,}"
    yield Figure(
        name=f"{name}, time",
        value=time.process_time() - start,
        unit="s of CPU",
        note=note,
        higher_is_better=False,
    )
