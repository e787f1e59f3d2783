"""The dealer on the network: listening sockets, connections and clocks around a ``Table``.

Each seat has a port, which is closed once its connection is accepted, in seat order. Each seat
sends one VERSION line; then the match begins. Only the acting seat's socket is read. Every wait
has a deadline:

* data that other seats send ahead of their turn stays in the system's receive buffers, whose
  size bounds it;
* a seat that does not read holds the match until it does, or ends it after t_response;
* a seat that sends nothing at all ends the match after *version_timeout*.

``MatchDealer.steps`` is a generator that plays a match and yields a ``Wait`` wherever it must
wait. ``deal_match`` drives it in a process that has nothing else to do, ``socket_table.py`` in an
event loop. ``deal_match`` lets the dealer sleep in its reads: SO_RCVTIMEO sets once how long a
read may last, so that a reply costs one system call instead of two.
"""

from __future__ import annotations

import errno
import select
import socket
import struct
import sys
import time
from collections.abc import Callable, Iterator, Sequence

from acpcbot.matches.match_files import MatchFiles
from acpcbot.matches.settings import MatchSettings
from acpcbot.matches.table import Phase, Table
from acpcbot.net.listening import DealerPlace, SeatPort
from acpcbot.protocol.records import MICROS

CHUNK = 4_096
MAX_LEFTOVER_CHUNKS = 4_096
LINGER_US = 5 * MICROS
NEVER_US = 2**63
MAX_SLEEP_US = 3_600 * MICROS
MAX_READ_US = 1_000_000 * MICROS
_MILLI_US = 1000
_CAN_SLEEP_IN_READS = hasattr(socket, "MSG_DONTWAIT")
_AT_ONCE = getattr(socket, "MSG_DONTWAIT", 0)


_GONE = (
    errno.EAGAIN,
    errno.EWOULDBLOCK,
    errno.EINTR,
    errno.ECONNRESET,
    errno.ENOTCONN,
    errno.EPIPE,
    errno.ECONNABORTED,
    errno.ETIMEDOUT,
)

Talk = Callable[[str], None]


def deal_match(
    settings: MatchSettings,
    place: DealerPlace,
    ports: Sequence[SeatPort],
    files: MatchFiles,
    talk: Talk,
) -> Table:
    """Play the match for the programs that connect; return its table, which has the result."""
    dealer = MatchDealer(settings, place, ports, files, talk, sleeps_in_reads=_CAN_SLEEP_IN_READS)
    try:
        waiter = Waiter(dealer.clock)
        for wait in dealer.steps():
            waiter.wait(wait)
    finally:
        dealer.close()
    return dealer.table


class MatchDealer:
    """One match over sockets: the output of its table, and the steps of the match.

    *ports* are closed as their seats are taken. With *sleeps_in_reads* most waits are not yielded:
    the process sleeps in the read itself.
    """

    def __init__(
        self,
        settings: MatchSettings,
        place: DealerPlace,
        ports: Sequence[SeatPort],
        files: MatchFiles,
        talk: Talk,
        *,
        sleeps_in_reads: bool = False,
    ) -> None:
        self.place = place
        self.talk = talk
        self.log, self.transact = files.log, files.transact
        self.clock = wall_clock_us()
        self.table = Table(settings, self, self.clock, files.transactions, files.num_logged)
        self._ports = ports
        self._connections: list[socket.socket] = []
        self._waits: list[Wait] = []
        self._backlogs: dict[int, bytes] = {}
        version_ms = place.version_timeout_ms
        self._version_us = NEVER_US if version_ms < 0 else version_ms * _MILLI_US
        self._response_us = settings.limits.response_us
        self._sleeps_in_reads = (
            sleeps_in_reads and self._response_us > 0
        )  # SO_RCVTIMEO of 0 would mean no limit

    def steps(self) -> Iterator[Wait]:
        """Play the match; yield at each wait, from which the caller may return early."""
        yield from self._seat_everybody()
        table, waits = self.table, self._waits
        table.wait_started_us = self.clock()
        if self._sleeps_in_reads:
            self._limit_reads()
        while table.is_live:
            if self._backlogs:
                yield from self._send_backlogs()
            elif not (self._sleeps_in_reads and self._read_asleep()):
                wait, started_us = waits[table.heard_seat], table.wait_started_us
                wait.deadline_us = deadline_us = started_us + self._max_wait_us()
                yield wait
                self._read(_AT_ONCE)
                if table.wait_started_us == started_us and self.clock() >= deadline_us:
                    table.give_up_waiting()  # also if a line comes byte by byte
        yield from self._send_rest()

    def _read_asleep(self) -> bool:
        """Play by reads in which the process sleeps; return False where a wait must be timed.

        The system's limit of a read holds for a wait that has just begun. It does not hold for one
        that continues, after a piece of a line or after a read without data. Backlogs of unsent
        data come first: the acting seat may be waiting for the rest of its line.
        """
        table = self.table
        while table.takes_lines_at_once:
            if not self._read(0):
                return False
        return table.is_held or not table.is_live

    def _limit_reads(self) -> None:
        """Set the system's limit of a read."""
        seconds, micros = divmod(min(self._response_us, MAX_READ_US), MICROS)
        for connection in self._connections:
            connection.settimeout(None)
            connection.setsockopt(
                socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("@ll", seconds, micros)
            )

    def _seat_everybody(self) -> Iterator[Wait]:
        """Accept one connection a seat, in seat order, within the start timeout."""
        limit_ms = self.place.start_timeout_ms
        deadline_us = NEVER_US if limit_ms < 0 else self.clock() + limit_ms * _MILLI_US
        for seat, port in enumerate(self._ports):
            while not self._seat_one(port):
                if self.clock() >= deadline_us:
                    self.table.abort(f"ERROR: timed out waiting for seat {seat + 1} to connect\n")
                    return
                yield Wait(port.sockets, deadline_us)

    def _seat_one(self, port: SeatPort) -> bool:
        """Accept a connection that waits at *port*; return False if there is none."""
        for listener in port.sockets:
            try:
                connection = listener.accept()[0]
            except (BlockingIOError, ConnectionAbortedError):
                continue
            connection.settimeout(0.0)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._connections.append(connection)
            self._waits.append(Wait([connection], NEVER_US, is_lasting=True))
            port.close()
            return True
        return False

    def _read(self, flags: int) -> bool:
        """Give the table the data of the heard seat; return False if there is none."""
        seat = self.table.heard_seat
        try:
            data = self._connections[seat].recv(CHUNK, flags)
        except (BlockingIOError, InterruptedError):
            return False
        except OSError:  # a reset counts as the end of the stream
            data = b""
        if data:
            self.table.receive(seat, data)
        else:
            self.table.receive_eof(seat)
        return True

    def _max_wait_us(self) -> int:
        """Return the longest time of a wait in the current phase."""
        return self._version_us if self.table.phase is Phase.GREETING else self._response_us

    def send(self, seat: int, data: bytes) -> None:
        """Send *data* to *seat*; a broken connection ends the match.

        Data that the socket does not take holds the table. A held table sends nothing, so that a
        seat's backlog is never larger than one message.
        """
        try:
            num_sent = self._connections[seat].send(data, _AT_ONCE)
        except (BlockingIOError, InterruptedError):
            num_sent = 0
        except OSError:
            self._fail_to_send(seat)
            return
        if num_sent < len(data):
            self._backlogs[seat] = data[num_sent:]
            self.table.hold()

    def _send_backlogs(self) -> Iterator[Wait]:
        """Wait until all backlogs are sent, then release the table."""
        while self._backlogs and self.table.is_live:
            deadline_us = self.table.wait_started_us + self._max_wait_us()
            yield self._wait_for_readers(deadline_us)
            slow = next(iter(self._backlogs))
            self._push()
            if slow in self._backlogs and self.clock() >= deadline_us:
                self._fail_to_send(slow)
        if self.table.is_live:
            self.table.release()

    def _wait_for_readers(self, deadline_us: int) -> Wait:
        return Wait(
            [self._connections[seat] for seat in self._backlogs], deadline_us, is_for_writing=True
        )

    def _push(self) -> None:
        """Send as much of the backlogs as the sockets take now."""
        for seat, data in list(self._backlogs.items()):
            try:
                rest = data[self._connections[seat].send(data, _AT_ONCE) :]
            except (BlockingIOError, InterruptedError):
                continue
            except OSError:
                self._fail_to_send(seat)
                rest = b""
            if rest:
                self._backlogs[seat] = rest
            else:
                del self._backlogs[seat]

    def _fail_to_send(self, seat: int) -> None:
        self.table.abort(f"ERROR: could not send state to seat {seat + 1}\n")

    def _send_rest(self) -> Iterator[Wait]:
        """Send the last bytes for at most ``LINGER_US``."""
        deadline_us = self.clock() + LINGER_US
        while self._backlogs and self.clock() < deadline_us:
            yield self._wait_for_readers(deadline_us)
            self._push()

    def close(self) -> None:
        """Close every port and connection."""
        for port in self._ports:
            port.close()
        for connection in self._connections:
            _drain(connection)
            connection.close()


class Wait:
    """A wait until one of *sockets* can be read or written, or until *deadline_us*.

    A wait that *is_lasting* is yielded again and again; the sockets of others may be closed after
    the wait.
    """

    __slots__ = ("deadline_us", "is_for_writing", "is_lasting", "sockets")

    def __init__(
        self,
        sockets: Sequence[socket.socket],
        deadline_us: int,
        *,
        is_for_writing: bool = False,
        is_lasting: bool = False,
    ) -> None:
        self.sockets = tuple(sockets)
        self.deadline_us = deadline_us
        self.is_for_writing = is_for_writing
        self.is_lasting = is_lasting


class Waiter:
    """A driver that waits by sleeping, and keeps the poll object of each lasting wait."""

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._polls: dict[Wait, select.poll] = {}

    def wait(self, wait: Wait) -> None:
        """Sleep until *wait* is over; it may return early, which callers allow."""
        left_us = min(max(wait.deadline_us - self._clock(), 0), MAX_SLEEP_US)
        if sys.platform == "win32":
            reading, writing = ((), wait.sockets) if wait.is_for_writing else (wait.sockets, ())
            select.select(reading, writing, (), left_us / MICROS)
            return
        poll = self._polls.get(wait) or self._new_poll(wait)
        poll.poll(-(-left_us // _MILLI_US))

    def _new_poll(self, wait: Wait) -> select.poll:
        poll = select.poll()
        for connection in wait.sockets:
            poll.register(connection, select.POLLOUT if wait.is_for_writing else select.POLLIN)
        if wait.is_lasting:
            self._polls[wait] = poll
        return poll


def wall_clock_us() -> Callable[[], int]:
    """Return a clock of microseconds since the epoch that never runs backwards."""
    offset_us = (time.time_ns() - time.monotonic_ns()) // 1000
    monotonic_ns = time.monotonic_ns
    return lambda: monotonic_ns() // 1000 + offset_us


def _drain(connection: socket.socket) -> None:
    """Read unread data before the connection is closed.

    Otherwise the system would reset the connection, and the peer lose data it has not read.
    """
    try:
        connection.settimeout(0.0)
        connection.shutdown(socket.SHUT_WR)
        for _ in range(MAX_LEFTOVER_CHUNKS):
            if not connection.recv(CHUNK):
                return
    except OSError as error:
        if error.errno not in _GONE:
            raise
