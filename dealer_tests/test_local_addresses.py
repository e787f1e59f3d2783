"""A match through the address that the machine's name stands for, as ``play_match.pl`` gives it
to bots.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from acpcbot.agents.registry import make_agent
from acpcbot.net.client import Client
from acpcbot.net.event_loop import run
from dealer_tests.adversity import QUIET
from tests.support.games import KUHN, definition_of

LONGEST_S = 60
NAMED = """
import socket, sys
real = socket.getaddrinfo
def look_up(host, port, *rest, **kind):
    return real("127.0.1.1" if host == socket.gethostname() else host, port, *rest, **kind)
socket.getaddrinfo = look_up
from acpcbot.cli.dispatch import main
sys.exit(main(sys.argv[1:]))
"""
"""The program on a machine whose name stands for 127.0.1.1."""


@pytest.mark.skipif(
    sys.platform != "linux", reason="elsewhere 127.0.1.1 is no address of the machine"
)
def test_a_match_is_played_through_the_machine_s_name(tmp_path: Path) -> None:
    words = ["deal", "match", KUHN, "20", "1", "A", "B", "-q"]
    with subprocess.Popen(
        [sys.executable, "-c", NAMED, *words],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as dealer:
        assert dealer.stdout is not None
        try:
            ports = [int(word) for word in dealer.stdout.readline().split()]
            assert run(asyncio.wait_for(play(ports), LONGEST_S)) == [20, 20]
            stdout, stderr = dealer.communicate(timeout=LONGEST_S)
        finally:
            dealer.kill()
    assert (dealer.returncode, stdout) == (0, stderr.splitlines(keepends=True)[-1])


async def play(ports: list[int]) -> list[int]:
    """One bot comes by the name's address, one by 127.0.0.1; the hands that each has played."""
    definition = definition_of(KUHN)
    clients = [
        Client(make_agent("call", definition, seat), definition, journal=QUIET) for seat in range(2)
    ]
    addresses = ("127.0.1.1", "127.0.0.1")
    playing = [
        client.play(address, port)
        for client, address, port in zip(clients, addresses, ports, strict=True)
    ]
    return [report.num_hands for report in await asyncio.gather(*playing)]


NAMES = ["Åke".encode(), "名".encode(), b"\xff\xe5"]


@pytest.mark.skipif(
    sys.platform == "win32", reason="names are bytes where the system's arguments are"
)
def test_names_are_written_everywhere_with_the_bytes_that_were_typed(tmp_path: Path) -> None:
    """The official dealer copies its arguments: into the log, the names of files, both channels
    and the score.
    """
    game = tmp_path / os.fsdecode("spiel_ß.game".encode())
    game.write_bytes(
        (Path(__file__).parent / "transcripts" / "games" / "kuhn.limit.3p.game").read_bytes()
    )
    words = [b"deal", "m_ø".encode(), os.fsencode(game.name), b"4", b"1", *NAMES, b"-T"]
    with subprocess.Popen(
        [sys.executable, "-m", "acpcbot", *words],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as dealer:
        assert dealer.stdout is not None
        try:
            ports = [int(word) for word in dealer.stdout.readline().split()]
            run(asyncio.wait_for(call_down(ports, game), LONGEST_S))
            stdout, stderr = dealer.communicate(timeout=LONGEST_S)
        finally:
            dealer.kill()
    log = (tmp_path / os.fsdecode("m_ø.log".encode())).read_bytes().splitlines(keepends=True)
    assert log[0] == "# name/game/hands/seed m_ø spiel_ß.game 4 1\n".encode()
    assert stderr.startswith(log[0])
    assert [line.rsplit(b":", 1)[1].rstrip() for line in log if line.startswith(b"STATE")] == [
        b"|".join(NAMES[(hand_id + place) % 3] for place in range(3)) for hand_id in range(4)
    ]
    assert re.fullmatch(rb"SCORE:[-0-9.|]+:" + re.escape(b"|".join(NAMES)) + rb"\n", stdout)
    assert log[-1] == stdout
    assert stderr.endswith(stdout)
    assert (tmp_path / os.fsdecode("m_ø.tlog".encode())).read_bytes().count(b"\n") >= 4


async def call_down(ports: list[int], game: Path) -> None:
    from acpcbot.poker.definition import load_definition

    definition = load_definition(game)
    clients = [
        Client(make_agent("call", definition, seat), definition, journal=QUIET) for seat in range(3)
    ]
    await asyncio.gather(
        *(client.play("127.0.0.1", port) for client, port in zip(clients, ports, strict=True))
    )
