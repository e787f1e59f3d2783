"""One table over real sockets in one event loop: a dealer, and a client for every seat of ours.

A seat is taken by one of our agents, by a program of somebody else's, started as
ACPC bots are: ``PROGRAM HOST PORT``, or by whoever comes to its door.

A dealer in an event loop, beside clients or other work: ``dealer.py``'s way through a match, driven
by the loop.
"""

from __future__ import annotations

import asyncio
import socket
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from acpcbot.errors import MatchAborted
from acpcbot.matches.agent import Agent
from acpcbot.matches.match_files import MatchFiles
from acpcbot.matches.settings import MatchSettings
from acpcbot.matches.table import Phase, Table
from acpcbot.net.client import Client
from acpcbot.net.dealer import LONGEST_NAP_US, NEVER_US, MatchDealer, Talk, Wait
from acpcbot.net.journal import Journal
from acpcbot.net.listening import LOOPBACK, DealerPlace, SeatPort, listen
from acpcbot.net.players import (
    NO_DOORS,
    OnOpen,
    Player,
    PortOpened,
    Program,
    Remote,
    RemotePorts,
    ignore,
)
from acpcbot.net.reply_clock import ReplyLimits
from acpcbot.protocol.records import MICROS


async def deal_in_loop(
    settings: MatchSettings,
    place: DealerPlace,
    ports: Sequence[SeatPort],
    files: MatchFiles,
    talk: Talk,
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


EXIT_S = 10.0
MOST_WORDS = 10
"""As much of what a dealer says is kept for the reason of a match that failed: it warns of
every line out of turn.
"""


async def play_over_sockets(
    settings: MatchSettings,
    players: Sequence[Player],
    files: MatchFiles,
    journal: Journal,
    doors: RemotePorts = NO_DOORS,
    on_open: OnOpen = ignore,
) -> int:
    """Play the match; the number of fallbacks of our own agents. Raises MatchAborted.

    *on_open* is told of each door at which a remote player is waited for.
    """
    listeners = _open(settings, players, doors)
    guests = _doors_of_guests(settings, players, listeners)
    for door in guests:
        on_open(door)
    place = DealerPlace(start_timeout_ms=doors.start_timeout_ms(has_guests=bool(guests)))
    words: deque[str] = deque(maxlen=MOST_WORDS)
    ports = [SeatPort((listener,)) for listener in listeners]
    dealing: asyncio.Task[Any] = asyncio.create_task(
        deal_in_loop(settings, place, ports, files, words.append)
    )
    seated: list[asyncio.Task[Any]] = [
        asyncio.create_task(_sit(settings, seat, player, listeners[seat].getsockname()[1], journal))
        for seat, player in enumerate(players)
        if not isinstance(player, Remote)
    ]
    try:
        await asyncio.wait([dealing, *seated], return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait(
            [dealing], timeout=EXIT_S
        )  # who left before the match was over has ended it
    finally:
        dealing.cancel()
        results = await _outcomes([dealing, *seated])
    return _num_fallbacks(results, words, guests)


def _num_fallbacks(
    results: Sequence[Any], words: Iterable[str], guests: Sequence[PortOpened]
) -> int:
    """The fallbacks of all seats, from what came of the dealer and of them; raises MatchAborted."""
    table = results[0]
    if not isinstance(table, Table) or table.phase is not Phase.FINISHED:
        causes = (
            [table] if isinstance(table, Exception) else results[1:]
        )  # a dealer's own trouble is theirs as well
        faults = [_told(cause) for cause in causes if isinstance(cause, Exception)]
        expected = [f"{door.name} was expected at {door.host} port {door.port}" for door in guests]
        raise MatchAborted("; ".join([*(word.strip() for word in words), *faults, *expected]))
    return sum(result for result in results if isinstance(result, int))


def _told(fault: Exception) -> str:
    """*fault* in words."""
    if isinstance(fault, OSError) and fault.strerror:
        return f"{fault.filename}: {fault.strerror}" if fault.filename else fault.strerror
    return str(fault) or repr(fault)


def _open(
    settings: MatchSettings, players: Sequence[Player], doors: RemotePorts
) -> list[socket.socket]:
    """A listening socket for each seat, on loopback for all but remote players.

    Raises MatchAborted.
    """
    listeners: list[socket.socket] = []
    for player, name in zip(players, settings.player_names, strict=True):
        host, port = (
            (doors.host, doors.ports.get(name, 0)) if isinstance(player, Remote) else (LOOPBACK, 0)
        )
        try:
            listeners.append(listen(host, port))
        except OSError as error:
            for listener in listeners:
                listener.close()
            raise MatchAborted(
                f"no door for {name} at {host} port {port}: {error.strerror or error}"
            ) from None
    return listeners


def _doors_of_guests(
    settings: MatchSettings, players: Sequence[Player], listeners: Sequence[socket.socket]
) -> list[PortOpened]:
    return [
        PortOpened(settings.name, name, *listener.getsockname()[:2])
        for player, name, listener in zip(players, settings.player_names, listeners, strict=True)
        if isinstance(player, Remote)
    ]


async def _outcomes(tasks: list[asyncio.Task[Any]]) -> list[Any]:
    """What came of the dealer and of every seat once the match is over.

    Who does not leave is made to.
    """
    try:
        await asyncio.wait(tasks, timeout=EXIT_S)
    finally:
        for task in tasks:
            task.cancel()
    return await asyncio.gather(*tasks, return_exceptions=True)


async def _sit(
    settings: MatchSettings, seat: int, player: Agent | Program, port: int, journal: Journal
) -> int:
    if isinstance(player, Program):
        return await _run_program(player, f"{settings.name}.player{seat}", LOOPBACK, port)
    limits = ReplyLimits.of_match(settings.limits, settings.num_hands)
    journal = journal.bind(player=settings.player_names[seat])
    client = Client(player, settings.definition, limits=limits, journal=journal)
    report = await client.play(LOOPBACK, port)
    return report.num_fallbacks


async def _run_program(program: Program, stem: str, host: str, port: int) -> int:
    """Run *program* until its match is over; it has a moment to leave, then it is ended."""
    with Path(f"{stem}.std").open("ab") as output, Path(f"{stem}.err").open("ab") as errors:
        process = await asyncio.create_subprocess_exec(
            str(program.path.resolve()),
            host,
            str(port),
            stdout=output,
            stderr=errors,
            cwd=program.path.resolve().parent,
        )
        try:
            status = await process.wait()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
    if status:
        raise MatchAborted(
            f"{program.path} ended with status {status}; what it said is in {stem}.err"
        )
    return 0
