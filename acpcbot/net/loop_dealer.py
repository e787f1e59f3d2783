"""A dealer in an event loop, beside clients or other work: ``dealer.py``'s way through a match, driven by the loop."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator, Sequence

from acpcbot.matches.match_files import MatchFiles
from acpcbot.matches.settings import MatchSettings
from acpcbot.matches.table import Table
from acpcbot.net.dealer import LONGEST_NAP_US, NEVER_US, MatchDealer, Talk, Wait
from acpcbot.net.listening import DealerPlace, SeatPort
from acpcbot.protocol.records import MICROS


async def deal_in_loop(
    settings: MatchSettings, place: DealerPlace, ports: Sequence[SeatPort], files: MatchFiles, talk: Talk
) -> Table:
    """Play the match for whoever connects; the table that comes back tells how it ended."""
    dealer = MatchDealer(settings, place, ports, files, talk)
    driver = _Driver(dealer)
    try:
        await driver.over
    finally:
        driver.stop()
        dealer.close()
    return dealer.table


class _Driver:
    """Lets a dealer go on whenever the loop says that what it waits for is there, or too late.

    Sockets stay with the loop once they were waited for; one that has something to say out of its
    turn is taken out until its turn comes. One timer serves all waits: it looks again where the
    deadline has moved on.
    """

    def __init__(self, dealer: MatchDealer) -> None:
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._loop = asyncio.get_running_loop()
        self._clock = dealer.clock
        self._steps: Iterator[Wait] = dealer.steps()
        self._wait = Wait((), NEVER_US)
        self._read: set[socket.socket] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._timer_us = 0
        self._go_on()

    def _go_on(self) -> None:
        """Take the next step; its end, or a fault of ours, ends the match."""
        if not self._wait.is_lasting:
            self._let_go(self._wait)
        try:
            self._wait = wait = next(self._steps)
        except StopIteration:
            self._end(None)
            return
        except Exception as error:
            self._end(error)
            return
        if wait.is_for_writing:
            for connection in wait.sockets:
                self._loop.add_writer(connection, self._go_on)
        else:
            for connection in wait.sockets:
                if connection not in self._read:
                    self._read.add(connection)
                    self._loop.add_reader(connection, self._see, connection)
        if self._timer is None or wait.deadline_us < self._timer_us:
            self._set_timer()

    def _see(self, connection: socket.socket) -> None:
        """There is something to read, from whom it is waited for or out of turn."""
        if not self._wait.is_for_writing and connection in self._wait.sockets:
            self._go_on()
        else:
            self._read.discard(connection)
            self._loop.remove_reader(connection)

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer_us = self._wait.deadline_us
        left_us = min(max(self._timer_us - self._clock(), 0), LONGEST_NAP_US)
        self._timer = self._loop.call_later(left_us / MICROS, self._look)

    def _look(self) -> None:
        """See whether the deadline has come, or has moved on."""
        self._timer = None
        if self._clock() >= self._wait.deadline_us:
            self._go_on()
        else:
            self._set_timer()

    def _let_go(self, wait: Wait) -> None:
        for connection in wait.sockets:
            if wait.is_for_writing:
                self._loop.remove_writer(connection)
            elif connection in self._read:
                self._read.discard(connection)
                self._loop.remove_reader(connection)

    def _end(self, error: Exception | None) -> None:
        if self.over.done():
            return
        if error is None:
            self.over.set_result(None)
        else:
            self.over.set_exception(error)

    def stop(self) -> None:
        """Let go of the loop."""
        self._let_go(self._wait)
        for connection in self._read:
            self._loop.remove_reader(connection)
        if self._timer is not None:
            self._timer.cancel()
        self._read.clear()
