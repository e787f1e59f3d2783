"""The server: a page, its files, and a socket for each browser, until it is told to stop.

Files are read once, when it starts, and known by name: nothing that a browser sends becomes a path.
"""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from aiohttp import web

from acpcbot.errors import BadRequest
from acpcbot.net.journal import Journal
from acpcbot.web.connection import Connection
from acpcbot.web.gate import Gate, gatekeeper, strict_headers
from acpcbot.web.offers import GameOffer, find_seats
from acpcbot.web.requests import Act, Deal, Explain, Leave, Replay, Request, Resume, Show, Sit, Watch
from acpcbot.web.session import Session
from acpcbot.web.tables import Tables
from acpcbot.web.watching import Gallery

TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
PAGE = "index.html"
CONNECTIONS_A_TABLE = 8
SHUTDOWN_S = 2.0


@dataclass(slots=True)
class Guest:
    """A browser: the match that it plays, and the log that it watches."""

    session: Session | None = None
    log: int | None = None


class TableServer:
    """Answers browsers: *offers* may be played at *tables*, the logs of the *gallery* watched."""

    def __init__(
        self, offers: Sequence[GameOffer], tables: Tables, gallery: Gallery, gate: Gate, journal: Journal
    ) -> None:
        self._offers, self._tables, self._gallery = offers, tables, gallery
        self._gate, self._journal = gate, journal
        self._guests: dict[Connection, Guest] = {}
        self._most_guests = CONNECTIONS_A_TABLE * tables.settings.most_tables

    def app(self) -> web.Application:
        """The application, to be run once."""
        app = web.Application(middlewares=[gatekeeper(self._gate)], client_max_size=0)
        files = static_files()
        app.router.add_get("/", _file_handler(PAGE, files[PAGE]))
        for name, data in files.items():
            app.router.add_get(f"/static/{name}", _file_handler(name, data))
        app.router.add_get("/socket", self._socket)
        app.cleanup_ctx.append(self._running)
        app.on_shutdown.append(self._close_sockets)
        app.on_response_prepare.append(strict_headers(self._gate))
        return app

    async def _running(self, _app: web.Application) -> Any:
        janitor = asyncio.create_task(self._tables.look_after())
        yield
        janitor.cancel()
        self._gallery.close()
        await self._tables.close()

    async def _close_sockets(self, _app: web.Application) -> None:
        await self._tables.close()
        for connection in list(self._guests):
            await connection.close()

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        if len(self._guests) >= self._most_guests:
            self._journal.warning("refused", reason="too many browsers", peer=request.remote)
            return web.Response(status=503, text="too many browsers\n")
        return await Connection(request.remote or "", self._journal).serve(request, self)

    # What a connection asks

    def welcome(self, connection: Connection) -> None:
        """Tell a browser that has come what there is."""
        self._guests[connection] = Guest()
        games = [offer.plain() for offer in self._offers]
        connection.send({"type": "lobby", "games": games, "logs": self._gallery.refresh()})

    def farewell(self, connection: Connection) -> None:
        """Forget a browser that has gone; its match goes on."""
        self._leave(connection)
        del self._guests[connection]

    async def answer(self, connection: Connection, request: Request) -> None:
        """Do what a browser asks; raises BadRequest."""
        match request:
            case Sit(game, bots, name):
                await self._sit(connection, game, bots, name)
            case Resume(key):
                self._resume(connection, key)
            case Watch(log):
                self._watch(connection, log)
            case Show(log, hand):
                connection.send({**self._gallery.followed(log).scenes(hand), "log": log})
            case _:
                await self._play(connection, self._own(connection), request)

    async def _play(self, connection: Connection, session: Session, request: Request) -> None:
        match request:
            case Act(hand, turn, action):
                session.act(hand, turn, action)
            case Deal(hand):
                session.deal(hand)
            case Explain(hand):
                connection.send(await session.explain(hand))
            case Replay(hand):
                connection.send(session.replay(hand))
            case Leave():
                await self._tables.end(session, "you left the table")

    async def _sit(self, connection: Connection, game: int, bots: Sequence[int], name: str) -> None:
        own = self._guests[connection].session
        if own is not None and own.is_running:
            raise BadRequest(name, "leave this table first")
        offer, strategies = find_seats(self._offers, game, bots)
        connection.send({"type": "opening", "game": offer.name})
        session = await self._tables.open(offer, strategies, name)
        self._enter(connection, session)

    def _resume(self, connection: Connection, key: str) -> None:
        session = self._tables.find(key)
        if session is None or not session.is_running:
            connection.send({"type": "gone"})
        else:
            self._enter(connection, session)

    def _enter(self, connection: Connection, session: Session) -> None:
        self._leave(connection)
        self._guests[connection].session = session
        session.attach(connection.send)

    def _leave(self, connection: Connection) -> None:
        session = self._guests[connection].session
        if session is not None:
            session.detach(connection.send)

    def _own(self, connection: Connection) -> Session:
        session = self._guests[connection].session
        if session is None or not session.is_running:
            raise BadRequest("", "sit down at a table first")
        return session

    def _watch(self, connection: Connection, log: int) -> None:
        loop = asyncio.get_running_loop()

        def tell() -> None:
            try:
                loop.call_soon_threadsafe(self._tell_of_log, log)
            except RuntimeError:
                pass  # the loop has ended: nobody listens any more

        followed = self._gallery.follow(log, tell)
        self._guests[connection].log = log
        connection.send({"type": "log", "log": log, **followed.plain()})

    def _tell_of_log(self, log: int) -> None:
        message = {"type": "log", "log": log, **self._gallery.followed(log).plain()}
        for connection, guest in self._guests.items():
            if guest.log == log:
                connection.send(message)


def static_files() -> dict[str, bytes]:
    """The files of the page by their names."""
    folder = resources.files("acpcbot.web").joinpath("static")
    return {file.name: file.read_bytes() for file in folder.iterdir() if _suffix(file.name) in TYPES}


def _suffix(name: str) -> str:
    return name[name.rfind(".") :]


def _file_handler(name: str, data: bytes) -> Any:
    async def answer(_request: web.Request) -> web.Response:
        return web.Response(body=data, content_type=TYPES[_suffix(name)], charset="utf-8")

    return answer


async def serve(server: TableServer, listener: socket.socket, address: str) -> None:
    """Serve on *listener* until SIGINT or SIGTERM; *address* is printed to stdout when browsers may come."""
    stopped = _stop_event()
    runner = web.AppRunner(server.app(), access_log=None, shutdown_timeout=SHUTDOWN_S)
    await runner.setup()
    await web.SockSite(runner, listener).start()
    print(address, flush=True)
    print("open this address in a browser; Ctrl-C closes the table", file=sys.stderr)
    await stopped.wait()
    await runner.cleanup()


def _stop_event() -> asyncio.Event:
    """What SIGINT and SIGTERM set from now on; where the system has no such signals, Ctrl-C raises as ever."""
    stopped = asyncio.Event()
    if sys.platform != "win32":
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    return stopped
