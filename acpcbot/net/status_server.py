"""A few pages over HTTP for whoever watches a process: small requests, one a connection, nothing kept waiting."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus

from acpcbot.net.http_requests import END_OF_HEAD, LONGEST_HEAD, Request, parse_request

LONGEST_REQUEST_S = 5.0
LONGEST_REPLY_S = 5.0
MOST_VISITORS = 32


@dataclass(frozen=True, slots=True)
class Reply:
    """What a page says."""

    status: HTTPStatus
    text: str
    content_type: str = "text/plain; charset=utf-8"


Pages = Mapping[str, Callable[[], Reply]]
"""What is said at each path."""


@asynccontextmanager
async def status_server(listener: socket.socket, pages: Pages) -> AsyncIterator[None]:
    """Within, *pages* can be had at *listener*, which is closed at the end."""
    visitors: set[asyncio.Task[None]] = set()

    def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        visitor = asyncio.create_task(_visit(reader, writer, pages, is_crowded=len(visitors) >= MOST_VISITORS))
        visitors.add(visitor)
        visitor.add_done_callback(visitors.discard)

    server = await asyncio.start_server(meet, sock=listener, limit=LONGEST_HEAD)
    try:
        yield
    finally:
        server.close()
        for visitor in visitors:
            visitor.cancel()
        await asyncio.gather(*visitors, return_exceptions=True)


async def _visit(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, pages: Pages, *, is_crowded: bool) -> None:
    try:
        request = HTTPStatus.SERVICE_UNAVAILABLE if is_crowded else await _receive(reader)
        async with asyncio.timeout(LONGEST_REPLY_S):
            writer.write(_format_reply(request, pages))
            await writer.drain()
            writer.write_eof()
            while await reader.read(LONGEST_HEAD):
                pass  # a reply to a request that was not read to its end might be lost
    except (OSError, TimeoutError):
        pass  # whoever asked has left, or does not read: nobody else is concerned
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
