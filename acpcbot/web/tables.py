"""All matches that are being played: so many at a time and of one guest, each under a secret name.

A match ends when its person does nothing for long, or no browser shows it for a while.
"""

from __future__ import annotations

import asyncio
import math
import secrets
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from acpcbot.agents.public_strategies import blueprint_name, is_stored
from acpcbot.errors import BadRequest
from acpcbot.matches.hand import Hand
from acpcbot.matches.plan import MatchPlan
from acpcbot.matches.settings import (
    DEFAULT_HAND_MS,
    DEFAULT_PER_HAND_MS,
    DEFAULT_RESPONSE_MS,
    MatchSettings,
    TimeLimits,
)
from acpcbot.net.journal import Journal
from acpcbot.poker.actions import CALLING
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.dealing import Dealing
from acpcbot.poker.definition import format_definition
from acpcbot.rng import Stream
from acpcbot.strategies.finding import short_name
from acpcbot.strategies.strategy_file import strategy_path
from acpcbot.web.bots import Bot, make_bot
from acpcbot.web.judging import Judging, SessionDecisions
from acpcbot.web.lobby import LobbyGame
from acpcbot.web.session import Opponent, PastHand, Session
from acpcbot.web.study import FinishedHand, Study, thoughts
from acpcbot.web.table_settings import HUMAN, TableSettings
from acpcbot.web.titles import seat_names, strategy_title

KEY_BYTES = 16
LONGEST_NAME = 20
LOOK_S = 5.0
PERSON_NAME = "Hero"


class Tables:
    """The matches; *study* answers what is asked when a hand is over."""

    def __init__(self, settings: TableSettings, study: Study, journal: Journal) -> None:
        self.settings, self._study, self._journal = settings, study, journal
        self._judging = Judging()
        self._sessions: dict[str, Session] = {}
        self._num_opening: Counter[str] = Counter()
        self._openings: set[asyncio.Task[Session]] = set()
        self._number = 0

    def find(self, key: str) -> Session | None:
        """The match of that secret name, if it is still there."""
        return self._sessions.get(key)

    def verify_room(self, guest: str, name: str) -> None:
        """Raise BadRequest if all tables are taken, or *guest* has as many as one may have."""
        if len(self._sessions) + self._num_opening.total() >= self.settings.most_tables:
            raise BadRequest(name, "all tables are taken; try again later")
        own = sum(session.guest == guest for session in self._sessions.values())
        if own + self._num_opening[guest] >= self.settings.most_guest_tables:
            most = self.settings.most_guest_tables
            tables = "a table" if most == 1 else f"{most} tables"
            raise BadRequest(
                name, f"you have {tables} already, and more are not allowed; leave one first"
            )

    async def open(
        self, offer: LobbyGame, strategies: Sequence[str], name: str, guest: str
    ) -> Session:
        """A new match of *guest*, all warmed up before its first hand.

        Raises BadRequest if there are too many.

        It is opened to the end even if the guest has gone meanwhile, as threads cannot be
        cancelled: what counts as open is what takes time and memory.
        """
        self.verify_room(guest, name)
        self._num_opening[guest] += 1
        opening = asyncio.create_task(self._open(offer, strategies, name, guest))
        self._openings.add(opening)
        opening.add_done_callback(partial(self._opened, guest))
        return await asyncio.shield(opening)

    async def _open(
        self, offer: LobbyGame, strategies: Sequence[str], name: str, guest: str
    ) -> Session:
        match = match_settings(self.settings, offer, strategies, name, self._next_number())
        bots = await asyncio.to_thread(self._bots, offer, strategies, match)
        await self._warm_up(match, bots, _trained(offer, strategies))
        key = secrets.token_urlsafe(KEY_BYTES)
        judge = await asyncio.to_thread(_judge_name, offer, strategies)
        decisions = SessionDecisions(self._judging, judge)
        session = Session(
            key,
            guest,
            match,
            bots,
            _opponents(offer, strategies, match.player_names[0]),
            self._study,
            _trained(offer, strategies),
            self._journal,
            decisions,
        )
        self._sessions[key] = session
        self._journal.info("table opened", log=session.log_name, bots=[bot.name for bot in bots])
        session.start()
        return session

    def _opened(self, guest: str, opening: asyncio.Task[Session]) -> None:
        self._openings.discard(opening)
        self._num_opening[guest] -= 1
        self._num_opening += Counter()  # drops the guests that count nothing any more
        if not opening.cancelled():
            opening.exception()  # the guest was told, or has gone

    async def end(self, session: Session, reason: str) -> None:
        """End a match."""
        self._sessions.pop(session.key, None)
        await session.end(reason)
        self._journal.info("table closed", log=session.log_name, reason=reason)

    async def look_after(self) -> None:
        """End the matches that are over or that nobody plays, until cancelled."""
        while True:
            await asyncio.sleep(min(LOOK_S, self.settings.idle_s, self.settings.away_s))
            now_s = time.monotonic()
            for session in list(self._sessions.values()):
                if not session.is_running:
                    await self.end(session, "the match is over")
                elif now_s - session.last_heard_s > self.settings.idle_s:
                    await self.end(session, "nobody played for a while")
                elif now_s - session.last_shown_s > self.settings.away_s:
                    await self.end(session, "its browser has gone")

    async def close(self) -> None:
        """End all matches, and study no hand any more."""
        for opening in self._openings:
            opening.cancel()
        for session in list(self._sessions.values()):
            await self.end(session, "the server stops")
        self._study.close()
        self._judging.close()

    async def _warm_up(
        self, match: MatchSettings, bots: Sequence[Bot], trained: Sequence[str]
    ) -> None:
        try:
            await self._study.ask(lambda: warm_up(match, bots, self._study, trained))
        except BaseException:
            for bot in bots:
                bot.close()
            raise

    def _next_number(self) -> int:
        """The number of the next table: no log that is there already is written over."""
        while (self.settings.folder / f"table{self._number:03d}.log").exists():
            self._number += 1
        self._number += 1
        return self._number - 1

    def _bots(self, offer: LobbyGame, strategies: Sequence[str], match: MatchSettings) -> list[Bot]:
        self.settings.folder.mkdir(parents=True, exist_ok=True)
        return [
            make_bot(
                strategy,
                match.player_names[seat],
                offer.definition,
                Stream(match.seed, seat).bits() >> 33,
                strategy_path(match.name, seat),
            )
            for seat, strategy in enumerate(strategies, start=1)
        ]


def match_settings(
    settings: TableSettings, offer: LobbyGame, strategies: Sequence[str], name: str, number: int
) -> MatchSettings:
    """Return the settings of a match of a person called *name* at table *number*."""
    num_hands = settings.num_hands
    bots = MatchPlan(
        (HUMAN, *strategies), offer.name, format_definition(offer.definition), num_hands, 0
    ).names[1:]
    return MatchSettings(
        name=str(settings.folder / f"table{number:03d}"),
        game_name=offer.name,
        definition=offer.definition,
        num_hands=num_hands,
        seed=(settings.seed + number) % 2**32,
        player_names=(_person(name, bots), *bots),
        limits=TimeLimits.from_milliseconds(
            DEFAULT_RESPONSE_MS, DEFAULT_HAND_MS, DEFAULT_PER_HAND_MS, num_hands
        ),
    )


def _opponents(offer: LobbyGame, strategies: Sequence[str], person: str) -> list[Opponent]:
    """Return the bots for people; none is called as the person is."""
    return [
        Opponent(
            f"{seat_name} (bot)" if seat_name == person else seat_name,
            strategy_title(strategy).title,
            offer.card_address(strategy),
        )
        for seat_name, strategy in zip(seat_names(strategies), strategies, strict=True)
    ]


def _person(name: str, bots: Sequence[str]) -> str:
    """The person's name as a log may hold it, no bot's."""
    plain = "".join(
        [letter for letter in name if letter.isascii() and (letter.isalnum() or letter in "-_")]
    )
    own = plain[:LONGEST_NAME] or PERSON_NAME
    return f"{own}.person" if own in bots else own


def _trained(offer: LobbyGame, strategies: Sequence[str]) -> list[str]:
    """Stored strategies of the game, those that play first."""
    return [name for name in dict.fromkeys((*strategies, *offer.strategies)) if is_stored(name)]


def _judge_name(offer: LobbyGame, strategies: Sequence[str]) -> str | None:
    """Return the stored strategy that judges the person: a bot's own, else any of the game.

    Of a bot that searches it is the blueprint.
    """
    for name in dict.fromkeys((*strategies, *offer.strategies)):
        found = blueprint_name(name)
        if found is not None:
            return found if found == name else short_name(Path(found))
    return None


def prepare(
    offer: LobbyGame, strategies: Sequence[str], settings: TableSettings, study: Study
) -> None:
    """Play a hand with *strategies* and study one, so that all is compiled before anybody plays."""
    match = match_settings(settings, offer, strategies, PERSON_NAME, 0)
    bots = [
        make_bot(strategy, match.player_names[seat], offer.definition, seat)
        for seat, strategy in enumerate(strategies, start=1)
    ]
    practise(match, bots)
    warm_up(match, bots, study, _trained(offer, strategies))


def practise(match: MatchSettings, bots: Sequence[Bot]) -> None:
    """Let *bots* play a hand, against a person who calls.

    What they do wrong shows when it counts.
    """
    hand = _trial_hand(match)
    while not hand.betting.is_over:
        view, bot = (
            hand.view(hand.betting.actor),
            bots[hand.actor_seat - 1] if hand.actor_seat else None,
        )
        with suppress(Exception):
            hand.apply(CALLING if bot is None else bot.agent.act(view, math.inf))
            continue
        hand.apply(CALLING)


def warm_up(
    match: MatchSettings, bots: Sequence[Bot], study: Study, trained: Sequence[str]
) -> None:
    """Study a hand that is called to its end as if *bots* had played it."""
    hand = _trial_hand(match)
    while not hand.betting.is_over:
        hand.apply(CALLING)
    known = {hand.positions[seat]: bot.in_hand(0) for seat, bot in enumerate(bots, start=1)}
    strategies = {
        position: strategy for position, strategy in known.items() if strategy is not None
    }
    names = tuple([match.player_names[seat] for seat in hand.seats])
    found = FinishedHand(0, PastHand(hand).played(), names, hand.positions[0], strategies)
    thoughts(found)
    study.split(found, trained)


def _trial_hand(match: MatchSettings) -> Hand:
    """A hand of other cards than the match has."""
    return Hand(
        match,
        0,
        Dealing(match.definition, match.seed ^ 1).next_deal(),
        BettingRules(match.definition).start,
    )
