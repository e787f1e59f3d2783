"""Names of made hands in words, and the cards that make them.

The strength is that of ``any_strength.py``: its class and its sets of ranks are put into words, as
in "two pair, kings and nines". The hand is the best five of the cards, or all of them where there
are fewer; of several fives of one strength the first in the order of the cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from acpcbot.cards import any_strength
from acpcbot.cards.deck import NUM_RANKS

HAND_SIZE = 5
RANK_NAMES = (
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
    "ace",
)
_PLURALS = {"six": "sixes"}
_ACE = NUM_RANKS - 1
# A straight is the place of its lowest card, where place 0 is the ace below the two.
_STRAIGHT_TOP = HAND_SIZE - 2


@dataclass(frozen=True, slots=True)
class MadeHand:
    """The best hand of some cards: its *strength* among as many cards, and the *cards* it is."""

    strength: int
    cards: tuple[int, ...]

    @property
    def name(self) -> str:
        """The hand in words."""
        return strength_name(self.strength)


def made_hand(cards: Sequence[int]) -> MadeHand:
    """Return the best hand of one to ten different *cards*.

    >>> from acpcbot.cards.deck import parse_cards
    >>> made_hand(parse_cards("KsKd9h9c4s3d2c")).name
    'two pair, kings and nines'
    """
    best = any_strength.strength(cards)
    if len(cards) <= HAND_SIZE:
        return MadeHand(best, tuple(cards))
    fives = combinations(cards, HAND_SIZE)
    return MadeHand(best, next(five for five in fives if any_strength.strength(five) == best))


def strength_name(strength: int) -> str:
    """Return the name of a strength of ``any_strength.strength``."""
    hand_class, main = strength >> 26, _ranks(strength >> NUM_RANKS)
    kickers = _ranks(strength)
    match hand_class:
        case any_strength.STRAIGHT_FLUSH if main[0] + _STRAIGHT_TOP == _ACE:
            return "royal flush"
        case any_strength.STRAIGHT_FLUSH:
            return f"straight flush, {RANK_NAMES[main[0] + _STRAIGHT_TOP]} high"
        case any_strength.QUADS:
            return f"four of a kind, {_plural(main[0])}"
        case any_strength.FULL_HOUSE:
            return f"full house, {_plural(main[0])} full of {_plural(kickers[0])}"
        case any_strength.FLUSH:
            return f"flush, {RANK_NAMES[kickers[0]]} high"
        case any_strength.STRAIGHT:
            return f"straight, {RANK_NAMES[main[0] + _STRAIGHT_TOP]} high"
        case any_strength.TRIPS:
            return f"three of a kind, {_plural(main[0])}"
        case any_strength.TWO_PAIR:
            return f"two pair, {_plural(main[0])} and {_plural(main[1])}"
        case any_strength.PAIR:
            return f"pair of {_plural(main[0])}"
    return f"{RANK_NAMES[kickers[0]]} high"


def _ranks(ranks: int) -> list[int]:
    """Return the members of a set of ranks, the highest first."""
    return [rank for rank in reversed(range(NUM_RANKS)) if ranks >> rank & 1]


def _plural(rank: int) -> str:
    name = RANK_NAMES[rank]
    return _PLURALS.get(name, f"{name}s")
