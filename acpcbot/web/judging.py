"""Judgement of the person's decisions by a stored strategy, and its figures as the page shows them.

The page is told when the figures are there: they come from a thread of their own, and in hold'em
from another process (``judging_process.py``). Costs and values are in big blinds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

from acpcbot.cards.deck import format_cards
from acpcbot.errors import AcpcbotError, BadRequest
from acpcbot.evaluation.aivat.estimator import PlayedHand
from acpcbot.evaluation.decisions.decision_costs import (
    CostGroup,
    CostSummary,
    JudgedSpot,
    sum_costs,
)
from acpcbot.evaluation.decisions.judged_hands import JudgedAction
from acpcbot.evaluation.decisions.plain_decisions import KIND_NAMES
from acpcbot.poker.actions import Action
from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import STREET_NAMES, GameDefinition
from acpcbot.reports.groupings import seat_labels
from acpcbot.web.judging_process import Judges, make_order
from acpcbot.web.study import action_fill_names
from acpcbot.web.table_view import Frame, action_words, frames
from acpcbot.web.titles import strategy_title

Plain = dict[str, Any]
Result = TypeVar("Result")
NO_JUDGE = "no stored strategy of this game judges your decisions"


class Judging:
    """Judges of all tables, who are asked in a thread of their own, one hand after another."""

    def __init__(self) -> None:
        self._judges = Judges()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="judging")

    async def judge_hand(self, name: str, hand: PlayedHand, seat: int) -> list[JudgedAction]:
        """Return the decisions of *seat*, judged by the strategy *name*."""
        definition = hand.betting.game.definition
        return await self._ask(
            lambda: self._judges.judged(make_order(name, hand, seat), definition)
        )

    async def judge_action(
        self, name: str, hand: PlayedHand, place: int, action: Action
    ) -> JudgedAction:
        """Return *action* judged as if it had been taken at the decision numbered *place*."""
        definition = hand.betting.game.definition
        order = make_order(name, hand, 0, place, action)
        (found,) = await self._ask(lambda: self._judges.judged(order, definition))
        return found

    async def sum_costs(self, hands: Sequence[Sequence[JudgedAction]]) -> CostSummary:
        """Return the sums over *hands*, which are many after a long match."""
        return await self._ask(lambda: sum_costs(hands))

    def close(self) -> None:
        """End the thread, and the process that it asks."""
        self._thread.shutdown(wait=False, cancel_futures=True)
        self._judges.close()

    async def _ask(self, question: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._thread, question)


@dataclass(frozen=True, slots=True)
class OwnHand:
    """A finished hand of the person in *seat*; *names* are the players by position."""

    hand_id: int
    hand: PlayedHand
    names: tuple[str, ...]
    seat: int

    @property
    def definition(self) -> GameDefinition:
        """Game of the hand."""
        return self.hand.betting.game.definition

    def before(self, place: int) -> BettingState:
        """Return the betting before the decision numbered *place*."""
        return [betting for betting, _ in self.hand.betting.decisions()][place]

    def board(self, street: int) -> tuple[int, ...]:
        """Return the board as it lies on *street*."""
        return self.hand.board[: self.definition.board_size(street)]


@dataclass(slots=True)
class SessionDecisions:
    """The person's decisions in one match, judged by the strategy *name*, None if there is none."""

    judging: Judging
    name: str | None
    _hands: dict[int, OwnHand] = field(default_factory=dict)
    _judged: dict[int, list[JudgedAction]] = field(default_factory=dict)
    _notes: dict[int, str] = field(default_factory=dict)
    _summary: CostSummary = field(default_factory=lambda: sum_costs([]))
    _summed: list[int] = field(default_factory=list)

    async def judge(self, own: OwnHand) -> None:
        """Judge a hand that is over; it counts from then on."""
        self._hands[own.hand_id] = own
        if self.name is None:
            self._notes[own.hand_id] = NO_JUDGE
            return
        try:
            self._judged[own.hand_id] = await self.judging.judge_hand(self.name, own.hand, own.seat)
        except AcpcbotError as error:
            self._notes[own.hand_id] = f"your decisions are not judged: {error}"
            raise
        hand_ids = list(self._judged)
        self._summary = await self.judging.sum_costs(list(self._judged.values()))
        self._summed = hand_ids

    async def judge_answer(self, own: OwnHand, place: int, action: Action) -> Plain:
        """Return *action* judged as the answer to a spot of a hand; raises BadRequest."""
        if self.name is None:
            raise BadRequest(action.text, NO_JUDGE)
        found = await self.judging.judge_action(self.name, own.hand, place, action)
        return {"hand": own.hand_id, "decision": _decision(own, found)}

    def judged(self, hand_id: int) -> Plain:
        """Return the judged decisions of a hand for the page; *isDone* is false until they are."""
        own, found = self._hands.get(hand_id), self._judged.get(hand_id)
        note = self._notes.get(hand_id, "")
        decisions = [] if own is None or found is None else [_decision(own, one) for one in found]
        return {
            "hand": hand_id,
            "by": self._title(),
            "isDone": found is not None or bool(note),
            "decisions": decisions,
            "note": note,
        }

    def costs(self) -> Plain:
        """Return the sums over all judged hands, and the most expensive spots."""
        summary = self._summary
        definition = next((own.definition for own in self._hands.values()), None)
        positions = () if definition is None else seat_labels(definition)
        return {
            "by": self._title(),
            "hands": len(self._summed),
            "waiting": len(self._hands) - len(self._judged) - len(self._notes),
            "unjudged": summary.num_unjudged,
            "total": _group("all", summary.total),
            "groups": [
                _groups("street", summary.by_street, STREET_NAMES),
                _groups("position", summary.by_seat, positions),
                _groups(
                    "action", summary.by_kind, [KIND_NAMES[kind] for kind in sorted(KIND_NAMES)]
                ),
            ],
            "spots": [self._spot(spot) for spot in summary.most_expensive],
        }

    def _title(self) -> str | None:
        return None if self.name is None else strategy_title(self.name).title

    def _spot(self, spot: JudgedSpot) -> Plain:
        hand_id = self._summed[spot.hand_place]
        return {"hand": hand_id, **_decision(self._hands[hand_id], spot.action)}


def _groups(title: str, groups: Sequence[CostGroup[int]], labels: Sequence[str]) -> Plain:
    return {"title": title, "rows": [_group(labels[group.key], group) for group in groups]}


def _group(label: str, group: CostGroup[Any]) -> Plain:
    return {
        "label": label,
        "decisions": group.num_decisions,
        "cost": group.cost_bb,
        "halfWidth": group.half_width_bb,
    }


def _decision(own: OwnHand, one: JudgedAction) -> Plain:
    """Return a judged decision in words and numbers."""
    betting = own.before(one.place)
    last = frames(betting, own.names)[-1]
    words, fills = _words(betting, last, one)
    return {
        "place": one.place,
        "step": len(frames(betting, own.names)) - 1,
        "street": STREET_NAMES[one.street],
        "position": seat_labels(own.definition)[one.seat],
        "cards": format_cards(own.hand.hole_cards[one.seat]),
        "board": format_cards(own.board(one.street)),
        "pot": one.pot_chips,
        "toCall": one.to_call_chips,
        "action": one.taken.text,
        "lastAction": action_words(betting, one.taken, last.before[betting.actor]),
        "actions": [{"text": text, "fill": fill} for text, fill in zip(words, fills, strict=True)],
        "taken": one.actions.index(one.taken) if one.taken in one.actions else -1,
        "preferred": one.actions.index(one.preferred) if one.preferred else -1,
        "probabilities": list(one.probabilities),
        "values": list(one.values_bb),
        "takenValue": one.taken_value_bb,
        "cost": one.cost_bb if one.is_judged else None,
        "standardError": one.standard_error_bb,
        "halfWidth": one.half_width_bb,
        "isExact": one.is_exact,
        "numDeals": one.num_deals,
        "note": one.note,
    }


def _words(betting: BettingState, last: Frame, one: JudgedAction) -> tuple[list[str], list[str]]:
    before = last.before[betting.actor]
    words = [action_words(betting, action, before) for action in one.actions]
    return words, action_fill_names(betting, one.actions)
