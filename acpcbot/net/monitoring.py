"""A few pages over HTTP for monitoring: small requests, one a connection, and no visitor that
others wait for.

A request has ``LONGEST_REQUEST_S`` to come and a reply ``LONGEST_REPLY_S`` to be read. Of more than
the limits' connections at a time, the one that has been there longest is dropped.

The head of an HTTP/1.x request, as far as scrapes and health checks need one (RFC 9112).

Everything else is refused by the status that says why: these pages take no body, no
other method, and nothing that two readers could understand differently.

What a house of bots tells whoever watches it: metrics for Prometheus, and whether it lives and is
ready.
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache, partial
from http import HTTPStatus
from importlib.util import find_spec

from acpcbot.net.journal import Journal
from acpcbot.net.limited_server import CLOSED, ConnectionLimits, LimitedServer
from acpcbot.net.serve import BotSupervisor

END_OF_HEAD = b"\r\n\r\n"
LONGEST_HEAD = 8192
_REQUEST_LINE = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+) (/[!-~]*) HTTP/(\d)\.(\d)")
_FIELD = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t -~\x80-\xff]*)")


@dataclass(frozen=True, slots=True)
class Request:
    """A request for *path*, of which HEAD wants everything but the body."""

    path: str
    wants_body: bool


def parse_request(head: bytes) -> Request | HTTPStatus:
    """The request whose *head* this is, its empty line included, or the status that refuses it."""
    first, *lines = head.removesuffix(END_OF_HEAD).decode("latin-1").split("\r\n")
    found = _REQUEST_LINE.fullmatch(first)
    fields = [_FIELD.fullmatch(line) for line in lines]
    if found is None or None in fields:
        return HTTPStatus.BAD_REQUEST
    method, target, major, minor = found.groups()
    if major != "1":
        return HTTPStatus.HTTP_VERSION_NOT_SUPPORTED
    names = [field[1].lower() for field in fields if field is not None]
    if names.count("host") > 1 or (minor != "0" and "host" not in names):
        return HTTPStatus.BAD_REQUEST
    if "transfer-encoding" in names or any(
        _announces_body(field) for field in fields if field is not None
    ):
        return HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    if method not in ("GET", "HEAD"):
        return HTTPStatus.METHOD_NOT_ALLOWED
    return Request(target.partition("?")[0], method == "GET")


def _announces_body(field: re.Match[str]) -> bool:
    return field[1].lower() == "content-length" and field[2].strip() != "0"


LONGEST_REQUEST_S = 5.0
LONGEST_REPLY_S = 5.0
LIMITS = ConnectionLimits(
    most=32, most_per_address=32, request_s=LONGEST_REQUEST_S + LONGEST_REPLY_S
)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a page says."""

    status: HTTPStatus
    text: str
    content_type: str = "text/plain; charset=utf-8"


Pages = Mapping[str, Callable[[], Reply]]
"""What is said at each path."""


@asynccontextmanager
async def status_server(
    listener: socket.socket, pages: Pages, journal: Journal, limits: ConnectionLimits = LIMITS
) -> AsyncIterator[None]:
    """Within, *pages* can be had at *listener*, which is closed at the end.

    Who is sent away stands in *journal*.
    """
    visitors: set[asyncio.Task[None]] = set()

    def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        visitor = asyncio.create_task(_visit(reader, writer, pages, journal))
        visitors.add(visitor)
        visitor.add_done_callback(visitors.discard)

    def make_protocol() -> asyncio.Protocol:
        return asyncio.StreamReaderProtocol(asyncio.StreamReader(limit=LONGEST_HEAD), meet)

    server = LimitedServer(listener, make_protocol, limits, journal)
    serving = asyncio.create_task(server.serve())
    try:
        yield
    finally:
        serving.cancel()
        server.close()
        for visitor in visitors:
            visitor.cancel()
        await asyncio.gather(serving, *visitors, return_exceptions=True)
        listener.close()


async def _visit(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, pages: Pages, journal: Journal
) -> None:
    try:
        request = await _receive(reader)
        if request is HTTPStatus.REQUEST_TIMEOUT:
            peer = (writer.get_extra_info("peername") or ("",))[0]
            journal.warning(
                CLOSED, reason=f"no whole request within {LONGEST_REQUEST_S:g} s", peer=peer
            )
        async with asyncio.timeout(LONGEST_REPLY_S):
            writer.write(_format_reply(request, pages))
            await writer.drain()
            writer.write_eof()
            while await reader.read(LONGEST_HEAD):
                pass  # a reply to a request that was not read to its end might be lost
    except (OSError, TimeoutError):
        pass  # the visitor has left, or does not read: nobody else is concerned
    finally:
        writer.close()


async def _receive(reader: asyncio.StreamReader) -> Request | HTTPStatus:
    """The request that comes, or why it is refused."""
    try:
        async with asyncio.timeout(LONGEST_REQUEST_S):
            return parse_request(await reader.readuntil(END_OF_HEAD))
    except TimeoutError:
        return HTTPStatus.REQUEST_TIMEOUT
    except asyncio.LimitOverrunError:
        return HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
    except asyncio.IncompleteReadError:
        return HTTPStatus.BAD_REQUEST


def _format_reply(request: Request | HTTPStatus, pages: Pages) -> bytes:
    if isinstance(request, HTTPStatus):
        return _format(_refusal(request), has_body=True)
    page = pages.get(request.path)
    return _format(
        _refusal(HTTPStatus.NOT_FOUND) if page is None else page(), has_body=request.wants_body
    )


def _refusal(status: HTTPStatus) -> Reply:
    return Reply(status, f"{status.phrase}\n")


def _format(reply: Reply, *, has_body: bool) -> bytes:
    body = reply.text.encode()
    fields = [
        f"HTTP/1.1 {reply.status.value} {reply.status.phrase}",
        f"Content-Type: {reply.content_type}",
        f"Content-Length: {len(body)}",
        "Cache-Control: no-store",
        "Connection: close",
        *(["Allow: GET, HEAD"] if reply.status is HTTPStatus.METHOD_NOT_ALLOWED else []),
    ]
    head = "\r\n".join(fields).encode() + END_OF_HEAD
    return head + body if has_body else head


METRICS_PATH, LIVE_PATH, READY_PATH = "/metrics", "/live", "/ready"
TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8"
LIBRARY = "prometheus_client"


def pages_of(house: BotSupervisor) -> Pages:
    """The pages of *house*, by path.

    Raises ModuleNotFoundError where the library of the metrics is missing.
    """
    if find_spec(LIBRARY) is None:
        raise ModuleNotFoundError(f"No module named {LIBRARY!r}", name=LIBRARY)

    @cache
    def metrics() -> Callable[[], bytes]:
        from acpcbot.net.house_metrics import (
            metrics_of,
        )  # with the first question: a bot's start does not wait for it

        return metrics_of(house)

    return {
        METRICS_PATH: lambda: Reply(HTTPStatus.OK, metrics()().decode(), TEXT_FORMAT),
        LIVE_PATH: lambda: Reply(HTTPStatus.OK, "live\n"),
        READY_PATH: partial(_readiness, house),
    }


def _readiness(house: BotSupervisor) -> Reply:
    if house.is_draining:
        return Reply(HTTPStatus.SERVICE_UNAVAILABLE, "draining\n")
    if missing := [bot.name for bot in house.bots if not bot.is_ready]:
        return Reply(HTTPStatus.SERVICE_UNAVAILABLE, f"not ready: {', '.join(missing)}\n")
    return Reply(HTTPStatus.OK, "ready\n")
