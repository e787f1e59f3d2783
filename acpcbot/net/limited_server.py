"""A server with limits: connections in all and from one address, and the time without a request.

The servers of the event loops have no such limits, and when file descriptors run out one of them
closes new connections without an answer. Here a connection *waits* until its request is complete
(``begin``), and again from its answer (``finish``) to the next request. So a client that sends half
a head, does not read its answer, or stays after it, is dropped after ``request_s``. If there are
too many connections, the one that has waited longest is dropped; a new one is refused only if all
are being answered.
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
REFUSAL = (
    b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 21\r\n\r\n"
    b"too many connections\n"
)

CLOSED = "connection closed"
REFUSED = "connection refused"


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Limits of a server: connections, those from one address, seconds without a request."""

    max_connections: int = 256
    max_per_address: int = 64
    request_s: float = 10.0

    def affordable(self) -> ConnectionLimits:
        """Return these limits, reduced to the number of files that the process may open.

        Connections then take half of the files, those of one address a quarter of these.
        """
        most = min(self.max_connections, max(1, max_open_files() // 2))
        max_per_address = (
            self.max_per_address
            if most == self.max_connections
            else min(self.max_per_address, max(1, most // 4))
        )
        return ConnectionLimits(most, max_per_address, self.request_s)


def max_open_files() -> int:
    """Return the number of files and sockets that this process may have open."""
    if sys.platform == "win32":
        return 8192  # the C runtime's limit, which does not count sockets
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return soft if soft != resource.RLIM_INFINITY else 1 << 20


class LimitedServer:
    """A server at *listener* with *limits*; *make_protocol* makes a protocol for each connection.

    Run ``serve`` as a task; ``close`` drops the open connections. The caller closes the listener.
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
        self._waiting: dict[_Connection, None] = {}  # ordered by the begin of their wait
        self._per_address: Counter[str] = Counter()

    @property
    def num_open(self) -> int:
        """The number of open connections."""
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
        """End the wait of this connection: its request is complete."""
        connection = self._open.get(transport) if transport is not None else None
        if connection is not None:
            connection.stop_waiting()

    def finish(self, transport: asyncio.BaseTransport | None) -> None:
        """Begin the wait of this connection for its next request: its answer is written."""
        connection = self._open.get(transport) if transport is not None else None
        if connection is not None:
            connection.num_received = 0
            connection.wait()

    def close(self) -> None:
        """Drop all connections."""
        for connection in list(self._open.values()):
            connection.drop()

    async def _recover(self, error: OSError) -> None:
        """Continue after an error of accept; if descriptors ran out, drop a connection."""
        if error.errno not in OUT_OF_RESOURCES:
            # The client has gone again.
            self._journal.info("not accepted", reason=error.strerror or str(error))
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
        """Make room for a connection from *address*; return the reason for a refusal, or ''."""
        if self._per_address[address] >= self.limits.max_per_address:
            reason = f"{self.limits.max_per_address} connections from one address"
            return "" if self._drop_longest_waiting(reason, address) else reason
        if self.num_open >= self.limits.max_connections:
            reason = f"{self.limits.max_connections} connections"
            return "" if self._drop_longest_waiting(reason, None) else reason
        return ""

    def _drop_longest_waiting(self, reason: str, address: str | None) -> bool:
        """Drop the connection that waited longest, of those from *address* if it is given.

        Returns False if none waits.
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

    # Called by connections

    def _opened(self, connection: _Connection) -> None:
        self._open[connection.transport] = connection
        self._per_address[connection.address] += 1
        connection.wait()

    def _closed(self, connection: _Connection) -> None:
        connection.stop_waiting()
        if self._open.pop(connection.transport, None) is not None:
            self._per_address[connection.address] -= 1
            if not self._per_address[connection.address]:
                del self._per_address[connection.address]

    def _time_out(self, connection: _Connection) -> None:
        # Browsers open spare connections and keep used ones: without data that is no warning.
        tell = self._journal.warning if connection.num_received else self._journal.debug
        tell(
            CLOSED,
            reason=f"no whole request within {self.limits.request_s:g} s",
            peer=connection.address,
            received=connection.num_received,
        )
        connection.drop()


class _Connection(asyncio.Protocol):
    """A connection: it forwards to *inner*, and reports its begin, waits and end to the server."""

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
        self._server._closed(self)
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
        """Begin the wait for a request, and its timer."""
        self.stop_waiting()
        self._server._waiting[self] = None
        loop: Any = asyncio.get_running_loop()
        self._timer = loop.call_later(self._server.limits.request_s, self._server._time_out, self)

    def stop_waiting(self) -> None:
        """End the wait and its timer."""
        self._server._waiting.pop(self, None)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def drop(self) -> None:
        """End the connection now; data that the client has not read is lost."""
        self._server._closed(self)
        self.transport.abort()


def _refuse(accepted: socket.socket) -> None:
    """Send the refusal, unless that would block."""
    accepted.settimeout(0.0)
    try:
        accepted.send(REFUSAL)
    except OSError:
        pass  # the client has gone or does not read
    finally:
        accepted.close()
