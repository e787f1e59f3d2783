"""``acpcbot table`` refuses what cannot be served, and ends cleanly."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.cli.running import LONGEST_S, REFUSAL, acpcbot, start


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["call"], "strategies are named and no game"),
        (["human", "--game", "leduc.limit.2p"], "the person sits at the page"),
        (["--hands", "0"], "--hands, --tables and --guest-tables must be at least 1"),
        (["--guest-tables", "0"], "--hands, --tables and --guest-tables must be at least 1"),
        (["--away", "0"], "--idle and --away must be above 0"),
        (["--port", "70000"], "--port is from 0 to 65535"),
        (["--watch", "nowhere.log"], "nothing to watch at nowhere.log"),
        (["--values", "strength"], "--values is for one game"),
    ],
)
def test_a_table_that_cannot_be_served_is_refused(
    tmp_path: Path, words: list[str], problem: str
) -> None:
    """Catches a table that is opened and fails later."""
    result = acpcbot(tmp_path, "table", *words)
    assert result.returncode == 1
    assert REFUSAL.fullmatch(result.stderr), result.stderr
    assert problem in result.stderr


@pytest.mark.parametrize(
    ("strategy", "problem"),
    [
        ("nobody", "unknown strategy 'nobody'"),
        ("strategies/kuhn.limit.2p/dcfr", "plays kuhn.limit.2p"),
    ],
)
def test_a_fault_while_loading_ends_the_server(tmp_path: Path, strategy: str, problem: str) -> None:
    """Catches a table that stays open without anybody to play against."""
    result = acpcbot(tmp_path, "table", strategy, "--game", "leduc.limit.2p", "--port", 0)
    assert result.returncode == 1
    assert result.stdout.startswith("http://127.0.0.1:")
    refusal = result.stderr[result.stderr.index("error: ") :]
    assert REFUSAL.fullmatch(refusal), result.stderr
    assert problem in refusal


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_it_is_told_to_stop(tmp_path: Path, number: signal.Signals) -> None:
    """Catches a server that hangs, dies with a traceback, or prints its talk to stdout, also
    while it loads.
    """
    process = start(
        tmp_path, "table", "call", "--game", "kuhn.limit.2p", "--port", 0, "--host", "127.0.0.1"
    )
    assert process.stdout is not None
    address = process.stdout.readline()
    assert address.startswith("http://127.0.0.1:")
    assert "?token=" in address
    process.send_signal(number)
    output, talk = process.communicate(timeout=LONGEST_S)
    assert (process.returncode, output) == (0, "")
    assert "Traceback" not in talk
    assert "open this address in a browser" in talk


def test_it_says_what_it_loads_and_when_it_is_ready(tmp_path: Path) -> None:
    """Catches a start that says nothing for seconds."""
    process = start(tmp_path, "table", "call", "--game", "kuhn.limit.2p", "--port", 0)
    assert process.stderr is not None
    talk = ""
    while "ready after" not in talk:
        line = process.stderr.readline()
        assert line, talk
        talk += line
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=LONGEST_S)
    assert process.returncode == 0
    assert "loading Caller for Kuhn poker ..." in talk
