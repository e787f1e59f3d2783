"""Episodes a second of Smooth UCT on one thread, dealing included, and cost beside UCT's.

Rates are by CPU time, but for that of two threads, which is by the clock. Trees are warm.
Constants are those of Heinrich & Silver (2015), Smooth UCT Search in Computer Poker.
"""

from __future__ import annotations

import os
import statistics
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from acpcbot.abstraction.card_abstraction import (
    EXACT,
    DealSource,
    make_abstraction,
    make_deal_source,
)
from acpcbot.cards.strength import fill_strengths
from acpcbot.learning.sampling import SamplingSolver
from acpcbot.learning.uct import UCTLearner, UCTSettings
from acpcbot.poker.shipped import shipped_definition
from acpcbot.trees.public_tree import AbstractGame, build_tree
from benchmarks.abstraction import PAPER, once
from benchmarks.figure import RUNS, Figure

SEED = 1
LIMIT_HOLDEM = "holdem.limit.2p.reverse_blinds"
LIMIT_HOLDEM_SETTINGS = UCTSettings(exploration=24.0, potential_share=0.5, d=5e-5)
SMALL_GAMES = (
    ("Leduc", "leduc.limit.2p", UCTSettings(exploration=18.0, d=0.002), 10.0),
    ("Kuhn", "kuhn.limit.2p", UCTSettings(exploration=1.75, d=0.001), 15.0),
)
WARM_UP = 1 << 27
COUNT, SMALL_COUNT = 1 << 21, 1 << 23
NUM_HANDS, NUM_EVALUATIONS = 20_000, 10_000


def figures() -> Iterator[Figure]:
    for label, name, settings, target in SMALL_GAMES:
        game, source = table(name, EXACT)
        solver = SamplingSolver(UCTLearner(game, settings), source, seed=SEED)
        solver.step(SMALL_COUNT)
        yield rate(f"Smooth UCT in {label}", solver, SMALL_COUNT, target)
    yield from limit_holdem()


def limit_holdem() -> Iterator[Figure]:
    game, source = table(LIMIT_HOLDEM, PAPER)
    smooth_uct = SamplingSolver(UCTLearner(game, LIMIT_HOLDEM_SETTINGS), source, seed=SEED)
    uct = SamplingSolver(
        UCTLearner(game, replace(LIMIT_HOLDEM_SETTINGS, gamma=1.0, eta=1.0)), source, seed=SEED
    )
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(lambda solver: solver.step(WARM_UP), (smooth_uct, uct)))
    yield rate("Smooth UCT in 2-player limit hold'em", smooth_uct, COUNT, 1.8)
    name, note = "cost of an episode, Smooth UCT over UCT", "runs taken in turns"
    value = cost(smooth_uct, uct)
    yield Figure(
        name=name, value=value, unit="times", target=1.05, note=note, higher_is_better=False
    )
    yield two_threads(smooth_uct, source)


def table(name: str, abstraction: object) -> tuple[AbstractGame, DealSource]:
    """The tree, the deals and the abstraction that learners of the game need."""
    definition = shipped_definition(name)
    buckets = make_abstraction(definition, abstraction)
    return AbstractGame(build_tree(definition), buckets.num_buckets), make_deal_source(
        definition, buckets
    )


def rate(name: str, solver: SamplingSolver, count: int, target: float) -> Figure:
    """Return the median rate of some runs of *count* episodes, on one thread."""
    warm_up = solver.num_done
    wall_s, cpu_s = (
        statistics.median(times) for times in zip(*timings(solver, count), strict=True)
    )
    by_clock, load = count / wall_s / 1e6, os.getloadavg()[0]
    note = f"after {warm_up / 1e6:.0f} M; {by_clock:.2f} by the clock, load {load:.1f}"
    return Figure(
        name=name, value=count / cpu_s / 1e6, unit="M episodes/s", target=target, note=note
    )


def timings(solver: SamplingSolver, count: int) -> list[tuple[float, float]]:
    """Wall time and CPU time of each run."""
    return [once(partial(solver.step, count)) for _ in range(RUNS)]


def cost(ours: SamplingSolver, theirs: SamplingSolver) -> float:
    """CPU time for an episode of *ours* over that of *theirs*: the median of pairs of runs."""
    pairs = [
        (once(partial(ours.step, COUNT))[1], once(partial(theirs.step, COUNT))[1])
        for _ in range(RUNS)
    ]
    return statistics.median(our_s / their_s for our_s, their_s in pairs)


def two_threads(alone: SamplingSolver, source: DealSource) -> Figure:
    """By the clock, and in pairs of runs: two threads in the tree of one.

    What the machine's two cores are worth at that time is told beside it: virtual ones may share a
    real one.
    """
    both = SamplingSolver(alone.learner, source, seed=SEED + 1, num_threads=2)
    hands, values = (
        np.tile(np.arange(7, dtype=np.uint8), (NUM_HANDS, 1)),
        np.empty((2, NUM_HANDS), np.uint16),
    )
    ratios, others = [], []
    for _ in range(2 * RUNS):
        alone_s = once(partial(alone.step, 2 * COUNT))[0]
        ratios.append(2 * alone_s / once(partial(both.step, 4 * COUNT))[0])
        others.append(2 * evaluated_s(hands, values[:1]) / evaluated_s(hands, values))
    note = (
        f"at the same time evaluating hands, which shares nothing: {statistics.median(others):.2f}"
    )
    value = statistics.median(ratios)
    return Figure(
        name="two threads over one, limit hold'em", value=value, unit="times", target=1.8, note=note
    )


def evaluated_s(hands: NDArray[np.uint8], values: NDArray[np.uint16]) -> float:
    """Return the time of threads, one a row of *values*, that each evaluate *hands* many times."""

    def evaluate(row: NDArray[np.uint16]) -> None:
        for _ in range(NUM_EVALUATIONS):
            fill_strengths(hands, row)

    with ThreadPoolExecutor(len(values)) as threads:
        return once(lambda: list(threads.map(evaluate, values)))[0]
