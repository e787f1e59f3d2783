"""Detection of the game of match logs without a fitting header.

The layout of the cards and the spelling of raises leave one or two shipped games. Each is tried
with its own stacks, then with one stack for all seats: the largest bet of a hand that ended
all-in before the last street, or else the largest bet of any hand. A game is accepted if every
hand of every log is possible in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from acpcbot.errors import BadDefinition, BadLogLine, UsageError
from acpcbot.logs.entries import HEADER_TAG
from acpcbot.logs.match_log import read_match_log
from acpcbot.logs.source import CHUNK_SIZE, open_log, shipped_game, whole_lines
from acpcbot.poker.definition import GameDefinition, with_stacks
from acpcbot.poker.shipped import SHIPPED_NAMES, shipped_definition, stacks_text

_HAND = re.compile(rb"^STATE:[0-9]+:([^:\n]*):([^:\n]*):", re.MULTILINE)
_HEADER = re.compile(
    b"^" + re.escape(HEADER_TAG.encode()) + rb"[^\n]* (\S+) [0-9]+ [0-9]+\r?$", re.MULTILINE
)
_SIZE = re.compile(rb"r([0-9]{1,10})")


@dataclass(frozen=True, slots=True)
class GuessedGame:
    """A shipped game, perhaps with other stacks, and the command-line options that select it."""

    definition: GameDefinition
    options: str


@dataclass(slots=True)
class _Traits:
    """Properties of the logs' hands that tell games apart."""

    layout: tuple[int, int] = (0, 0)
    """Players and hole cards."""
    boards: tuple[int, ...] = ()
    """Board cards by street, up to the latest street of any hand."""
    has_sizes: bool = False
    has_plain_raises: bool = False
    largest_bet: int = 0
    all_in: int = 0
    """The largest bet of the first hand that ended with cards still to come."""

    def add(self, betting: bytes, cards: bytes) -> None:
        """Add the traits of a hand."""
        first, *boards = cards.split(b"/")
        holes = first.split(b"|")
        self.layout = len(holes), len(holes[0]) // 2
        self.boards = max(
            self.boards,
            (len(holes[-1]) // 2 - self.layout[1], *[len(part) // 2 for part in boards]),
        )
        sizes = [int(size) for size in _SIZE.findall(betting)]
        self.has_sizes = self.has_sizes or bool(sizes)
        self.has_plain_raises = self.has_plain_raises or betting.count(b"r") > len(sizes)
        largest = max(sizes, default=0)
        self.largest_bet = max(self.largest_bet, largest)
        if betting.endswith(b"/"):
            self.all_in = self.all_in or largest

    def fit(self, definition: GameDefinition) -> bool:
        """Return whether *definition*, with any stacks, fits these traits."""
        return (
            self.layout == (definition.num_players, definition.num_hole_cards)
            and self.boards == definition.num_board_cards[: len(self.boards)]
            and not (self.has_sizes if definition.is_limit else self.has_plain_raises)
        )


def guess_game(
    logs: Sequence[Path], stacks: Sequence[int] = (), *, check_values: bool = True
) -> GuessedGame | None:
    """Return the shipped game that all hands of *logs* fit, None if there is none.

    *stacks* replace the game's own if given. ``check_values=False`` is for logs whose values
    are variance-reduced.
    """
    traits = _Traits()
    for path in logs:
        for chunk in _chunks(path):
            for betting, cards in _HAND.findall(chunk):
                traits.add(betting, cards)
    for name in SHIPPED_NAMES if traits.boards else ():
        definition = shipped_definition(name)
        if traits.fit(definition):
            for candidate in _candidates(definition, traits, stacks):
                if _fits_all(logs, candidate, check_values=check_values):
                    return GuessedGame(candidate, _options(name, definition, candidate))
    return None


def names_game(path: Path) -> bool:
    """Return whether a header of the log at *path* names a shipped game."""
    return any(
        shipped_game(name.decode("latin-1"))
        for chunk in _chunks(path)
        for name in _HEADER.findall(chunk)
    )


def _chunks(path: Path) -> Iterator[bytes]:
    with open_log(path) as (_, file):
        for chunk, _ in whole_lines(file, CHUNK_SIZE):
            yield chunk


def _candidates(
    definition: GameDefinition, traits: _Traits, stacks: Sequence[int]
) -> Iterator[GameDefinition]:
    """Yield *definition* with *stacks*, else with its own stacks and those inferred from bets."""
    tried = [tuple(stacks)] if stacks else [(traits.all_in,), (traits.largest_bet,)]
    if not stacks:
        yield definition
    for wanted in dict.fromkeys(tried):
        if wanted[0] > 0:
            try:
                yield with_stacks(definition, wanted)
            except BadDefinition:
                continue


def _fits_all(logs: Sequence[Path], definition: GameDefinition, *, check_values: bool) -> bool:
    try:
        for path in logs:
            for _ in read_match_log(path, definition, check_values=check_values):
                pass
    except (BadLogLine, UsageError):
        return False
    return True


def _options(name: str, shipped: GameDefinition, taken: GameDefinition) -> str:
    return f"--game {name}" if taken == shipped else f"--game {name} --stack {stacks_text(taken)}"
