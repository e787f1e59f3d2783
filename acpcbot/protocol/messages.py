"""Messages of the ACPC protocol as values: states, comments, the end of the stream."""

from __future__ import annotations

from dataclasses import dataclass

from acpcbot.poker.betting import BettingState
from acpcbot.poker.definition import GameDefinition

PROTOCOL_VERSION = (2, 0, 0)


@dataclass(frozen=True, slots=True)
class MatchState:
    """One seat's view of a hand, as a MATCHSTATE line gives it.

    *seat* is the receiver's position in this hand. *hole_cards* has one entry a seat, empty
    where the cards are hidden; *board* holds the cards dealt so far. Cards are of the
    definition's own deck, whatever deck the dealer uses; *line* is the text as it came,
    which a reply echoes.
    """

    seat: int
    hand_id: int
    betting: BettingState
    hole_cards: tuple[tuple[int, ...], ...]
    board: tuple[int, ...]
    line: str

    @property
    def definition(self) -> GameDefinition:
        """The definition of the game."""
        return self.betting.game.definition

    @property
    def own_cards(self) -> tuple[int, ...]:
        """The receiver's hole cards."""
        return self.hole_cards[self.seat]

    @property
    def is_my_turn(self) -> bool:
        """True if the receiver is to act."""
        return self.betting.actor == self.seat


@dataclass(frozen=True, slots=True)
class Comment:
    """A line that begins with ``#`` or ``;``: either end may send one, and neither replies."""

    text: str


@dataclass(frozen=True, slots=True)
class StreamEnded:
    """The end of the peer's stream.

    *hand_was_over* is False if the stream was cut in the middle of a hand.
    """

    hand_was_over: bool
