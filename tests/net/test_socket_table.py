"""A whole table over sockets in one loop, with our agents and with programs of somebody else's."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from acpcbot.agents.registry import make_agent
from acpcbot.errors import MatchAborted
from acpcbot.logs.match_log import HandRecord, read_match_log
from acpcbot.matches.match_files import MatchFiles
from acpcbot.matches.settings import MatchSettings
from acpcbot.net import players as players_module
from acpcbot.net import socket_table
from acpcbot.net.client import Client
from acpcbot.net.client_match import ClientReport
from acpcbot.net.players import Player, PortOpened, Program, Remote, RemotePorts
from acpcbot.net.socket_table import play_over_sockets
from acpcbot.poker.actions import Action
from acpcbot.poker.shipped import SHIPPED_NAMES
from acpcbot.protocol.messages import MatchState
from dealer_tests.adversity import QUIET, free_ports, settings_with, state_lines, tidily
from tests.support.games import KUHN, LEDUC, LIMIT_2P, definition_of

# A bot as somebody else would write it: it calls whatever it is told, for both positions of a
# heads-up game.
FOREIGN_BOT = f"""\
#!{sys.executable}
import socket, sys
print("hello from", *sys.argv[1:], flush=True)
print("grumble", file=sys.stderr, flush=True)
with socket.create_connection((sys.argv[1], int(sys.argv[2]))) as connection:
    connection.sendall(b"VERSION:2.0.0\\n")
    for line in connection.makefile(newline="\\n"):
        line = line.strip()
        position, betting = line.split(":")[1], line.split(":")[3]
        is_over = betting in ("cc", "rc", "crc", "rf", "crf")
        if not is_over and str(len(betting) % 2) == position:
            connection.sendall((line + ":c\\r\\n").encode())
"""


TALKER = f"""\
#!{sys.executable}
import socket, sys
with socket.create_connection((sys.argv[1], int(sys.argv[2]))) as dealer:
    dealer.sendall(b"VERSION:2.0.0\\n")
    dealer.recv(1000)
    dealer.sendall(b"MATCHSTATE:0:7::|2s:c\\r\\n" * 2000)
    dealer.shutdown(socket.SHUT_WR)
    while dealer.recv(1000):
        pass
"""


def program(folder: Path, text: str) -> Program:
    path = folder / "bot.sh"
    path.write_text(text)
    path.chmod(0o755)
    return Program(path)


def settings_in(folder: Path, game: str, num_hands: int) -> MatchSettings:
    return replace(settings_with(game, num_hands), name=str(folder / "table"))


def play(settings: MatchSettings, players: list[Player]) -> int:
    """The number of fallbacks; the table's log is written."""
    files = MatchFiles(settings.name, keeps_log=True, keeps_transactions=False, appends=False)
    try:
        return tidily(play_over_sockets(settings, players, files, QUIET))
    finally:
        files.close()


@pytest.mark.parametrize("game", SHIPPED_NAMES)
def test_agents_play_a_whole_match_of_every_game(game: str, tmp_path: Path) -> None:
    definition = definition_of(game)
    players: list[Player] = [
        make_agent("random", definition, seat) for seat in range(definition.num_players)
    ]
    assert play(settings_in(tmp_path, game, 30), players) == 0
    entries = list(read_match_log(tmp_path / "table.log", definition))
    assert [entry.hand_id for entry in entries if isinstance(entry, HandRecord)] == list(range(30))


def test_fallbacks_of_all_seats_are_counted(tmp_path: Path) -> None:
    class Broken:
        is_instant = True

        def act(self, state: MatchState, deadline_s: float) -> Action:
            raise KeyError("mine")

    assert play(settings_in(tmp_path, KUHN, 10), [Broken(), Broken()]) == 20


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_told_of_and_not_what_the_players_saw_of_it(tmp_path: Path) -> None:
    """Would catch a fault of the dealer that is passed over for its consequence, a connection
    that broke.
    """
    (tmp_path / "table.log").symlink_to("/dev/full")
    settings = settings_in(tmp_path, KUHN, 10)
    with pytest.raises(MatchAborted) as caught:
        play(settings, [make_agent("call", settings.definition, seat) for seat in range(2)])
    assert caught.value.reason == f"{tmp_path / 'table.log'}: {os.strerror(errno.ENOSPC)}"


@pytest.mark.skipif(sys.platform == "win32", reason="needs executable scripts")
def test_a_foreign_program_plays_and_what_it_prints_is_kept(tmp_path: Path) -> None:
    settings = settings_in(tmp_path, KUHN, 20)
    assert (
        play(
            settings, [make_agent("random", settings.definition, 1), program(tmp_path, FOREIGN_BOT)]
        )
        == 0
    )
    assert len(state_lines(tmp_path / "table.log")) == 20
    assert (tmp_path / "table.player1.std").read_text().startswith("hello from 127.0.0.1 ")
    assert (tmp_path / "table.player1.err").read_text() == "grumble\n"


@pytest.mark.skipif(sys.platform == "win32", reason="needs executable scripts")
def test_a_program_that_crashes_aborts_the_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players_module, "OWN_START_TIMEOUT_S", 1.5)
    settings = settings_in(tmp_path, LEDUC, 20)
    with pytest.raises(MatchAborted, match="seat 2"):
        play(
            settings,
            [make_agent("call", settings.definition, 1), program(tmp_path, "#!/bin/sh\nexit 3\n")],
        )


@pytest.mark.skipif(sys.platform == "win32", reason="needs executable scripts")
def test_a_program_that_talks_out_of_turn_does_not_fill_the_reason(tmp_path: Path) -> None:
    """Catches a dealer's warnings that are all kept, one for each line that a program sends
    when nobody asked.
    """
    settings = settings_in(tmp_path, KUHN, 200)
    with pytest.raises(MatchAborted) as aborted:
        play(settings, [program(tmp_path, TALKER), make_agent("call", settings.definition, 0)])
    assert "ignoring un-requested" in str(aborted.value)
    assert len(str(aborted.value)) < 3000


@pytest.mark.skipif(sys.platform == "win32", reason="needs executable scripts")
def test_a_program_that_is_none_aborts_the_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players_module, "OWN_START_TIMEOUT_S", 1.5)
    settings = settings_in(tmp_path, LEDUC, 20)
    with pytest.raises(MatchAborted):
        play(
            settings,
            [
                make_agent("call", settings.definition, 1),
                program(tmp_path, "#!/no/such/interpreter\n"),
            ],
        )


@pytest.mark.skipif(sys.platform == "win32", reason="needs executable scripts")
def test_a_program_that_leaves_in_a_hand_aborts_the_match_and_the_hands_before_are_kept(
    tmp_path: Path,
) -> None:
    settings = settings_in(tmp_path, KUHN, 1000)
    leaving = FOREIGN_BOT.replace(
        "line = line.strip()", 'line = line.strip()\n        assert ":5:" not in line'
    )
    with pytest.raises(MatchAborted, match="seat 2"):
        play(settings, [make_agent("call", settings.definition, 1), program(tmp_path, leaving)])
    assert len(state_lines(tmp_path / "table.log")) == 5


@pytest.mark.skipif(sys.platform == "win32", reason="needs executable scripts")
def test_a_program_that_does_not_exit_is_ended_after_its_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``tidily`` sees to it that no child is left."""
    monkeypatch.setattr(socket_table, "EXIT_S", 0.5)
    settings = settings_in(tmp_path, KUHN, 5)
    staying = FOREIGN_BOT + "import time\ntime.sleep(1000)\n"
    assert (
        play(settings, [program(tmp_path, staying), make_agent("call", settings.definition, 1)])
        == 0
    )
    assert len(state_lines(tmp_path / "table.log")) == 5


def play_with_guests(
    settings: MatchSettings, players: list[Player], doors: RemotePorts, *strategies: str
) -> tuple[int, list[PortOpened]]:
    """The number of fallbacks of our own agents, and the doors.

    Somebody comes to each door, in order.
    """
    files = MatchFiles(settings.name, keeps_log=True, keeps_transactions=False, appends=False)
    opened: list[PortOpened] = []

    async def main() -> int:
        playing = asyncio.create_task(
            play_over_sockets(settings, players, files, QUIET, doors, opened.append)
        )
        await asyncio.sleep(0)
        for strategy, door in zip(strategies, opened, strict=False):
            client = Client(
                make_agent(strategy, settings.definition, 1), settings.definition, journal=QUIET
            )
            guests.append(asyncio.create_task(client.play(door.host, door.port)))
        return await playing

    guests: list[asyncio.Task[ClientReport]] = []
    with closing(files):
        return tidily(main()), opened


def test_remote_players_connect_to_the_announced_ports(tmp_path: Path) -> None:
    settings = settings_in(tmp_path, KUHN, 20)
    (port,) = free_ports(1)
    doors = RemotePorts(ports={settings.player_names[1]: port})
    num_fallbacks, opened = play_with_guests(
        settings, [Remote(), Remote()], doors, "call", "random"
    )
    assert num_fallbacks == 0
    assert [(door.table, door.name, door.host) for door in opened] == [
        (settings.name, name, "127.0.0.1") for name in settings.player_names
    ]
    assert opened[1].port == port
    assert len(state_lines(tmp_path / "table.log")) == 20


def test_a_remote_player_meets_one_of_ours(tmp_path: Path) -> None:
    settings = settings_in(tmp_path, KUHN, 20)
    ours = make_agent("call", settings.definition, 0)
    _, opened = play_with_guests(settings, [ours, Remote()], RemotePorts(), "raise")
    assert [door.name for door in opened] == [settings.player_names[1]]
    assert len(state_lines(tmp_path / "table.log")) == 20


def test_a_remote_player_who_does_not_come_aborts_the_match_by_name(tmp_path: Path) -> None:
    settings = settings_in(tmp_path, KUHN, 20)
    ours = make_agent("call", settings.definition, 0)
    with pytest.raises(
        MatchAborted, match=f"{settings.player_names[0]} was expected at 127.0.0.1 port [0-9]+"
    ):
        play_with_guests(settings, [Remote(), ours], RemotePorts(start_timeout_s=0.2))


def test_a_door_that_cannot_be_opened_aborts_the_match_and_leaves_no_other_open(
    tmp_path: Path,
) -> None:
    settings = settings_in(tmp_path, KUHN, 20)
    with socket.create_server(("127.0.0.1", 0)) as holder:
        port = holder.getsockname()[1]
        doors = RemotePorts(ports={settings.player_names[1]: port})
        with pytest.raises(
            MatchAborted,
            match=f"cannot listen for {settings.player_names[1]} at 127.0.0.1 port {port}",
        ):
            play_with_guests(settings, [Remote(), Remote()], doors)


def test_a_match_that_is_cancelled_leaves_nothing_open(tmp_path: Path) -> None:
    settings = settings_in(tmp_path, LIMIT_2P, 1_000_000)
    files = MatchFiles(settings.name, keeps_log=True, keeps_transactions=False, appends=False)

    async def main() -> None:
        players = [make_agent("call", settings.definition, seat) for seat in range(2)]
        playing = asyncio.create_task(play_over_sockets(settings, players, files, QUIET))
        while not state_lines(tmp_path / "table.log"):
            await asyncio.sleep(0.02)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)

    try:
        tidily(main())
    finally:
        files.close()
