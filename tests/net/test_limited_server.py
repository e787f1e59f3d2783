"""Connections within limits, over real sockets: who keeps the server waiting goes, everybody
else is served.
"""

from __future__ import annotations

import asyncio
import io
import json
import os
import resource
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

import pytest

from acpcbot.net.journal import open_journal
from acpcbot.net.limited_server import PAUSE_S, ConnectionLimits, LimitedServer, max_open_files
from acpcbot.net.listening import listen
from dealer_tests.adversity import HOST, tidily
from tests.support.connections import ended

SHORT_S, LONG_S = 0.05, 60.0


class Answers(asyncio.Protocol):
    """Answers a line by *size* bytes; a line that says "wait" is being answered for ever."""

    def __init__(self, served: Served) -> None:
        self.served = served

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        if data.endswith(b"\n"):
            self.served.server.begin(self.transport)
            if data != b"wait\n":
                self.transport.write(b"x" * self.served.size)
                self.served.server.finish(self.transport)


class Served:
    """A limited server, its journal, and clients."""

    def __init__(self, limits: ConnectionLimits, size: int) -> None:
        self.text, self.size = io.StringIO(), size
        self.listener = listen(HOST, 0)
        self.server = LimitedServer(
            self.listener, lambda: Answers(self), limits, open_journal(self.text, as_json=True)
        )

    def logged(self, event: str) -> list[dict[str, Any]]:
        return [
            line
            for line in map(json.loads, self.text.getvalue().splitlines())
            if line["event"] == event
        ]

    async def connect(
        self, said: bytes = b"", host: str = HOST
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection(
            HOST, self.listener.getsockname()[1], local_addr=(host, 0)
        )
        writer.write(said)
        return reader, writer


def visit(
    main: Callable[[Served], Awaitable[None]],
    limits: ConnectionLimits,
    *,
    size: int = 1,
    prepare: Any = None,
) -> None:
    async def visited() -> None:
        served = Served(limits, size)
        if prepare is not None:
            prepare(served)
        serving = asyncio.create_task(served.server.serve())
        try:
            await main(served)
        finally:
            serving.cancel()
            served.server.close()
            await asyncio.gather(serving, return_exceptions=True)
            served.listener.close()

    tidily(visited())


@pytest.mark.parametrize("said", [b"", b"half a head", b"a whole request\n"])
def test_a_client_that_waits_too_long_is_dropped(said: bytes) -> None:
    """Catches half a head, silence from the beginning, and silence after an answer that are
    kept for ever.
    """

    async def main(served: Served) -> None:
        reader, writer = await served.connect(said)
        assert await ended(reader) == (b"x" if said.endswith(b"\n") else b"")
        assert [line["received"] for line in served.logged("connection closed")] == (
            [11] if b"half" in said else []
        )
        writer.close()

    visit(main, ConnectionLimits(8, 8, SHORT_S))


def test_a_client_that_reads_no_answer_is_dropped() -> None:
    """Catches an answer that waits in memory for somebody who never takes it."""

    async def main(served: Served) -> None:
        reader, writer = await served.connect()
        cast(asyncio.ReadTransport, writer.transport).pause_reading()
        writer.write(b"a whole request\n")
        while served.server.num_open == 0:
            await asyncio.sleep(0.001)
        while served.server.num_open:
            await asyncio.sleep(0.001)
        writer.close()
        await ended(reader)

    visit(main, ConnectionLimits(8, 8, SHORT_S), size=1 << 25)


def test_a_request_that_is_being_answered_has_all_the_time_it_needs() -> None:
    """Catches a deadline for heads that ends sockets which stay open."""

    async def main(served: Served) -> None:
        reader, writer = await served.connect(b"wait\n")
        for _ in range(2):
            other, own_end = await served.connect(b"half")
            await ended(other)
            own_end.close()
        assert served.server.num_open == 1
        writer.close()
        await ended(reader)

    visit(main, ConnectionLimits(8, 8, SHORT_S))


def test_a_crowd_of_half_requests_keeps_nobody_out() -> None:
    """Catches 1,500 connections that are open at the same time, and a client that is turned
    away because of them.
    """

    async def main(served: Served) -> None:
        crowd = [await served.connect(b"half") for _ in range(200)]
        reader, writer = await served.connect(b"a whole request\n")
        assert await reader.readexactly(1) == b"x"
        assert served.server.num_open <= 16
        closed = served.logged("connection closed")
        assert "16 connections" in closed[0]["reason"]
        assert len(closed) <= 20
        for _, other in [*crowd, (reader, writer)]:
            other.close()

    visit(main, ConnectionLimits(16, 16, LONG_S))


def test_a_connection_above_the_limit_is_told_so() -> None:
    """Catches a connection that is dropped in the midst of its answer for the sake of the next
    one.
    """

    async def main(served: Served) -> None:
        busy = [await served.connect(b"wait\n") for _ in range(3)]
        while served.server.num_open < 3 or served.server._waiting:
            await asyncio.sleep(0.001)
        reader, writer = await served.connect(b"a whole request\n")
        assert (await ended(reader)).startswith(b"HTTP/1.1 503 ") or served.logged(
            "connection refused"
        )
        assert [line["open"] for line in served.logged("connection refused")] == [3]
        assert served.server.num_open == 3
        for _, other in [*busy, (reader, writer)]:
            other.close()

    visit(main, ConnectionLimits(3, 3, LONG_S))


def test_one_address_cannot_take_all_places() -> None:
    """Catches a crowd of one whose connections, all of them busy, leave no room for others."""

    async def main(served: Served) -> None:
        crowd = [await served.connect(b"wait\n", "127.0.0.2") for _ in range(6)]
        while len(served.logged("connection refused")) < 4:
            await asyncio.sleep(0.001)
        assert {line["peer"] for line in served.logged("connection refused")} == {"127.0.0.2"}
        reader, writer = await served.connect(b"a whole request\n")
        assert await reader.readexactly(1) == b"x"
        for _, other in [*crowd, (reader, writer)]:
            other.close()

    visit(main, ConnectionLimits(8, 2, LONG_S))


@contextmanager
def no_more_files() -> Iterator[None]:
    """Nothing can be opened here."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    free = os.dup(0)
    os.close(free)
    resource.setrlimit(resource.RLIMIT_NOFILE, (free, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_a_lack_of_descriptors_is_logged_and_survived() -> None:
    """Catches a loop that spins, a silent end of listening, and connections that are closed
    without a word.
    """
    client = socket.socket()

    def come(served: Served) -> None:
        client.connect(served.listener.getsockname())
        client.sendall(b"a whole request\n")

    async def main(served: Served) -> None:
        with no_more_files():
            while not served.logged("not accepted"):
                await asyncio.sleep(0.01)
            await asyncio.sleep(PAUSE_S / 2)
            assert len(served.logged("not accepted")) == 1
        loop = asyncio.get_running_loop()
        client.settimeout(0.0)
        assert await loop.sock_recv(client, 9) == b"x"
        assert served.logged("not accepted")[0]["reason"] == "Too many open files"

    try:
        visit(main, ConnectionLimits(8, 8, LONG_S), prepare=come)
    finally:
        client.close()


def test_the_limits_fit_into_what_the_system_allows() -> None:
    """Catches a cap of connections that is above the number of files."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
    try:
        assert max_open_files() == 256
        assert ConnectionLimits(300, 64, 1.0).affordable() == ConnectionLimits(128, 32, 1.0)
        assert ConnectionLimits(100, 100, 1.0).affordable() == ConnectionLimits(100, 100, 1.0)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
