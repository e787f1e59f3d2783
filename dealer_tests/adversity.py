"""A dealer with real sockets under test, peers that do to it what they like, and a dealer that
does so to a client.

``tidily`` runs a test's coroutine and sees that nothing is left behind: no task,
no socket, no child process.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import struct
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from acpcbot.agents.registry import make_agent
from acpcbot.errors import AcpcbotError
from acpcbot.matches.match_files import MatchFiles
from acpcbot.matches.settings import MatchSettings, TimeLimits
from acpcbot.matches.table import Table
from acpcbot.net.client import Client
from acpcbot.net.client_match import ClientReport
from acpcbot.net.dealer import deal_match
from acpcbot.net.event_loop import run
from acpcbot.net.journal import open_journal
from acpcbot.net.listening import DealerPlace, open_ports
from acpcbot.net.socket_table import deal_in_loop
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.definition import GameDefinition
from acpcbot.protocol.client_side import ClientConnection, Event
from acpcbot.protocol.messages import MatchState
from tests.support.tables import settings_of

HOST = "127.0.0.1"
LONGEST_S = 30.0
GREETING = ClientConnection.greeting
QUIET = open_journal(level="error", as_json=True)

Result = TypeVar("Result")


def tidily(main: Coroutine[object, object, Result]) -> Result:
    """Run *main* for at most half a minute; then no task, socket or child may be left of it."""
    return run(_tidily(main))


async def _tidily(main: Coroutine[object, object, Result]) -> Result:
    await asyncio.sleep(0)
    sockets, children = open_sockets(), child_processes()
    result = await asyncio.wait_for(main, LONGEST_S)
    for _ in range(500):
        if open_sockets() <= sockets and len(asyncio.all_tasks()) == 1:
            break
        await asyncio.sleep(0.01)
    assert open_sockets() <= sockets
    assert asyncio.all_tasks() == {asyncio.current_task()}
    assert child_processes() <= children
    return result


def open_sockets() -> set[str]:
    """The sockets that this process holds; nothing where the system does not tell."""
    return {
        link for link in map(_link, Path("/proc/self/fd").glob("*")) if link.startswith("socket:")
    }


def _link(path: Path) -> str:
    try:
        return os.readlink(path)
    except OSError:
        return ""


def child_processes(process: int | str = "self") -> set[str]:
    """The ids of the children of *process*; nothing where the system does not tell."""
    found: set[str] = set()
    for path in Path(f"/proc/{process}/task").glob("*/children"):
        with contextlib.suppress(OSError):  # a thread that has ended since it was listed
            found.update(path.read_text().split())
    return found


class LiveDealer:
    """A dealer at work; its log lies in *folder*. Leaving it closes the peers.

    With *is_alone* it has a thread of its own, as in ``acpcbot deal``; else it shares the loop of
    its peers.
    """

    is_alone = False

    def __init__(
        self,
        settings: MatchSettings,
        folder: Path,
        place: DealerPlace | None = None,
        *,
        files: MatchFiles | None = None,
        buffer_size: int = 0,
    ) -> None:
        self.settings = replace(settings, name=str(folder / "match"))
        self.place = place or DealerPlace()
        self.files = files or MatchFiles(
            self.settings.name, keeps_log=True, keeps_transactions=False, appends=False
        )
        self.talk = ""
        self.peers: list[Peer] = []
        self._ports = open_ports(self.place, settings.definition.num_players)
        for listener in [listener for port in self._ports for listener in port.sockets]:
            if buffer_size:
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, buffer_size)
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer_size)
        self.ports = [port.number for port in self._ports]

    async def __aenter__(self) -> LiveDealer:
        terms = (self.settings, self.place, self._ports, self.files, self._hear)
        dealing = asyncio.to_thread(deal_match, *terms) if self.is_alone else deal_in_loop(*terms)
        self.dealing = asyncio.create_task(dealing)
        return self

    async def __aexit__(self, *_: object) -> None:
        for peer in self.peers:
            peer.abort()
        if not self.dealing.done():
            self.dealing.cancel()
        await asyncio.gather(self.dealing, return_exceptions=True)
        self.files.close()

    def _hear(self, text: str) -> None:
        self.talk += text

    async def end(self) -> Table:
        """The table once the match is over."""
        return await self.dealing

    async def peer(self, seat: int, *, buffer_size: int = 0) -> Peer:
        """A peer that has taken *seat*."""
        peer = await Peer.at(self.ports[seat], self.settings.definition, buffer_size=buffer_size)
        self.peers.append(peer)
        return peer

    async def honest(self, seat: int, strategy: str = "call") -> ClientReport | AcpcbotError:
        """Let our own client play *seat*; its report, or how its match failed."""
        definition = self.settings.definition
        client = Client(make_agent(strategy, definition, seat), definition, journal=QUIET)
        try:
            return await client.play(HOST, self.ports[seat])
        except AcpcbotError as error:
            return error

    @property
    def hands(self) -> list[str]:
        """The STATE lines on disk."""
        return state_lines(Path(f"{self.settings.name}.log"))


class Peer:
    """A connection to a dealer, with a client's eyes where they are wanted."""

    def __init__(self, connection: socket.socket, definition: GameDefinition) -> None:
        self.socket = connection
        self._loop = asyncio.get_running_loop()
        self._protocol = ClientConnection(BettingRules(definition))
        self._events: list[Event] = []

    @classmethod
    async def at(cls, port: int, definition: GameDefinition, *, buffer_size: int = 0) -> Peer:
        connection = socket.socket()
        connection.setblocking(False)
        if buffer_size:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer_size)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, buffer_size)
        await asyncio.get_running_loop().sock_connect(connection, (HOST, port))
        return cls(connection, definition)

    async def send(self, data: bytes) -> None:
        """Send *data*; a dealer that has left does not matter."""
        try:
            await self._loop.sock_sendall(self.socket, data)
        except OSError:
            pass

    async def flood(self, piece: bytes, limit: int, patience_s: float) -> int:
        """Send *piece* again and again until nothing is taken for so long.

        How many bytes were taken.
        """
        taken = 0
        waited_s = 0.0
        while taken < limit and waited_s < patience_s:
            try:
                taken += self.socket.send(piece)
                waited_s = 0.0
                await asyncio.sleep(0)
            except BlockingIOError:
                await asyncio.sleep(0.02)
                waited_s += 0.02
            except OSError:
                break
        return taken

    async def state(self) -> MatchState:
        """The next state in which it is this seat's turn; raises ConnectionError at the end."""
        while True:
            while self._events:
                event = self._events.pop(0)
                if isinstance(event, MatchState) and event.is_my_turn:
                    return event
            data = await self._loop.sock_recv(self.socket, 65_536)
            if not data:
                raise ConnectionError("the dealer has left")
            self._events += self._protocol.receive(data)

    async def act(self, action: str, times: int = 1) -> None:
        """Answer the next states with *action*."""
        for _ in range(times):
            state = await self.state()
            await self.send(f"{state.line}:{action}\r\n".encode())

    async def read_to_end(self) -> bytes:
        """Everything that still comes."""
        parts = []
        try:
            while part := await self._loop.sock_recv(self.socket, 65_536):
                parts.append(part)
        except OSError:
            pass
        return b"".join(parts)

    def shut(self) -> None:
        """Send nothing more, but stay, unless the dealer is gone by now."""
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Leave."""
        self.socket.close()

    def abort(self) -> None:
        """Leave with a reset."""
        if self.socket.fileno() >= 0:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.socket.close()


Script = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class ScriptedDealer:
    """A dealer that does to each client what the next script says.

    Without one it closes at once.
    """

    def __init__(self, *scripts: Script, port: int = 0) -> None:
        self._scripts = list(scripts)
        self._tasks: list[asyncio.Task[None]] = []
        self.port = port
        self.num_clients = 0

    async def __aenter__(self) -> ScriptedDealer:
        self._server = await asyncio.start_server(self._meet, HOST, self.port)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        script = self._scripts[self.num_clients] if self.num_clients < len(self._scripts) else None
        self.num_clients += 1
        self._tasks.append(asyncio.create_task(_follow(script, reader, writer)))


async def _follow(
    script: Script | None, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    try:
        if script is not None:
            await script(reader, writer)
    except OSError:
        pass
    finally:
        writer.close()


def says(*parts: bytes, stays: bool = False) -> Script:
    """Greet the client, then send *parts* whatever it answers.

    With *stays* wait until it leaves.
    """

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        for part in parts:
            writer.write(part)
            await writer.drain()
        if stays:
            await reader.read()

    return script


def settings_with(
    name: str,
    num_hands: int,
    *,
    response_ms: int = 60_000,
    hand_ms: int = 60_000,
    per_hand_ms: int = 60_000,
    is_fixed: bool = False,
) -> MatchSettings:
    """A quiet match of the game *name* with these limits."""
    limits = TimeLimits.from_milliseconds(response_ms, hand_ms, per_hand_ms, num_hands)
    return settings_of(name, num_hands, limits=limits, is_fixed=is_fixed, is_quiet=True)


def state_lines(path: Path) -> list[str]:
    """The STATE lines of the log at *path*; nothing where there is none."""
    text = path.read_text(encoding="latin-1") if path.exists() else ""
    return [line for line in text.splitlines() if line.startswith("STATE:")]


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on now."""
    holders = [socket.create_server((HOST, 0)) for _ in range(count)]
    ports = [holder.getsockname()[1] for holder in holders]
    for holder in holders:
        holder.close()
    return ports
