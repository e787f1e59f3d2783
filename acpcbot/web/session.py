"""A person's match: deals hands, asks the bots, writes the log, and tells the listeners.

A message about the table holds the frames that are new since the last one, so that the page can
show them one after another; a browser that connects later gets the last frame. Requests of the
person are judged here, and refused with ``BadRequest`` out of turn or where they are illegal.

Behind the session stand its totals, which are the winnings so far, in chips and with the luck taken
out.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

import numpy as np

from acpcbot.cards.deck import format_cards
from acpcbot.errors import AcpcbotError, BadRequest, IllegalAction
from acpcbot.evaluation.aivat.estimator import PlayedHand
from acpcbot.evaluation.aivat.hand_review import LuckBreakdown
from acpcbot.matches.hand import Hand
from acpcbot.matches.intervals import root_mean_square
from acpcbot.matches.match_files import MatchFiles
from acpcbot.matches.score import summarise
from acpcbot.matches.settings import MatchSettings
from acpcbot.net.journal import Journal
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingRules
from acpcbot.poker.dealing import Dealing
from acpcbot.poker.game_titles import game_title
from acpcbot.protocol.grammar import visible_cards
from acpcbot.protocol.records import format_score_record
from acpcbot.web.bots import Bot
from acpcbot.web.choices import choices, parse_choice
from acpcbot.web.drills import answer, spot
from acpcbot.web.judging import OwnHand, SessionDecisions
from acpcbot.web.study import FinishedHand, Study, hand_line, plain_account, thoughts
from acpcbot.web.table_view import (
    Cards,
    TableSeats,
    TableView,
    finished_views,
    frames,
    result_view,
    table_view,
)

Message = dict[str, Any]
Listener = Callable[[Message], None]
PERSON = 0
"""The person's seat in the match; the bots have the others."""
BOT_S = 60.0
NUM_ROWS = 200
WAITING, TURN, OVER, ENDED = "waiting", "turn", "over", "ended"


@dataclass(frozen=True, slots=True)
class Opponent:
    """A bot for people: its name at the table, its title, and the address of its card."""

    seat_name: str
    title: str
    card: str | None

    def plain(self) -> Message:
        """Return what the page shows."""
        return {"name": self.seat_name, "title": self.title, "card": self.card}


@dataclass(slots=True)
class Session:
    """A match of *guest* against *bots*, in the order of their seats, under the secret name *key*.

    *opponents* describes the bots for people. *trained* names the stored strategies of the game,
    which may tell what hands are worth; *decisions* judges those of the person.
    """

    key: str
    guest: str
    settings: MatchSettings
    bots: Sequence[Bot]
    opponents: Sequence[Opponent]
    study: Study
    trained: Sequence[str]
    journal: Journal
    decisions: SessionDecisions
    phase: str = WAITING
    last_heard_s: float = field(default_factory=time.monotonic)
    _hidden_since_s: float = field(default_factory=time.monotonic)
    _hand: Hand | None = None
    _num_shown: int = 0
    _past: list[PastHand] = field(default_factory=list)
    _answer: asyncio.Future[Action] | None = None
    _deals: asyncio.Event = field(default_factory=asyncio.Event)
    _listeners: list[Listener] = field(default_factory=list)
    _studies: set[asyncio.Task[None]] = field(default_factory=set)
    _estimates: dict[tuple[int, int], asyncio.Future[Message | None]] = field(default_factory=dict)
    _notice: str = ""
    _tally: Tally = field(init=False)
    _task: asyncio.Task[None] | None = None

    def __post_init__(self) -> None:
        self._tally = Tally(self.settings.definition.big_blind)

    # What the server does with it

    def start(self) -> None:
        """Begin to play, in a task of its own."""
        for bot in self.bots:
            bot.start()
        self._task = asyncio.create_task(self._play())

    async def end(self, reason: str) -> None:
        """Stop playing: the score is written, and the listeners hear of it."""
        if self._task is None:
            return
        task, self._task, was_over = self._task, None, self.phase == ENDED
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        if not was_over:
            self._tell({"type": "ended", "reason": reason, "log": self.log_name, **self._summary()})

    @property
    def is_running(self) -> bool:
        """True while hands may still be played."""
        return self._task is not None and not self._task.done()

    @property
    def last_shown_s(self) -> float:
        """Time at which a browser last showed the match: now, while one does."""
        return time.monotonic() if self._listeners else self._hidden_since_s

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names at the table, by seat of the match."""
        return (self.settings.player_names[PERSON], *[one.seat_name for one in self.opponents])

    @property
    def log_name(self) -> str:
        """The path of the log."""
        return f"{self.settings.name}.log"

    def attach(self, listener: Listener) -> None:
        """Let *listener* hear everything from now on, and first how things stand."""
        self._listeners.append(listener)
        listener(
            {
                "type": "seated",
                "table": self.key,
                "log": self.log_name,
                "game": game_title(self.settings.definition),
                "bigBlind": self.settings.definition.big_blind,
                "opponents": [opponent.plain() for opponent in self.opponents],
            }
        )
        listener(self._history())
        if self._hand is not None:
            listener(self._message(self._views()[-1:]))
        if self._past:
            listener(self._split_message(self._past[-1]))
            listener(self.judged(self._past[-1].hand.hand_id))
        listener(self._costs())

    def detach(self, listener: Listener) -> None:
        """Tell *listener* nothing more."""
        if listener in self._listeners:
            self._listeners.remove(listener)
            self._hidden_since_s = time.monotonic()

    # What the person asks

    def act(self, hand_id: int, turn: int, text: str) -> None:
        """The person's action; raises BadRequest."""
        self._hear()
        hand = self._hand
        if hand is None or self._answer is None or self._answer.done():
            raise BadRequest(text, "it is not your turn")
        if (hand_id, turn) != (hand.hand_id, self._turn(hand)):
            raise BadRequest(text, "that was for another decision")
        try:
            self._answer.set_result(parse_choice(text, hand.betting))
        except IllegalAction as error:
            raise BadRequest(text, error.reason) from None

    def deal(self, hand_id: int) -> None:
        """Deal the hand after this one; raises BadRequest."""
        self._hear()
        if self.phase != OVER or self._hand is None or hand_id != self._hand.hand_id:
            raise BadRequest(f"deal after hand {hand_id}", "no hand is waiting to be dealt")
        self._deals.set()

    async def explain(self, hand_id: int) -> Message:
        """Return the probabilities of the bots in a hand that is over; raises BadRequest."""
        self._hear()
        past = self._find(hand_id)
        found = self._finished(past)
        told = await self.study.ask(lambda: thoughts(found))
        silent = [
            self.names[seat]
            for seat in range(1, len(self.names))
            if past.hand.positions[seat] not in found.strategies
        ]
        return {
            "type": "thoughts",
            "hand": hand_id,
            "decisions": told,
            "line": hand_line(found),
            "silent": silent,
            **self._split_text(past),
        }

    async def estimate(self, hand_id: int, place: int) -> Message:
        """Return the study of a decision of ``explain`` with estimated values; raises BadRequest.

        They are worked out once, however often they are asked for.
        """
        self._hear()
        found, key = self._finished(self._find(hand_id)), (hand_id, place)
        if key not in self._estimates or self._estimates[key].cancelled():
            self._estimates[key] = asyncio.ensure_future(self.study.estimate(found, place))
        try:
            # A browser that leaves takes nothing away from those that come back.
            study = await asyncio.shield(self._estimates[key])
        except (AcpcbotError, TimeoutError):
            self._estimates.pop(key, None)
            raise
        return {"type": "estimated", "hand": hand_id, "place": place, "study": study}

    def replay(self, hand_id: int) -> Message:
        """A hand that is over, step by step; raises BadRequest."""
        self._hear()
        hand = self._find(hand_id).hand
        cards = Cards(hand.deal.hole_cards, hand.deal.board)
        views = finished_views(hand.betting, self._seating(hand), cards, hand.values)
        return {
            "type": "replay",
            "log": None,
            "hand": hand_id,
            "title": f"hand {hand_id}",
            "views": views,
        }

    def judged(self, hand_id: int) -> Message:
        """Return the person's decisions in a hand that is over, judged as far as they are."""
        return {"type": "judged", **self.decisions.judged(hand_id)}

    def _costs(self) -> Message:
        return {"type": "costs", **self.decisions.costs()}

    def drill(self, hand_id: int, place: int) -> Message:
        """Return the spot before a decision of the person, dealt again; raises BadRequest."""
        self._hear()
        past = self._find(hand_id)
        return {"type": "spot", **spot(self._own(past), place, self._seating(past.hand))}

    async def answer(self, hand_id: int, place: int, text: str) -> Message:
        """Return the person's answer to a spot, judged; raises BadRequest."""
        self._hear()
        own = self._own(self._find(hand_id))
        return {
            "type": "verdict",
            **await self.decisions.judge_answer(own, place, answer(own, place, text)),
        }

    def _hear(self) -> None:
        self.last_heard_s = time.monotonic()

    def _find(self, hand_id: int) -> PastHand:
        if hand_id >= len(self._past):
            raise BadRequest(f"hand {hand_id}", "this hand is not over")
        return self._past[hand_id]

    # The match

    async def _play(self) -> None:
        """Hand after hand, until the last one or until cancelled."""
        files = MatchFiles(
            self.settings.name, keeps_log=True, keeps_transactions=False, appends=False
        )
        try:
            for line in self.settings.header:
                files.log(line)
            game, dealing = (
                BettingRules(self.settings.definition),
                Dealing(self.settings.definition, self.settings.seed),
            )
            for hand_id in range(self.settings.num_hands):
                self._hand = Hand(self.settings, hand_id, dealing.next_deal(), game.start)
                await self._play_hand(self._hand)
                files.log(self._hand.record())
                self._finish(self._hand)
                await self._wait_for_deal(is_last=hand_id + 1 == self.settings.num_hands)
        except Exception as error:
            self.journal.error(
                "table failed", table=self.settings.name, reason=f"{type(error).__name__}: {error}"
            )
            self._tell(
                {
                    "type": "ended",
                    "reason": "the table failed",
                    "log": self.log_name,
                    **self._summary(),
                }
            )
        finally:
            self._close(files)

    async def _play_hand(self, hand: Hand) -> None:
        self._num_shown = 0
        while not hand.betting.is_over:
            is_persons = hand.actor_seat == PERSON
            self.phase = TURN if is_persons else WAITING
            self._answer = asyncio.get_running_loop().create_future() if is_persons else None
            self._show()
            hand.apply(await self._action(hand))
        self._answer = None

    async def _action(self, hand: Hand) -> Action:
        self._notice = ""
        if self._answer is not None:
            return await self._answer
        bot = self.bots[hand.actor_seat - 1]
        action, fault = await bot.act(hand.view(hand.betting.actor), BOT_S)
        if fault:
            self._notice = f"{self.names[hand.actor_seat]} had no answer of its own: {fault}"
            self.journal.warning("fallback", table=self.settings.name, bot=bot.name, reason=fault)
        return action

    def _finish(self, hand: Hand) -> None:
        """Count the hand, show how it ended, and begin to tell luck from skill."""
        for seat, bot in enumerate(self.bots, start=1):
            bot.observe(hand.view(hand.positions[seat]))
        past = PastHand(hand)
        self._past.append(past)
        self._tally.add(past.chips())
        self._deals.clear()
        self.phase = OVER
        self._show()
        self._tell(self._history())
        for study in (self._split(past), self._judge(past)):
            task = asyncio.create_task(study)
            self._studies.add(task)
            task.add_done_callback(self._studies.discard)

    async def _judge(self, past: PastHand) -> None:
        """Judge the person's decisions, and tell what they cost."""
        try:
            await self.decisions.judge(self._own(past))
        except AcpcbotError as error:
            self.journal.error("not judged", table=self.settings.name, reason=str(error))
        self._tell(self.judged(past.hand.hand_id))
        self._tell(self._costs())

    async def _split(self, past: PastHand) -> None:
        found = self._finished(past)
        try:
            past.account, past.note = await self.study.ask(
                lambda: self.study.split(found, self.trained)
            )
        except TimeoutError:
            past.note = "luck and skill are not told apart: it took too long"
        if past.account is not None:
            self._tally.add_skill(past.account.value_chips)
        self._tell(self._history())
        self._tell(self._split_message(past))

    async def _wait_for_deal(self, *, is_last: bool) -> None:
        await self._deals.wait()
        if is_last:
            self._tell(
                {
                    "type": "ended",
                    "reason": "that was the last hand",
                    "log": self.log_name,
                    **self._summary(),
                }
            )

    def _close(self, files: MatchFiles) -> None:
        self.phase, self._answer = ENDED, None
        if self._past:
            files.log(format_score_record(self._scores(), self.settings.player_names))
        files.close()
        for study in self._studies:
            study.cancel()
        for estimate in self._estimates.values():
            estimate.cancel()
        for bot in self.bots:
            bot.close()

    def _scores(self) -> list[float]:
        seats = range(self.settings.definition.num_players)
        return [
            sum(past.hand.values[past.hand.positions[seat]] for past in self._past)
            for seat in seats
        ]

    def _own(self, past: PastHand) -> OwnHand:
        hand = past.hand
        return OwnHand(
            hand.hand_id, past.played(), self._seating(hand).names, hand.positions[PERSON]
        )

    def _finished(self, past: PastHand) -> FinishedHand:
        hand = past.hand
        told = {
            hand.positions[seat]: bot.in_hand(hand.hand_id)
            for seat, bot in enumerate(self.bots, start=1)
        }
        known = {position: strategy for position, strategy in told.items() if strategy is not None}
        names = self._seating(hand).names
        return FinishedHand(hand.hand_id, past.played(), names, hand.positions[PERSON], known)

    # What is told

    def _tell(self, message: Message) -> None:
        for listener in tuple(self._listeners):
            listener(message)

    def _show(self) -> None:
        """Tell the views that are new."""
        views = self._views()
        self._tell(self._message(views[self._num_shown :]))
        self._num_shown = len(views)

    def _views(self) -> list[TableView]:
        """The hand so far as the person may see it; at its end all cards are open."""
        hand = self._hand
        assert hand is not None
        position, seating = hand.positions[PERSON], self._seating(hand)
        found = frames(hand.betting, seating.names)
        visible = Cards(
            visible_cards(hand.deal.hole_cards, hand.betting, position), hand.deal.board
        )
        views = [table_view(step, seating, visible) for step in found]
        if hand.betting.is_over:
            opened = Cards(hand.deal.hole_cards, hand.deal.board)
            views.append(result_view(found[-1], seating, opened, hand.values))
        return views

    def _seating(self, hand: Hand) -> TableSeats:
        names = tuple([self.names[seat] for seat in hand.seats])
        return TableSeats(names, tuple(hand.seats))

    def _turn(self, hand: Hand) -> int:
        return sum(1 for _ in hand.betting.decisions())

    def _message(self, views: Sequence[TableView]) -> Message:
        hand = self._hand
        assert hand is not None
        message: Message = {
            "type": "table",
            "hand": hand.hand_id,
            "phase": self.phase,
            "views": list(views),
            "captions": [step.caption for step in frames(hand.betting, self._seating(hand).names)],
            "notice": self._notice,
            "choices": None,
        }
        if self.phase == TURN:
            last = frames(hand.betting, self._seating(hand).names)[-1]
            own = choices(hand.betting, last.before[hand.betting.actor])
            message |= {"choices": own, "turn": self._turn(hand)}
        return message

    def _history(self) -> Message:
        rows = [self._row(past) for past in self._past[-NUM_ROWS:]]
        return {
            "type": "history",
            "rows": rows,
            "numHands": self.settings.num_hands,
            **self._summary(),
        }

    def _row(self, past: PastHand) -> Message:
        hand, position = past.hand, past.hand.positions[PERSON]
        num_dealt = self.settings.definition.board_size(hand.betting.street)
        return {
            "hand": hand.hand_id,
            "chips": hand.values[position],
            "skill": None if past.account is None else past.account.value_chips,
            "cards": format_cards(hand.deal.hole_cards[position]),
            "board": format_cards(hand.deal.board[:num_dealt]),
        }

    def _summary(self) -> Message:
        return {"tally": self._tally.plain()}

    def _split_message(self, past: PastHand) -> Message:
        return {"type": "split", "hand": past.hand.hand_id, **self._split_text(past)}

    def _split_text(self, past: PastHand) -> Message:
        names = self._seating(past.hand).names
        split = None if past.account is None else plain_account(past.account, names)
        return {"split": split, "note": past.note}


@dataclass(slots=True)
class PastHand:
    """A hand that is over, and what is known of it."""

    hand: Hand
    account: LuckBreakdown | None = None
    note: str = ""

    def chips(self) -> float:
        """Chips that the person won."""
        return self.hand.values[self.hand.positions[PERSON]]

    def played(self) -> PlayedHand:
        """The hand for evaluation, with betting of its own that no other thread touches."""
        deal, definition = self.hand.deal, self.hand.settings.definition
        betting = BettingRules(definition).parse(self.hand.betting.text)
        return PlayedHand(
            betting, deal.hole_cards, deal.board[: definition.board_size(betting.street)]
        )


class Tally:
    """Adds up hands of a game with this big blind."""

    def __init__(self, big_blind: int) -> None:
        self._big_blind = big_blind
        self._chips: list[float] = []
        self._skill: list[float] = []

    def add(self, chips: float) -> None:
        """Count a hand."""
        self._chips.append(chips)

    def add_skill(self, chips: float) -> None:
        """Count what AIVAT says of a hand that was counted."""
        self._skill.append(chips)

    def plain(self) -> dict[str, Any]:
        """Return the totals in chips and mbb/hand, with half of the 95 % interval.

        The latter is null where there is none.
        """
        return {"chips": self._summary(self._chips), "aivat": self._summary(self._skill)}

    def _summary(self, chips: list[float]) -> dict[str, Any]:
        hand_rms = root_mean_square(np.array(self._chips))
        found = summarise(
            "", np.array(chips, dtype=np.float64).reshape(len(chips), 1), self._big_blind, hand_rms
        )
        half_width = round(found.half_width_mbb, 1) if isfinite(found.half_width_mbb) else None
        return {
            "hands": len(chips),
            "chips": found.chips,
            "mbb": round(found.mean_mbb, 1),
            "halfWidth": half_width,
        }
