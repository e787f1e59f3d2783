"""Requests of a browser, as values; anything else raises BadRequest.

A request is one JSON object with its ``type`` and the fields of the class of that name, no more
and no fewer. Numbers are whole, from 0 to ``LARGEST``, texts at most ``LONGEST_TEXT`` long.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

from acpcbot.errors import BadRequest

LONGEST_REQUEST = 2048
LONGEST_TEXT = 64
LARGEST = 2**32 - 1
MOST_NUMBERS = 10
SHOWN_LENGTH = 200
EXPECTED = {
    "int": f"a whole number 0..{LARGEST}",
    "str": "a text",
    "tuple": "a list of whole numbers",
}
"""What a field of each type holds, for refusals."""


@dataclass(frozen=True, slots=True)
class Sit:
    """Begin a match of *game* against *bots*, in seat order.

    Both are places in what the lobby offers.
    """

    game: int
    bots: tuple[int, ...]
    name: str


@dataclass(frozen=True, slots=True)
class Resume:
    """Come back to the *table* of that secret name."""

    table: str


@dataclass(frozen=True, slots=True)
class Act:
    """The *action*, as on the wire, after *turn* others in hand number *hand*."""

    hand: int
    turn: int
    action: str


@dataclass(frozen=True, slots=True)
class Deal:
    """Deal the hand after number *hand*."""

    hand: int


@dataclass(frozen=True, slots=True)
class Leave:
    """End the match."""


@dataclass(frozen=True, slots=True)
class Explain:
    """Ask for the probabilities of the bots in hand number *hand*, which is over."""

    hand: int


@dataclass(frozen=True, slots=True)
class Replay:
    """Hand number *hand* of the person's own match, step by step."""

    hand: int


@dataclass(frozen=True, slots=True)
class Watch:
    """Hear of the log with this number, and of every hand that comes to it."""

    log: int


@dataclass(frozen=True, slots=True)
class Show:
    """One hand of a log, by its place there, step by step."""

    log: int
    hand: int


@dataclass(frozen=True, slots=True)
class Find:
    """The hand of a log that has this number there, step by step."""

    log: int
    number: int


Request: TypeAlias = Sit | Resume | Act | Deal | Leave | Explain | Replay | Watch | Show | Find
KINDS: dict[str, type[Request]] = {
    kind.__name__.lower(): kind
    for kind in (Sit, Resume, Act, Deal, Leave, Explain, Replay, Watch, Show, Find)
}


def parse_request(text: str) -> Request:
    """The request that *text* is.

    >>> parse_request('{"type": "act", "hand": 3, "turn": 2, "action": "r300"}')
    Act(hand=3, turn=2, action='r300')
    """
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise BadRequest(text[:SHOWN_LENGTH], "no JSON") from None
    if not isinstance(found, dict):
        raise BadRequest(text[:SHOWN_LENGTH], "no object")
    name = found.pop("type", None)
    kind = KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise BadRequest(text[:SHOWN_LENGTH], "an unknown type")
    wanted = {field.name: field.type for field in fields(kind)}
    if found.keys() != wanted.keys():
        raise BadRequest(
            text[:SHOWN_LENGTH], f"a {name} has the fields {', '.join(wanted) or 'type'}"
        )
    return kind(
        **{field: _value(text, field, str(wanted[field]), found[field]) for field in wanted}
    )


def _value(text: str, field: str, wanted: str, value: Any) -> Any:
    """*value* if it is of the type that is *wanted*, lists as tuples."""
    if wanted == "int" and _is_number(value):
        return value
    if wanted == "str" and isinstance(value, str) and len(value) <= LONGEST_TEXT:
        return value
    if wanted.startswith("tuple") and _are_numbers(value):
        return tuple(value)
    expected = next(words for kind, words in EXPECTED.items() if wanted.startswith(kind))
    found = json.dumps(value)[:SHOWN_LENGTH]
    raise BadRequest(text[:SHOWN_LENGTH], f"{field}: expected {expected}, got {found}")


def _are_numbers(value: object) -> bool:
    return isinstance(value, list) and len(value) <= MOST_NUMBERS and all(map(_is_number, value))


def _is_number(value: object) -> bool:
    return type(value) is int and 0 <= value <= LARGEST
