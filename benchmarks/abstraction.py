"""Time for the tables of E[HS2], for one hand's bucket at the table, and for making deals."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from random import Random

import numpy as np

from acpcbot.abstraction.buckets import grid
from acpcbot.abstraction.canonical_boards import canonical_boards
from acpcbot.abstraction.dealing import HoldemDeals
from acpcbot.abstraction.equity import equity_table, make_flop_table, make_turn_table
from acpcbot.abstraction.holdem_abstraction import STREETS, HoldemAbstraction
from acpcbot.poker.shipped import shipped_definition
from acpcbot.random_kernels import seed_state
from benchmarks.figure import RUNS, Figure, seconds

SEED = 1
NUM_HANDS = 50
NUM_DEALS = 1 << 20
PAPER = {
    "preflop": "lossless",
    "flop": {"grid": 1000},
    "turn": {"grid": 500},
    "river": {"grid": 200},
}
TARGETS_MS = {"preflop": None, "flop": 50, "turn": 2, "river": 2}
GAMES = {"2-player": ("holdem.limit.2p.reverse_blinds", 180), "3-player": ("holdem.limit.3p", None)}


def figures() -> Iterator[Figure]:
    yield from tables()
    abstraction = HoldemAbstraction.from_settings(PAPER)
    yield from buckets(abstraction)
    yield from dealing(abstraction)


def tables() -> Iterator[Figure]:
    """Yield each table once; its few seconds of compiling, if the cache is empty, are in it."""
    for size in (3, 4, 5):
        canonical_boards(size)
    took = {"turn": once(make_turn_table)}
    equity_table(4)
    took |= {"flop": once(make_flop_table), "river": once(lambda: grid(5, 200).fill_table())}
    notes = {
        "turn": "kept on disk",
        "flop": "kept on disk, made from the turn's",
        "river": "made for each training",
    }
    for street, (wall_s, cpu_s) in took.items():
        note = f"{cpu_s:.1f} s of CPU; {notes[street]}"
        yield Figure(
            name=f"E[HS2] of all hands, {street}",
            value=wall_s,
            unit="s",
            note=note,
            higher_is_better=False,
        )
    total_s = sum(wall_s for wall_s, _ in took.values())
    yield Figure(
        name="E[HS2] of all hands, all streets",
        value=total_s,
        unit="s",
        target=60,
        higher_is_better=False,
    )


def once(work: Callable[[], object]) -> tuple[float, float]:
    """Wall time and CPU time of *work*."""
    wall_s, cpu_s = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall_s, time.process_time() - cpu_s


def buckets(abstraction: HoldemAbstraction) -> Iterator[Figure]:
    random = Random(SEED)
    hands = [random.sample(range(52), 7) for _ in range(NUM_HANDS)]
    for street, name in enumerate(STREETS):

        def find_all(street: int = street) -> None:
            for hand in hands:
                abstraction.bucket(street, hand[:2], hand[2:])

        value, target = seconds(find_all) / NUM_HANDS * 1e3, TARGETS_MS[name]
        yield Figure(
            name=f"bucket of one hand, {name}",
            value=value,
            unit="ms",
            target=target,
            higher_is_better=False,
        )


def dealing(abstraction: HoldemAbstraction) -> Iterator[Figure]:
    for label, (game, target) in GAMES.items():
        source = HoldemDeals(shipped_definition(game), abstraction)
        deals, state = np.empty((NUM_DEALS, source.width), np.uint16), seed_state(SEED)
        source.fill(deals, state)
        cpu_s = statistics.median(once(partial(source.fill, deals, state))[1] for _ in range(RUNS))
        name = f"{label} deal, with buckets and ordering"
        yield Figure(
            name=name,
            value=cpu_s / NUM_DEALS * 1e9,
            unit="ns of CPU",
            target=target,
            higher_is_better=False,
        )
