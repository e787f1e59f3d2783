"""``acpcbot train``: from a recipe to a snapshot, through interruptions."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from acpcbot.cli.dispatch import main
from acpcbot.learning.sampling import SamplingSolver
from acpcbot.strategies.files import load_snapshot
from tests.training.recipes import CFR, LEDUC


def write_recipe(folder: Path, text: str) -> Path:
    path = folder / "recipe.toml"
    path.write_text(text)
    return path


def test_a_recipe_becomes_a_snapshot_where_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    recipe = write_recipe(tmp_path, CFR.format(game="kuhn.limit.2p", count=100))
    assert main(["train", str(recipe)]) == 0
    output = capsys.readouterr()
    assert output.out == "strategies/test\n"
    assert "memory: tree" in output.err
    assert load_snapshot(tmp_path / "strategies/test").manifest.training.num_episodes == 100
    assert (tmp_path / "runs/strategies/test/curve.csv").exists()


def test_an_interrupted_training_says_so_and_the_same_command_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ended by SIGTERM in a process of its own, by SIGINT here, and then done at once."""
    recipe = write_recipe(tmp_path, LEDUC.format(count=2_000_000_000, seed=1, every=0))
    run = tmp_path / "run"
    words = ["train", str(recipe), "--run-dir", str(run), "--output", str(tmp_path / "snapshot")]
    process = subprocess.Popen(
        [sys.executable, "-m", "acpcbot", *words], stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    while not process.stderr.readline().startswith("memory: "):
        assert process.poll() is None
    wait_for(run / "curve.csv", process)
    process.send_signal(signal.SIGTERM)
    _, talk = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "the same command goes on" in talk
    assert list(run.glob("checkpoint-*"))

    step = SamplingSolver.step

    def interrupted_step(solver: SamplingSolver, count: int) -> None:
        step(solver, count)
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(SamplingSolver, "step", interrupted_step)
    assert main(words) == 130
    told = capsys.readouterr().err
    assert "going on at " in told
    assert "the same command goes on" in told
    monkeypatch.undo()

    write_recipe(tmp_path, LEDUC.format(count=1000, seed=1, every=0))
    assert main(words) == 0
    assert load_snapshot(tmp_path / "snapshot").manifest.training.num_episodes > 1000


def wait_for(path: Path, process: subprocess.Popen[str]) -> None:
    """Until training is under way, which its curve tells."""
    while not path.exists():
        assert process.poll() is None
        time.sleep(0.02)
    time.sleep(0.1)


def test_a_recipe_that_cannot_be_trained_gets_one_line_and_a_hint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe = write_recipe(tmp_path, CFR.format(game="leduc.nolimit.2p", count=1))
    assert main(["train", str(recipe), "--run-dir", str(tmp_path / "run")]) == 1
    assert f"error: {recipe}: no bets (a table)" in capsys.readouterr().err
    assert main(["train", str(tmp_path / "none.toml")]) == 1
    assert (
        f"error: no recipe {tmp_path / 'none.toml'}\n\nhint: a TOML file" in capsys.readouterr().err
    )


def test_two_trainings_in_one_folder_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from acpcbot.matches.match_files import lock_folder

    recipe = write_recipe(tmp_path, CFR.format(game="kuhn.limit.2p", count=1))
    (tmp_path / "run").mkdir()
    with lock_folder(tmp_path / "run"):
        assert main(["train", str(recipe), "--run-dir", str(tmp_path / "run")]) == 1
    assert "another process" in capsys.readouterr().err
