"""Answers to browsers: the lobby, their matches, matches that they watch.

``make_host`` is the slow part of the start: it finds the strategies, makes each once, and lets it
play a hand. A host is made in the loading thread and used in the event loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from acpcbot.errors import BadRequest
from acpcbot.net.journal import Journal
from acpcbot.poker.game_titles import game_title
from acpcbot.web.connection import Connection, Message
from acpcbot.web.loading import Loading, LoadingStopped
from acpcbot.web.lobby import LobbyGame, chosen_offer, find_seats, found_offers, read_card
from acpcbot.web.requests import (
    Act,
    Answer,
    Deal,
    Drill,
    Estimate,
    Explain,
    Find,
    Largest,
    Leave,
    Replay,
    Request,
    Resume,
    Show,
    Sit,
    Watch,
)
from acpcbot.web.session import Session
from acpcbot.web.study import Study
from acpcbot.web.table_settings import TableOptions
from acpcbot.web.tables import Tables, prepare
from acpcbot.web.titles import strategy_title
from acpcbot.web.watching import Gallery

Prepare = Callable[[Loading], None]


@dataclass(slots=True)
class Guest:
    """A browser: the match that it plays, and whether it watches others."""

    session: Session | None = None
    is_watching: bool = False


class TableHost:
    """Answers browsers: *offers* may be played at *tables*, the matches of the *gallery* watched.

    *prepare* loads what is most likely to be played; until it is done, nobody sits down.
    """

    def __init__(
        self, offers: Sequence[LobbyGame], tables: Tables, gallery: Gallery, prepare: Prepare
    ) -> None:
        self._offers, self._tables, self._gallery, self._prepare = offers, tables, gallery, prepare
        self._guests: dict[Connection, Guest] = {}
        self._prepared = asyncio.Event()
        self._janitor: asyncio.Task[None] | None = None

    def prepare(self, loading: Loading) -> None:
        """Load and compile, in the loading thread."""
        self._prepare(loading)

    async def open(self) -> None:
        """Begin to look after the tables."""
        self._janitor = asyncio.create_task(self._tables.look_after())

    def is_prepared(self) -> None:
        """Let sit down who waits for it."""
        self._prepared.set()

    async def close(self) -> None:
        """End all matches, and follow no others any more."""
        if self._janitor is not None:
            self._janitor.cancel()
        self._gallery.close()
        await self._tables.close()

    def card(self, game: int, strategy: int) -> str | None:
        """Return the strength card of a strategy of the lobby; None where there is none."""
        return read_card(self._offers, game, strategy)

    def welcome(self, connection: Connection) -> None:
        """Tell a browser that has come what there is."""
        self._guests[connection] = Guest()
        games = [offer.plain() for offer in self._offers]
        connection.send({"type": "lobby", "games": games, "canWatch": not self._gallery.is_empty})

    def farewell(self, connection: Connection) -> None:
        """Forget a browser that has gone; its match goes on for a while."""
        self._leave(connection)
        del self._guests[connection]

    async def answer(self, connection: Connection, request: Request) -> None:
        """Do what a browser asks; raises BadRequest."""
        match request:
            case Sit(game, bots, name):
                await self._sit(connection, game, bots, name)
            case Resume(key):
                self._resume(connection, key)
            case Watch():
                self._watch(connection)
            case Largest(match, count):
                pots = self._gallery.match(match).pots(count)
                connection.send({"type": "pots", "match": match, "pots": pots})
            case Show(match, log, hand):
                self._show(connection, match, log, hand)
            case Find(match, log, number):
                place = self._gallery.match(match).log(log).place_of(number)
                self._show(connection, match, log, place)
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
                connection.send(session.judged(hand))
            case Estimate(hand, place):
                connection.send(await session.estimate(hand, place))
            case Replay(hand):
                connection.send(session.replay(hand))
            case Drill(hand, place):
                connection.send(session.drill(hand, place))
            case Answer(hand, place, action):
                connection.send(await session.answer(hand, place, action))
            case Leave():
                await self._tables.end(session, "you left the table")

    async def _sit(self, connection: Connection, game: int, bots: Sequence[int], name: str) -> None:
        own = self._guests[connection].session
        if own is not None and own.is_running:
            raise BadRequest(name, "leave this table first")
        offer, strategies = find_seats(self._offers, game, bots)
        self._tables.verify_room(connection.guest, name)
        connection.send({"type": "opening", "game": game_title(offer.definition)})
        await self._prepared.wait()
        session = await self._tables.open(offer, strategies, name, connection.guest)
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

    def _show(self, connection: Connection, match: int, log: int, hand: int) -> None:
        views = self._gallery.match(match).log(log).views(hand)
        connection.send({**views, "match": match, "log": log})

    def _watch(self, connection: Connection) -> None:
        loop = asyncio.get_running_loop()

        def tell(news: list[Message]) -> None:
            try:
                loop.call_soon_threadsafe(self._tell_of_matches, news)
            except RuntimeError:
                pass  # the loop has ended: nobody listens any more

        self._gallery.start(tell)
        self._guests[connection].is_watching = True
        connection.send(self._gallery.message())

    def _tell_of_matches(self, news: list[Message]) -> None:
        message = self._gallery.news(news)
        for connection, guest in self._guests.items():
            if guest.is_watching:
                connection.send(message)


def make_host(options: TableOptions, journal: Journal, loading: Loading) -> TableHost:
    """Find what was asked for; raises UsageError, UnknownStrategy, BadSnapshot, LoadingStopped."""
    loading.step("looking for strategies")
    offers, study = _offers(options), Study(options.values)
    gallery = Gallery(options.watched, options.game[1] if options.game else None)
    tables = Tables(options.tables, study, journal)
    strategies = offers[0].strategies if options.strategies else offers[0].strategies[:1]
    return TableHost(
        offers, tables, gallery, partial(make_ready, offers[0], strategies, options, study)
    )


def make_ready(
    offer: LobbyGame,
    strategies: Sequence[str],
    options: TableOptions,
    study: Study,
    loading: Loading,
) -> None:
    """Make each of *strategies* once and let it play a hand.

    One that fails is told of, and the others are made ready; raises LoadingStopped.
    """
    for number, strategy in enumerate(strategies):
        name, game = strategy_title(strategy).seat_name, game_title(offer.definition)
        loading.step(f"loading {name} for {game}", number, len(strategies))
        try:
            prepare(offer, [strategy] * offer.num_bots, options.tables, study)
        except LoadingStopped:
            raise
        except Exception as error:
            loading.fail(strategy, error)


def _offers(options: TableOptions) -> list[LobbyGame]:
    if options.game is not None and options.strategies:
        return [chosen_offer(*options.game, options.strategies)]
    return found_offers(options.game)
