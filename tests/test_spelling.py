"""Hints for misspelt names of commands, games and strategies."""

from __future__ import annotations

import shlex

import pytest

from acpcbot.cli.dispatch import main
from tests.cli.running import REFUSAL


@pytest.mark.parametrize(
    ("command", "meant"),
    [
        ("arenna", "arena"),
        ("evalute m", "evaluate"),
        ("log chek x", "check"),
        ("games ledoc.limit.2p", "leduc.limit.2p"),
        ("games kuhn", "kuhn.limit.2p or kuhn.limit.3p"),
        ("match tigth call --game leduc.limit.2p", "tight"),
        ("match strategies/leduc.limit.2p/dfcr call", "strategies/leduc.limit.2p/dcfr"),
        ("show leduc.limit.2p/dfcr MATCHSTATE:0:0::Ks|", "strategies/leduc.limit.2p/dcfr"),
        ("exploitability strategies/kuhn.limit.2p/dfcr", "strategies/kuhn.limit.2p/dcfr"),
        ("arena leduc.nolimit.2p/serch call", "strategies/leduc.nolimit.2p/search"),
    ],
)
def test_the_nearest_name_is_suggested(
    command: str, meant: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(shlex.split(command)) == 1
    captured = capfd.readouterr()
    assert captured.out == ""
    assert REFUSAL.fullmatch(captured.err)
    assert f"did you mean {meant}? " in captured.err


@pytest.mark.parametrize("command", ["xyzzy", "games xyzzy", "match xyzzy call"])
def test_nothing_is_suggested_where_nothing_is_near(
    command: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(command.split()) == 1
    assert "did you mean" not in capfd.readouterr().err
