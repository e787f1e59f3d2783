"""One browser's socket: requests in, messages out.

Errors are told to the browser, logged, and stay here.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any, Protocol

from aiohttp import WSCloseCode, WSMsgType, web

from acpcbot.errors import AcpcbotError, BadRequest
from acpcbot.net.journal import Journal
from acpcbot.web.requests import LONGEST_REQUEST, SHOWN_LENGTH, Request, parse_request

Message = dict[str, Any]
MOST_WAITING = 256
MOST_WAITING_BYTES = 1 << 20
MOST_FAULTS = 20
MOST_AT_ONCE = 8
HEARTBEAT_S = 30.0
"""A browser that is silent so long is pinged, and let go when it does not answer for half of it."""
CLOSING_S = 2.0


class Host(Protocol):
    """Protocol of the object that answers requests."""

    def welcome(self, connection: Connection) -> None:
        """A browser has come."""

    async def answer(self, connection: Connection, request: Request) -> None:
        """Do what it asks; raises BadRequest."""

    def farewell(self, connection: Connection) -> None:
        """It has gone."""


class Connection:
    """A socket of *guest* with a queue of messages; a browser that does not read is dropped."""

    def __init__(
        self, peer: str, guest: str, journal: Journal, heartbeat_s: float = HEARTBEAT_S
    ) -> None:
        self.guest = guest
        self.journal = journal.bind(peer=peer)
        self.socket = web.WebSocketResponse(
            max_msg_size=LONGEST_REQUEST, heartbeat=heartbeat_s, timeout=CLOSING_S, compress=False
        )
        self._waiting: asyncio.Queue[str] = asyncio.Queue(MOST_WAITING)
        self._num_waiting_bytes = 0
        self._num_faults = 0
        self._answers: set[asyncio.Task[None]] = set()
        self._transport: asyncio.WriteTransport | None = None

    def send(self, message: Message) -> None:
        """Let *message* go out after those before it."""
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        self._num_waiting_bytes += len(text)
        if self._waiting.full() or self._num_waiting_bytes > MOST_WAITING_BYTES:
            self.journal.warning("connection closed", reason="it does not read what it is sent")
            if self._transport is not None:
                self._transport.abort()
            return
        self._waiting.put_nowait(text)

    async def serve(self, request: web.Request, host: Host) -> web.WebSocketResponse:
        """Answer until the browser leaves."""
        await self.socket.prepare(request)
        self._transport = request.transport
        writer = asyncio.create_task(self._write())
        host.welcome(self)
        try:
            await self._read(host)
        finally:
            for answer in self._answers:
                answer.cancel()
            host.farewell(self)
            writer.cancel()
            with suppress(asyncio.CancelledError):
                await writer
        return self.socket

    async def close(self) -> None:
        """The server goes away: what waits is sent before."""
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSING_S):
                await self._waiting.join()
        with suppress(ConnectionError):
            await self.socket.close(code=WSCloseCode.GOING_AWAY, message=b"the table is closed")

    async def _write(self) -> None:
        with suppress(ConnectionError):
            while True:
                text = await self._waiting.get()
                self._num_waiting_bytes -= len(text)
                await self.socket.send_str(text)
                self._waiting.task_done()

    async def _read(self, host: Host) -> None:
        async for message in self.socket:
            if message.type is WSMsgType.TEXT:
                self._begin(message.data, host)
            elif message.type is WSMsgType.ERROR:
                self.journal.warning("connection closed", reason=str(message.data))
            else:
                self._refuse(BadRequest(str(message.type), "only text is understood"))
            if self._num_faults >= MOST_FAULTS:
                await self.socket.close(
                    code=WSCloseCode.POLICY_VIOLATION, message=b"too many faults"
                )

    def _begin(self, text: str, host: Host) -> None:
        """Answer in a task of its own.

        The socket's heartbeats must not wait for a bot that is being loaded.
        """
        if len(self._answers) >= MOST_AT_ONCE:
            self._refuse(BadRequest(text[:SHOWN_LENGTH], "one thing after another, please"))
            return
        answer = asyncio.create_task(self._answer(text, host))
        self._answers.add(answer)
        answer.add_done_callback(self._answers.discard)

    async def _answer(self, text: str, host: Host) -> None:
        try:
            await host.answer(self, parse_request(text))
            self._num_faults = 0
        except BadRequest as error:
            self._refuse(error)
        except TimeoutError:
            self.send({"type": "refused", "reason": "that took too long"})
        except (AcpcbotError, OSError) as error:
            self.journal.error("failed", reason=str(error))
            self.send({"type": "refused", "reason": str(error)})
        except Exception as error:
            self.journal.exception("failed", reason=f"{type(error).__name__}: {error}")
            self.send({"type": "refused", "reason": "that failed; the server's log says why"})

    def _refuse(self, error: BadRequest) -> None:
        self._num_faults += 1
        self.journal.warning("bad message", reason=error.reason, text=error.text)
        self.send({"type": "refused", "reason": error.reason})
