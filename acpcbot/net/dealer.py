"""The dealer on the network: listening sockets, connections and clocks around a ``Table``.

One listening socket a seat, accepted in seat order and then closed; one VERSION
line a seat; then the match. Every wait has a deadline and every buffer a bound:

* a seat that sends ahead of its turn is read until INBOX_LIMIT bytes wait;
* a seat that does not read holds the match until it does, or ends it after
  t_response;
* a seat that says nothing at all ends the match after *version_timeout*.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Sequence
from functools import partial
from typing import cast

from acpcbot.matches.match_files import MatchFiles
from acpcbot.matches.settings import MatchSettings
from acpcbot.matches.table import Phase, Table
from acpcbot.net.listening import DealerPlace
from acpcbot.net.loop import Linger, wall_clock_us
from acpcbot.protocol.records import MICROS

INBOX_LIMIT = 65_536
SHORTEST_NAP_US = 1_000
LONGEST_NAP_US = 3_600_000_000
FAREWELL_S = 5.0

Talk = Callable[[str], None]


async def deal_match(
    settings: MatchSettings,
    place: DealerPlace,
    listeners: Sequence[socket.socket],
    files: MatchFiles,
    talk: Talk,
) -> Table:
    """Play the match for whoever connects; the table that comes back tells how it ended."""
    dealer = _Dealer(settings, place, files, talk)
    try:
        if await dealer.seat_everybody(listeners):
            await dealer.play()
    finally:
        for listener in listeners:
            listener.close()
        await dealer.say_farewell()
    return dealer.table


class _Seat(asyncio.Protocol):
    """One seat's connection: hands everything to the dealer."""

    def __init__(self, dealer: _Dealer, seat: int) -> None:
        self.dealer, self.seat = dealer, seat
        self.transport: asyncio.Transport
        self.is_connected = False
        self.is_broken = False
        self.is_full = False
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.is_connected = True

    def data_received(self, data: bytes) -> None:
        self.dealer.guard(self.dealer.hear, self.seat, data)

    def eof_received(self) -> bool:
        self.dealer.guard(self.dealer.hear_end, self.seat)
        return True  # the seat may still be listening

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_broken = True
        if not self.closed.done():
            self.closed.set_result(None)
        self.dealer.guard(self.dealer.hear_end, self.seat)

    def pause_writing(self) -> None:
        self.is_full = True
        self.dealer.hold()

    def resume_writing(self) -> None:
        self.is_full = False
        self.dealer.guard(self.dealer.release)


class _Dealer:
    """A table's output and its driver."""

    def __init__(self, settings: MatchSettings, place: DealerPlace, files: MatchFiles, talk: Talk) -> None:
        self.place = place
        self.talk = talk
        self.log, self.transact = files.log, files.transact
        self.clock = wall_clock_us()
        self.table = Table(settings, self, self.clock, files.transactions, files.num_logged)
        self.table.is_held = True
        self._seats: list[_Seat] = []
        self._unread: set[int] = set()
        self._linger = Linger(place.linger_s)
        self._over: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def seat_everybody(self, listeners: Sequence[socket.socket]) -> bool:
        """Accept one connection a seat, in seat order, within the start timeout."""
        loop = asyncio.get_running_loop()
        limit_ms = self.place.start_timeout_ms
        deadline = None if limit_ms < 0 else loop.time() + limit_ms / 1000
        for seat, listener in enumerate(listeners):
            connection = await _accept(listener, deadline)
            if connection is None:
                self.table.abort(f"ERROR: timed out waiting for seat {seat + 1} to connect\n")
                return False
            listener.close()
            chair = _Seat(self, seat)
            self._seats.append(chair)
            await loop.connect_accepted_socket(partial(_itself, chair), connection)
        return True

    async def play(self) -> None:
        """Drive the table to its end."""
        self.table.wait_started_us = self.clock()
        watch = asyncio.create_task(self._watch())
        self.guard(self.release)
        try:
            await self._over
        finally:
            watch.cancel()

    async def _watch(self) -> None:
        """End the match when a wait has lasted too long.

        A nap is never longer than the limit of a reply, which takes the place
        of the greeting's limit as soon as play begins.
        """
        longest_us = min(self.table.settings.limits.response_us, LONGEST_NAP_US)
        while self.table.is_live:
            left_us = self.table.wait_started_us + self._patience_us() - self.clock()
            if left_us <= 0:
                self.guard(self._lose_patience)
            else:
                await asyncio.sleep(max(SHORTEST_NAP_US, min(left_us, longest_us)) / MICROS)

    def _patience_us(self) -> int:
        if self.table.phase is Phase.GREETING:
            limit_ms = self.place.version_timeout_ms
            return limit_ms * 1000 if limit_ms >= 0 else 2**63
        return self.table.settings.limits.response_us

    def _lose_patience(self) -> None:
        full = next((chair.seat for chair in self._seats if chair.is_full), None)
        if full is not None:
            self._fail_to_send(full)
        else:
            self.table.give_up_waiting()

    def guard(self, act: Callable[..., None], *arguments: object) -> None:
        """Let the table move by *act*; its end, or a fault of ours, ends the match."""
        if self._over.done():
            return
        try:
            act(*arguments)
            if self._unread:
                self._read_again()
        except Exception as error:
            self._over.set_exception(error)
            return
        if not self.table.is_live:
            self._over.set_result(None)

    def hear(self, seat: int, data: bytes) -> None:
        """Take *data* from *seat*, and stop reading a seat that sends far ahead of its turn."""
        self.table.receive(seat, data)
        if self.table.waiting(seat) > INBOX_LIMIT and seat not in self._unread:
            self._unread.add(seat)
            self._seats[seat].transport.pause_reading()

    def hear_end(self, seat: int) -> None:
        """Take note that *seat* sends nothing more."""
        self.table.receive_eof(seat)

    def _read_again(self) -> None:
        for seat in [seat for seat in self._unread if self.table.waiting(seat) <= INBOX_LIMIT]:
            self._unread.discard(seat)
            if not self._seats[seat].is_broken:
                self._seats[seat].transport.resume_reading()

    def hold(self) -> None:
        """Stop the match while a seat does not read what it is sent."""
        self.table.is_held = True

    def release(self) -> None:
        """Go on once every seat has room for more."""
        if not any(chair.is_full for chair in self._seats):
            self.table.is_held = False
            self.table.advance()

    def send(self, seat: int, data: bytes) -> None:
        """Send *data* to *seat*; a broken connection ends the match."""
        if self._seats[seat].is_broken:
            self._fail_to_send(seat)
        elif self.table.is_live:
            self._seats[seat].transport.write(data)
            self._linger.extend()

    def _fail_to_send(self, seat: int) -> None:
        self.table.abort(f"ERROR: could not send state to seat {seat + 1}\n")

    async def say_farewell(self) -> None:
        """Close every connection, giving the last bytes a moment to leave."""
        connected = [chair for chair in self._seats if chair.is_connected]
        for chair in connected:
            chair.transport.close()
        if connected:
            await asyncio.wait([chair.closed for chair in connected], timeout=FAREWELL_S)
        for chair in connected:
            chair.transport.abort()


def _itself(chair: _Seat) -> _Seat:
    return chair


async def _accept(listener: socket.socket, deadline: float | None) -> socket.socket | None:
    """The next connection; None when there is none before *deadline*."""
    loop = asyncio.get_running_loop()
    try:
        connection = listener.accept()[0]
        connection.settimeout(0.0)
        return connection
    except BlockingIOError:
        pass
    try:
        async with asyncio.timeout_at(deadline):
            return (await loop.sock_accept(listener))[0]
    except TimeoutError:
        return None
