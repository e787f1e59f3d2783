"""``acpcbot serve`` as a supervisor sees it: processes, signals, scrapes, exit statuses."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from acpcbot.protocol.messages import MatchState
from dealer_tests.adversity import (
    GREETING,
    HOST,
    LiveDealer,
    Peer,
    free_ports,
    settings_with,
    tidily,
)
from tests.cli.running import COMMAND, LONGEST_S, REFUSAL, acpcbot
from tests.support.games import KUHN
from tests.support.scrapes import samples_of


def has_ipv6() -> bool:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


NEEDS_IPV6 = pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")
MATCH = settings_with(KUHN, 1000)
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs signals")


def bots_toml(folder: Path, *ports: int) -> None:
    bot = '[[bot]]\nname = "bot{number}"\nstrategy = "call"\ngame = "{game}"\nhost = "{host}"\nport = {port}\n'
    bots = [
        bot.format(number=number, game=KUHN, host=HOST, port=port)
        for number, port in enumerate(ports)
    ]
    (folder / "bots.toml").write_text("".join(bots))


class Served:
    """A running ``acpcbot serve`` and where it tells how it does."""

    def __init__(self, process: asyncio.subprocess.Process, url: str) -> None:
        self.process, self._url = process, url.removesuffix("/metrics")

    async def page(self, path: str) -> tuple[int, str]:
        return await asyncio.to_thread(self._fetch, path)

    def _fetch(self, path: str) -> tuple[int, str]:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(self._url + path, timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def terminate(self) -> None:
        os.kill(self.process.pid, signal.SIGTERM)

    async def end(self) -> tuple[int | None, list[dict[str, object]]]:
        """Its exit status, and the events that it logged from now on."""
        stdout, stderr = await asyncio.wait_for(self.process.communicate(), LONGEST_S)
        assert stdout == b""
        assert b"Traceback" not in stderr
        return self.process.returncode, [
            json.loads(line) for line in stderr.splitlines() if line.startswith(b"{")
        ]


@asynccontextmanager
async def serving(folder: Path, *ports: int, place: str = "0") -> AsyncIterator[Served]:
    """A process that keeps a bot at each of *ports* and tells at *place* how they do."""
    bots_toml(folder, *ports)
    words = [*COMMAND, "serve", "bots.toml", "--metrics", place]
    process = await asyncio.create_subprocess_exec(
        *words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        assert process.stderr is not None
        started = json.loads(await asyncio.wait_for(process.stderr.readline(), LONGEST_S))
        assert started["event"] == "serving"
        yield Served(process, started["metrics"])
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def last_word_in_a_hand(peer: Peer) -> MatchState:
    """The state of a later hand in which the other seat has called, after calls in all hands
    before.
    """
    while True:
        state = await peer.state()
        if state.hand_id >= 5 and state.betting.text == "c":
            return state
        await peer.send(f"{state.line}:c\r\n".encode())


async def no_longer_ready(served: Served) -> None:
    while await served.page("/ready") != (503, "draining\n"):
        await asyncio.sleep(0.01)


def test_a_scrape_and_a_drain_in_the_middle_of_a_hand(tmp_path: Path) -> None:
    """The hand is finished, nothing illegal is sent, the status is 0.

    /ready says no at once, /live still says yes.
    """

    async def main() -> tuple[int | None, list[dict[str, object]]]:
        async with (
            LiveDealer(MATCH, tmp_path) as dealer,
            serving(tmp_path, dealer.ports[0]) as served,
        ):
            peer = await dealer.peer(1)
            await peer.send(GREETING)
            state = await last_word_in_a_hand(peer)
            samples = samples_of((await served.page("/metrics"))[1])
            assert samples["acpcbot_hands_total", "bot0", ""] == len(dealer.hands) == state.hand_id
            assert samples["acpcbot_decisions_total", "bot0", ""] == state.hand_id + 1
            assert await served.page("/ready") == (200, "ready\n")
            served.terminate()
            await no_longer_ready(served)
            assert await served.page("/live") == (200, "live\n")
            await peer.send(f"{state.line}:c\r\n".encode())
            ended = await served.end()
            peer.close()
            await dealer.end()
            assert len(dealer.hands) == state.hand_id + 1
            assert "WARNING" not in dealer.talk
            return ended

    status, events = tidily(main())
    assert status == 0
    assert [event["event"] for event in events] == ["draining", "left"]
    assert events[0]["hands_to_finish"] == 1


def test_a_second_signal_ends_it_at_once(tmp_path: Path) -> None:
    async def main() -> tuple[int | None, list[dict[str, object]]]:
        async with (
            LiveDealer(MATCH, tmp_path) as dealer,
            serving(tmp_path, dealer.ports[0]) as served,
        ):
            peer = await dealer.peer(1)
            await peer.send(GREETING)
            await last_word_in_a_hand(peer)
            served.terminate()
            await no_longer_ready(served)
            served.terminate()
            return await served.end()

    status, events = tidily(main())
    assert status == 143
    assert [event["event"] for event in events] == ["draining"]


@pytest.mark.parametrize("place", ["127.0.0.1:0", pytest.param("[::1]:0", marks=NEEDS_IPV6)])
def test_bots_that_wait_for_their_dealers_are_gone_with_the_first_signal(
    place: str, tmp_path: Path
) -> None:
    async def main() -> tuple[int | None, list[dict[str, object]]]:
        async with serving(tmp_path, *free_ports(2), place=place) as served:
            while (await served.page("/ready"))[0] != 200:
                await asyncio.sleep(0.01)
            served.terminate()
            return await served.end()

    status, events = tidily(main())
    assert status == 0
    assert [event["event"] for event in events] == ["draining"]


def test_serve_check_reads_bots_toml_and_starts_no_bot(tmp_path: Path) -> None:
    bots_toml(tmp_path, 1, 2)
    checked = acpcbot(tmp_path, "serve", "bots.toml", "--check")
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "bots.toml: 2 bots\n", "")


@pytest.mark.parametrize(
    ("place", "fault"),
    [
        ("here", "'here' is not [HOST:]PORT"),
        (":9464", "':9464' is not [HOST:]PORT"),
        ("127.0.0.1:70000", "70000 is no port"),
        ("192.0.2.1:9464", "cannot show metrics at 192.0.2.1 port 9464"),
    ],
)
def test_a_place_that_cannot_be_had_is_refused_before_anything_starts(
    place: str, fault: str, tmp_path: Path
) -> None:
    bots_toml(tmp_path, 1)
    refused = acpcbot(tmp_path, "serve", "bots.toml", "--metrics", place)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert REFUSAL.fullmatch(refused.stderr)
    assert fault in refused.stderr


def test_without_its_library_a_page_of_metrics_is_refused(tmp_path: Path) -> None:
    bots_toml(tmp_path, 1)
    code = (
        "import sys; sys.modules['prometheus_client'] = None; from acpcbot.__main__ import main;"
        "sys.exit(main(['serve', 'bots.toml', '--metrics', '0']))"
    )
    refused = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert refused.returncode == 1
    assert refused.stderr.startswith(
        "error: --metrics needs prometheus_client\n\nhint: ./dev serve in a clone; elsewhere: pip install"
    )
