"""Winnings of UCT and Smooth UCT from simple players, after 250 million episodes.

The game is limit hold'em for two.
Trains both by their shipped recipes, a few minutes each, side by side where there are two cores.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from acpcbot.abstraction.deal_sources import DealSources
from acpcbot.evaluation.arena import play
from acpcbot.strategies.entrants import find_entrant
from acpcbot.training.curve import learner_policy
from acpcbot.training.recipe import load_recipe
from acpcbot.training.session import TrainingSession, build_session
from acpcbot.trees.public_tree import AbstractGame
from benchmarks.figure import Figure

ONLY_BY_NAME = True

STRATEGIES = Path(__file__).resolve().parents[1] / "strategies" / "holdem.limit.2p.reverse_blinds"
NUM_EPISODES = 250_000_000
NUM_DEALS = 2_000_000
TARGETS = {"call": 600, "raise": 1500, "random": 900}
SEED = 1


def figures() -> Iterator[Figure]:
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        places = dict(
            zip(("smooth_uct", "uct"), threads.map(trained, ("smooth_uct", "uct")), strict=True)
        )
    for name, place in places.items():
        dealer = DealSources(place.game.tree.definition)
        dealer.adopt(place.abstraction, place.source)
        for opponent, target in TARGETS.items():
            yield met(name, place, opponent, dealer, target)


def trained(name: str) -> TrainingSession:
    place = build_session(
        load_recipe(STRATEGIES / name / "recipe.toml"),
        lambda _needed: None,
        lambda *_progress: None,
    )
    place.solver.step(NUM_EPISODES)
    return place


def met(
    name: str, place: TrainingSession, opponent: str, dealer: DealSources, target: float
) -> Figure:
    assert isinstance(place.game, AbstractGame)
    tree, threads = place.game.tree, os.cpu_count() or 1
    entrants = [learner_policy(place, "greedy"), find_entrant(opponent, tree)]
    result = play(
        tree, entrants, NUM_DEALS, SEED, num_threads=threads, deal_sources=dealer
    ).results[0]
    return Figure(
        name=f"{name}, greedy, against {opponent}",
        value=round(result.mean_mbb, 1),
        unit="mbb/hand",
        target=target,
        note=f"± {result.half_width_mbb:.1f}, {NUM_EPISODES // 1_000_000} million episodes",
    )
