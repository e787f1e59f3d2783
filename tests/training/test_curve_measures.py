"""Measures of learning curves: exact values where they can be had, matches elsewhere."""

from __future__ import annotations

from dataclasses import replace

from acpcbot.training.curve import _arena_measure, learner_policy, make_measure
from acpcbot.training.recipe import CurveSettings, Recipe
from acpcbot.training.session import TrainingSession, build_session
from acpcbot.trees.public_tree import AbstractGame
from tests.training.recipes import cfr_recipe, leduc_recipe


def session(recipe: Recipe) -> TrainingSession:
    return build_session(recipe, lambda needed: None, lambda name, done, total: None)


def test_kuhn_is_measured_by_the_papers_distance_too() -> None:
    place = session(cfr_recipe("kuhn.limit.2p"))
    measure = make_measure(place)
    before = measure()
    place.solver.step(2000)
    after = measure()
    assert set(before) == {"nash_conv", "exploitability", "largest_gain", "squared_distance"}
    assert all(after[name] < before[name] / 10 for name in before)
    assert after["exploitability"] == after["nash_conv"] / 2


def test_matches_measure_what_the_learner_wins_with_an_interval() -> None:
    curve = CurveSettings(every=1, opponents=("random", "fold"), deals=20_000)
    place = session(replace(leduc_recipe(), curve=curve, play="greedy"))
    assert isinstance(place.game, AbstractGame)
    measure = _arena_measure(place, place.game.tree)
    place.solver.step(200_000)
    first, again = measure(), measure()
    assert first == again
    assert set(first) == {"random_mbb", "random_mbb_ci", "fold_mbb", "fold_mbb_ci"}
    assert first["random_mbb"] > 500 > 4 * first["random_mbb_ci"]


def test_the_greedy_policy_is_pure_and_the_average_is_not() -> None:
    place = session(leduc_recipe())
    place.solver.step(500_000)
    average, greedy = learner_policy(place, "average"), learner_policy(place, "greedy")
    assert set(greedy.probabilities.tolist()) == {0, 255}
    assert len(set(average.probabilities.tolist())) > 20
    assert set(learner_policy(place, "purified").probabilities.tolist()) <= {0, 85, 127, 128, 255}
