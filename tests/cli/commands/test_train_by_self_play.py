"""``acpcbot train`` with a recipe of self-play: a network, through an interruption."""

from __future__ import annotations

import importlib.util
import os
import re
import signal
from pathlib import Path

import pytest

from acpcbot.cli.dispatch import main
from acpcbot.cli.self_play_training import print_result
from acpcbot.networks.stored import load_network
from acpcbot.training.self_play import SelfPlay
from acpcbot.training.self_play_run import SelfPlayResult

RECIPE = """
game = "leduc.limit.2p"
network = "networks/test"
num_episodes = 3
episodes_a_point = 2

[self_play]
seed = 4
hidden = [8]

[self_play.search]
simulations = 6

[measure]
simulations = [4]
num_seeds = 1
"""


def test_a_recipe_becomes_a_network_through_an_interruption(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(RECIPE)
    played = SelfPlay.play_round

    def interrupted(self: SelfPlay, end: int | None = None) -> None:
        played(self, end)
        os.kill(os.getpid(), signal.SIGINT)

    words = ["train", str(recipe), "--run-dir", "run"]
    with monkeypatch.context() as patch:
        patch.setattr(SelfPlay, "play_round", interrupted)
        assert main(words) == 130
    assert "stopped at 1; the same command goes on" in capsys.readouterr().err
    assert not (tmp_path / "networks").exists()
    assert main(words) == 0
    output = capsys.readouterr()
    assert output.out.splitlines()[-1] == "networks/test"
    assert output.out.startswith("SoG(4,1): exploitability ")
    assert "memory: replay buffer" in output.err
    assert "going on at 1 from run" in output.err
    point = next(line for line in output.err.splitlines() if line.startswith("2 episodes"))
    for part in ("examples", "queries waiting", "steps", "(values)", "(policies)"):
        assert part in point
    assert re.search(r", exploitability [\d.]+ \(s = 4\)$", point)
    assert load_network(tmp_path / "networks" / "test").training["num_episodes"] == 3
    with (tmp_path / "run" / "curve.csv").open() as file:
        assert file.readline() == "count,seconds,exploitability_s4,value_loss,policy_loss\n"
    if importlib.util.find_spec("matplotlib"):
        assert (tmp_path / "run" / "curve.png").read_bytes().startswith(b"\x89PNG")


def test_mistakes_in_a_recipe_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recipe = tmp_path / "recipe.toml"
    for before, after, complaint in (
        ("seed = 4", "sed = 4", "self_play: unknown key sed"),
        ("leduc.limit.2p", "kuhn.limit.2p", "game"),
        ("num_episodes = 3", "num_episodes = 0", "num_episodes"),
        ("simulations = 6", "simulations = 0", "simulations = 0 is out of range"),
    ):
        recipe.write_text(RECIPE.replace(before, after))
        assert main(["train", str(recipe), "--run-dir", str(tmp_path / "run")]) != 0
        assert complaint in capsys.readouterr().err


def test_a_network_that_is_worse_than_none_is_noticed(capsys: pytest.CaptureFixture[str]) -> None:
    print_result(SelfPlayResult({100: 500.0}, {100: 479.0}), "antes")
    assert "worse than none" in capsys.readouterr().err
    print_result(SelfPlayResult({100: 90.0}, {100: 479.0}), "antes")
    assert not capsys.readouterr().err


def test_the_figure_of_the_game_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    print_result(SelfPlayResult({100: 54.0}, {100: 138.0}, "wrong moves"), "of 1,000")
    expected = "SoG(100,1): wrong moves 54.0 with the network, 138.0 without, of 1,000\n"
    assert capsys.readouterr().out == expected
