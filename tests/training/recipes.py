"""Recipes for the tests."""

from __future__ import annotations

from acpcbot.training.recipe import Recipe, parse_recipe

LEDUC = """
game = "leduc.limit.2p"
seed = {seed}
threads = 1
snapshot = "strategies/leduc.limit.2p/test"

[learner]
name = "smooth_uct"
exploration = 18
d = 0.002

[budget]
count = {count}

[curve]
points_per_decade = 2

[snapshots]
hold = ["average", "greedy"]
every = {every}
"""

CFR = """
game = "{game}"
snapshot = "strategies/test"

[learner]
name = "dcfr"

[budget]
count = {count}

[curve]
points_per_decade = 1
"""


def leduc_recipe(count: int = 300_000, seed: int = 1, every: int = 0) -> Recipe:
    return parse_recipe(LEDUC.format(count=count, seed=seed, every=every))


def cfr_recipe(game: str = "leduc.limit.2p", count: int = 100) -> Recipe:
    return parse_recipe(CFR.format(game=game, count=count))
