"""Requests of a browser, as values; anything else raises BadRequest.

A request is one JSON object with its ``type`` and the fields of the class of that name, no more
and no fewer. Numbers are whole, from 0 to ``LARGEST``, texts at most ``LONGEST_TEXT`` long.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from acpcbot.decoding import BadValue, decode
from acpcbot.errors import BadRequest

LONGEST_REQUEST = 2048
LONGEST_TEXT = 64
LARGEST = 2**32 - 1
MOST_NUMBERS = 10
SHOWN_LENGTH = 200

Number = Annotated[int, Meta(ge=0, le=LARGEST)]
Text = Annotated[str, Meta(max_length=LONGEST_TEXT)]


@dataclass(frozen=True, slots=True)
class Sit:
    """Begin a match of *game* against *bots*, in seat order.

    Both are places in what the lobby offers.
    """

    game: Number
    bots: Annotated[tuple[Number, ...], Meta(max_length=MOST_NUMBERS)]
    name: Text


@dataclass(frozen=True, slots=True)
class Resume:
    """Come back to the *table* of that secret name."""

    table: Text


@dataclass(frozen=True, slots=True)
class Act:
    """The *action*, as on the wire, after *turn* others in hand number *hand*."""

    hand: Number
    turn: Number
    action: Text


@dataclass(frozen=True, slots=True)
class Deal:
    """Deal the hand after number *hand*."""

    hand: Number


@dataclass(frozen=True, slots=True)
class Leave:
    """End the match."""


@dataclass(frozen=True, slots=True)
class Explain:
    """Ask for the probabilities of the bots in hand number *hand*, which is over."""

    hand: Number


@dataclass(frozen=True, slots=True)
class Estimate:
    """Estimate the values at the bots' decision number *place* of hand number *hand*."""

    hand: Number
    place: Number


@dataclass(frozen=True, slots=True)
class Replay:
    """Hand number *hand* of the person's own match, step by step."""

    hand: Number


@dataclass(frozen=True, slots=True)
class Drill:
    """Deal the spot before decision number *place* of hand number *hand* again."""

    hand: Number
    place: Number


@dataclass(frozen=True, slots=True)
class Answer:
    """Judge *action*, as on the wire, at the spot before decision number *place* of that hand."""

    hand: Number
    place: Number
    action: Text


@dataclass(frozen=True, slots=True)
class Watch:
    """Hear of all matches that can be watched, and of what comes to them."""


@dataclass(frozen=True, slots=True)
class Largest:
    """The hands of a match with the largest pots, as many as *count*."""

    match: Number
    count: Number


@dataclass(frozen=True, slots=True)
class Show:
    """One hand of a log of a match, by its place there, step by step."""

    match: Number
    log: Number
    hand: Number


@dataclass(frozen=True, slots=True)
class Find:
    """The hand of a log of a match that has this number there, step by step."""

    match: Number
    log: Number
    number: Number


Request: TypeAlias = (
    Sit
    | Resume
    | Act
    | Deal
    | Leave
    | Explain
    | Estimate
    | Replay
    | Drill
    | Answer
    | Watch
    | Largest
    | Show
    | Find
)
KINDS: dict[str, type[Request]] = {
    kind.__name__.lower(): kind
    for kind in (
        Sit,
        Resume,
        Act,
        Deal,
        Leave,
        Explain,
        Estimate,
        Replay,
        Drill,
        Answer,
        Watch,
        Largest,
        Show,
        Find,
    )
}


def parse_request(text: str) -> Request:
    """Return the request that *text* is.

    >>> parse_request('{"type": "act", "hand": 3, "turn": 2, "action": "r300"}')
    Act(hand=3, turn=2, action='r300')
    """
    try:
        return _request(msgspec.json.decode(text))
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise BadRequest(text[:SHOWN_LENGTH], "no JSON") from None
    except BadValue as fault:
        raise BadRequest(text[:SHOWN_LENGTH], str(fault)[:SHOWN_LENGTH]) from None


def _request(found: object) -> Request:
    """Return the JSON value *found* as a request; raises BadValue."""
    if not isinstance(found, dict):
        raise BadValue("", "expected an object with a type")
    name = decode(str, found.pop("type", None), "type")
    if name not in KINDS:
        raise BadValue("type", f"expected one of {', '.join(KINDS)}, found {json.dumps(name)}")
    return decode(KINDS[name], found)
