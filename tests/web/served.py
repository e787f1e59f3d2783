"""A table that is served in this process, and what a browser's socket says and hears."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aiohttp import ClientSession, ClientWebSocketResponse

from acpcbot.net.journal import PERIOD_S, open_journal
from acpcbot.net.limited_server import ConnectionLimits
from acpcbot.net.listening import LOOPBACK, listen
from acpcbot.web.access import RequestGuard
from acpcbot.web.loading import Loading, Service
from acpcbot.web.lobby import chosen_offer
from acpcbot.web.server import Load, TableServer
from acpcbot.web.study import Study
from acpcbot.web.table_host import TableHost
from acpcbot.web.table_settings import TableSettings
from acpcbot.web.tables import Tables
from acpcbot.web.watching import Gallery
from tests.support.games import KUHN, definition_of
from tests.support.journals import journal_events

LONGEST_S = 240.0
REFUSALS = ("refused", "bad message", "connection closed", "connection refused")
Message = dict[str, Any]


@dataclass(frozen=True)
class Served:
    """A served table: its address, its journal and its bots."""

    port: int
    folder: Path
    tables: Tables
    journal: io.StringIO
    browser: ClientSession
    server: TableServer

    @property
    def address(self) -> str:
        return f"http://{LOOPBACK}:{self.port}"

    def refusals(self) -> list[str]:
        """The reasons of all refusals that were logged."""
        return [line["reason"] for line in self.logged() if line["event"] in REFUSALS]

    def logged(self) -> list[dict[str, Any]]:
        """All lines of the log."""
        return journal_events(self.journal)

    @asynccontextmanager
    async def socket(self, **headers: str) -> AsyncIterator[Socket]:
        """A socket as the page opens one."""
        chosen = {"Origin": self.address, **headers}
        async with self.browser.ws_connect(f"{self.address}/socket", headers=chosen) as socket:
            yield Socket(socket)


class Socket:
    """A browser's end of a socket."""

    def __init__(self, socket: ClientWebSocketResponse) -> None:
        self.socket = socket
        self.heard: list[Message] = []
        self._missed: Message | None = None

    async def say(self, **request: Any) -> None:
        await self.socket.send_json(request)

    async def hear(self, *kinds: str) -> Message:
        """The next message of one of these types."""
        while True:
            message: Message = await self.socket.receive_json(timeout=LONGEST_S)
            self.heard.append(message)
            self._missed = message if message["type"] == "table" else self._missed
            if message["type"] in kinds:
                return message

    async def sit(self, bots: Sequence[int] = (0,), name: str = "Ann") -> Message:
        """Sit down; the message that says at which table."""
        await self.say(type="sit", game=0, bots=list(bots), name=name)
        return await self.hear("seated", "refused")

    async def turn(self) -> Message:
        """The table when it is the person's turn, or when the hand is over."""
        while True:
            message, self._missed = self._missed or await self.hear("table", "ended"), None
            assert message["type"] == "table", f"the match ended: {message['reason']}"
            if message["phase"] in ("turn", "over"):
                return message

    async def act(self, table: Message, action: str) -> None:
        await self.say(type="act", hand=table["hand"], turn=table["turn"], action=action)


@asynccontextmanager
async def served(
    folder: Path,
    strategies: Sequence[str] = ("call",),
    game: str = KUHN,
    *,
    watched: Sequence[Path] = (),
    token: str | None = None,
    most_tables: int = 4,
    most_guest_tables: int = 4,
    idle_s: float = 600.0,
    away_s: float = 600.0,
    num_hands: int = 100,
    limits: ConnectionLimits | None = None,
    heartbeat_s: float = 600.0,
    log_period_s: float = PERIOD_S,
    prepare: Callable[[Loading], None] = lambda _loading: None,
    load: Load | None = None,
) -> AsyncIterator[Served]:
    """A table at a free port of this machine."""
    text, listener, study = io.StringIO(), listen(LOOPBACK, 0), Study()
    journal = open_journal(text, as_json=True, period_s=log_period_s)
    definition, port = definition_of(game), listener.getsockname()[1]
    settings = TableSettings(folder, num_hands, 7, most_tables, idle_s, most_guest_tables, away_s)
    tables = Tables(settings, study, journal)

    def load_it(loading: Loading) -> Service:
        offers = [chosen_offer(game, definition, strategies)]
        return TableHost(offers, tables, Gallery(watched, None), prepare)

    gate = RequestGuard(LOOPBACK, port, token, journal)
    server = TableServer(load or load_it, gate, journal, limits, heartbeat_s)
    async with server.running(listener), ClientSession() as browser:
        yield Served(port, folder, tables, text, browser, server)
    listener.close()
    study.close()


def run(test: Any) -> None:
    """Run a test that is a coroutine."""
    asyncio.run(asyncio.wait_for(test, LONGEST_S + 40))
