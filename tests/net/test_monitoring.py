"""The monitoring pages over real sockets: answers to proper requests; no client blocks others."""

from __future__ import annotations

import asyncio
import contextlib
import io
import socket
import struct
from collections.abc import Awaitable, Callable
from http import HTTPStatus

import pytest

from acpcbot.net import monitoring as status_server
from acpcbot.net.journal import open_journal
from acpcbot.net.limited_server import ConnectionLimits
from acpcbot.net.listening import listen
from acpcbot.net.monitoring import MAX_HEAD_BYTES, Reply
from dealer_tests.adversity import HOST, tidily

GET = b"GET /page HTTP/1.1\r\nHost: here\r\n\r\n"
PAGES = {"/page": lambda: Reply(HTTPStatus.OK, "hällo\n")}


def visit(
    main: Callable[[int], Awaitable[None]], limits: ConnectionLimits = status_server.LIMITS
) -> str:
    """Run *main* with the port at which the pages are; what was logged."""
    journal = io.StringIO()

    async def visited() -> None:
        listener = listen(HOST, 0)
        async with status_server.status_server(
            listener, PAGES, open_journal(journal, as_json=True), limits
        ):
            await main(listener.getsockname()[1])

    tidily(visited())
    return journal.getvalue()


async def ask(port: int, *parts: bytes, shuts: bool = False, pause_s: float = 0.0) -> bytes:
    """Everything that is answered to *parts*, with pauses between.

    With *shuts* nothing more comes behind them.
    """
    reader, writer = await asyncio.open_connection(HOST, port)
    try:
        for part in parts:
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(pause_s)
        if shuts:
            writer.write_eof()
        return await reader.read()
    finally:
        writer.close()


def test_a_page_comes_whole_and_the_connection_ends() -> None:
    async def main(port: int) -> None:
        head, _, body = (await ask(port, GET)).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200 OK\r\n")
        assert b"\r\nConnection: close" in head
        assert b"\r\nContent-Length: 7" in head
        assert body == "hällo\n".encode()

    visit(main)


def test_a_request_in_pieces_is_one_request_and_what_follows_it_is_none() -> None:
    """Catches an answer to half a head, and two answers on a connection that was said to close."""

    async def main(port: int) -> None:
        answer = await ask(port, GET[:9], GET[9:-1], GET[-1:] + GET)
        assert answer.count(b"HTTP/1.1 200") == 1

    visit(main)


def test_head_gets_the_same_head_and_no_body() -> None:
    async def main(port: int) -> None:
        answer = await ask(port, GET.replace(b"GET", b"HEAD"))
        assert answer == (await ask(port, GET)).partition("hällo\n".encode())[0]

    visit(main)


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"\xff\xfe garbage\r\n\r\n", 400),
        (b"GET /other HTTP/1.1\r\nHost: here\r\n\r\n", 404),
        (b"DELETE /page HTTP/1.1\r\nHost: here\r\n\r\n", 405),
        (b"POST /page HTTP/1.1\r\nHost: here\r\nContent-Length: 3\r\n\r\nabc", 413),
        (b"GET /" + b"a" * MAX_HEAD_BYTES + b" HTTP/1.1\r\nHost: here\r\n\r\n", 431),
        (b"A" * 40 * MAX_HEAD_BYTES, 431),
        (b"VERSION:2.0.0\r\n", 400),  # a player who took the wrong port, and leaves
    ],
)
def test_a_bad_request_is_told_so_and_the_next_visitor_is_served(
    request_: bytes, status: int
) -> None:
    async def main(port: int) -> None:
        answer = await ask(port, request_, shuts=True)
        assert answer.startswith(f"HTTP/1.1 {status} ".encode())
        assert (b"\r\nAllow: GET, HEAD\r\n" in answer) == (status == 405)
        assert (await ask(port, GET)).startswith(b"HTTP/1.1 200")

    visit(main)


def test_an_oversized_request_is_read_and_refused() -> None:
    """Catches a connection that is reset while the client still sends, before it reads why."""

    async def main(port: int) -> None:
        answer = await ask(port, *[b"A" * MAX_HEAD_BYTES] * 50, shuts=True, pause_s=0.002)
        assert answer.startswith(b"HTTP/1.1 431 ")

    visit(main)


def test_a_silent_connection_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(status_server, "REQUEST_TIMEOUT_S", 0.05)

    async def main(port: int) -> None:
        assert (await ask(port, b"GET /page")).startswith(b"HTTP/1.1 408 ")

    assert "no whole request within 0.05 s" in visit(main)


def test_a_crowd_that_says_nothing_keeps_nobody_out() -> None:
    """Catches a client that is turned away, and a process whose descriptors are all taken by
    silent clients.
    """

    async def main(port: int) -> None:
        crowd = [await asyncio.open_connection(HOST, port) for _ in range(100)]
        assert (await ask(port, GET)).startswith(b"HTTP/1.1 200 ")
        for _, writer in crowd:
            writer.close()

    assert "and it had waited longest" in visit(main, ConnectionLimits(3, 3, 60.0))


def test_visitors_who_leave_or_stay_hold_nothing_up_at_the_end() -> None:
    """``tidily`` catches what is left of them on the server's side."""
    stays = socket.socket()

    async def main(port: int) -> None:
        stays.connect((HOST, port))
        rude = socket.create_connection((HOST, port))
        rude.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        rude.sendall(GET[:10])
        rude.close()
        assert (await ask(port, GET)).startswith(b"HTTP/1.1 200")

    with stays:
        visit(main)
        stays.settimeout(5)
        with contextlib.suppress(ConnectionResetError):
            assert stays.recv(1) == b""
