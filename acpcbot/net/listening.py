"""Listening sockets of a dealer: a port for each seat, at one host or at all loopback addresses.

Ports are given, chosen by the system, or drawn from a seed. Without a host a dealer listens at
every loopback address that programs on the machine may use: 127.0.0.1, ::1, and the addresses of
the machine's own name (127.0.1.1 on Debian).
"""

from __future__ import annotations

import errno
import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Thread

from acpcbot.errors import UsageError
from acpcbot.matches.settings import DEFAULT_START_MS, DEFAULT_VERSION_MS
from acpcbot.rng import LibcNumbers

LOOPBACK = "127.0.0.1"
LOOPBACK_6 = "::1"
BACKLOG = 8
MAX_TRIES = 11
LOOKUP_TIMEOUT_S = 1.0
_NOT_HERE = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)


@dataclass(frozen=True, slots=True)
class DealerPlace:
    """Host, ports and start timeouts of a dealer; times in milliseconds, a negative one is none.

    *host* is an address or a name; without one the dealer listens at every loopback address that
    programs may use. Ports that are not given are chosen by the system, or with *port_seed* drawn
    as dealers up to release 1.0.41 did.
    """

    host: str = ""
    ports: tuple[int, ...] = ()
    start_timeout_ms: int = DEFAULT_START_MS
    version_timeout_ms: int = DEFAULT_VERSION_MS
    port_seed: int | None = None


@dataclass(frozen=True, slots=True)
class SeatPort:
    """The port of one seat: a listening socket for each address."""

    sockets: tuple[socket.socket, ...]

    @property
    def number(self) -> int:
        """The port's number, the same at every address."""
        number: int = self.sockets[0].getsockname()[1]
        return number

    def close(self) -> None:
        """Close the listening sockets."""
        for listener in self.sockets:
            listener.close()


def open_ports(place: DealerPlace, num_seats: int) -> list[SeatPort]:
    """Open a port for each seat; raises UsageError if one is not available."""
    numbers = None if place.port_seed is None else LibcNumbers(place.port_seed)
    hosts = (place.host,) if place.host else loopback_addresses()
    ports: list[SeatPort] = []
    for seat in range(num_seats):
        wanted = place.ports[seat] if seat < len(place.ports) else 0
        try:
            ports.append(_open_port(hosts, wanted, numbers))
        except OSError as error:
            for port in ports:
                port.close()
            where = f"{place.host or LOOPBACK} port {wanted}"
            hint = f"{where}: {error.strerror or error}; give other ports with -p"
            raise UsageError(
                f"ERROR: could not create listen socket for player {seat + 1}", hint
            ) from None
    return ports


def _open_port(hosts: Sequence[str], wanted: int, numbers: LibcNumbers | None) -> SeatPort:
    """Open the port *wanted* at all *hosts*, with 0 one that is free at all; raises OSError."""
    if wanted:
        return _listen_at_all(hosts, wanted)
    for _ in range(MAX_TRIES - 1):
        try:
            return _listen_at_all(hosts, _drawn_port(numbers))
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
    return _listen_at_all(hosts, _drawn_port(numbers))


def _drawn_port(numbers: LibcNumbers | None) -> int:
    """Return the port to try next: drawn as in dealers up to release 1.0.41, or 0."""
    return 0 if numbers is None else numbers.next() % 64_512 + 1024


def _listen_at_all(hosts: Sequence[str], port: int) -> SeatPort:
    """Listen at *port* of the first of *hosts*, and of the others that this machine has."""
    sockets = [listen(hosts[0], port)]
    number = sockets[0].getsockname()[1]
    try:
        for host in hosts[1:]:
            try:
                sockets.append(listen(host, number))
            except OSError as error:
                if error.errno not in _NOT_HERE and not isinstance(error, socket.gaierror):
                    raise
    except OSError:
        SeatPort(tuple(sockets)).close()
        raise
    return SeatPort(tuple(sockets))


def loopback_addresses() -> tuple[str, ...]:
    """Return the loopback addresses that programs on this machine may use, 127.0.0.1 first.

    The look-up of the machine's own name may ask the network: after ``LOOKUP_TIMEOUT_S`` its
    answer is ignored.
    """
    found: list[str] = []
    asking = Thread(target=_look_up, args=(found,), daemon=True)
    asking.start()
    asking.join(LOOKUP_TIMEOUT_S)
    return tuple(dict.fromkeys((LOOPBACK, LOOPBACK_6, *found)))


def _look_up(found: list[str]) -> None:
    """Add the loopback addresses of the machine's own name to *found*."""
    try:
        answers = socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM)
    except OSError:
        return
    found += [str(address[0]) for *_, address in answers if str(address[0]).startswith("127.")]


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens at *host* and *port*, 0 for any port; raises OSError."""
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    listener = socket.socket(family, kind, protocol)
    try:
        if sys.platform != "win32":  # where this would let two dealers share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
        listener.settimeout(0.0)
    except OSError:
        listener.close()
        raise
    return listener
