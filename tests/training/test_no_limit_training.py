"""No-limit games in training: recipes with bets, memory, exact curves, and runs that go on."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from acpcbot.errors import UsageError
from acpcbot.strategies.files import load_snapshot
from acpcbot.training.curve import make_measure
from acpcbot.training.recipe import Recipe, load_recipe, parse_recipe
from acpcbot.training.run import TrainingRun
from acpcbot.training.session import build_session, needed_bytes, verify_recipe
from acpcbot.trees.bet_menu import ALL_IN
from tests.training.recipes import LEDUC as LIMIT_LEDUC

TEXT = """
game = "leduc.nolimit.2p"
snapshot = "strategies/test"
[bets]
preflop = [[0.5, 1, "all-in"], ["all-in"]]
flop = [["min", 1, "all-in"]]
[learner]
name = "external_sampling"
discount_interval = 1000
[budget]
count = {count}
[curve]
points_per_decade = 1
"""
HOLDEM_RECIPE = (
    Path(__file__).parents[2] / "strategies/holdem.nolimit.2p.reverse_blinds/cfr_br/recipe.toml"
)


def recipe(count: int = 5000) -> Recipe:
    return parse_recipe(TEXT.format(count=count))


def run_of(own: Recipe, folder: Path) -> TrainingRun:
    folder.mkdir(exist_ok=True)
    return TrainingRun(
        build_session(own, lambda needed: None, lambda *progress: None),
        folder,
        lambda position: None,
    )


def test_the_recipe_says_which_bets_there_are() -> None:
    menu = recipe().menu
    assert menu is not None
    assert menu.streets == (((0.5, 1.0, ALL_IN), (ALL_IN,)), ((0.0, 1.0, ALL_IN),))


REFUSALS = {
    "no bets (a table)": (TEXT[TEXT.index("[bets]") : TEXT.index("[learner]")], ""),
    "it needs preflop, flop": ('flop = [["min", 1, "all-in"]]', ""),
    "a row without a size before": ('["all-in"]]\nflop', '[], ["all-in"]]\nflop'),
    "max_raises, flop: expected a whole number from 1": (
        "[learner]",
        "max_raises = {{ preflop = 2, flop = 0 }}\n[learner]",
    ),
    "max_raises: streets preflop, expected preflop, flop": (
        "[learner]",
        "max_raises = {{ preflop = 2 }}\n[learner]",
    ),
    "max_players: expected a whole number from 2 to 10, found 1": (
        "[learner]",
        "max_players = 1\n[learner]",
    ),
    "ranges are traversed for two players": (
        TEXT[: TEXT.index("[learner]")],
        'game = "holdem.nolimit.3p"\nsnapshot = "x"\n'
        "[bets]\npreflop = [[1]]\nflop = [[1]]\nturn = [[1]]\nriver = [[1]]\n",
    ),
    "bet menu, flop: 'pot' is no size": ('"min"', '"pot"'),
    "cfr+ learns limit games only": ('"external_sampling"\ndiscount_interval = 1000', '"cfr+"'),
    "[curve] has opponents": (
        "points_per_decade = 1",
        'points_per_decade = 1\nopponents = ["call"]',
    ),
    "boards are too many to traverse": (
        TEXT[: TEXT.index("[learner]")],
        'game = "holdem.nolimit.2p.reverse_blinds"\nsnapshot = "x"\n'
        "[bets]\npreflop = [[1]]\nflop = [[1]]\nturn = [[1]]\nriver = [[1]]\n",
    ),
}


@pytest.mark.parametrize("reason", REFUSALS)
def test_an_impossible_no_limit_recipe_is_refused_by_its_key(reason: str) -> None:
    old, new = REFUSALS[reason]
    assert old in TEXT
    with pytest.raises(UsageError) as refusal:
        verify_recipe(parse_recipe(TEXT.replace(old, new).format(count=1)))
    assert reason in f"{refusal.value} {refusal.value.hint}"


def test_a_limit_game_takes_no_bets() -> None:
    text = f"{LIMIT_LEDUC.format(seed=1, count=1, every=0)}\n[bets]\npreflop = [[1]]\n"
    with pytest.raises(UsageError, match="bets: expected none in a limit game, found preflop"):
        parse_recipe(text)


def test_the_identity_changes_with_the_bets() -> None:
    other = parse_recipe(TEXT.replace("0.5", "0.75").format(count=5000))
    assert recipe().identity() != other.identity()
    assert recipe().identity() == recipe(count=7).identity()


def test_the_prediction_is_what_the_arrays_take() -> None:
    place = build_session(recipe(), lambda needed: None, lambda *progress: None)
    needed, tree = needed_bytes(recipe(), place.game.num_buckets), place.game.tree
    assert needed["tree"] == tree.nodes.nbytes + tree.actions.nbytes + tree.ends.nbytes  # type: ignore[union-attr]
    assert needed["statistics"] == place.solver.learner.sums.nbytes


def test_the_shipped_holdem_recipe_fits_its_stated_size() -> None:
    own = load_recipe(HOLDEM_RECIPE)
    needed = needed_bytes(own, (169, 4000, 2400, 1250))
    assert sum(needed.values()) < 10_500_000_000


@pytest.mark.parametrize("more", ["", "max_raises = {{ preflop = 2, flop = 1 }}\n"])
def test_the_curve_is_exact_and_falls(more: str) -> None:
    """Of a menu that ends raises, too."""
    own = parse_recipe(TEXT.replace("[learner]", f"{more}[learner]").format(count=1))
    place = build_session(own, lambda needed: None, lambda *progress: None)
    measure = make_measure(place)
    place.solver.step(1000)
    before = measure()
    place.solver.step(99_000)
    after = measure()
    assert set(before) == {"nash_conv", "exploitability", "largest_gain"}
    assert all(after[name] < before[name] / 4 for name in before)


def test_a_stopped_run_goes_on_to_the_same_result(tmp_path: Path) -> None:
    whole = run_of(recipe(), tmp_path / "whole")
    whole.train()
    first = run_of(recipe(count=3000), tmp_path / "parts")
    first.train()
    second = run_of(recipe(), tmp_path / "parts")
    assert second.position.count == 3000
    second.train()
    ours, theirs = (run.session.solver.learner.sums for run in (whole, second))
    assert ours.any()
    assert np.array_equal(ours, theirs)


def test_the_result_is_a_snapshot_with_its_bets_and_its_strength(tmp_path: Path) -> None:
    own = run_of(recipe(), tmp_path / "run")
    own.train()
    own.save_result(tmp_path / "x")
    snapshot = load_snapshot(tmp_path / "x")
    assert snapshot.menu == recipe().menu
    with (tmp_path / "run" / "curve.csv").open() as file:
        last = list(csv.DictReader(file))[-1]
    assert snapshot.manifest.strength[0]["nash_conv"] == float(last["nash_conv"])
