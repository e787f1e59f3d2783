"""A parser of game definitions that reads and refuses files as the official one does.

The text is one character per byte (latin-1). ``read_definition_text`` collects the entries of the
lines; ``refusals`` gives the official parser's complaints in its own words
and order. Its words count rounds, players and first players from one.

Source: the behaviour of the ACPC server's ``readGame``, release 1.0.42, on 64-bit Linux.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from acpcbot.c_numbers import to_int32, to_unsigned
from acpcbot.cards.deck import NUM_RANKS, NUM_SUITS
from acpcbot.errors import BadDefinition

MAX_PLAYERS = 10
MAX_STREETS = 4
MAX_HOLE_CARDS = 3
UNLIMITED_STACK = 2**31 - 1
UNLIMITED_RAISES = 2**8 - 1


def _to_byte(number: int) -> int:
    return to_unsigned(number, 8)


@dataclass(frozen=True, slots=True)
class _Key:
    """The storage of the numbers behind one key: *room* of them, *default* before any line."""

    room: int = 1
    default: tuple[int, ...] = (0,)
    convert: Callable[[int], int] = _to_byte


_KEYS = {
    "numplayers": _Key(),
    "numrounds": _Key(),
    # Only four players have a default stack, however many the game seats.
    "stack": _Key(MAX_PLAYERS, (UNLIMITED_STACK,) * 4, to_int32),
    "blind": _Key(MAX_PLAYERS, (), to_int32),
    "raisesize": _Key(MAX_STREETS, (), to_int32),
    "firstplayer": _Key(MAX_STREETS, (1,) * MAX_STREETS),
    "maxraises": _Key(MAX_STREETS, (UNLIMITED_RAISES,) * MAX_STREETS),
    "numsuits": _Key(),
    "numranks": _Key(),
    "numholecards": _Key(),
    "numboardcards": _Key(MAX_STREETS, ()),
}
# A line buffer of 4096 bytes: the rest of a longer line counts as a line of its own.
_LINE = re.compile(r"[^\n]{0,4094}\n|[^\n]{1,4095}")
_NUMBER = re.compile(r"[+-]?[0-9]+", re.ASCII)
_ENTRY = re.compile(
    rf"(end gamedef|limit|nolimit|{'|'.join(_KEYS)})((?:[\s=]*{_NUMBER.pattern})*)",
    re.ASCII | re.IGNORECASE,
)


@dataclass(slots=True)
class DefinitionText:
    """The entries of a text by key in lower case: numbers, and the count of the key's last line."""

    is_limit: bool = True
    numbers: dict[str, list[int]] = field(
        default_factory=lambda: {key: [*_KEYS[key].default] for key in _KEYS}
    )
    counts: dict[str, int] = field(
        default_factory=lambda: {key: len(_KEYS[key].default) for key in _KEYS}
    )

    def number(self, key: str) -> int:
        """Return the number of a *key* that has one."""
        return self.numbers[key][0]

    def store(self, key: str, text: str) -> None:
        """Write the numbers in *text* over the first ones of *key*."""
        given = [_KEYS[key].convert(int(digits)) for digits in _NUMBER.findall(text)]
        if key == "raisesize" and len(given) > MAX_STREETS:
            # The one list that the official parser reads past its end, over the fields that follow
            # in memory.
            raise BadDefinition(f"read {len(given)} raise sizes, only {MAX_STREETS} are possible")
        given = given[: _KEYS[key].room]
        self.numbers[key][: len(given)] = given
        self.counts[key] = len(given)


def read_definition_text(text: str) -> DefinitionText:
    """Collect the entries of *text*.

    Raises ``BadDefinition`` where the official parser overruns its memory.
    """
    found = DefinitionText()
    for line in _LINE.findall(text):
        entry = _ENTRY.match(line.partition("\0")[0])
        if entry is None:
            continue
        key = entry[1].lower()
        if key == "end gamedef":
            break
        if key in _KEYS:
            found.store(key, entry[2])
        else:
            found.is_limit = key == "limit"
    return found


def refusals(found: DefinitionText) -> Iterator[str]:
    """Yield the official parser's complaints in its order; only the first one is meaningful."""
    streets, players = found.number("numrounds"), found.number("numplayers")
    if not 1 <= streets <= MAX_STREETS:
        yield f"invalid number of rounds: {streets}"
    if not 2 <= players <= MAX_PLAYERS:
        yield f"invalid number of players: {players}"
    yield from _chip_refusals(found, players)
    yield from _betting_refusals(found, streets, players)
    yield from _card_refusals(found, streets, players)


def _chip_refusals(found: DefinitionText, players: int) -> Iterator[str]:
    yield from _too_few(found, "stack", "stack sizes", players)
    yield from _too_few(found, "blind", "blinds", players)
    for player in range(players):
        if found.numbers["blind"][player] > found.numbers["stack"][player]:
            yield f"blind for player {player + 1} is greater than stack size"


def _betting_refusals(found: DefinitionText, streets: int, players: int) -> Iterator[str]:
    if found.is_limit:
        yield from _too_few(found, "raisesize", "raise sizes", streets)
    for street, first in enumerate(found.numbers["firstplayer"][:streets]):
        if not 1 <= first <= players:
            yield f"invalid first player {first} on round {street + 1}"


def _card_refusals(found: DefinitionText, streets: int, players: int) -> Iterator[str]:
    suits, ranks, hole_cards = (
        found.number(key) for key in ("numsuits", "numranks", "numholecards")
    )
    for name, number, most in (
        ("suits", suits, NUM_SUITS),
        ("ranks", ranks, NUM_RANKS),
        ("hole cards", hole_cards, MAX_HOLE_CARDS),
    ):
        if not 1 <= number <= most:
            yield f"invalid number of {name}: {number}"
    yield from _too_few(found, "numboardcards", "board card numbers", streets)
    if players * hole_cards + sum(found.numbers["numboardcards"][:streets]) > suits * ranks:
        yield "too many hole and board cards for specified deck"


def _too_few(found: DefinitionText, key: str, name: str, needed: int) -> Iterator[str]:
    if found.counts[key] < needed:
        yield f"only read {found.counts[key]} {name}, need {needed}"
