"""Early ends of a match at our dealer: early leavers, guests, busy ports, full disks, SIGKILL.

Each test would catch a dealer that hangs, forgets finished hands, or leaves something open.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from acpcbot.errors import AcpcbotError, UsageError
from acpcbot.logs.match_log import HandRecord, read_match_log
from acpcbot.matches.match_files import MatchFiles
from acpcbot.matches.table import Phase
from acpcbot.net.client_match import ClientReport
from acpcbot.net.listening import DealerPlace, open_ports
from dealer_tests.adversity import (
    GREETING,
    HOST,
    LiveDealer,
    Peer,
    free_ports,
    settings_with,
    tidily,
)
from tests.support.games import KUHN, LEDUC, definition_of

NO_ACTION = "ERROR: could not get action from seat {}\n"


@pytest.fixture(autouse=True, params=[False, True], ids=["in a loop", "alone"])
def _at_both_dealers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LiveDealer, "is_alone", request.param)


# Leaving early.


async def before_version(peer: Peer) -> None:
    """Leave without a word."""


async def after_version(peer: Peer) -> None:
    await peer.send(GREETING)


async def in_a_hand(peer: Peer) -> None:
    await peer.send(GREETING)
    await peer.act("c", times=4)
    await peer.state()


async def after_a_reply(peer: Peer) -> None:
    await peer.send(GREETING)
    await peer.act("c", times=5)


STAGES = [before_version, after_version, in_a_hand, after_a_reply]


@pytest.mark.parametrize("resets", [False, True], ids=["closes", "resets"])
@pytest.mark.parametrize("stage", STAGES)
def test_a_seat_that_leaves_ends_the_match_and_every_finished_hand_is_kept(
    stage: object, resets: bool, tmp_path: Path
) -> None:
    assert callable(stage)

    async def main() -> tuple[int, str, list[str]]:
        async with LiveDealer(settings_with(LEDUC, 100), tmp_path) as dealer:
            playing = asyncio.create_task(dealer.honest(1))
            peer = await dealer.peer(0)
            await stage(peer)
            peer.abort() if resets else peer.close()
            table = await dealer.end()
            assert table.phase is Phase.ABORTED
            assert isinstance(await playing, AcpcbotError)
            return table.hand_id, dealer.talk, dealer.hands

    num_hands, talk, hands = tidily(main())
    assert [int(line.split(":")[1]) for line in hands] == list(range(num_hands))
    seat_1 = (
        "could not read version string from seat 1",
        "could not get action from seat 1\n",
        "could not send state",
    )
    assert talk.startswith(tuple(f"ERROR: {words}" for words in seat_1))


def test_a_seat_that_leaves_when_the_last_hand_is_over_harms_nothing(tmp_path: Path) -> None:
    async def main() -> tuple[Phase, ClientReport | AcpcbotError]:
        async with LiveDealer(settings_with(KUHN, 2), tmp_path) as dealer:
            playing = asyncio.create_task(dealer.honest(1))
            peer = await dealer.peer(0)
            await peer.send(GREETING)
            await peer.act("c", times=2)
            peer.abort()
            return (await dealer.end()).phase, await playing

    phase, report = tidily(main())
    assert phase in (
        Phase.FINISHED,
        Phase.ABORTED,
    )  # the reset may come before the last reply is read
    assert isinstance(report, ClientReport) == (phase is Phase.FINISHED)


def test_a_seat_that_only_stops_sending_is_told_the_rest_of_the_hand(tmp_path: Path) -> None:
    async def main() -> tuple[str, bytes]:
        async with LiveDealer(settings_with(KUHN, 2), tmp_path) as dealer:
            for seat in range(2):
                await (await dealer.peer(seat)).send(GREETING)
            first, second = dealer.peers
            await first.act("c")
            first.shut()
            await second.act("c", times=2)
            told = await first.read_to_end()
            await dealer.end()
            return dealer.talk, told

    talk, told = tidily(main())
    assert talk.startswith(NO_ACTION.format(1))
    assert told.count(b"MATCHSTATE:0:0:cc:") == 1
    assert told.endswith(b"\r\n")


# Guests without a seat.


def test_guests_beyond_the_seats_are_turned_away_and_disturb_nobody(tmp_path: Path) -> None:
    async def main() -> tuple[Phase, bytes, bool]:
        async with LiveDealer(settings_with(KUHN, 10), tmp_path) as dealer:
            queued = [await dealer.peer(1) for _ in range(3)]
            for guest in queued:
                await guest.send(GREETING)
            first = asyncio.create_task(dealer.honest(0))
            await queued[0].act("c")
            with pytest.raises(OSError):
                await dealer.peer(1)
            await queued[0].act("c", times=9)
            turned_away = await queued[1].read_to_end() + await queued[2].read_to_end()
            phase = (await dealer.end()).phase
            return phase, turned_away, isinstance(await first, ClientReport)

    assert tidily(main()) == (Phase.FINISHED, b"", True)


def test_nobody_at_all_ends_the_match_at_the_start_timeout(tmp_path: Path) -> None:
    async def main() -> str:
        async with LiveDealer(
            settings_with(KUHN, 10), tmp_path, DealerPlace(start_timeout_ms=200)
        ) as dealer:
            await dealer.peer(0)
            assert (await dealer.end()).phase is Phase.ABORTED
            return dealer.talk

    assert tidily(main()) == "ERROR: timed out waiting for seat 2 to connect\n"


# The dealer's own place.


def test_a_busy_port_is_refused_and_no_listener_is_left() -> None:
    async def main() -> None:
        free = free_ports(1)[0]
        with socket.create_server((HOST, 0)) as holder:
            taken = holder.getsockname()[1]
            with pytest.raises(UsageError, match="could not create listen socket for player 2"):
                open_ports(DealerPlace(ports=(free, taken)), 2)
        with socket.create_server((HOST, free)):
            pass

    tidily(main())


def test_a_missing_folder_is_refused_by_the_log_s_name(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="could not open log file"):
        MatchFiles(
            str(tmp_path / "missing" / "m"), keeps_log=True, keeps_transactions=False, appends=False
        )


class FullDisk(MatchFiles):
    """Room for a few lines only."""

    room = 3

    def log(self, line: str) -> None:
        self.room -= 1
        if self.room < 0:
            raise OSError(28, os.strerror(28))
        super().log(line)


def test_a_full_disk_ends_the_match_with_its_own_error(tmp_path: Path) -> None:
    async def main() -> int:
        files = FullDisk(
            str(tmp_path / "match"), keeps_log=True, keeps_transactions=False, appends=False
        )
        async with LiveDealer(settings_with(KUHN, 100), tmp_path, files=files) as dealer:
            seats = [asyncio.create_task(dealer.honest(seat)) for seat in range(2)]
            with pytest.raises(OSError, match="No space left"):
                await dealer.end()
            for outcome in await asyncio.gather(*seats):
                assert isinstance(outcome, AcpcbotError)
            return len(dealer.hands)

    assert tidily(main()) == 3


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_log_that_takes_nothing_is_one_line_on_stderr(tmp_path: Path) -> None:
    (tmp_path / "match.log").symlink_to("/dev/full")
    command = [sys.executable, "-m", "acpcbot", "deal", "match", KUHN, "5", "1", "A", "B"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert "error: match.log: No space left on device\n\nhint: " in done.stderr
    assert "Traceback" not in done.stderr


SHORT_WRITE = """
import resource
from acpcbot.matches.match_files import MatchFiles
files = MatchFiles("match", keeps_log=True, keeps_transactions=False, appends=False)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
files.log("x" * 60)
try:
    files.log("y" * 60)
except OSError:
    print("told")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
def test_a_line_that_is_written_in_part_only_is_an_error(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SHORT_WRITE],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("told\n", "")


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
@pytest.mark.parametrize("num_actions", [7, 160])
def test_every_finished_hand_is_in_the_log_of_a_dealer_that_is_killed(
    num_actions: int, tmp_path: Path
) -> None:
    command = [
        sys.executable,
        "-m",
        "acpcbot",
        "deal",
        "match",
        LEDUC,
        "100000",
        "1",
        "A",
        "B",
        "-q",
    ]
    dealer = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert dealer.stdout is not None
    ports = [int(word) for word in dealer.stdout.readline().split()]

    async def main() -> int:
        definition = definition_of(LEDUC)
        peers = [await Peer.at(port, definition) for port in ports]
        for peer in peers:
            await peer.send(GREETING)
        playing = asyncio.create_task(call_on(peers[1]))
        await peers[0].act("c", times=num_actions)
        seen = (await peers[0].state()).hand_id
        os.kill(dealer.pid, signal.SIGKILL)
        await playing
        for peer in peers:
            peer.close()
        return seen

    try:
        num_seen = tidily(main())
    finally:
        dealer.kill()
        dealer.communicate(timeout=60)
    entries = list(read_match_log(tmp_path / "match.log", definition_of(LEDUC)))
    hands = [entry.hand_id for entry in entries if isinstance(entry, HandRecord)]
    assert hands == list(range(num_seen))
    assert num_seen > 0


async def call_on(peer: Peer) -> None:
    """Call until the dealer is gone."""
    try:
        while True:
            await peer.act("c")
    except OSError:
        pass
