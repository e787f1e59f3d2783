"""Metrics and health of a bot supervisor over HTTP: /metrics for Prometheus, /live and /ready.

One small GET or HEAD request a connection. A request must arrive within ``REQUEST_TIMEOUT_S`` and
its reply be read within ``REPLY_TIMEOUT_S``; if there are more connections than the limits allow,
the one that has waited longest is dropped. A request that is not plain GET or HEAD by RFC 9112 is
refused with the status that says why: these pages accept no body, no other method, and no head
that two readers could understand differently.
"""

# This small HTTP server is kept although the table in the browser uses aiohttp. To import
# aiohttp.web takes as long as to import acpcbot.net.serve with all that it needs, adds 15 MB to its
# 26 MB, and is a second dependency of the extra ``metrics``. aiohttp accepts bodies of requests,
# refuses a head that is too long with 400 instead of 431, and has no deadline for a head (408).

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

METRICS_PATH, LIVE_PATH, READY_PATH = "/metrics", "/live", "/ready"
TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8"
LIBRARY = "prometheus_client"

END_OF_HEAD = b"\r\n\r\n"
MAX_HEAD_BYTES = 8192
_REQUEST_LINE = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+) (/[!-~]*) HTTP/(\d)\.(\d)")
_FIELD = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t -~\x80-\xff]*)")


REQUEST_TIMEOUT_S = 5.0
REPLY_TIMEOUT_S = 5.0
LIMITS = ConnectionLimits(
    max_connections=32, max_per_address=32, request_s=REQUEST_TIMEOUT_S + REPLY_TIMEOUT_S
)


@dataclass(frozen=True, slots=True)
class Reply:
    """The content of a page."""

    status: HTTPStatus
    text: str
    content_type: str = "text/plain; charset=utf-8"


Pages = Mapping[str, Callable[[], Reply]]
"""The function that makes the reply for each path."""


def pages_of(supervisor: BotSupervisor) -> Pages:
    """Return the pages of *supervisor*, by path.

    Raises ModuleNotFoundError if prometheus-client is missing.
    """
    if find_spec(LIBRARY) is None:
        raise ModuleNotFoundError(f"No module named {LIBRARY!r}", name=LIBRARY)

    @cache
    def metrics() -> Callable[[], bytes]:
        # With the first request, so that the start of the bots does not wait for this import.
        from acpcbot.net.metrics import metrics_of

        return metrics_of(supervisor)

    return {
        METRICS_PATH: lambda: Reply(HTTPStatus.OK, metrics()().decode(), TEXT_FORMAT),
        LIVE_PATH: lambda: Reply(HTTPStatus.OK, "live\n"),
        READY_PATH: partial(_readiness, supervisor),
    }


def _readiness(supervisor: BotSupervisor) -> Reply:
    if supervisor.is_draining:
        return Reply(HTTPStatus.SERVICE_UNAVAILABLE, "draining\n")
    if missing := [bot.name for bot in supervisor.bots if not bot.is_ready]:
        return Reply(HTTPStatus.SERVICE_UNAVAILABLE, f"not ready: {', '.join(missing)}\n")
    return Reply(HTTPStatus.OK, "ready\n")


@asynccontextmanager
async def status_server(
    listener: socket.socket, pages: Pages, journal: Journal, limits: ConnectionLimits = LIMITS
) -> AsyncIterator[None]:
    """Serve *pages* at *listener* within the context, and close the listener at its end.

    Dropped connections are logged in *journal*.
    """
    connections: set[asyncio.Task[None]] = set()

    def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(_answer(reader, writer, pages, journal))
        connections.add(task)
        task.add_done_callback(connections.discard)

    def make_protocol() -> asyncio.Protocol:
        return asyncio.StreamReaderProtocol(asyncio.StreamReader(limit=MAX_HEAD_BYTES), handle)

    server = LimitedServer(listener, make_protocol, limits, journal)
    serving = asyncio.create_task(server.serve())
    try:
        yield
    finally:
        serving.cancel()
        server.close()
        for task in connections:
            task.cancel()
        await asyncio.gather(serving, *connections, return_exceptions=True)
        listener.close()


async def _answer(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, pages: Pages, journal: Journal
) -> None:
    try:
        request = await _receive(reader)
        if request is HTTPStatus.REQUEST_TIMEOUT:
            peer = (writer.get_extra_info("peername") or ("",))[0]
            journal.warning(
                CLOSED, reason=f"no whole request within {REQUEST_TIMEOUT_S:g} s", peer=peer
            )
        async with asyncio.timeout(REPLY_TIMEOUT_S):
            writer.write(_format_reply(request, pages))
            await writer.drain()
            writer.write_eof()
            while await reader.read(MAX_HEAD_BYTES):
                pass  # closing over unread data would reset the connection and lose the reply
    except (OSError, TimeoutError):
        pass  # the client has gone, or does not read
    finally:
        writer.close()


async def _receive(reader: asyncio.StreamReader) -> Request | HTTPStatus:
    """Return the request that comes, or the status that refuses it."""
    try:
        async with asyncio.timeout(REQUEST_TIMEOUT_S):
            return parse_request(await reader.readuntil(END_OF_HEAD))
    except TimeoutError:
        return HTTPStatus.REQUEST_TIMEOUT
    except asyncio.LimitOverrunError:
        return HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
    except asyncio.IncompleteReadError:
        return HTTPStatus.BAD_REQUEST


@dataclass(frozen=True, slots=True)
class Request:
    """A request for *path*; a HEAD request wants no body."""

    path: str
    wants_body: bool


def parse_request(head: bytes) -> Request | HTTPStatus:
    """Return the request of *head*, which ends with an empty line, or the refusing status."""
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
