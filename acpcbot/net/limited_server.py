"""Accept strangers' connections within limits: how many, from one address, and how long each
may keep us waiting.

The servers of the event loops have no bound, know no deadline for the head of a request, and where
file descriptors run out one of them closes what comes without a word. Here a connection *waits*
until its request has come whole (``begin``), and again from its answer (``finish``) to its next
request: a client that sends half a head, reads no answer, or stays after its answer, waits for
``request_s`` at most. Where there are too many connections, the one that waited longest makes room;
only when all are being answered is a new one refused.
"""

from __future__ import annotations

import asyncio
import errno
import socket
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from acpcbot.net.journal import Journal

BACKLOG = 128
PAUSE_S = 0.2
OUT_OF_RESOURCES = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
REFUSAL = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 21\r\n\r\ntoo many connections\n"

CLOSED = "connection closed"
REFUSED = "connection refused"


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """At most *most* connections, *most_per_address* of them from one address, each waiting for
    *request_s* at most.
    """

    most: int = 256
    most_per_address: int = 64
    request_s: float = 10.0

    def affordable(self) -> ConnectionLimits:
        """These limits, where the process may open enough files.

        Else half of those in all, a quarter of it each.
        """
        most = min(self.most, max(1, most_files() // 2))
        most_per_address = (
            self.most_per_address
            if most == self.most
            else min(self.most_per_address, max(1, most // 4))
        )
        return ConnectionLimits(most, most_per_address, self.request_s)


def most_files() -> int:
    """How many files and sockets this process may have open."""
    if sys.platform == "win32":
        return 8192  # the C runtime's own bound; sockets are not among them
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return soft if soft != resource.RLIM_INFINITY else 1 << 20


class LimitedServer:
    """Serves whoever connects to *listener*, by a protocol that *make_protocol* makes for each
    connection.

    Use ``serve`` as a task; ``close`` drops what is still open. The listener stays the caller's.
    """

    def __init__(
        self,
        listener: socket.socket,
        make_protocol: Callable[[], asyncio.Protocol],
        limits: ConnectionLimits,
        journal: Journal,
    ) -> None:
        self.limits = limits
        self._listener, self._make_protocol, self._journal = listener, make_protocol, journal
        self._open: dict[asyncio.BaseTransport, _Connection] = {}
        self._waiting: dict[_Connection, None] = {}  # in the order in which they began to wait
        self._per_address: Counter[str] = Counter()

    @property
    def num_open(self) -> int:
        """How many connections there are."""
        return len(self._open)

    async def serve(self) -> None:
        """Accept connections until cancelled."""
        self._listener.listen(BACKLOG)
        loop = asyncio.get_running_loop()
        while True:
            try:
                accepted, address = await loop.sock_accept(self._listener)
            except OSError as error:
                await self._recover(error)
            else:
                await self._admit(accepted, str(address[0]))

    def begin(self, transport: asyncio.BaseTransport | None) -> None:
        """The request of this connection has come: it waits no more."""
        connection = self._open.get(transport) if transport is not None else None
        if connection is not None:
            connection.stop_waiting()

    def finish(self, transport: asyncio.BaseTransport | None) -> None:
        """The request is answered, as soon as the answer is read.

        From now on it waits for the next one.
        """
        connection = self._open.get(transport) if transport is not None else None
        if connection is not None:
            connection.num_received = 0
            connection.wait()

    def close(self) -> None:
        """Drop all connections."""
        for connection in list(self._open.values()):
            connection.drop()

    async def _recover(self, error: OSError) -> None:
        """Go on after a connection that could not be accepted.

        Where descriptors ran out, free one.
        """
        if error.errno not in OUT_OF_RESOURCES:
            self._journal.info(
                "not accepted", reason=error.strerror or str(error)
            )  # it was gone again
            return
        self._journal.error("not accepted", reason=error.strerror, open=self.num_open)
        self._drop_longest_waiting("descriptors ran out", None)
        await asyncio.sleep(PAUSE_S)

    async def _admit(self, accepted: socket.socket, address: str) -> None:
        reason = self._crowded(address)
        if reason:
            self._journal.warning(REFUSED, reason=reason, peer=address, open=self.num_open)
            _refuse(accepted)
            return
        connection = _Connection(self, self._make_protocol(), address)
        accepted.settimeout(0.0)
        try:
            await asyncio.get_running_loop().connect_accepted_socket(lambda: connection, accepted)
        except OSError as error:
            accepted.close()
            await self._recover(error)

    def _crowded(self, address: str) -> str:
        """Why no connection from *address* is taken.

        Empty where it is, after another one made room if need be.
        """
        if self._per_address[address] >= self.limits.most_per_address:
            reason = f"{self.limits.most_per_address} connections from one address"
            return "" if self._drop_longest_waiting(reason, address) else reason
        if self.num_open >= self.limits.most:
            reason = f"{self.limits.most} connections"
            return "" if self._drop_longest_waiting(reason, None) else reason
        return ""

    def _drop_longest_waiting(self, reason: str, address: str | None) -> bool:
        """Drop the connection that waited longest, of those from *address* if that is given.

        False if none waits.
        """
        for connection in self._waiting:
            if address in (None, connection.address):
                self._journal.warning(
                    CLOSED,
                    reason=f"{reason}, and it had waited longest",
                    peer=connection.address,
                    open=self.num_open,
                )
                connection.drop()
                return True
        return False

    # What connections tell

    def _opened(self, connection: _Connection) -> None:
        self._open[connection.transport] = connection
        self._per_address[connection.address] += 1
        connection.wait()

    def _left(self, connection: _Connection) -> None:
        connection.stop_waiting()
        if self._open.pop(connection.transport, None) is not None:
            self._per_address[connection.address] -= 1
            if not self._per_address[connection.address]:
                del self._per_address[connection.address]

    def _waited_in_vain(self, connection: _Connection) -> None:
        # A browser opens connections that it may need, and keeps those that it needed: no news.
        tell = self._journal.warning if connection.num_received else self._journal.debug
        tell(
            CLOSED,
            reason=f"no whole request within {self.limits.request_s:g} s",
            peer=connection.address,
            received=connection.num_received,
        )
        connection.drop()


class _Connection(asyncio.Protocol):
    """Hands everything to *inner*, and tells the server when it comes, waits too long and goes."""

    def __init__(self, server: LimitedServer, inner: asyncio.Protocol, address: str) -> None:
        self.address = address
        self.transport: asyncio.Transport
        self.num_received = 0
        self._server, self._inner = server, inner
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self._server._opened(self)
        self._inner.connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._server._left(self)
        self._inner.connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self.num_received += len(data)
        self._inner.data_received(data)

    def eof_received(self) -> bool | None:
        return self._inner.eof_received()

    def pause_writing(self) -> None:
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        self._inner.resume_writing()

    def wait(self) -> None:
        """Begin to wait for a request."""
        self.stop_waiting()
        self._server._waiting[self] = None
        loop: Any = asyncio.get_running_loop()
        self._timer = loop.call_later(
            self._server.limits.request_s, self._server._waited_in_vain, self
        )

    def stop_waiting(self) -> None:
        """Wait no more."""
        self._server._waiting.pop(self, None)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def drop(self) -> None:
        """End the connection now: what it was sent and did not read is lost."""
        self._server._left(self)
        self.transport.abort()


def _refuse(accepted: socket.socket) -> None:
    """Say that there are too many, as far as that takes no waiting."""
    accepted.settimeout(0.0)
    try:
        accepted.send(REFUSAL)
    except OSError:
        pass  # it has gone, or does not read: nobody to tell
    finally:
        accepted.close()
