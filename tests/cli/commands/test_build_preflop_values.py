"""``acpcbot build-preflop-values``: a strategy's table of values, through an interruption."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from acpcbot.cli.dispatch import main
from acpcbot.rollouts import preflop_accumulation as preflop_sums
from acpcbot.rollouts.preflop_accumulation import PreflopRollouts
from acpcbot.rollouts.preflop_table import load_preflop_values
from tests.strategies.menu_snapshots import saved_menu_snapshot
from tests.strategies.random_snapshots import saved
from tests.support.games import LEDUC, LEDUC_NOLIMIT

Output = pytest.CaptureFixture[str]


def test_a_strategy_gets_its_table_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    monkeypatch.chdir(tmp_path)
    snapshot = saved_menu_snapshot(tmp_path / "game" / "own", LEDUC_NOLIMIT)
    assert main(["build-preflop-values", "game/own", "--threads", "2"]) == 0
    output = capsys.readouterr()
    assert output.out == "game/preflop_values\n"
    assert "memory: sums" in output.err
    assert "standard errors" in output.err
    table = load_preflop_values(tmp_path / "game" / "preflop_values", snapshot)
    assert table.record.num_boards == 6
    assert (tmp_path / "runs" / "game" / "own.preflop" / "sums.npz").exists()


def test_an_interruption_is_told_and_the_same_command_goes_on_to_the_same_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    monkeypatch.chdir(tmp_path)
    saved_menu_snapshot(tmp_path / "own", LEDUC_NOLIMIT)
    monkeypatch.setattr(preflop_sums, "MAX_BATCH_BOARDS", 2)
    assert main(["build-preflop-values", "own", "--run-dir", "whole", "--output", "first"]) == 0
    step = PreflopRollouts.step

    def interrupted(roll_outs: PreflopRollouts, num_threads: int) -> None:
        step(roll_outs, num_threads)
        signal.raise_signal(signal.SIGINT)

    command = ["build-preflop-values", "own", "--run-dir", "parts", "--output", "second"]
    with monkeypatch.context() as patch:
        patch.setattr(PreflopRollouts, "step", interrupted)
        assert main(command) == 130
    assert "stopped at 2 boards; the same command goes on" in capsys.readouterr().err
    assert not (tmp_path / "second").exists()
    assert main(command) == 0
    assert "going on at 2 boards" in capsys.readouterr().err
    for path in (tmp_path / "first").iterdir():
        assert path.read_bytes() == (tmp_path / "second" / path.name).read_bytes(), path.name


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere"], "no folder nowhere"),
        (["limit"], "cannot be rolled out"),
        (["own", "--boards", "1"], "1 boards"),
        (["own", "--threads", "0"], "--threads 0"),
        (["own", "--output", "limit"], "is not a table of preflop values"),
    ],
)
def test_a_build_that_cannot_start_is_refused_in_a_line(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    monkeypatch.chdir(tmp_path)
    saved_menu_snapshot(tmp_path / "own", LEDUC_NOLIMIT)
    saved(tmp_path / "limit", LEDUC)
    assert main(["build-preflop-values", *words]) == 1
    assert message in capsys.readouterr().err
