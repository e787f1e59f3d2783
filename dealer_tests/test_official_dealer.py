"""Our client at a dealer in a process of its own: the official one where ``ACPC_DEALER`` names
it, and our own.

Both are started with the official dealer's command line in a folder that holds the game file.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from acpcbot.agents.registry import make_agent
from acpcbot.logs.match_log import HandRecord, read_match_log
from acpcbot.net.client import Client
from acpcbot.net.client_match import ClientReport
from acpcbot.net.event_loop import run
from acpcbot.poker.definition import GameDefinition, format_definition
from acpcbot.poker.shipped import SHIPPED_NAMES, shipped_definition
from dealer_tests.adversity import HOST, QUIET

NUM_HANDS = 20
SEED = 7
STRATEGIES = ("call", "random", "tight")
LONGEST_S = 100
OFFICIAL = os.environ.get("ACPC_DEALER", "")


@dataclass(frozen=True)
class Played:
    """A dealer's match from outside."""

    status: int
    stdout: str
    stderr: str
    log: Path
    reports: list[ClientReport]


def play_at(dealer: list[str], game: str, folder: Path) -> Played:
    """Start *dealer* for a match of *game* and let our clients play it."""
    definition = shipped_definition(game)
    (folder / f"{game}.game").write_text(format_definition(definition))
    names = [f"{strategy}{seat}" for seat, strategy in enumerate(strategies_for(definition))]
    command = [*dealer, "match", f"{game}.game", str(NUM_HANDS), str(SEED), *names, "-q"]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            ports = [int(word) for word in process.stdout.readline().split()]
            reports = run(asyncio.wait_for(play_seats(definition, ports), LONGEST_S))
            stdout, stderr = process.communicate(timeout=LONGEST_S)
        finally:
            process.kill()
    return Played(process.returncode, stdout, stderr, folder / "match.log", reports)


def strategies_for(definition: GameDefinition) -> list[str]:
    """One strategy a seat, each at least once where there are seats enough."""
    return [STRATEGIES[(seat + 1) % len(STRATEGIES)] for seat in range(definition.num_players)]


async def play_seats(definition: GameDefinition, ports: list[int]) -> list[ClientReport]:
    players = [
        make_agent(name, definition, seat) for seat, name in enumerate(strategies_for(definition))
    ]
    clients = [Client(player, definition, journal=QUIET) for player in players]
    return await asyncio.gather(
        *(client.play(HOST, port) for client, port in zip(clients, ports, strict=True))
    )


def check_match(played: Played, game: str) -> None:
    """The dealer is content, and every hand of its log comes out the same when it is played
    again.
    """
    assert played.status == 0, played.stderr
    assert "WARNING" not in played.stderr
    assert "ERROR" not in played.stderr
    assert played.stdout.startswith("SCORE:")
    entries = list(read_match_log(played.log, shipped_definition(game)))
    hands = [entry for entry in entries if isinstance(entry, HandRecord)]
    assert [hand.hand_id for hand in hands] == list(range(NUM_HANDS))
    assert played.log.read_text().endswith(f"\n{played.stdout}")
    assert [(report.num_hands, report.num_fallbacks) for report in played.reports] == [
        (NUM_HANDS, 0)
    ] * len(played.reports)


@pytest.mark.skipif(not OFFICIAL, reason="ACPC_DEALER names no official dealer")
@pytest.mark.parametrize("game", SHIPPED_NAMES)
def test_our_client_plays_every_game_at_the_official_dealer(game: str, tmp_path: Path) -> None:
    check_match(play_at([OFFICIAL], game, tmp_path), game)


@pytest.mark.parametrize("game", SHIPPED_NAMES)
def test_our_client_plays_every_game_at_our_dealer(game: str, tmp_path: Path) -> None:
    check_match(play_at([sys.executable, "-m", "acpcbot", "deal"], game, tmp_path), game)
