"""Speed of stored strategies against each other in limit hold'em, and of making them.

The policies are of random weights and of different abstractions, so every deal is looked
up twice; duplicate play makes two hands of it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping

import numpy as np

from acpcbot.abstraction.deal_sources import DealSources
from acpcbot.abstraction.holdem_abstraction import HoldemAbstraction
from acpcbot.evaluation.arena import play
from acpcbot.learning.policies import byte_probabilities, greedy_probabilities
from acpcbot.poker.shipped import shipped_definition
from acpcbot.strategies.whole_policy import TablePolicy
from acpcbot.trees.public_tree import AbstractGame, PublicTree, build_tree
from benchmarks.figure import Figure, seconds

SEED = 1
NUM_DEALS = 400_000
NUM_LONG_DEALS = 10_000_000
GRID = {
    "preflop": "lossless",
    "flop": {"grid": 1000},
    "turn": {"grid": 500},
    "river": {"grid": 200},
}
PERCENTILE = {
    "preflop": "lossless",
    "flop": {"percentile": 500},
    "turn": {"percentile": 500},
    "river": {"percentile": 500},
}


def figures() -> Iterator[Figure]:
    definition = shipped_definition("holdem.limit.2p.reverse_blinds")
    tree, dealer = build_tree(definition), DealSources(definition)
    yield from making_policies(tree)
    rivals = [
        random_policy(tree, name, settings)
        for name, settings in (("grid", GRID), ("percentile", PERCENTILE))
    ]
    took_s = seconds(lambda: play(tree, rivals, NUM_DEALS, SEED, deal_sources=dealer))
    name = "arena, two abstractions, one thread"
    yield Figure(name=name, value=2 * NUM_DEALS / took_s, unit="hands/s", target=500_000)
    yield long_match(tree, rivals, dealer)


def making_policies(tree: PublicTree) -> Iterator[Figure]:
    """Bytes from floats, and greedy actions from the statistics of UCT, as they lie in memory."""
    game = AbstractGame(tree, HoldemAbstraction.from_settings(GRID).num_buckets)
    statistics = np.random.default_rng(SEED).random((game.layout.num_slots, 2))
    visits, means = statistics[:, 0], statistics[:, 1]
    for name, took_s in (
        ("weights to probabilities in bytes", seconds(lambda: byte_probabilities(visits, game))),
        (
            "statistics to a greedy policy",
            seconds(lambda: greedy_probabilities(visits, means, game)),
        ),
    ):
        yield Figure(
            name=name, value=took_s / len(visits) * 1e9, unit="ns/slot", higher_is_better=False
        )


def long_match(tree: PublicTree, rivals: list[TablePolicy], dealer: DealSources) -> Figure:
    start_s = time.perf_counter()
    score = play(tree, rivals, NUM_LONG_DEALS, SEED, num_threads=2, deal_sources=dealer)
    took_s = time.perf_counter() - start_s
    return Figure(
        name=f"arena, {score.num_hands // 1_000_000} million duplicate hands, two threads",
        value=took_s,
        unit="s",
        target=60,
        note=str(score.results[0]),
        higher_is_better=False,
    )


def random_policy(tree: PublicTree, name: str, settings: Mapping[str, object]) -> TablePolicy:
    abstraction = HoldemAbstraction.from_settings(settings)
    game = AbstractGame(tree, abstraction.num_buckets)
    weights = np.random.default_rng(SEED).random(game.layout.num_slots)
    return TablePolicy(name, game.num_buckets, byte_probabilities(weights, game), abstraction)
