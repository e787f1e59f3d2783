"""Names of strategies as players, and the names that are refused before anything is played."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from acpcbot.agents.baseline import CallAgent
from acpcbot.errors import UnknownStrategy, UsageError
from acpcbot.matches.plan import MatchPlan
from acpcbot.net.players import Program, Remote, RemotePorts, player_for, verify_players
from acpcbot.poker.definition import format_definition
from tests.support.games import KUHN, definition_of

PLAN = MatchPlan(
    ("call", "remote:a"), KUHN, format_definition(definition_of(KUHN)), num_hands=10, seed=7
)


def script(folder: Path, name: str) -> str:
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


def test_a_name_stands_for_an_agent_a_program_or_somebody_who_comes(tmp_path: Path) -> None:
    plan = replace(PLAN, strategies=("call", script(tmp_path, "bot.sh"), "remote:a"))
    ours, program, remote = (player_for(plan, PLAN.tables()[0], entrant) for entrant in range(3))
    assert isinstance(ours, CallAgent)
    assert program == Program(tmp_path / "bot.sh")
    assert remote == Remote()


def test_a_remote_entrant_is_remote_whatever_lies_in_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Caught: a file of that name that is started instead."""
    monkeypatch.chdir(tmp_path)
    script(tmp_path, "remote:a")
    assert player_for(PLAN, PLAN.tables()[0], 1) == Remote()


def test_a_remote_entrant_goes_by_the_name_behind_the_colon() -> None:
    plan = replace(PLAN, strategies=("remote:alice", "remote:alice"))
    assert plan.names == ("alice", "alice.2")
    verify_players(plan, RemotePorts(ports={"alice": 1, "alice.2": 2}))


@pytest.mark.parametrize(
    ("strategies", "ports", "fault"),
    [
        (("call", "human"), {}, "human needs a terminal"),
        (("call", "remote:a"), {"b": 1}, "a port for b"),
        (("call", "remote:a"), {"call": 1}, "a port for call"),
        (("remote:a", "remote:b"), {"a": 1, "b": 1}, "two entrants at one port"),
    ],
)
def test_strategies_that_cannot_play_are_refused(
    strategies: tuple[str, ...], ports: dict[str, int], fault: str
) -> None:
    with pytest.raises(UsageError, match=fault):
        verify_players(replace(PLAN, strategies=strategies), RemotePorts(ports=ports))


def test_unknown_names_and_guests_in_process_are_refused() -> None:
    with pytest.raises(UnknownStrategy):
        verify_players(replace(PLAN, strategies=("call", "nosuch")), RemotePorts())
    with pytest.raises(UsageError, match="remote:a cannot play in process"):
        verify_players(replace(PLAN, is_in_process=True), RemotePorts())
    verify_players(PLAN, RemotePorts(ports={"a": 1}))


def test_only_tables_of_the_same_remote_entrant_share_a_port() -> None:
    doors = RemotePorts(ports={"a": 5, "b": 6})
    assert doors.own_ports(PLAN) == {5}
    assert doors.own_ports(replace(PLAN, strategies=("call", "call"))) == set()
