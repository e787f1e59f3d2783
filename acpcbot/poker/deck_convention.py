"""The two conventions for small decks, told apart by the cards that the other side names.

A game definition says only how many suits and ranks there are. The official dealer
takes the highest of both, older servers the lowest: Leduc is dealt from the queens, kings
and aces of hearts and spades, or from the twos, threes and fours of clubs and diamonds.
The highest ones are the canonical cards here. A card that fits neither deck, or not the
deck settled on, raises ``BadCards``.
"""

from __future__ import annotations

from collections.abc import Sequence

from acpcbot.cards.deck import NUM_RANKS, NUM_SUITS, deck_cards, format_cards, mask_of
from acpcbot.errors import BadCards


class DeckConvention:
    """The other side's deck of *num_suits* suits and *num_ranks* ranks, as far as it is known.

    >>> leduc = DeckConvention(num_suits=2, num_ranks=3)
    >>> leduc.lowest is None
    True
    >>> leduc.see([0])  # the two of clubs
    >>> leduc.lowest, leduc.to_canonical(0)
    (True, 42)
    """

    __slots__ = ("_decks", "_lift", "_possible")

    def __init__(self, num_suits: int, num_ranks: int) -> None:
        # A card is 4 * rank + suit, so moving the ranks and the suits up is one addition.
        self._lift = 4 * (NUM_RANKS - num_ranks) + NUM_SUITS - num_suits
        self._possible: tuple[bool, ...] = (False, True) if self._lift else (False,)
        self._decks = {
            lowest: mask_of(deck_cards(num_suits, num_ranks, lowest=lowest))
            for lowest in self._possible
        }

    @property
    def lowest(self) -> bool | None:
        """True if the deck has the lowest suits and ranks; None while both are possible."""
        return self._possible[0] if len(self._possible) == 1 else None

    def see(self, cards: Sequence[int]) -> None:
        """Note *cards* that the other side named; raises ``BadCards`` if they do not fit."""
        if not self._lift:
            return
        seen = mask_of(cards)
        fitting = tuple([lowest for lowest in self._possible if not seen & ~self._decks[lowest]])
        if not fitting:
            raise BadCards(format_cards(cards), self._misfit(seen))
        self._possible = fitting

    def to_canonical(self, card: int) -> int:
        """Return the highest deck's card for the other side's *card*.

        Until ``lowest`` is known, it is the card itself.
        """
        return card + self._lift if self.lowest else card

    def _misfit(self, seen: int) -> str:
        if seen & ~(self._decks[False] | self._decks[True]):
            return "not in this game's deck"
        return "the highest and the lowest cards of a small deck together"
