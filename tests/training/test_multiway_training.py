"""No-limit games for three and six, from a recipe to play: sizes, memory, runs that go on, the
snapshot with its menu, and a match over sockets.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from acpcbot.cli.dispatch import main
from acpcbot.poker.definition import format_definition
from acpcbot.strategies.files import load_snapshot
from acpcbot.training.recipe import Recipe, parse_recipe
from acpcbot.training.run import TrainingRun
from acpcbot.training.session import build_session, needed_bytes
from acpcbot.trees.betting_tree import NODE_NUM_ACTIONS, BettingTree
from tests.cli.running import acpcbot, logs
from tests.support.menu_games import SIDE_POTS

RECIPE = """
game = "{game}"
snapshot = "strategies/test"
[bets]
preflop = [[1], ["all-in"]]
flop = [[0.5, "all-in"]]
max_raises = {{ preflop = 2, flop = 1 }}
{more}
[learner]
name = "external_sampling"
discount_interval = 1000
[budget]
count = {count}
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A small game for three with unequal stacks, as a file."""
    path = tmp_path / "side_pots.game"
    path.write_text(format_definition(SIDE_POTS))
    return path


def recipe(game: Path, count: int, more: str = "") -> Recipe:
    return parse_recipe(RECIPE.format(game=game, count=count, more=more))


def run_of(own: Recipe, folder: Path) -> TrainingRun:
    folder.mkdir(exist_ok=True)
    session = build_session(own, lambda needed: None, lambda *progress: None)
    return TrainingRun(session, folder, lambda position: None)


def test_a_stopped_run_goes_on_to_the_same_result(game: Path, tmp_path: Path) -> None:
    run_of(recipe(game, 3000), tmp_path / "cut").train()
    for name in ("cut", "whole"):
        run = run_of(recipe(game, 8000), tmp_path / name)
        run.train()
        run.save_result(tmp_path / f"{name} snapshot")
    cut, whole = (load_snapshot(tmp_path / f"{name} snapshot") for name in ("cut", "whole"))
    assert cut.policy is not None
    assert whole.policy is not None
    for one, other in zip(cut.policy, whole.policy, strict=True):
        assert np.array_equal(one, other)
        assert np.ptp(one) > 0


def test_the_prediction_is_what_the_arrays_take(game: Path) -> None:
    own = recipe(game, 10, "max_players = 2")
    session = build_session(own, lambda needed: None, lambda *progress: None)
    needed, tree = needed_bytes(own, session.game.num_buckets), session.game.tree
    assert isinstance(tree, BettingTree)
    assert needed["tree"] == tree.nodes.nbytes + tree.actions.nbytes + tree.ends.nbytes


def test_the_menu_of_a_snapshot_comes_back_with_its_limits(game: Path, tmp_path: Path) -> None:
    run = run_of(recipe(game, 1000, "max_players = 2"), tmp_path / "run")
    run.train()
    run.save_result(tmp_path / "x")
    menu, snapshot = run.session.recipe.menu, load_snapshot(tmp_path / "x")
    assert snapshot.menu == menu
    assert menu is not None
    assert (menu.max_players, menu.sizes(0, 2), menu.sizes(1, 1)) == (2, (), ())
    start = snapshot.place(snapshot.places.tree.root)  # type: ignore[attr-defined]
    assert [action.text for action in start.actions] == ["f", "c", "r350"]
    counts = snapshot.places.tree.nodes[:, NODE_NUM_ACTIONS]  # type: ignore[attr-defined]
    assert counts.max() == 3


def test_a_trained_strategy_for_three_plays_and_shows_its_hands(
    game: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """From the recipe to a match over sockets against any bets, all by the command line."""
    (tmp_path / "recipe.toml").write_text(RECIPE.format(game=game, count=20_000, more=""))
    words = ("--run-dir", str(tmp_path / "run"), "--output", str(tmp_path / "x"))
    assert main(["train", str(tmp_path / "recipe.toml"), *words]) == 0
    assert "memory: tree" in capfd.readouterr().err
    played = acpcbot(
        tmp_path, "match", tmp_path / "x", "random", "raise", "--game", game, "--hands", 60,
        "-o", "m",
    )  # fmt: skip
    assert played.returncode == 0, played.stderr
    assert sum(len(lines) for lines in logs(tmp_path / "m").values()) == 60
    chips = [float(won) for won in re.findall(r"\(([+-][0-9.]+) chips\)", played.stdout)]
    assert len(chips) == 3
    # The printed chips are rounded to whole ones.
    assert abs(sum(chips)) <= 2
    assert "fallback" not in played.stderr
    # The button raised to 350, and seat 1 has 400: with the bet to call it can fold, call or go in.
    assert main(["show", str(tmp_path / "x"), "MATCHSTATE:0:3:r350:Ks||"]) == 0
    shown = capfd.readouterr().out
    assert "seat 1 to act" in shown
    assert re.search(r"Ks +fold 0\.\d+ +call 0\.\d+ +raise 400 0\.\d+", shown), shown
