"""``acpcbot table`` refuses what cannot be served, and ends cleanly."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.cli.commands import LONGEST_S, REFUSAL, acpcbot, start


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["call"], "strategies are named and no game"),
        (["human", "--game", "leduc.limit.2p"], "the person sits at the page"),
        (["nobody", "--game", "leduc.limit.2p"], "unknown strategy 'nobody'"),
        (["strategies/kuhn.limit.2p/dcfr", "--game", "leduc.limit.2p"], "plays kuhn.limit.2p"),
        (["--hands", "0"], "--hands, --tables and --idle must be above 0"),
        (["--port", "70000"], "--port is from 0 to 65535"),
        (["--watch", "nowhere.log"], "nothing to watch at nowhere.log"),
        (["--values", "strength"], "--values is for one game"),
    ],
)
def test_what_cannot_be_served_is_refused(tmp_path: Path, words: list[str], problem: str) -> None:
    """Catches a table that is opened and fails later."""
    result = acpcbot(tmp_path, "table", *words)
    assert result.returncode == 1
    assert REFUSAL.fullmatch(result.stderr), result.stderr
    assert problem in result.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_it_is_told_to_stop(tmp_path: Path, number: signal.Signals) -> None:
    """Catches a server that hangs, dies with a traceback, or prints its talk to stdout."""
    process = start(tmp_path, "table", "call", "--game", "kuhn.limit.2p", "--port", 0, "--host", "127.0.0.1")
    assert process.stdout is not None
    address = process.stdout.readline()
    assert address.startswith("http://127.0.0.1:")
    assert "?token=" in address
    process.send_signal(number)
    output, talk = process.communicate(timeout=LONGEST_S)
    assert (process.returncode, output) == (0, "")
    assert "Traceback" not in talk
    assert "warming up call" in talk
