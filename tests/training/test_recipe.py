"""Recipes: what they say is understood, and what they cannot say is refused by name."""

from __future__ import annotations

import re

import pytest

from acpcbot.errors import UsageError
from acpcbot.learning.uct import UCTSettings
from acpcbot.training.recipe import parse_recipe
from acpcbot.training.session import (
    LEARNER_NAMES,
    learner_settings,
    statistics_bytes,
    verify_recipe,
)
from tests.training.recipes import CFR, LEDUC, cfr_recipe, leduc_recipe

TEXT = LEDUC.format(count=1000, seed=1, every=0)


def test_a_recipe_says_what_its_file_says() -> None:
    recipe = leduc_recipe(count=1000, seed=3, every=500)
    assert (recipe.game_name, recipe.seed, recipe.threads) == ("leduc.limit.2p", 3, 1)
    assert (recipe.budget.count, recipe.budget.seconds) == (1000, None)
    assert recipe.curve.points_per_decade == 2
    assert recipe.snapshots.hold == ("average", "greedy")
    assert recipe.snapshots.every == 500


def test_settings_that_are_left_out_are_the_learners_defaults() -> None:
    assert learner_settings(leduc_recipe()) == UCTSettings(exploration=18.0, d=0.002)


def test_uct_is_smooth_uct_that_never_mixes() -> None:
    settings = learner_settings(
        parse_recipe(TEXT.replace("smooth_uct", "uct").replace("d = 0.002", ""))
    )
    assert (settings.gamma, settings.eta) == (1.0, 1.0)


@pytest.mark.parametrize("name", LEARNER_NAMES)
def test_every_learner_has_settings_that_a_recipe_can_leave_alone(name: str) -> None:
    exploration = "exploration = 18" if name.endswith("uct") else ""
    recipe = parse_recipe(
        CFR.format(game="leduc.limit.2p", count=1).replace(
            'name = "dcfr"', f'name = "{name}"\n{exploration}'
        )
    )
    assert learner_settings(recipe) is not None
    assert statistics_bytes(recipe, 1000) in (8000, 16000)


REFUSALS = {
    "unknown learner 'alphago'": ('"smooth_uct"', '"alphago"'),
    "the recipe has no speed": ("seed = 1", "speed = 1"),
    "[learner] has no depth": ("d = 0.002", "depth = 2"),
    "[learner] exploration: 'much' is not of type float": (
        "exploration = 18",
        'exploration = "much"',
    ),
    "[learner] does not say exploration": ("exploration = 18", ""),
    "[budget] says neither count nor seconds": ("count = 1000", ""),
    "[budget] leaves no time to train": ("count = 1000", "count = 0"),
    "[budget] count: 1.5 is not of type": ("count = 1000", "count = 1.5"),
    "threads is 0": ("threads = 1", "threads = 0"),
    "seed is 'x'": ("seed = 1", 'seed = "x"'),
    "is no TOML": ("seed = 1", "seed = = 1"),
    "the recipe does not say snapshot": ('snapshot = "strategies/leduc.limit.2p/test"', ""),
    "[learner] d is fixed in uct": ('"smooth_uct"', '"uct"'),
}


@pytest.mark.parametrize("reason", REFUSALS)
def test_what_cannot_be_is_refused_by_its_name(reason: str) -> None:
    old, new = REFUSALS[reason]
    assert old in TEXT
    with pytest.raises(UsageError, match=re.escape(reason)):
        learner_settings(parse_recipe(TEXT.replace(old, new)))


@pytest.mark.parametrize(
    "table",
    ['[snapshots]\nhold = ["greedy"]', '[snapshots]\nhold = ["avarage"]', "[snapshots]\nhold = []"],
)
def test_snapshots_that_the_learner_cannot_fill_are_refused_before_hours_of_training(
    table: str,
) -> None:
    recipe = parse_recipe(f"{CFR.format(game='leduc.limit.2p', count=1)}\n{table}\n")
    with pytest.raises(UsageError):
        verify_recipe(recipe)


@pytest.mark.parametrize("play", ["greedy", "best", "threshold"])
def test_play_that_cannot_be_had_is_refused_before_hours_of_training(play: str) -> None:
    text = f'play = "{play}"\n{CFR.format(game="leduc.limit.2p", count=1)}'
    with pytest.raises(UsageError):
        verify_recipe(parse_recipe(text))


def test_the_identity_changes_with_what_is_learnt_and_not_with_the_budget() -> None:
    assert leduc_recipe(count=10).identity() == leduc_recipe(count=20, every=5).identity()
    assert leduc_recipe(seed=1).identity() != leduc_recipe(seed=2).identity()
    assert leduc_recipe().identity() != cfr_recipe().identity()
