"""A spot of hold'em as a browser describes it, and ranges as the page paints them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

import numpy as np
from msgspec import Meta

from acpcbot.arrays import Floats
from acpcbot.cards.combos import NUM_COMBOS, all_combos, format_combo
from acpcbot.cards.deck import RANKS, parse_cards
from acpcbot.cards.range_notation import parse_range
from acpcbot.errors import UsageError

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
    ``pot``, ``stack``   chips in the middle, and those that each player has left
    ``range1``           the hands of the seat that acts first
    ``target``           exploitability in per cent of the pot
    ``seconds``          time of solving
    ``int16``            sums in 16 bits, in half of the memory
    """

    board: Annotated[str, Meta(max_length=20)]
    pot: Chips
    stack: Chips
    range1: RangeText
    range2: RangeText
    bets: Annotated[str, Meta(max_length=LONGEST_BETS)]
    target: Annotated[float, Meta(ge=0.001, le=100)] = 0.5
    seconds: Annotated[float, Meta(gt=0, le=MOST_SECONDS)] = 60.0
    int16: bool = False

    def verify(self) -> None:
        """Raise AcpcbotError for what can be seen without building anything."""
        num_cards = len(parse_cards(self.board))
        if num_cards not in (3, 4, 5):
            raise UsageError(
                f"a board of {num_cards} cards", "expected three, four or five, as in KsTd9h4s2c"
            )
        for seat, text in enumerate((self.range1, self.range2), 1):
            if not parse_range(text).any():
                raise UsageError(f"the range of seat {seat} is empty", "paint a hand, or write all")
        if self.stack > MOST_POTS * self.pot:
            raise UsageError(
                f"a stack of {self.stack} behind a pot of {self.pot}",
                f"expected at most {MOST_POTS} pots",
            )
        if "min" in self.bets and self.stack > MOST_SMALLEST:
            raise UsageError(
                f'the size "min", one chip here, with stacks of {self.stack}',
                f"expected stacks of at most {MOST_SMALLEST}, or shares of the pot as sizes",
            )
        if any(len(row.split(",")) > MOST_SIZES for row in self.bets.replace("/", ";").split(";")):
            raise UsageError(f"more than {MOST_SIZES} sizes in one row of the bets", "take fewer")

    @property
    def label(self) -> str:
        """The spot in words, as ``acpcbot solve`` has them."""
        return f"hold'em, board {self.board}, pot {self.pot}, stacks {self.stack}, bets {self.bets}"

    def ranges(self) -> Floats:
        """Return the weights of all combos, [seat, combo]."""
        return np.stack([parse_range(self.range1), parse_range(self.range2)])


def range_classes(text: str) -> Plain:
    """Return the classes of hands in the range *text*: mean weights, and text that spells each.

    Raises BadRange.

    >>> range_classes("AA, AKs:0.5")["classes"]
    {'AA': [1.0, 'AA'], 'AKs': [0.5, 'AKs:0.5']}
    """
    weights = parse_range(text)
    found: dict[str, list[Any]] = {}
    for name, combos in class_combos().items():
        own = weights[combos].tolist()
        if any(own):
            found[name] = [float(np.mean(own)), _class_text(name, combos, own)]
    return {"classes": found, "combos": float(weights.sum())}


def class_combos() -> dict[str, list[int]]:
    """Return the combos of each class of hands, high cards first."""
    cards = all_combos().tolist()
    found: dict[str, list[int]] = {}
    for combo in reversed(range(NUM_COMBOS)):
        high, low = cards[combo]
        kind = "" if high >> 2 == low >> 2 else "s" if high & 3 == low & 3 else "o"
        found.setdefault(f"{RANKS[high >> 2]}{RANKS[low >> 2]}{kind}", []).append(combo)
    return found


def _class_text(name: str, combos: list[int], weights: list[float]) -> str:
    if len(set(weights)) == 1:
        return f"{name}{_suffix(weights[0])}"
    parts = zip(combos, weights, strict=True)
    return ",".join([f"{format_combo(combo)}{_suffix(one)}" for combo, one in parts if one])


def _suffix(weight: float) -> str:
    return "" if weight == 1.0 else f":{weight!r}"
