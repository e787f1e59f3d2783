"""Where a dealer listens: ports drawn from the seed, as bots made for old dealers expect them."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from acpcbot.net.listening import DealerPlace, open_ports
from acpcbot.rng import LibcNumbers

SEED = 7


def drawn(count: int) -> list[int]:
    numbers = LibcNumbers(SEED)
    return [numbers.next() % 64_512 + 1024 for _ in range(count)]


@contextmanager
def listening(place: DealerPlace, num_seats: int) -> Iterator[list[int]]:
    listeners = open_ports(place, num_seats)
    try:
        yield [listener.getsockname()[1] for listener in listeners]
    finally:
        for listener in listeners:
            listener.close()


def occupy(port: int) -> socket.socket:
    try:
        return socket.create_server(("127.0.0.1", port))
    except OSError:
        pytest.skip(f"somebody else has port {port}")


def test_a_taken_port_is_passed_over_for_the_next_draw() -> None:
    ports = drawn(3)
    with closing(occupy(ports[0])):
        for port in ports[1:]:
            occupy(port).close()
        with listening(DealerPlace(port_seed=SEED), 2) as found:
            assert found == ports[1:]


def test_a_port_that_is_given_uses_up_no_draw() -> None:
    ports = drawn(1)
    occupy(ports[0]).close()
    with closing(occupy(0)) as free:
        given = free.getsockname()[1]
    with listening(DealerPlace(ports=(given,), port_seed=SEED), 2) as found:
        assert found == [given, ports[0]]
