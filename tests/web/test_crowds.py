"""Crowds, floods and clients that keep the server waiting: over real sockets, with small limits."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import pytest
from aiohttp import WSServerHandshakeError

from acpcbot.net.journal import MAX_LINES
from acpcbot.net.limited_server import ConnectionLimits
from acpcbot.web.bots import Bot
from acpcbot.web.server import SOCKETS_A_GUEST
from tests.support.connections import ended
from tests.support.games import LEDUC
from tests.web.served import Served, run, served

SHORT_S = 0.1
PATIENT = ConnectionLimits(64, 64, 60.0)
GET = "GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
UPGRADE = (
    "GET /socket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


async def said(place: Served, text: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", place.port)
    writer.write(text.format(port=place.port).encode())
    return reader, writer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("", b""),
        ("GET / HT", b""),
        (GET, b""),
        (GET + "\r\n", b"HTTP/1.1 200"),
        (GET + "\r\n" + GET, b"HTTP/1.1 200"),
        (GET.replace("GET", "POST") + "Content-Length: 100000\r\n\r\nhalf", b"HTTP/1.1 403"),
    ],
    ids=["nothing", "half a line", "half a head", "stays", "half a second head", "half a body"],
)
def test_a_client_that_keeps_the_server_waiting_is_dropped(
    tmp_path: Path, text: str, answer: bytes
) -> None:
    """Catches connections that are kept for ever: half a request, half a body, silence."""

    async def visit() -> None:
        async with served(tmp_path, limits=ConnectionLimits(64, 64, SHORT_S)) as place:
            reader, writer = await said(place, text)
            assert (await ended(reader)).startswith(answer)
            writer.close()

    run(visit())


def test_a_crowd_of_half_requests_keeps_nobody_out_and_is_logged(tmp_path: Path) -> None:
    """Catches 1,500 half requests that are all kept, no line in the log, and a page that cannot
    be reached.
    """

    async def visit() -> None:
        async with served(
            tmp_path, limits=ConnectionLimits(16, 16, 60.0), token="a-token"
        ) as place:
            crowd = [await said(place, GET) for _ in range(100)]
            reader, writer = await said(place, GET + "\r\n")
            assert (await reader.readline()).startswith(b"HTTP/1.1 403")
            assert "16 connections from one address, and it had waited longest" in place.refusals()
            assert len(place.logged()) <= MAX_LINES + 2
            for _, other in [*crowd, (reader, writer)]:
                other.close()

    run(visit())


def test_a_socket_that_never_answers_is_let_go(tmp_path: Path) -> None:
    """Catches a browser that has vanished without a word, and holds a place for ever."""

    async def visit() -> None:
        async with served(tmp_path, limits=PATIENT, heartbeat_s=SHORT_S) as place:
            reader, writer = await said(place, UPGRADE)
            assert (await ended(reader)).startswith(b"HTTP/1.1 101")
            writer.close()

    run(visit())


def test_a_socket_that_says_nothing_stays(tmp_path: Path) -> None:
    """Catches a deadline for requests that ends the socket of somebody who only looks."""

    async def visit() -> None:
        limits = ConnectionLimits(64, 64, SHORT_S)
        async with served(tmp_path, limits=limits) as place, place.socket() as socket:
            await socket.hear("lobby")
            for _ in range(2):
                reader, writer = await said(place, "GET / HT")
                await ended(reader)
                writer.close()
            assert (await socket.sit())["type"] == "seated"

    run(visit())


def test_one_guest_has_only_so_many_windows(tmp_path: Path) -> None:
    """Catches a guest whose sockets leave no place for others."""

    async def visit() -> None:
        async with served(tmp_path, limits=PATIENT) as place:
            sockets = [place.socket() for _ in range(SOCKETS_A_GUEST)]
            for socket in sockets:
                await socket.__aenter__()
            with pytest.raises(WSServerHandshakeError, match="503"):
                async with place.socket():
                    pass
            async with place.socket(Cookie=await guest_cookie(place)) as other:
                await other.hear("lobby")
            assert place.refusals() == ["too many windows"]
            for socket in sockets:
                await socket.__aexit__(None, None, None)

    run(visit())


async def guest_cookie(place: Served) -> str:
    """The cookie of a browser that comes for the first time."""
    async with place.browser.get(place.address) as page:
        return page.headers["Set-Cookie"].partition(";")[0]


def test_bad_messages_are_counted_and_not_all_logged(tmp_path: Path) -> None:
    """Catches a log that grows with every message of a guest."""
    bad, good = "{", json.dumps({"type": "resume", "table": "none"})

    async def visit() -> None:
        async with served(tmp_path, limits=PATIENT, log_period_s=0.5) as place:
            async with place.socket() as socket:
                for _ in range(300):
                    await socket.socket.send_str(bad)
                    await socket.hear("refused")
                    await socket.socket.send_str(good)
                    await socket.hear("gone")
            written, counted = bad_messages(place)
            while written + sum(counted) < 300:
                await asyncio.sleep(0.01)
                written, counted = bad_messages(place)
            assert written <= MAX_LINES * (1 + len(counted))

    run(visit())


def bad_messages(place: Served) -> tuple[int, list[int]]:
    """Return how many bad messages were written, and how many the summaries counted."""
    lines = place.logged()
    counted = [int(line["event"].split()[0]) for line in lines if line.get("like") == "bad message"]
    return sum(line["event"] == "bad message" for line in lines), counted


def test_bytes_that_are_not_http_leave_a_log_line_and_no_traceback(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Catches a traceback on stderr for each bad request of a stranger."""

    async def visit() -> None:
        async with served(tmp_path, limits=PATIENT) as place:
            for text in ["GET / HTTP/1.1\r\nBad Header\r\n\r\n"] * 50:
                reader, writer = await said(place, text)
                assert (await ended(reader)).startswith(b"HTTP/1.0 400")
                writer.close()
            lines = [line for line in place.logged() if line["event"] == "bad request"]
            assert len(lines) == MAX_LINES
            assert all("exception" not in line for line in lines)

    run(visit())
    assert "Traceback" not in capfd.readouterr().err


def test_one_guest_cannot_take_all_tables(tmp_path: Path) -> None:
    """Catches a guest who sits everywhere, also with a cookie that was made up, and a next one
    who finds no place.
    """

    async def visit() -> None:
        async with served(tmp_path, ["call"], LEDUC, limits=PATIENT, most_guest_tables=2) as place:
            sockets = [place.socket() for _ in range(2)]
            seated = [await (await socket.__aenter__()).sit() for socket in sockets]
            assert [one["type"] for one in seated] == ["seated"] * 2
            reason = "you have 2 tables already, and more are not allowed; leave one first"
            cookie = await guest_cookie(place)
            forged = f"{cookie[:-1]}{'0' if cookie[-1] != '0' else '1'}"
            for headers in ({}, {"Cookie": forged}, {"Cookie": f"acpcbot-guest-{place.port}=é"}):
                async with place.socket(**headers) as again:
                    assert (await again.sit())["reason"] == reason
            async with place.socket(Cookie=cookie) as other:
                assert (await other.sit())["type"] == "seated"
            for socket in sockets:
                await socket.__aexit__(None, None, None)

    run(visit())


def test_a_table_whose_browser_has_gone_is_freed(tmp_path: Path) -> None:
    """Catches tables that were left, and block the next visitor until nobody has played there
    for half an hour.
    """

    async def visit() -> None:
        async with served(tmp_path, most_tables=1, limits=PATIENT, away_s=SHORT_S) as place:
            async with place.socket() as socket:
                key = (await socket.sit())["table"]
            while place.tables.find(key) is not None:
                await asyncio.sleep(0.01)
            async with place.socket() as socket:
                assert (await socket.sit())["type"] == "seated"
            closed = [line for line in place.logged() if line["event"] == "table closed"]
            assert [line["reason"] for line in closed] == ["its browser has gone"]

    run(visit())


def test_a_table_that_is_shown_again_in_time_stays(tmp_path: Path) -> None:
    """Catches a table that is closed although its person came back, or only looks on."""

    async def visit() -> None:
        async with served(tmp_path, ["call"], LEDUC, limits=PATIENT, away_s=4 * SHORT_S) as place:
            async with place.socket() as socket:
                key = (await socket.sit())["table"]
            async with place.socket() as socket:
                await socket.say(type="resume", table=key)
                await socket.hear("seated")
                async with place.socket(Cookie=await guest_cookie(place)) as other:
                    left = (await other.sit())["table"]
                while place.tables.find(left) is not None:
                    await asyncio.sleep(0.01)
                assert place.tables.find(key) is not None

    run(visit())


def test_a_guest_that_leaves_during_the_opening_still_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Catches a guest who asks and leaves again and again, and has a hundred strategies loaded
    at once.
    """

    begun, goes_on = threading.Event(), threading.Event()

    async def visit() -> None:
        async with served(tmp_path, most_guest_tables=1, limits=PATIENT, away_s=SHORT_S) as place:
            make_bots = place.tables._bots

            def wait_and_make(*arguments: Any) -> list[Bot]:
                begun.set()
                assert goes_on.wait(60)
                return make_bots(*arguments)

            monkeypatch.setattr(place.tables, "_bots", wait_and_make)
            async with place.socket() as socket:
                await socket.say(type="sit", game=0, bots=[0], name="Ann")
                await asyncio.to_thread(begun.wait, 60)
            async with place.socket() as socket:
                assert "you have a table already" in (await socket.sit())["reason"]
            goes_on.set()
            answer = "refused"
            while (
                answer == "refused"
            ):  # each time by another connection: too many refusals would end one
                await asyncio.sleep(0.05)
                async with place.socket() as socket:
                    answer = (await socket.sit())["type"]

    run(visit())
