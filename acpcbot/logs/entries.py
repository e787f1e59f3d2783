"""The entries of a match log, one a line: hands, scores, headers and other comments.

Values and names of a hand stand in the order of its positions, those of a score in the order of
the seats. ``text`` is the line again, byte for byte if a dealer wrote it. Printed values have
six decimals; ``is_near`` compares them with exact ones.

Nothing in a log is escaped, so a name may hold the bar that separates names: ``names_text`` is
always exact, ``names`` raises ``UsageError`` if it is ambiguous. Logs of matches against people
end a hand's line with `` # `` and a time in Unix seconds, or no time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TypeAlias

from acpcbot.cards.deck import parse_cards
from acpcbot.errors import UsageError
from acpcbot.jit import shared
from acpcbot.poker.betting import BettingRules, BettingState
from acpcbot.poker.dealing import Deal
from acpcbot.protocol.records import format_score_record, format_state_record

HEADER_TAG = "# name/game/hands/seed "


DECIMALS = 6
PRINTED_TOLERANCE = 0.5 / 10**DECIMALS
_TIME_STAMP = re.compile(r" # ([0-9]{9,20})?$")


@dataclass(frozen=True, slots=True)
class HandRecord:
    """One finished hand, a STATE line.

    The properties are computed at each access, so that an unused record costs little.
    """

    line_number: int
    hand_id: int
    betting_text: str
    cards_text: str
    values: tuple[float, ...]
    """Chips won, one number a position."""
    names_text: str
    game: BettingRules = field(repr=False, compare=False)

    @property
    def betting(self) -> BettingState:
        """The betting at the hand's end."""
        return self.game.parse(self.betting_text)

    @property
    def deal(self) -> Deal:
        """All hole cards, by position, and the board as far as it was dealt, in the log's deck."""
        definition = self.game.definition
        cards = parse_cards(self.cards_text.replace("|", "").replace("/", ""))
        held, size = definition.num_players * definition.num_hole_cards, definition.num_hole_cards
        return Deal(
            tuple([cards[first : first + size] for first in range(0, held, size)]), cards[held:]
        )

    @property
    def hole_cards(self) -> tuple[tuple[int, ...], ...]:
        """The hole cards of all players, by position."""
        return self.deal.hole_cards

    @property
    def board(self) -> tuple[int, ...]:
        """The board as far as it was dealt."""
        return self.deal.board

    @property
    def seating_text(self) -> str:
        """``names_text`` without a time behind it."""
        return _TIME_STAMP.sub("", self.names_text) if " # " in self.names_text else self.names_text

    @property
    def names(self) -> tuple[str, ...]:
        """The players, by position; raises ``UsageError`` if a name holds a bar."""
        return split_names(self.seating_text, self.game.definition.num_players)

    @property
    def unix_time(self) -> int | None:
        """The time behind the names, where there is one."""
        stamp = _TIME_STAMP.search(self.names_text)
        return int(stamp[1]) if stamp and stamp[1] else None

    @property
    def text(self) -> str:
        """The STATE line."""
        return format_state_record(
            self.hand_id, self.betting, self.deal, self.values, (self.names_text,)
        )


@dataclass(frozen=True, slots=True)
class ScoreRecord:
    """The totals of a match, a SCORE line."""

    line_number: int
    values: tuple[float, ...]
    """Chips won, one number a seat."""
    names_text: str

    @property
    def names(self) -> tuple[str, ...]:
        """The players, by seat; raises ``UsageError`` if a name holds a bar."""
        return split_names(self.names_text, len(self.values))

    @property
    def text(self) -> str:
        """The SCORE line."""
        return format_score_record(self.values, (self.names_text,))


@dataclass(frozen=True, slots=True)
class HeaderRecord:
    """The header that a dealer writes when a match starts or is resumed.

    *game_name* is the definition's path as it was given.
    """

    line_number: int
    match_name: str
    game_name: str
    num_hands: int
    seed: int

    @property
    def text(self) -> str:
        """The header line."""
        return f"{HEADER_TAG}{self.match_name} {self.game_name} {self.num_hands} {self.seed}"


@dataclass(frozen=True, slots=True)
class CommentRecord:
    """Any other line that begins with ``#``."""

    line_number: int
    text: str


LogEntry: TypeAlias = HandRecord | ScoreRecord | HeaderRecord | CommentRecord


def split_names(text: str, num_players: int) -> tuple[str, ...]:
    """Return the names in *text*, which bars separate.

    Raises ``UsageError`` if their number is not *num_players*.
    """
    names = tuple(text.split("|"))
    if len(names) != num_players:
        raise UsageError(
            f"expected {num_players} names with bars between them, got {text!r}",
            "a name holds a bar: use names_text",
        )
    return names


@shared
def is_near(printed: float, value: float, tolerance: float) -> bool:
    """Return whether *printed* is within *tolerance* of *value*, apart from rounding errors."""
    # 1e-15 of the value covers the conversion from decimal, 1e-12 that of values near zero.
    return abs(printed - value) <= tolerance + 1e-12 + 1e-15 * abs(value)
