"""A spot of hold'em as a browser describes it; arrays are loaded when a range is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from msgspec import Meta

from acpcbot.cards.deck import parse_cards
from acpcbot.errors import UsageError
from acpcbot.poker.spots import effective_stack, stacks_words

if TYPE_CHECKING:
    from acpcbot.arrays import Floats

LONGEST_RANGE = 16_384
"""Every combo with a weight of its own takes some 13,000 characters."""
LONGEST_BETS = 200
MOST_SIZES = 12
"""In one row of a menu: no more can be told apart by their colours."""
MOST_SECONDS = 3600
MOST_CHIPS = 1_000_000_000
MOST_POTS = 1000
"""In a stack."""
MOST_SMALLEST = 200
"""Chips in a stack where raises by one chip are allowed: their number grows with them."""

Plain: TypeAlias = dict[str, Any]
Chips = Annotated[int, Meta(ge=1, le=MOST_CHIPS)]
RangeText = Annotated[str, Meta(max_length=LONGEST_RANGE)]


@dataclass(frozen=True, slots=True)
class SolverSpot:
    """A spot, and when its solving ends.

    ``board``, ``bets``  as ``acpcbot solve`` takes them
    ``pot``              chips in the middle
    ``stack1``           chips left to the seat that acts first; the smaller stack counts
    ``range1``           the hands of the seat that acts first
    ``target``           exploitability in per cent of the pot
    ``seconds``          time of solving
    ``int16``            sums in 16 bits, in half of the memory
    """

    board: Annotated[str, Meta(max_length=20)]
    pot: Chips
    stack1: Chips
    stack2: Chips
    range1: RangeText
    range2: RangeText
    bets: Annotated[str, Meta(max_length=LONGEST_BETS)]
    target: Annotated[float, Meta(ge=0.001, le=100)] = 0.5
    seconds: Annotated[float, Meta(gt=0, le=MOST_SECONDS)] = 60.0
    int16: bool = False

    def verify(self) -> None:
        """Raise AcpcbotError for what can be seen without building anything."""
        from acpcbot.cards.range_notation import parse_range

        num_cards = len(parse_cards(self.board))
        if num_cards not in (3, 4, 5):
            raise UsageError(
                f"a board of {num_cards} cards", "expected three, four or five, as in KsTd9h4s2c"
            )
        for seat, text in enumerate((self.range1, self.range2), 1):
            if not parse_range(text).any():
                raise UsageError(f"the range of seat {seat} is empty", "paint a hand, or write all")
        stack = self.effective_stack
        if stack > MOST_POTS * self.pot:
            raise UsageError(
                f"a stack of {stack} behind a pot of {self.pot}",
                f"expected at most {MOST_POTS} pots",
            )
        if "min" in self.bets and stack > MOST_SMALLEST:
            raise UsageError(
                f'the size "min", one chip here, with stacks of {stack}',
                f"expected stacks of at most {MOST_SMALLEST}, or shares of the pot as sizes",
            )
        if any(len(row.split(",")) > MOST_SIZES for row in self.bets.replace("/", ";").split(";")):
            raise UsageError(f"more than {MOST_SIZES} sizes in one row of the bets", "take fewer")

    @property
    def label(self) -> str:
        """The spot in words, as ``acpcbot solve`` has them."""
        stacks = stacks_words(self.stacks)
        return f"hold'em, board {self.board}, pot {self.pot}, stacks {stacks}, bets {self.bets}"

    @property
    def stacks(self) -> tuple[int, int]:
        """The chips that each seat has left."""
        return self.stack1, self.stack2

    @property
    def effective_stack(self) -> int:
        """The chips that each seat can bet."""
        return effective_stack(self.stacks)

    def ranges(self) -> Floats:
        """Return the weights of all combos, [seat, combo]."""
        import numpy as np

        from acpcbot.cards.range_notation import parse_range

        return np.stack([parse_range(self.range1), parse_range(self.range2)])
