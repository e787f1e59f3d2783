"""The server: a page, its files, and a socket for each browser, until it is told to stop.

It answers at once. What browsers ask is answered by a ``Service`` that a thread makes meanwhile;
until then the page shows how far that is (``files.py``). Files are read once, when it starts, and
known by name: nothing that a browser sends becomes a path. Nothing here needs numba, so that the
page is there before anything is compiled.

What aiohttp and asyncio log of connections, in our journal: a line each, and no traceback for a
peer's fault.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import sys
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from importlib import resources
from typing import Any

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.typedefs import Handler

from acpcbot.net.journal import Journal
from acpcbot.net.limited_server import ConnectionLimits, LimitedServer
from acpcbot.reports.page_files import page_file
from acpcbot.web.access import GuestIds, RequestGuard, gatekeeper, strict_headers
from acpcbot.web.connection import HEARTBEAT_S, Connection, Message
from acpcbot.web.loading import Loading, LoadingStopped, Service
from acpcbot.web.requests import Request
from acpcbot.web.solver.jobs import SolverJobs
from acpcbot.web.solver.routes import SolverRoutes

FOREIGN = ("aiohttp", "asyncio")


class JournalHandler(logging.Handler):
    """Writes records of Python's own logs into *journal*."""

    def __init__(self, journal: Journal) -> None:
        super().__init__(logging.WARNING)
        self._journal = journal

    def emit(self, record: logging.LogRecord) -> None:
        """Write *record*: a request that is none is a warning, whatever else failed an error."""
        fault = record.exc_info[1] if record.exc_info else None
        if isinstance(fault, HttpProcessingError):
            self._journal.warning("bad request", reason=fault.message, source=record.getMessage())
        elif fault is not None:
            self._journal.error("failed", reason=record.getMessage(), exc_info=fault)
        else:
            self._journal.warning(record.name, reason=record.getMessage())


@contextmanager
def foreign_logs(journal: Journal) -> Iterator[None]:
    """Within, what these libraries log stands in *journal* alone."""
    handler = JournalHandler(journal)
    loggers = [logging.getLogger(name) for name in FOREIGN]
    before = [logger.propagate for logger in loggers]
    for logger in loggers:
        logger.addHandler(handler)
        logger.propagate = False
    try:
        yield
    finally:
        for logger, propagate in zip(loggers, before, strict=True):
            logger.removeHandler(handler)
            logger.propagate = propagate


TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}
PAGE, SOLVER_PAGE = "index.html", "solver.html"
COMMON_HEAD = "common_head.html"
"""What the heads of all pages begin with; a comment with this name stands for it."""
CARD_ADDRESS = "/card/{game:[0-9]{1,4}}/{strategy:[0-9]{1,4}}"
"""The strength card of a strategy; both are named by their places in the lobby."""
SHARED = ("fills.css", "hand_grid.css", "hand_grid.js", "study_view.css", "study_view.js")
"""Files of the pages of reports that the table's page has too."""
SOCKETS_A_GUEST = 8
SHUTDOWN_S = 2.0
LINGERING_S = 2.0

Load = Callable[[Loading], Service]
"""Makes what answers browsers, in a thread."""


class TableServer:
    """Answers browsers by what *load* makes; connections are held to *limits*."""

    def __init__(
        self,
        load: Load,
        gate: RequestGuard,
        journal: Journal,
        limits: ConnectionLimits | None = None,
        heartbeat_s: float = HEARTBEAT_S,
    ) -> None:
        self.limits = (limits or ConnectionLimits()).affordable()
        self.journal = journal
        self.failed: asyncio.Future[None]
        self._make_service, self._gate, self._heartbeat_s = load, gate, heartbeat_s
        self._guest_ids = GuestIds(gate.port)
        self._solver_jobs = SolverJobs(journal)
        self._connections: list[Connection] = []
        self._guests: Counter[str] = Counter()
        self._limited: LimitedServer | None = None
        self._service: Service | None = None
        self._is_served = asyncio.Event()
        self._loading = Loading(lambda message: self._from_thread(lambda: self._tell_all(message)))
        self._loop: asyncio.AbstractEventLoop
        self._thread = threading.Thread(target=self._load, name="loading", daemon=True)

    @asynccontextmanager
    async def running(self, listener: socket.socket) -> AsyncIterator[None]:
        """Within, browsers are served at *listener*, which stays open."""
        logger = _logger(self.journal)
        runner = web.AppRunner(
            self._app(),
            access_log=None,
            logger=logger,
            shutdown_timeout=SHUTDOWN_S,
            keepalive_timeout=self.limits.request_s,
            lingering_time=LINGERING_S,
        )
        await runner.setup()
        assert runner.server is not None
        self._limited = limited = LimitedServer(listener, runner.server, self.limits, self.journal)
        with foreign_logs(self.journal):
            serving = asyncio.create_task(limited.serve())
            try:
                yield
            finally:
                serving.cancel()
                await runner.cleanup()
                limited.close()
                with suppress(asyncio.CancelledError):
                    await serving

    @property
    def is_loading(self) -> bool:
        """True while the loading thread works."""
        return self._thread.is_alive()

    def _app(self) -> web.Application:
        app = web.Application(middlewares=[self._timed, gatekeeper(self._gate)], client_max_size=0)
        files = static_files()
        app.router.add_get("/", self._page(files[PAGE]))
        app.router.add_get("/solver", self._page(files[SOLVER_PAGE]))
        SolverRoutes(self._solver_jobs, self._guest_ids.of, self.journal).add_to(app.router)
        for name, data in files.items():
            app.router.add_get(f"/static/{name}", _file_handler(name, data))
        app.router.add_get("/socket", self._socket)
        app.router.add_get(CARD_ADDRESS, self._card)
        app.cleanup_ctx.append(self._serving)
        app.on_shutdown.append(self._close_sockets)
        app.on_response_prepare.append(strict_headers(self._gate))
        return app

    @web.middleware
    async def _timed(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Tell the limits that a request has come whole, and that it is answered."""
        assert self._limited is not None
        transport = request.transport
        self._limited.begin(transport)
        try:
            return await handler(request)
        finally:
            self._limited.finish(transport)

    def _page(self, data: bytes) -> Handler:
        answer_file = _file_handler(PAGE, data)

        async def answer(request: web.Request) -> web.Response:
            response: web.Response = await answer_file(request)
            self._guest_ids.introduce(request, response)
            return response

        return answer

    async def _serving(self, _app: web.Application) -> Any:
        self._loop = asyncio.get_running_loop()
        self.failed = self._loop.create_future()
        self._thread.start()
        yield
        self._loading.stop()
        self.failed.cancel()
        self._solver_jobs.close()
        if self._service is not None:
            await self._service.close()

    async def _close_sockets(self, _app: web.Application) -> None:
        if self._service is not None:
            await self._service.close()
        await asyncio.gather(*[connection.close() for connection in self._connections])

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        guest = self._guest_ids.of(request)
        if (
            len(self._connections) >= self.limits.max_connections // 2
            or self._guests[guest] >= SOCKETS_A_GUEST
        ):
            self.journal.warning(
                "connection refused", reason="too many windows", peer=request.remote
            )
            return web.Response(status=503, text="too many windows\n")
        self._guests[guest] += 1
        try:
            connection = Connection(request.remote or "", guest, self.journal, self._heartbeat_s)
            return await connection.serve(request, self)
        finally:
            self._guests[guest] -= 1
            if not self._guests[guest]:
                del self._guests[guest]

    async def _card(self, request: web.Request) -> web.Response:
        """Return the strength card of a strategy of the lobby, as it lies in its folder."""
        places = [int(request.match_info[name]) for name in ("game", "strategy")]
        text = None if self._service is None else self._service.card(*places)
        if text is None:
            return web.Response(status=404, text="there is no such card\n")
        return web.Response(text=text, content_type="text/plain", charset="utf-8")

    # What a connection asks

    def welcome(self, connection: Connection) -> None:
        """Tell a browser that has come what there is, or how far that is."""
        self._connections.append(connection)
        connection.send(self._loading.plain())
        if self._service is not None:
            self._service.welcome(connection)

    def farewell(self, connection: Connection) -> None:
        """Forget a browser that has gone."""
        self._connections.remove(connection)
        if self._service is not None:
            self._service.farewell(connection)

    async def answer(self, connection: Connection, request: Request) -> None:
        """Do what a browser asks, as soon as that can be done; raises BadRequest."""
        await self._is_served.wait()
        assert self._service is not None
        await self._service.answer(connection, request)

    # Loading

    def _load(self) -> None:
        """Make the service and let it prepare; in a thread of its own."""
        try:
            service = self._make_service(self._loading)
            self._from_thread(lambda: self._serve(service))
            service.prepare(self._loading)
            self._loading.finish()
            self._from_thread(service.is_prepared)
        except LoadingStopped:
            pass
        except BaseException as error:
            fault = error
            with suppress(LoadingStopped):
                self._from_thread(lambda: self._fail(fault))

    def _from_thread(self, act: Callable[[], None]) -> None:
        """Let the event loop do *act*."""
        try:
            self._loop.call_soon_threadsafe(act)
        except RuntimeError:  # the loop has ended
            raise LoadingStopped from None

    def _serve(self, service: Service) -> None:
        self._service = service
        self._opening = asyncio.ensure_future(service.open())
        for connection in self._connections:
            service.welcome(connection)
        self._is_served.set()

    def _fail(self, fault: BaseException) -> None:
        self._tell_all({"type": "failed", "reason": str(fault) or repr(fault)})
        if not self.failed.done():
            self.failed.set_exception(fault)

    def _tell_all(self, message: Message) -> None:
        for connection in self._connections:
            connection.send(message)


def _logger(journal: Journal) -> logging.Logger:
    """A logger for aiohttp that writes to *journal*."""
    logger = logging.Logger("acpcbot.web")
    logger.addHandler(JournalHandler(journal))
    return logger


def static_files() -> dict[str, bytes]:
    """The files of the pages by their names, the pages with their common head."""
    folder = resources.files("acpcbot.web").joinpath("static")
    own = {file.name: file.read_bytes() for file in folder.iterdir() if _suffix(file.name) in TYPES}
    head, mark = own.pop(COMMON_HEAD), f"<!-- {COMMON_HEAD} -->\n".encode()
    for name in (PAGE, SOLVER_PAGE):
        before, found, behind = own[name].partition(mark)
        assert found, f"{name} without its common head"
        own[name] = before + head + behind
    return own | {name: page_file(name).encode() for name in SHARED}


def _suffix(name: str) -> str:
    return name[name.rfind(".") :]


def _file_handler(name: str, data: bytes) -> Any:
    async def answer(_request: web.Request) -> web.Response:
        return web.Response(body=data, content_type=TYPES[_suffix(name)], charset="utf-8")

    return answer


async def serve(server: TableServer, listener: socket.socket, address: str) -> None:
    """Serve on *listener* until SIGINT or SIGTERM.

    *address* is printed to stdout when browsers may come.

    Raises what ended the loading, after the pages that are open were told.
    """
    stopped = _stop_event()
    async with server.running(listener):
        print(address, flush=True)
        print(
            "open this address in a browser; Ctrl-C closes the table", file=sys.stderr, flush=True
        )
        stopping = asyncio.create_task(stopped.wait())
        ends: list[asyncio.Future[Any]] = [stopping, server.failed]
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        if server.failed.done():
            server.failed.result()


def _stop_event() -> asyncio.Event:
    """Return the event that SIGINT and SIGTERM set from now on.

    Where the system has no such signals, Ctrl-C raises as ever.
    """
    stopped = asyncio.Event()
    if sys.platform != "win32":
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    return stopped
