"""What the two ends of a connection say to each other, as values."""

from __future__ import annotations

from dataclasses import dataclass

from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition

PROTOCOL_VERSION = (2, 0, 0)


@dataclass(frozen=True, slots=True)
class MatchState:
    """One seat's view of a hand: what a MATCHSTATE line says.

    *seat* is the receiver's position in this hand. *hole_cards* has one entry a
    seat, empty where the cards are hidden; *board* holds the cards that lie on
    the table. Cards are of the definition's own deck, whichever deck the
    dealer uses; *line* is the text as it came, which a reply echoes.
    """

    seat: int
    hand_id: int
    betting: BettingState
    hole_cards: tuple[tuple[int, ...], ...]
    board: tuple[int, ...]
    line: str

    @property
    def definition(self) -> GameDefinition:
        """The game that is played."""
        return self.betting.game.definition

    @property
    def own_cards(self) -> tuple[int, ...]:
        """The receiver's hole cards."""
        return self.hole_cards[self.seat]

    @property
    def is_my_turn(self) -> bool:
        """Whether the receiver is to act."""
        return self.betting.actor == self.seat


@dataclass(frozen=True, slots=True)
class Comment:
    """A line that begins with ``#`` or ``;``; either end may send one and nothing answers it."""

    text: str


@dataclass(frozen=True, slots=True)
class StreamEnded:
    """The peer closed its sending side.

    *hand_was_over* tells a match's end from a cut in the middle of a hand.
    """

    hand_was_over: bool
