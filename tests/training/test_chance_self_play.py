"""Self-play at chance states: repeatable, resumed as if never interrupted, and it learns."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from acpcbot.cli.dispatch import main
from acpcbot.errors import UsageError
from acpcbot.networks.mlp import Network
from acpcbot.networks.stored import load_network
from acpcbot.search.network_leaves import network_values
from acpcbot.subgames.chance_encoding import chance_encoding
from acpcbot.subgames.solver import RangeCFR
from acpcbot.training.board_labels import BoardSolver
from acpcbot.training.chance_self_play import (
    ChanceSelfPlay,
    ChanceSelfPlaySettings,
    first_street,
    squared_error,
    value_noise,
)
from acpcbot.training.chance_self_play_run import ChanceRecipe, ChanceSelfPlayRun
from tests.support.chance_games import LEDUC
from tests.support.resuming import resumed

ENCODING = chance_encoding("leduc.limit.2p", LEDUC)
SMALL = ChanceSelfPlaySettings(
    seed=5,
    hidden=(8,),
    search_iterations=4,
    queries_per_search=6,
    label_iterations=3,
    replay_buffer_size=16,
    updates_per_example=40.0,
    fitting=replace(squared_error(), batch_size=8),
)
RECIPE = """
game = "leduc.limit.2p"
network = "networks/test"
num_episodes = 3
polishing_steps = 16

[chance_self_play]
seed = 4
hidden = [8]
search_iterations = 4
queries_per_search = 6
label_iterations = 3
"""


def played(num_episodes: int, settings: ChanceSelfPlaySettings = SMALL) -> ChanceSelfPlay:
    result = ChanceSelfPlay(ENCODING, settings)
    for _ in range(num_episodes):
        result.play_episode()
    return result


def test_a_resumed_training_equals_one_without_interruption() -> None:
    """Catches anything that is not saved: labels, boards drawn and known, the optimiser."""
    whole = resumed(
        lambda: ChanceSelfPlay(ENCODING, SMALL), ChanceSelfPlay.play_episode, before=4, after=2
    )
    assert whole.progress.num_examples == 36 > SMALL.replay_buffer_size


def test_seeds_repeat_and_differ() -> None:
    first, second, other = played(3), played(3), played(3, replace(SMALL, seed=6))
    assert first.network.parameters.tolist() == second.network.parameters.tolist()
    assert first.network.parameters.tolist() != other.network.parameters.tolist()


@cache
def solved_boards() -> BoardSolver:
    return BoardSolver(ENCODING, 60)


def output_error(network: Network) -> float:
    """The mean error of the outputs that a search asks for last, against all boards solved."""
    game, boards = first_street(ENCODING), solved_boards()
    values = network_values(game, ENCODING, network)
    RangeCFR(game, leaves=values, trembles=0.02).step(30)
    outputs = ENCODING.outputs(network, values.pots, values.averages)
    errors = []
    for pot, sums, own in zip(values.pots.tolist(), values.averages, outputs, strict=True):
        labels = [boards.label(pot, sums.astype(float), place) for place in range(3)]
        exact = sum(boards.shares[place] * label.values for place, label in enumerate(labels))
        errors.append(np.abs(own - exact).mean())
    return float(np.mean(errors))


def test_the_network_learns_what_solved_boards_are_worth() -> None:
    settings = ChanceSelfPlaySettings(
        seed=1,
        hidden=(32,),
        search_iterations=30,
        queries_per_search=32,
        label_iterations=60,
        updates_per_example=50.0,
        fitting=replace(squared_error(), batch_size=16),
    )
    trained = played(10, settings)
    trained.polish(160)
    nothing = replace(trained.network, parameters=np.zeros_like(trained.network.parameters))
    assert output_error(trained.network) < 0.4 * output_error(nothing)


def test_noise_on_values_moves_what_searches_ask() -> None:
    """With equal seeds, an equal network and a search too short for rounding to tell."""
    still = replace(SMALL, updates_per_example=0.0, random_share=0.0)
    noisy = replace(still, value_noise=0.2)
    asked = [played(1, own).arrays()["labels.inputs"] for own in (still, noisy, noisy)]
    assert np.array_equal(asked[1], asked[2])
    assert np.abs(asked[1] - asked[0]).max() > 0.01


def test_noise_has_a_standard_deviation_of_one_and_is_added_in_pots() -> None:
    generator = np.random.default_rng(1)
    noise = np.stack([value_noise(ENCODING, 4, generator) for _ in range(3000)])
    assert noise.shape[1:] == (4, 2, ENCODING.num_classes)
    assert noise.std() == pytest.approx(1, abs=0.03)
    values = network_values(first_street(ENCODING), ENCODING, played(1).network)
    reaches = np.random.default_rng(2).random((len(values.pots), 2, len(ENCODING.classes)))
    above = reaches.astype(np.float32)
    before = values.values(0, above, learns=False)
    values.offsets = np.full((len(values.pots), 2, ENCODING.num_classes), 0.5, np.float32)
    gained = values.values(0, above, learns=False) - before
    chips = np.array([ENCODING.roots[pot].max_spent for pot in values.pots])
    masses = ENCODING.masses(ENCODING.by_class(above))[:, 1, ENCODING.classes]
    # Half of a pot of twice the chips, times what the other seat can hold beside the hand.
    assert gained == pytest.approx(chips[:, None] * masses, rel=1e-4)


def test_polishing_begins_at_the_rate_at_which_training_ended() -> None:
    """Caught: at the first rate again, a search with the result left the ranges of its labels."""
    fitting = replace(SMALL.fitting, decay_rate=1e-6, decay_steps=1)
    trained = played(2, replace(SMALL, fitting=fitting))
    before = trained.network.parameters.copy()
    trained.polish(160)
    assert trained.progress.num_steps > 0
    assert trained.network.parameters == pytest.approx(before, abs=1e-6)


def test_a_run_of_other_settings_is_refused(tmp_path: Path) -> None:
    recipe = ChanceRecipe(
        game="leduc.limit.2p", network="net", num_episodes=1, chance_self_play=SMALL
    )
    ChanceSelfPlayRun(recipe, tmp_path / "run").train()
    other = replace(recipe, chance_self_play=replace(SMALL, seed=1))
    with pytest.raises(UsageError, match="other settings"):
        ChanceSelfPlayRun(other, tmp_path / "run")


def test_a_recipe_becomes_a_network_through_an_interruption(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(RECIPE)
    play = ChanceSelfPlay.play_episode

    def interrupted(self: ChanceSelfPlay) -> None:
        play(self)
        os.kill(os.getpid(), signal.SIGINT)

    words = ["train", str(recipe), "--run-dir", "run"]
    with monkeypatch.context() as patch:
        patch.setattr(ChanceSelfPlay, "play_episode", interrupted)
        assert main(words) == 130
    assert "stopped at 1; the same command goes on" in capsys.readouterr().err
    assert main(words) == 0
    output = capsys.readouterr()
    assert output.out.splitlines()[-1] == "networks/test"
    assert "going on at 1 from run" in output.err
    assert load_network(tmp_path / "networks" / "test").training["num_episodes"] == 3


@pytest.mark.parametrize(
    ("before", "after", "complaint"),
    [
        ("seed = 4", "sed = 4", "chance_self_play: unknown key sed"),
        ("leduc.limit.2p", "kuhn.limit.2p", "limit games for two with one board"),
        ("num_episodes = 3", "num_episodes = 0", "num_episodes"),
    ],
)
def test_mistakes_in_a_recipe_are_named(
    before: str, after: str, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(RECIPE.replace(before, after))
    assert main(["train", str(recipe), "--run-dir", str(tmp_path / "run")]) != 0
    assert complaint in capsys.readouterr().err
