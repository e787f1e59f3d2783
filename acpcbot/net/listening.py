"""Where a dealer listens: one socket a seat, on ports that are given, the system's choice, or drawn from a seed."""

from __future__ import annotations

import socket
import sys
from dataclasses import dataclass

from acpcbot.errors import UsageError
from acpcbot.matches.settings import DEFAULT_VERSION_MS
from acpcbot.rng import LibcNumbers

LOOPBACK = "127.0.0.1"
BACKLOG = 8
TRIES = 11


@dataclass(frozen=True, slots=True)
class DealerPlace:
    """Where a dealer listens and how long it waits for players; times in milliseconds, below 0: for ever.

    Ports that are not given are the system's choice, or with *port_seed* drawn from it
    as dealers up to release 1.0.41 did.

    For *linger_s* after each state the dealer looks for an answer without going to
    sleep: up to twice the speed against quick bots on the same machine.
    """

    host: str = LOOPBACK
    ports: tuple[int, ...] = ()
    start_timeout_ms: int = -1
    version_timeout_ms: int = DEFAULT_VERSION_MS
    linger_s: float = 50e-6
    port_seed: int | None = None


def open_ports(place: DealerPlace, num_seats: int) -> list[socket.socket]:
    """A listening socket for each seat; raises UsageError when one cannot be had."""
    numbers = None if place.port_seed is None else LibcNumbers(place.port_seed)
    listeners: list[socket.socket] = []
    for seat in range(num_seats):
        wanted = place.ports[seat] if seat < len(place.ports) else 0
        try:
            if numbers is not None and not wanted:
                listeners.append(_listen_drawn(place.host, numbers))
            else:
                listeners.append(listen(place.host, wanted))
        except OSError as error:
            for listener in listeners:
                listener.close()
            hint = f"{place.host} port {wanted}: {error.strerror or error}; give other ports with -p"
            raise UsageError(f"ERROR: could not create listen socket for player {seat + 1}", hint) from None
    return listeners


def _listen_drawn(host: str, numbers: LibcNumbers) -> socket.socket:
    """A port drawn as dealers up to release 1.0.41 drew them, another one while it is taken."""
    for _ in range(TRIES - 1):
        try:
            return listen(host, _drawn_port(numbers))
        except OSError:
            continue
    return listen(host, _drawn_port(numbers))


def _drawn_port(numbers: LibcNumbers) -> int:
    return numbers.next() % 64_512 + 1024


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens at *host* and *port*, 0 for the system's choice; raises OSError."""
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
