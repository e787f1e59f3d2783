"""A file of strategies by game, wherever a command takes a strategy's name."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from acpcbot.cli.dispatch import main
from tests.cli.running import REFUSAL, acpcbot
from tests.strategies.random_snapshots import saved
from tests.support.games import KUHN, LEDUC

BOT = f"""
[[bot]]
strategy = "router"
game = "{LEDUC}"
host = "127.0.0.1"
port = 1
"""


def test_a_match_is_played_by_the_strategies_of_a_file(tmp_path: Path) -> None:
    """In a process of its own, where the fallback and the strategy are looked for again."""
    saved(tmp_path / "strategies" / "kuhn", KUHN)
    (tmp_path / "bots.toml").write_text(
        f'[strategies]\n"{KUHN}" = ["strategies/lost", "strategies/kuhn"]\n'
    )
    words = ["router", "bots.toml", "--game", KUHN, "--hands", 20, "--in-process", "-o", "match"]
    played = acpcbot(tmp_path, "match", *words)
    assert played.returncode == 0, played.stderr
    assert played.stdout.startswith(f"match of {KUHN}, 20 hands\n")
    assert "fallback" not in played.stderr
    assert "strategies/lost: unknown strategy" in played.stderr


@pytest.mark.parametrize(
    ("table", "command", "fault"),
    [
        (
            f'[strategies]\n"{KUHN}" = "call"\n',
            "serve bots.toml",
            f"bots.toml names no strategy for {LEDUC}",
        ),
        ("", "serve bots.toml", "bots.toml has no table [strategies]"),
        (
            f'[strategies]\n"{LEDUC}" = "nosuch"\n',
            "serve bots.toml",
            "nosuch: unknown strategy 'nosuch'",
        ),
        (
            f'[strategies]\n"{KUHN}" = "call"\n',
            f"play router h 1 --game {LEDUC}",
            f"no strategy for {LEDUC}",
        ),
        ("", "play nowhere.toml h 1 --game kuhn.limit.2p", "nowhere.toml: No such file"),
    ],
)
def test_a_file_that_cannot_serve_is_refused_before_anybody_connects(
    table: str,
    command: str,
    fault: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bots.toml").write_text(table + BOT)
    assert main(shlex.split(command)) == 1
    captured = capfd.readouterr()
    *told, refusal = captured.err.partition("error: ")
    assert captured.out == ""
    assert REFUSAL.fullmatch("".join(told[1:]) + refusal)
    assert fault in refusal
