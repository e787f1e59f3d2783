"""Spots of the person's own hands, dealt again: the same cards and betting, another answer.

A spot is shown as it was when the person had to act: own cards, the board so far, and the betting.
The answer is judged at once, by the strategy that judged the hand.
"""

from __future__ import annotations

from typing import Any

from acpcbot.errors import BadRequest, IllegalAction
from acpcbot.poker.actions import Action
from acpcbot.web.choices import choices, parse_choice
from acpcbot.web.judging import OwnHand
from acpcbot.web.table_view import Cards, TableSeats, frames, table_view

Plain = dict[str, Any]


def spot(own: OwnHand, place: int, seating: TableSeats) -> Plain:
    """Return the spot before the decision numbered *place* for the page; raises BadRequest."""
    _verify(own, place)
    betting = own.before(place)
    steps = frames(betting, own.names)
    hidden: tuple[int, ...] = ()
    hole_cards = [
        cards if seat == own.seat else hidden for seat, cards in enumerate(own.hand.hole_cards)
    ]
    cards = Cards(hole_cards, own.board(betting.street))
    return {
        "hand": own.hand_id,
        "place": place,
        "view": table_view(steps[-1], seating, cards),
        "captions": [step.caption for step in steps],
        "choices": choices(betting, steps[-1].before[own.seat]),
    }


def answer(own: OwnHand, place: int, text: str) -> Action:
    """Return the legal action that *text* spells at a spot; raises BadRequest."""
    _verify(own, place)
    try:
        return parse_choice(text, own.before(place))
    except IllegalAction as error:
        raise BadRequest(text, error.reason) from None


def _verify(own: OwnHand, place: int) -> None:
    """Raise BadRequest unless *place* is a decision of the person."""
    actors = [betting.actor for betting, _ in own.hand.betting.decisions()]
    if place >= len(actors) or actors[place] != own.seat:
        raise BadRequest(f"hand {own.hand_id}, decision {place}", "this is no decision of yours")
