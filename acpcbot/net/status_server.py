"""A few pages over HTTP for monitoring: small requests, one a connection, and no visitor that others wait for.

A request has ``LONGEST_REQUEST_S`` to come and a reply ``LONGEST_REPLY_S`` to be read. Of more than the limits'
connections at a time, the one that has been there longest is dropped.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus

from acpcbot.net.http_requests import END_OF_HEAD, LONGEST_HEAD, Request, parse_request
from acpcbot.net.journal import Journal
from acpcbot.net.limited_server import CLOSED, ConnectionLimits, LimitedServer

LONGEST_REQUEST_S = 5.0
LONGEST_REPLY_S = 5.0
LIMITS = ConnectionLimits(most=32, most_per_address=32, request_s=LONGEST_REQUEST_S + LONGEST_REPLY_S)


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
    """Within, *pages* can be had at *listener*, which is closed at the end; who is sent away stands in *journal*."""
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


async def _visit(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, pages: Pages, journal: Journal) -> None:
    try:
        request = await _receive(reader)
        if request is HTTPStatus.REQUEST_TIMEOUT:
            peer = (writer.get_extra_info("peername") or ("",))[0]
            journal.warning(CLOSED, reason=f"no whole request within {LONGEST_REQUEST_S:g} s", peer=peer)
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
    return _format(_refusal(HTTPStatus.NOT_FOUND) if page is None else page(), has_body=request.wants_body)


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
