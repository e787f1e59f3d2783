"""A dealer's ports, drawn from the seed as bots made for old dealers expect them."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from threading import Event
from typing import Any

import pytest

from acpcbot.errors import UsageError
from acpcbot.net import listening as listening_module
from acpcbot.net.listening import DealerPlace, loopback_addresses, open_ports
from acpcbot.rng import LibcNumbers

SEED = 7
linux_only = pytest.mark.skipif(
    sys.platform != "linux", reason="elsewhere 127.0.1.1 is no address of the machine"
)


def drawn(count: int) -> list[int]:
    numbers = LibcNumbers(SEED)
    return [numbers.next() % 64_512 + 1024 for _ in range(count)]


@contextmanager
def listening(place: DealerPlace, num_seats: int) -> Iterator[list[int]]:
    ports = open_ports(place, num_seats)
    try:
        yield [port.number for port in ports]
    finally:
        for port in ports:
            port.close()


def own_addresses() -> list[str]:
    """127.0.0.1, 127.0.1.1, and ::1 where the machine has it."""
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return ["127.0.0.1", "127.0.1.1"]
    return ["127.0.0.1", "127.0.1.1", "::1"]


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


@pytest.fixture
def _named_as_on_debian(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine's name stands for 127.0.1.1, and for an address of a network, which is
    nobody's business here.
    """
    real = socket.getaddrinfo

    def look_up(host: str, port: int | None, *rest: int, **kind: int) -> list[Any]:
        if host != socket.gethostname():
            return real(host, port, *rest, **kind)
        return [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 0))
            for address in ("127.0.1.1", "192.0.2.1")
        ]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)


@linux_only
@pytest.mark.usefixtures("_named_as_on_debian")
def test_the_machine_answers_by_each_of_its_own_addresses_at_one_port() -> None:
    assert loopback_addresses() == ("127.0.0.1", "::1", "127.0.1.1")
    with listening(DealerPlace(), 2) as ports:
        assert len(set(ports)) == 2
        for port in ports:
            for address in own_addresses():
                socket.create_connection((address, port), timeout=10).close()


@linux_only
@pytest.mark.usefixtures("_named_as_on_debian")
def test_a_host_that_is_given_is_the_only_one() -> None:
    with listening(DealerPlace(host="127.0.0.1"), 1) as (port,), pytest.raises(OSError):
        socket.create_connection(("127.0.1.1", port), timeout=10)


@linux_only
@pytest.mark.usefixtures("_named_as_on_debian")
def test_a_port_that_somebody_else_has_at_one_of_the_addresses_is_not_taken() -> None:
    with closing(socket.create_server(("127.0.1.1", 0))) as holder:
        port = holder.getsockname()[1]
        with pytest.raises(
            UsageError, match="could not create listen socket for player 1"
        ) as refusal:
            open_ports(DealerPlace(ports=(port,)), 1)
        assert "in use" in refusal.value.hint
        assert "permissions" not in refusal.value.hint
        socket.create_server(("127.0.0.1", port)).close()


def test_a_name_that_cannot_be_looked_up_is_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise socket.gaierror(-3, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    assert loopback_addresses() == ("127.0.0.1", "::1")


def test_a_look_up_that_does_not_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    answered = Event()
    monkeypatch.setattr(listening_module, "LOOKUP_TIMEOUT_S", 0.01)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answered.wait(60) and [])
    try:
        assert loopback_addresses() == ("127.0.0.1", "::1")
    finally:
        answered.set()


def test_a_port_that_is_given_uses_up_no_draw() -> None:
    ports = drawn(1)
    occupy(ports[0]).close()
    with closing(occupy(0)) as free:
        given = free.getsockname()[1]
    with listening(DealerPlace(ports=(given,), port_seed=SEED), 2) as found:
        assert found == [given, ports[0]]
