"""Recipes: what they say is understood, and what they cannot say is refused by name."""

from __future__ import annotations

import re

import pytest

from acpcbot.errors import UsageError
from acpcbot.learning.uct import UCTSettings
from acpcbot.training.recipe import Budget, make_settings, parse_recipe
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
    if name not in ("public_sampling", "cfr_br"):  # they learn hold'em alone: see betting_lines
        assert statistics_bytes(recipe, (3, 9), 1000) in (8000, 16000)


REFUSALS = {
    "unknown learner 'alphago'": ('"smooth_uct"', '"alphago"'),
    "r.toml: unknown key speed": ("seed = 1", "speed = 1"),
    "r.toml, learner: unknown key depth": ("d = 0.002", "depth = 2"),
    'r.toml, learner.exploration: expected a number, found "much"': (
        "exploration = 18",
        'exploration = "much"',
    ),
    "r.toml, learner: no exploration (a number)": ("exploration = 18", ""),
    "r.toml, learner.name: expected a text, found null": ('name = "smooth_uct"', ""),
    "r.toml, budget: expected count or seconds, found neither": ("count = 1000", ""),
    "r.toml, budget.count: expected a whole number (at least 1), found 0": (
        "count = 1000",
        "count = 0",
    ),
    "r.toml, budget.seconds: expected a number (above 0), found -1": (
        "count = 1000",
        "seconds = -1",
    ),
    "r.toml, budget.count: expected a whole number (at least 1), found 1.5": (
        "count = 1000",
        "count = 1.5",
    ),
    "r.toml, threads: expected a whole number (at least 1), found 0": (
        "threads = 1",
        "threads = 0",
    ),
    'r.toml, seed: expected a whole number, found "x"': ("seed = 1", 'seed = "x"'),
    "r.toml, seed: expected a whole number, found true": ("seed = 1", "seed = true"),
    "r.toml is no TOML": ("seed = 1", "seed = = 1"),
    "r.toml: no snapshot (a text)": ('snapshot = "strategies/leduc.limit.2p/test"', ""),
    "r.toml, learner.d: fixed in uct": ('"smooth_uct"', '"uct"'),
    "r.toml, bets: expected none in a limit game, found flop": (
        "[learner]",
        "[bets]\nflop = [[1]]\n[learner]",
    ),
}


@pytest.mark.parametrize("reason", REFUSALS)
def test_an_impossible_value_is_refused_by_its_key(reason: str) -> None:
    old, new = REFUSALS[reason]
    assert old in TEXT
    with pytest.raises(UsageError, match=re.escape(reason)):
        learner_settings(parse_recipe(TEXT.replace(old, new), "r.toml"))


def test_a_misspelt_key_gets_the_nearest_in_the_hint() -> None:
    with pytest.raises(UsageError) as refusal:
        learner_settings(parse_recipe(TEXT.replace("exploration", "exploraton")))
    assert "no exploration (a number); unknown key exploraton" in str(refusal.value)
    assert refusal.value.hint.startswith("did you mean exploration? ")


def test_settings_of_a_single_table_are_still_made_with_a_notice() -> None:
    with pytest.warns(DeprecationWarning, match="use parse_recipe"):
        assert make_settings(Budget, {"count": 3}, "[budget]") == Budget(count=3)


@pytest.mark.parametrize(
    "table",
    [
        '[snapshots]\nhold = ["greedy"]',
        '[snapshots]\nhold = ["avarage"]',
        "[snapshots]\nhold = []",
        "[snapshots]\nsteps = 50",
    ],
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
