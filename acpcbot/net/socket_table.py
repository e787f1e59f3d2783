"""One table over sockets in one event loop: a dealer, and a client for every agent.

A seat is taken by an agent of this process, by an external program, which is started as
``PROGRAM HOST PORT``, or by a remote player that connects to the seat's port. ``deal_in_loop``
drives the steps of ``dealer.py`` by the event loop, beside the clients.
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
from acpcbot.net.dealer import MAX_SLEEP_US, NEVER_US, MatchDealer, Talk, Wait
from acpcbot.net.event_loop import settle
from acpcbot.net.journal import Journal
from acpcbot.net.listening import LOOPBACK, DealerPlace, SeatPort, listen
from acpcbot.net.players import (
    NO_REMOTE_PORTS,
    OnOpen,
    Player,
    PortOpened,
    Program,
    Remote,
    RemotePorts,
    ignore_port,
)
from acpcbot.net.reply_clock import ReplyLimits
from acpcbot.protocol.records import MICROS

EXIT_S = 10.0
MAX_MESSAGES = 10
"""Number of last dealer messages that explain a failed match; each line out of turn adds one."""


async def play_over_sockets(
    settings: MatchSettings,
    players: Sequence[Player],
    files: MatchFiles,
    journal: Journal,
    remote_ports: RemotePorts = NO_REMOTE_PORTS,
    on_open: OnOpen = ignore_port,
) -> int:
    """Play the match; return the number of fallbacks of agents of this process.

    *on_open* is called with each port at which a remote player is awaited. Raises MatchAborted.
    """
    listeners = _open(settings, players, remote_ports)
    remote = _remote_ports_opened(settings, players, listeners)
    for port in remote:
        on_open(port)
    place = DealerPlace(start_timeout_ms=remote_ports.start_timeout_ms(has_remote=bool(remote)))
    messages: deque[str] = deque(maxlen=MAX_MESSAGES)
    ports = [SeatPort((listener,)) for listener in listeners]
    dealing: asyncio.Task[Any] = asyncio.create_task(
        deal_in_loop(settings, place, ports, files, messages.append)
    )
    seated: list[asyncio.Task[Any]] = [
        asyncio.create_task(_sit(settings, seat, player, listeners[seat].getsockname()[1], journal))
        for seat, player in enumerate(players)
        if not isinstance(player, Remote)
    ]
    try:
        await asyncio.wait([dealing, *seated], return_when=asyncio.FIRST_COMPLETED)
        # A player that left early has ended the match: the dealer finishes within moments.
        await asyncio.wait([dealing], timeout=EXIT_S)
    finally:
        dealing.cancel()
        results = await _outcomes([dealing, *seated])
    return _num_fallbacks(results, messages, remote)


def _num_fallbacks(
    results: Sequence[Any], messages: Iterable[str], remote: Sequence[PortOpened]
) -> int:
    """Return the fallbacks of all seats from the tasks' *results*; raises MatchAborted."""
    table = results[0]
    if not isinstance(table, Table) or table.phase is not Phase.FINISHED:
        # An error of the dealer itself makes all seats fail: it alone is reported.
        causes = [table] if isinstance(table, Exception) else results[1:]
        faults = [_error_text(cause) for cause in causes if isinstance(cause, Exception)]
        expected = [f"{port.name} was expected at {port.host} port {port.port}" for port in remote]
        raise MatchAborted(
            "; ".join([*(message.strip() for message in messages), *faults, *expected])
        )
    return sum(result for result in results if isinstance(result, int))


def _error_text(fault: Exception) -> str:
    """Return the text of *fault*, with the file's name for errors of the system."""
    if isinstance(fault, OSError) and fault.strerror:
        return f"{fault.filename}: {fault.strerror}" if fault.filename else fault.strerror
    return str(fault) or repr(fault)


def _open(
    settings: MatchSettings, players: Sequence[Player], remote_ports: RemotePorts
) -> list[socket.socket]:
    """Return a listening socket for each seat, on loopback for all but remote players.

    Raises MatchAborted.
    """
    listeners: list[socket.socket] = []
    for player, name in zip(players, settings.player_names, strict=True):
        host, port = (
            (remote_ports.host, remote_ports.ports.get(name, 0))
            if isinstance(player, Remote)
            else (LOOPBACK, 0)
        )
        try:
            listeners.append(listen(host, port))
        except OSError as error:
            for listener in listeners:
                listener.close()
            raise MatchAborted(
                f"cannot listen for {name} at {host} port {port}: {error.strerror or error}"
            ) from None
    return listeners


def _remote_ports_opened(
    settings: MatchSettings, players: Sequence[Player], listeners: Sequence[socket.socket]
) -> list[PortOpened]:
    return [
        PortOpened(settings.name, name, *listener.getsockname()[:2])
        for player, name, listener in zip(players, settings.player_names, listeners, strict=True)
        if isinstance(player, Remote)
    ]


async def _outcomes(tasks: list[asyncio.Task[Any]]) -> list[Any]:
    """Return the results of the dealer and of every seat once the match is over.

    Tasks that do not end within ``EXIT_S`` are cancelled.
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
    """Run *program* until it exits; kill it if this task is cancelled before."""
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
            f"{program.path} ended with status {status}; its output is in {stem}.err"
        )
    return 0


async def deal_in_loop(
    settings: MatchSettings,
    place: DealerPlace,
    ports: Sequence[SeatPort],
    files: MatchFiles,
    talk: Talk,
) -> Table:
    """Play the match for the programs that connect; return its table, which has the result."""
    dealer = MatchDealer(settings, place, ports, files, talk)
    driver = _Driver(dealer)
    try:
        await driver.over
    finally:
        driver.stop()
        dealer.close()
    return dealer.table


class _Driver:
    """A driver that resumes a dealer when a socket of its wait is ready, or at the deadline.

    A socket stays registered with the loop after its first wait; one that becomes readable out of
    turn is removed until its turn comes. One timer serves all waits: when it fires before the
    deadline, which may have moved, it is set again.
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
        """Take the next step; the end of the steps, or an error in them, ends the match."""
        if not self._wait.is_lasting:
            self._unregister(self._wait)
        try:
            self._wait = wait = next(self._steps)
        except StopIteration:
            settle(self.over, None)
            return
        except Exception as error:
            settle(self.over, None, error)
            return
        if wait.is_for_writing:
            for connection in wait.sockets:
                self._loop.add_writer(connection, self._go_on)
        else:
            for connection in wait.sockets:
                if connection not in self._read:
                    self._read.add(connection)
                    self._loop.add_reader(connection, self._on_readable, connection)
        if self._timer is None or wait.deadline_us < self._timer_us:
            self._set_timer()

    def _on_readable(self, connection: socket.socket) -> None:
        """Resume the dealer if it waits for *connection*; else stop watching that socket."""
        if not self._wait.is_for_writing and connection in self._wait.sockets:
            self._go_on()
        else:
            self._read.discard(connection)
            self._loop.remove_reader(connection)

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer_us = self._wait.deadline_us
        left_us = min(max(self._timer_us - self._clock(), 0), MAX_SLEEP_US)
        self._timer = self._loop.call_later(left_us / MICROS, self._on_timer)

    def _on_timer(self) -> None:
        """Resume the dealer at its deadline; set the timer again if the deadline has moved."""
        self._timer = None
        if self._clock() >= self._wait.deadline_us:
            self._go_on()
        else:
            self._set_timer()

    def _unregister(self, wait: Wait) -> None:
        for connection in wait.sockets:
            if wait.is_for_writing:
                self._loop.remove_writer(connection)
            elif connection in self._read:
                self._read.discard(connection)
                self._loop.remove_reader(connection)

    def stop(self) -> None:
        """Remove all sockets and the timer from the loop."""
        self._unregister(self._wait)
        for connection in self._read:
            self._loop.remove_reader(connection)
        if self._timer is not None:
            self._timer.cancel()
        self._read.clear()
